module github.com/robotstxt-go/robotstxt

go 1.26.0

require (
	github.com/dunglas/httpsfv v1.1.2
	github.com/google/go-cmp v0.7.0
	golang.org/x/net v0.57.0
)

require golang.org/x/text v0.40.0 // indirect
