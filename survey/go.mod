module github.com/robotstxt-go/robotstxt/survey

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/compress v1.20.3
	github.com/robotstxt-go/robotstxt v0.0.0
)

require (
	github.com/dunglas/httpsfv v1.1.2 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)

replace github.com/robotstxt-go/robotstxt => ..
