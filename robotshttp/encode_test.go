package robotshttp

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/robotshttp/internal/fetch"
)

// encode returns an error for a time that JSON cannot express.
func TestEncodeRefuses(t *testing.T) {
	r := state{URL: "https://example.com/robots.txt", Response: &fetch.Response{Status: 404, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}}
	if data, err := r.encode(); err == nil || data != nil {
		t.Errorf("encode returns %q, error %v, want an error", data, err)
	}
}

// decode returns an error for a value that no Cache has written, even if its checksum is
// right.
func TestDecodeRefuses(t *testing.T) {
	const url = "https://example.com/robots.txt"
	const answer = `{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Time":"2000-01-01T00:00:00Z"}}` + "\n"
	largest := strings.Repeat("#", robotstxt.SizeLimit+1)
	for name, test := range map[string]struct {
		rest string
		ok   bool
	}{
		"largest":   {answer + string(pack([]byte(largest))), true},
		"too large": {answer + string(pack([]byte(largest+"#"))), false},
		"no body":   {answer, true},
		"cut short": {answer + string(pack([]byte(largest))[:100]), false},
		"junk":      {answer + "junk", false},
		"no JSON":   {"{\n", false},
		"nothing":   {`{"URL":"https://example.com/robots.txt"}` + "\n", false},
		"another":   {`{"URL":"https://other.example/robots.txt","Answer":{"Status":200,"Time":"2000-01-01T00:00:00Z"}}` + "\n", false},
	} {
		data := fmt.Sprintf("%s %08x\n%s", storedVersion, crc32.Checksum([]byte(test.rest), castagnoli), test.rest)
		if _, _, err := decode([]byte(data), url); (err == nil) != test.ok {
			t.Errorf("%s: error %v, want none %t", name, err, test.ok)
		}
	}
}
