package inputid_test

import (
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
)

// The same files have the same ID, and changed ones another.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	at := time.Unix(1e9, 5)
	want := inputid.Of("a/b.warc", 1, 100, at)
	if got := inputid.Of(dir+"/a/b.warc", 1, 100, at.UTC()); got != want || got == 0 {
		t.Errorf("absolute path: %d, want %d", got, want)
	}
	for _, other := range []inputid.ID{inputid.Of("b.warc", 1, 100, at), inputid.Of("a/b.warc", 2, 100, at), inputid.Of("a/b.warc", 1, 101, at), inputid.Of("a/b.warc", 1, 100, at.Add(1))} {
		if other == want {
			t.Errorf("another input has the same ID: %d", other)
		}
	}
	if inputid.Of("gs://a/b", 1, 1, at) == inputid.Of(dir+"/gs://a/b", 1, 1, at) {
		t.Error("a URL is not taken as it is")
	}
}
