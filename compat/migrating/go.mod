module github.com/robotstxt-go/robotstxt/compat/migrating

go 1.26.0

require (
	github.com/benjaminestes/robots/v2 v2.0.5
	github.com/jimsmart/grobotstxt v1.0.3
	github.com/robotstxt-go/robotstxt v0.0.0
	github.com/robotstxt-go/robotstxt/compat/temoto v0.0.0
	github.com/robotstxt-go/robotstxt/robotshttp v0.0.0
	github.com/temoto/robotstxt v1.1.2
)

require (
	github.com/dunglas/httpsfv v1.1.2 // indirect
	github.com/maypok86/otter/v2 v2.4.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/robotstxt-go/robotstxt => ../..
	github.com/robotstxt-go/robotstxt/compat/temoto => ../temoto
	github.com/robotstxt-go/robotstxt/robotshttp => ../../robotshttp
)
