package survey

import (
	"bytes"
	"cmp"
	"time"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/warc"
)

// originals are the earlier captures of an archive to which revisits can refer. To limit memory, only the first
// ones are kept.
type originals struct {
	captures map[string]Capture // by the digest of the payload, or else by URL and date
	size     int                // how many bytes the captures need, more or less
}

// maxOriginals is the largest size of originals, in bytes.
const maxOriginals = 16 << 20

// add keeps a capture.
func (o *originals) add(c Capture) {
	const overhead = 500
	key := originalKey(c.PayloadDigest, c.URL, c.Fetched)
	if _, ok := o.captures[key]; ok || o.size > maxOriginals {
		return
	}
	if o.captures == nil {
		o.captures = map[string]Capture{}
	}
	c.Body = bytes.Clone(c.Body)
	o.captures[key] = c
	o.size += len(c.Body) + overhead
}

func originalKey(digest, url string, fetched time.Time) string {
	return cmp.Or(digest, url+" "+fetched.String())
}

// revisit completes the capture of a revisit. The response is that of its record, which lacks the body, and often
// the header, too.
func (o *originals) revisit(c *Capture, record *warc.Record, response warc.Response) {
	c.Status = response.Status
	if record.IsNotModified() {
		c.Status = 304
	}
	original, ok := o.captures[originalKey(record.PayloadDigest, "", time.Time{})]
	if !ok {
		original, ok = o.captures[originalKey("", record.RefersToURI, record.RefersToDate)]
	}
	if isError := c.Status != 0 && c.Status/100 != 2; isError {
		return // crawlers do not read the body
	}
	c.Status = cmp.Or(c.Status, original.Status)
	c.Body, c.Truncated, c.Undecoded, c.Elsewhere = original.Body, original.Truncated, original.Undecoded, !ok
}
