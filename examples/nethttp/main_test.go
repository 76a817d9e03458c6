package main

import (
	"testing"

	"github.com/robotstxt-go/robotstxt/examples/internal/sitetest"
)

func TestCrawl(t *testing.T) { sitetest.Check(t, crawl, false) }

func TestCrawlDelay(t *testing.T) { sitetest.CheckDelay(t, crawl) }
