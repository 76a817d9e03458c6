package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// newSite starts a site for the examples.
func newSite() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: FooBot\nDisallow: /private/\nCrawl-delay: 2\n")
			return
		}
		fmt.Fprint(w, "Welcome!")
	}))
}

// Three lines make a client obey.
func Example() {
	site := newSite()
	defer site.Close()

	client := &http.Client{
		Transport: robotshttp.NewTransport("FooBot/1.0 (+https://example.com/bot)", nil),
	}

	for _, path := range []string{"/", "/private/"} {
		resp, err := client.Get(site.URL + path)
		if err != nil {
			fmt.Println(path, "not fetched")
			continue
		}
		resp.Body.Close()
		fmt.Println(path, resp.Status)
	}
	// Output:
	// / 200 OK
	// /private/ not fetched
}

// The error of a request that was not sent says which line of the robots.txt
// forbids it.
func ExampleDisallowedError() {
	site := newSite()
	defer site.Close()

	client := &http.Client{Transport: robotshttp.NewTransport("FooBot/1.0", nil)}
	_, err := client.Get(site.URL + "/private/a.html")
	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
		fmt.Println(refused.Decision.Reason)
		fmt.Println(refused.Decision.Rule)
		fmt.Println("line", refused.Decision.Rule.Line)
	}
	// Output:
	// rule matched
	// Disallow: /private/
	// line 2
}

// A Cache answers without sending any request but those for robots.txt files.
func ExampleCache() {
	site := newSite()
	defer site.Close()

	cache := &robotshttp.Cache{UserAgent: "FooBot/1.0"}
	for range 2 {
		r, err := cache.Get(context.Background(), site.URL+"/private/")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Outcome, r.Status, r.File.Allowed(cache.UserAgent, "/private/"))
	}
	// Output:
	// fetched 200 false
	// cached 200 false
}

// Requests to each site start as far apart as it asks, within bounds.
func ExampleTransport() {
	site := newSite()
	defer site.Close()

	transport := robotshttp.NewTransport("FooBot/1.0", nil)
	transport.MinDelay = time.Millisecond      // a real crawler would leave a second
	transport.MaxDelay = 10 * time.Millisecond // the site asks for two seconds
	client := &http.Client{Transport: transport}

	for range 3 {
		resp, err := client.Get(site.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.Status)
	}
	// Output:
	// 200 OK
	// 200 OK
	// 200 OK
}

// A crawl that is restarted finds the files that it had fetched before.
func ExampleDir() {
	site := newSite()
	defer site.Close()
	dir, err := os.MkdirTemp("", "robots")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	for range 2 {
		cache := &robotshttp.Cache{UserAgent: "FooBot/1.0", Store: robotshttp.Dir(dir)}
		r, err := cache.Get(context.Background(), site.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Outcome)
	}
	// Output:
	// fetched
	// cached
}

// redisClient is what a Store needs of a client for Redis.
type redisClient interface {
	Get(ctx context.Context, key string) (string, error) // errNil if there is none
	Set(ctx context.Context, key string, value []byte, expiration time.Duration) error
}

var errNil = errors.New("redis: nil")

// redisStore is a Store in Redis, which a fleet of crawlers can share.
type redisStore struct{ client redisClient }

func (s redisStore) Get(ctx context.Context, key string) ([]byte, bool, error) {
	value, err := s.client.Get(ctx, "robots:"+key)
	if errors.Is(err, errNil) {
		return nil, false, nil
	}
	return []byte(value), err == nil, err
}

func (s redisStore) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return s.client.Set(ctx, "robots:"+key, value, ttl)
}

// fakeRedis takes the place of a connection in the example.
type fakeRedis struct{ values sync.Map }

func (f *fakeRedis) Get(_ context.Context, key string) (string, error) {
	value, ok := f.values.Load(key)
	if !ok {
		return "", errNil
	}
	return value.(string), nil
}

func (f *fakeRedis) Set(_ context.Context, key string, value []byte, _ time.Duration) error {
	f.values.Store(key, string(value))
	return nil
}

// Two crawlers share what one of them has fetched.
func ExampleStore() {
	site := newSite()
	defer site.Close()

	store := redisStore{client: new(fakeRedis)}
	for _, name := range []string{"first", "second"} {
		crawler := &robotshttp.Cache{UserAgent: "FooBot/1.0", Store: store}
		r, err := crawler.Get(context.Background(), site.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name, r.Outcome)
	}
	// Output:
	// first fetched
	// second cached
}
