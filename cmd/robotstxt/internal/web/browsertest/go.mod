module github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/browsertest

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/robotstxt-go/robotstxt/cmd/robotstxt v0.0.0
)

require (
	github.com/dunglas/httpsfv v1.1.2 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/robotstxt-go/robotstxt v0.0.0 // indirect
	github.com/robotstxt-go/robotstxt/robotshttp v0.0.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/robotstxt-go/robotstxt => ../../../../..
	github.com/robotstxt-go/robotstxt/cmd/robotstxt => ../../..
	github.com/robotstxt-go/robotstxt/robotshttp => ../../../../../robotshttp
)
