module github.com/robotstxt-go/robotstxt/robotshttp/redisstore

go 1.26.0

require (
	github.com/redis/rueidis v1.0.79
	github.com/robotstxt-go/robotstxt/robotshttp v0.0.0
)

require (
	github.com/robotstxt-go/robotstxt v0.0.0 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace (
	github.com/robotstxt-go/robotstxt => ../..
	github.com/robotstxt-go/robotstxt/robotshttp => ..
)
