package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore/internal/redisserver"
)

func TestExample(t *testing.T) {
	var out strings.Builder
	f := fleet{crawlers: 2, sites: 3, visit: time.Second / 2}
	err := f.run(&out)
	if errors.Is(err, redisserver.ErrNotInstalled) {
		t.Skip("NOT TESTED: redis-server is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`^ *crawler .*
 +1 .* (\d+)
 +2 .* (\d+)

The sites received 3 requests for a robots.txt.
The site .* received (\d+) requests for pages, at least .* apart.
$`)
	n := make([]int, 4)
	for i, text := range want.FindStringSubmatch(out.String()) {
		n[i], _ = strconv.Atoi(text)
	}
	if pages := n[1] + n[2]; pages == 0 || pages > n[3] {
		t.Errorf("the numbers of pages do not fit in the output\n%s", &out)
	}
}
