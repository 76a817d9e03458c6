module github.com/robotstxt-go/robotstxt/cmd/robotstxt

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/cli/browser v1.3.0
	github.com/creack/pty v1.1.24
	github.com/gofrs/flock v0.13.2
	github.com/google/go-cmp v0.7.0
	github.com/google/renameio/v2 v2.0.2
	github.com/klauspost/compress v1.20.3
	github.com/rivo/uniseg v0.4.7
	github.com/robotstxt-go/robotstxt v0.0.0
	github.com/robotstxt-go/robotstxt/robotshttp v0.0.0
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	golang.org/x/net v0.62.0
	golang.org/x/term v0.47.0
)

require (
	github.com/dunglas/httpsfv v1.1.2 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/robotstxt-go/robotstxt => ../..
	github.com/robotstxt-go/robotstxt/robotshttp => ../../robotshttp
)
