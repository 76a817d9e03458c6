package main

import (
	"errors"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/robotstxt-go/robotstxt/examples/internal/site"
	"github.com/robotstxt-go/robotstxt/examples/internal/sitetest"
	"github.com/robotstxt-go/robotstxt/robotshttp"
)

func TestCrawl(t *testing.T) { sitetest.Check(t, crawl, false) }

func TestCrawlDelay(t *testing.T) { sitetest.CheckDelay(t, crawl) }

// Unlike colly's own check, the Transport refuses a URL after OnRequest has been called, and then colly
// calls OnError. The error is not colly's.
func TestDisallowed(t *testing.T) {
	s := site.Start()
	defer s.Close()
	var requests, errs int
	c := colly.NewCollector(colly.UserAgent(site.UserAgent))
	c.WithTransport(robotshttp.NewTransport(site.UserAgent, nil))
	c.OnRequest(func(*colly.Request) { requests++ })
	c.OnError(func(*colly.Response, error) { errs++ })
	err := c.Visit(s.URL + "/private/x")
	if _, ok := errors.AsType[*robotshttp.DisallowedError](err); !ok || errors.Is(err, colly.ErrRobotsTxtBlocked) || requests != 1 || errs != 1 {
		t.Errorf("error %v; OnRequest was called %d times and OnError %d times, want once each", err, requests, errs)
	}
	own := colly.NewCollector(colly.UserAgent(site.UserAgent))
	own.IgnoreRobotsTxt = false
	own.OnRequest(func(*colly.Request) { requests++ })
	own.OnError(func(*colly.Response, error) { errs++ })
	if err := own.Visit(s.URL + "/private/x"); !errors.Is(err, colly.ErrRobotsTxtBlocked) || requests != 1 || errs != 1 {
		t.Errorf("colly's own check: error %v; OnRequest was called %d more times and OnError %d, want 0", err, requests-1, errs-1)
	}
}
