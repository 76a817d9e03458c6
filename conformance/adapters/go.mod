module github.com/robotstxt-go/robotstxt/conformance/adapters

go 1.26.0

require (
	github.com/jimsmart/grobotstxt v1.0.3
	github.com/robotstxt-go/robotstxt/conformance v0.0.0
	github.com/temoto/robotstxt v1.1.2
)

replace (
	github.com/robotstxt-go/robotstxt => ../..
	github.com/robotstxt-go/robotstxt/conformance => ..
)
