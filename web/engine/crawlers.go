package engine

import "github.com/robotstxt-go/robotstxt/aipref"

type crawlersAnswer struct {
	Crawlers []crawler `json:"crawlers"`
}

// A crawler is one that the page offers by name.
type crawler struct {
	Token    string `json:"token"`
	Operator string `json:"operator"`
	Purpose  string `json:"purpose"`
}

// crawlers returns well-known crawlers: some of search engines first, then the AI
// crawlers of package aipref.
func crawlers() []crawler {
	list := []crawler{
		{"Googlebot", "Google", "search"},
		{"bingbot", "Microsoft", "search"},
		{"YandexBot", "Yandex", "search"},
		{"Baiduspider", "Baidu", "search"},
		{"DuckDuckBot", "DuckDuckGo", "search"},
		{"Yeti", "Naver", "search"},
		{"SeznamBot", "Seznam", "search"},
		{"Googlebot-Image", "Google", "images"},
		{"AdsBot-Google", "Google", "advertisements"},
	}
	for _, agent := range aipref.Agents() {
		list = append(list, crawler{agent.Token, agent.Operator, string(agent.Purpose)})
	}
	return list
}
