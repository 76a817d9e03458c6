package robotshttp

import (
	"testing"
	"time"
)

// replaceFile returns an error if the folder does not exist.
func TestReplaceFileNowhere(t *testing.T) {
	if err := replaceFile(t.TempDir()+"/missing/file", nil, time.Time{}); err == nil {
		t.Error("no error for a file in a missing folder")
	}
}
