package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/crawlers"
)

// Version identifies the codes and the table of crawlers of this program, by 16 hexadecimal digits.
// Programs that store findings can store it, too, to see later whether another version might find
// something else in the same files.
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	hash := sha256.New()
	for _, c := range Codes() {
		fmt.Fprintln(hash, c.Name, c.Severity)
	}
	for _, c := range crawlers.All() {
		c.Source, c.Checked, c.IPRanges = "", time.Time{}, "" // these change no findings
		fmt.Fprintf(hash, "%+v\n", c)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
})
