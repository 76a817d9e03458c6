module github.com/robotstxt-go/robotstxt/robotshttp

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/robotstxt-go/robotstxt v0.0.0
)

require (
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)

replace github.com/robotstxt-go/robotstxt => ..
