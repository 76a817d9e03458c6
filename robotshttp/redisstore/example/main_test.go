package main

import (
	"errors"
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
	lines := strings.Split(out.String(), "\n")
	if len(lines) < 5 || len(strings.Fields(lines[1])) != 6 || len(strings.Fields(lines[2])) != 6 {
		t.Errorf("printed\n%s", &out)
	}
	if !strings.Contains(out.String(), "asked for a robots.txt 3 times") {
		t.Errorf("printed\n%s", &out)
	}
}
