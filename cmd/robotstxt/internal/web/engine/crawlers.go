package engine

import (
	"strings"

	"github.com/robotstxt-go/robotstxt/aipref"
)

type crawlersAnswer struct {
	Crawlers []crawler `json:"crawlers"`
}

// A crawler is offered by name on the page.
type crawler struct {
	Token string `json:"token"`
	About string `json:"about"` // who runs it and what for
}

// crawlers returns well-known crawlers: some of search engines first, then the AI
// crawlers of package aipref.
func crawlers() []crawler {
	list := []crawler{
		{"Googlebot", "Google, search"},
		{"bingbot", "Microsoft, search"},
		{"YandexBot", "Yandex, search"},
		{"Baiduspider", "Baidu, search"},
		{"DuckDuckBot", "DuckDuckGo, search"},
		{"Yeti", "Naver, search"},
		{"SeznamBot", "Seznam, search"},
		{"Googlebot-Image", "Google, images"},
		{"AdsBot-Google", "Google, advertisements"},
	}
	for _, agent := range aipref.Agents() {
		list = append(list, crawler{agent.Token, agent.Operator + ", " + purposeOf(agent)})
	}
	return list
}

// purposeOf says what a crawler fetches pages for, and marks those that no operator
// documents.
func purposeOf(agent aipref.Agent) string {
	var words []string
	for _, purpose := range agent.Purposes {
		words = append(words, string(purpose))
	}
	if agent.Status != aipref.Documented {
		words = append(words, string(agent.Status))
	}
	return strings.Join(words, ", ")
}
