package main

import (
	"testing"

	"github.com/robotstxt-go/robotstxt/examples/internal/sitetest"
)

func TestCrawl(t *testing.T) { sitetest.Check(t, fetcher(fetch), crawl, false) }

func TestCrawlDelay(t *testing.T) { sitetest.CheckDelay(t, crawl) }
