package robotshttp

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// A pacer forgets the sites for which nobody would have to wait.
func TestPacerForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pacer
		for i := range 10_000 {
			location := fmt.Sprintf("https://%d.example/robots.txt", i)
			p.reserve(location, time.Minute, math.MaxInt64)
			p.pause(location, time.Minute)
			time.Sleep(time.Second)
		}
		if n := len(p.sites); n > 500 {
			t.Errorf("%d sites", n)
		}
	})
}
