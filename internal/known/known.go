// Package known answers questions about names in robots.txt files, from the table of package
// crawlers.
package known

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// Token returns the name of the crawler in a User-Agent header: the token of a well-known crawler, if
// the header names one, or the product token.
func Token(header string) string {
	if c, ok := crawlers.FromUserAgent(header); ok {
		return c.Token
	}
	return robotstxt.ProductToken(header)
}

// Agent returns what to ask package robotstxt about for a name or a User-Agent header. It returns
// the same string, unless the header names a well-known crawler that [robotstxt.ProductToken] does
// not find. Then it returns the crawler's token.
func Agent(header string) string {
	if token := Token(header); lex.Fold(token) != lex.Fold(robotstxt.ProductToken(header)) {
		return token
	}
	return header
}

// IgnoresStar reports whether the crawler with the given token ignores the group for "*". If the
// token is unknown, it counts as the token without its last suffix: AdsBot-Google-Foo counts as
// AdsBot-Google.
func IgnoresStar(token string) bool {
	if c, ok := crawlers.Lookup(token); ok {
		return c.IgnoresStar
	}
	i := strings.LastIndexByte(token, '-')
	return i >= 0 && IgnoresStar(token[:i])
}

// Starless returns the tokens of the crawlers that ignore the group for "*". It leaves out a token
// that only adds a suffix to another of these tokens: it returns AdsBot-Google, but not
// AdsBot-Google-Mobile.
func Starless() (tokens []string) {
	for _, c := range crawlers.All() {
		if i := strings.LastIndexByte(c.Token, '-'); c.IgnoresStar && !(i >= 0 && IgnoresStar(c.Token[:i])) {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// Meant returns the tokens that an author may mean by a name that is not a token itself: Claude-User
// and ClaudeBot for "Claude", and the crawlers of OpenAI for "OpenAI". It leaves out retired
// tokens. The result is empty if there are none.
func Meant(name string) []string {
	if _, ok := crawlers.Lookup(name); ok {
		return nil
	}
	return slices.Clone(meant[lex.Fold(name)])
}

// meant has the result of Meant for all names in folded form.
var meant = func() map[string][]string {
	tokens := map[string][]string{}
	for _, c := range all {
		if c.Status == crawlers.Retired {
			continue
		}
		names := []string{lex.Fold(c.Operator)}
		token := lex.Fold(c.Token)
		for i := range token {
			if rest := token[i:]; rest == "bot" || rest[0] == '-' {
				names = append(names, token[:i])
			}
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			tokens[name] = append(tokens[name], c.Token)
		}
	}
	for brand, token := range brands {
		tokens[brand] = append(tokens[brand], token)
	}
	return tokens
}()

// brands are names of products, in folded form, that are not the start of a crawler's name.
var brands = map[string]string{
	"bard": "Google-Extended", "gemini": "Google-Extended", "copilot": "bingbot", "chatgpt agent": "ChatGPT-User",
	"mistral": "MistralAI-Training", "meta ai": "meta-externalagent", "meta-ai": "meta-externalagent", "perplexity-ai": "PerplexityBot",
}

var all = crawlers.All()
