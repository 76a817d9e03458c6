package aipref

import "slices"

// A Purpose is what an operator says that its crawler fetches pages for.
type Purpose string

// The purposes. A crawler that has several goes by the first in this order.
const (
	ForTraining Purpose = "training"             // training models, or data sets for that
	ForSearch   Purpose = "search index"         // an index that searches or answers draw on
	ForUsers    Purpose = "user-triggered fetch" // a page that a user's question calls for
)

// An Agent is a well-known AI crawler.
type Agent struct {
	Token    string // the product token by which robots.txt names it
	Operator string
	Purpose  Purpose
	Source   string // the operator's page about it
}

// Agents returns well-known AI crawlers, by operator. Google-Extended,
// Applebot-Extended and webzio-extended fetch nothing under these names; they only
// say what may be done with the pages that another crawler of the operator has
// fetched.
//
// The list has only those that the operator has written about. For this it lacks
// some tokens that many files name: anthropic-ai, Bytespider, Claude-Web and
// cohere-ai. The caller may change what is returned.
func Agents() []Agent { return slices.Clone(agents) }

const (
	allenAI    = "https://allenai.org/crawler"
	amazon     = "https://developer.amazon.com/amazonbot"
	anthropic  = "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler"
	apple      = "https://support.apple.com/en-us/119829"
	diffbot    = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt"
	google     = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	meta       = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
	mistral    = "https://docs.mistral.ai/robots"
	openAI     = "https://developers.openai.com/api/docs/bots"
	perplexity = "https://docs.perplexity.ai/guides/bots"
)

var agents = []Agent{
	{"AI2Bot", "Ai2", ForTraining, allenAI},
	{"Amazonbot", "Amazon", ForTraining, amazon},
	{"Amzn-SearchBot", "Amazon", ForSearch, amazon},
	{"Amzn-User", "Amazon", ForUsers, amazon},
	{"ClaudeBot", "Anthropic", ForTraining, anthropic},
	{"Claude-SearchBot", "Anthropic", ForSearch, anthropic},
	{"Claude-User", "Anthropic", ForUsers, anthropic},
	{"Applebot-Extended", "Apple", ForTraining, apple},
	{"CCBot", "Common Crawl", ForTraining, "https://commoncrawl.org/ccbot"},
	{"Diffbot", "Diffbot", ForSearch, diffbot},
	{"Diffbot-User", "Diffbot", ForUsers, diffbot},
	{"DuckAssistBot", "DuckDuckGo", ForUsers, "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"},
	{"Google-Extended", "Google", ForTraining, google},
	{"PetalBot", "Huawei", ForSearch, "https://webmaster.petalsearch.com/site/petalbot"},
	{"ImagesiftBot", "ImageSift", ForSearch, "https://imagesift.com/about"},
	{"FacebookBot", "Meta", ForTraining, "https://developers.facebook.com/docs/sharing/bot"},
	{"meta-externalagent", "Meta", ForTraining, meta},
	{"meta-webindexer", "Meta", ForSearch, meta},
	{"meta-externalfetcher", "Meta", ForUsers, meta},
	{"MistralAI-Training", "Mistral AI", ForTraining, mistral},
	{"MistralAI-Index", "Mistral AI", ForSearch, mistral},
	{"MistralAI-User", "Mistral AI", ForUsers, mistral},
	{"GPTBot", "OpenAI", ForTraining, openAI},
	{"OAI-SearchBot", "OpenAI", ForSearch, openAI},
	{"ChatGPT-User", "OpenAI", ForUsers, openAI},
	{"PerplexityBot", "Perplexity", ForSearch, perplexity},
	{"Perplexity-User", "Perplexity", ForUsers, perplexity},
	{"Timpibot", "Timpi", ForSearch, "https://timpi.io/faq"},
	{"omgili", "Webz.io", ForTraining, "https://webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website"},
	{"webzio-extended", "Webz.io", ForTraining, "https://webz.io/bot.html"},
	{"YouBot", "You.com", ForSearch, "https://about.you.com/youbot"},
}
