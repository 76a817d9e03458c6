package lint

import "github.com/robotstxt-go/robotstxt/internal/lex"

// A word is a key.
type word struct {
	usual  string // the usual spelling
	folded string // what is compared: the result of lex.Letters
}

// keys are the keys of the protocol, and others that crawlers read.
var keys = []word{
	{"User-agent", "useragent"},
	{"Disallow", "disallow"},
	{"Sitemap", "sitemap"},
	{"Crawl-delay", "crawldelay"},
	{"Allow", "allow"},
	{"Content-Signal", "contentsignal"},
	{"Content-Usage", "contentusage"},
}

// similarKey returns the one of keys that a key misspells by one letter, or is, or "".
func similarKey(key string) string {
	letters := lex.Letters(key)
	for _, k := range keys {
		if lex.HasAtMostOneEdit(k.folded, letters) {
			return k.usual
		}
	}
	return ""
}
