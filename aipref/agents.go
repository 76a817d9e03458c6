package aipref

import "slices"

// A Purpose is what an operator says its crawler fetches pages for.
type Purpose string

// The purposes.
const (
	ForTraining Purpose = "training"             // training models, or data sets for that
	ForSearch   Purpose = "search index"         // an index that searches or answers draw on
	ForInput    Purpose = "model input"          // giving pages to a model as it answers ("grounding")
	ForUsers    Purpose = "user-triggered fetch" // a page that a user's question calls for
	ForOther    Purpose = "other"                // none of these, or left open by the operator
)

// A Claim is what an operator says about its crawler and robots.txt.
type Claim string

// The claims.
const (
	Heeds     Claim = "heeds robots.txt"
	MayIgnore Claim = "may ignore robots.txt" // always or at times, such as for a user's request
	NoClaim   Claim = "no statement found"
)

// A Status says how well an agent is known.
type Status string

// The statuses.
const (
	Documented   Status = "documented"   // the operator has a page about it
	Undocumented Status = "undocumented" // many files name it, but no operator's page was found
	Retired      Status = "retired"      // the operator no longer uses it
)

// An Agent is a well-known AI crawler, or a token by which robots.txt controls one.
type Agent struct {
	Token    string // the product token by which robots.txt names it
	Operator string
	Purposes []Purpose // the main one first; none if the agent is not documented
	Claim    Claim
	Status   Status
	Source   string // the operator's page about it; empty if it is undocumented
}

// String returns the token, and the status in parentheses unless the agent is
// documented.
func (a Agent) String() string {
	if a.Status == Documented || a.Status == "" {
		return a.Token
	}
	return a.Token + " (" + string(a.Status) + ")"
}

// Agents returns well-known AI crawlers, by operator. Google-Extended,
// Applebot-Extended and webzio-extended fetch nothing under these names: they only
// control what may be done with pages that another crawler of the operator has
// fetched.
//
// The list also has tokens that many files name although no operator documents
// them, or no longer does. [Agent.String] marks these. The operator of an
// undocumented token is the one it is commonly attributed to. The caller may change
// the result.
func Agents() []Agent {
	list := slices.Clone(agents)
	for i := range list {
		list[i].Purposes = slices.Clone(list[i].Purposes)
	}
	return list
}

const (
	allenAI       = "https://allenai.org/crawler"
	amazon        = "https://developer.amazon.com/amazonbot"
	anthropic     = "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler"
	apple         = "https://support.apple.com/en-us/119829"
	bedrock       = "https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html"
	diffbot       = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt"
	google        = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	googleFetcher = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers"
	meta          = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
	mistral       = "https://docs.mistral.ai/robots"
	openAI        = "https://developers.openai.com/api/docs/bots"
	parallel      = "https://docs.parallel.ai/resources/crawler"
	perplexity    = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"
)

// Agents with one purpose.
var (
	training = []Purpose{ForTraining}
	search   = []Purpose{ForSearch}
	input    = []Purpose{ForInput}
	users    = []Purpose{ForUsers}
	other    = []Purpose{ForOther}
)

var agents = []Agent{
	{"AI2Bot", "Ai2", training, Heeds, Documented, allenAI},
	{"Amazonbot", "Amazon", []Purpose{ForTraining, ForOther}, Heeds, Documented, amazon},
	{"Amzn-SearchBot", "Amazon", search, Heeds, Documented, amazon},
	{"Amzn-User", "Amazon", users, Heeds, Documented, amazon},
	{"bedrockbot", "Amazon", input, Heeds, Documented, bedrock},
	{"ClaudeBot", "Anthropic", training, Heeds, Documented, anthropic},
	{"Claude-SearchBot", "Anthropic", search, Heeds, Documented, anthropic},
	{"Claude-User", "Anthropic", users, Heeds, Documented, anthropic},
	{"anthropic-ai", "Anthropic", nil, NoClaim, Retired, anthropic},
	{"Claude-Web", "Anthropic", nil, NoClaim, Retired, anthropic},
	{"Applebot", "Apple", []Purpose{ForSearch, ForTraining}, Heeds, Documented, apple},
	{"Applebot-Extended", "Apple", training, Heeds, Documented, apple},
	{"Bytespider", "ByteDance", nil, NoClaim, Undocumented, ""},
	{"cohere-ai", "Cohere", nil, NoClaim, Undocumented, ""},
	{"CCBot", "Common Crawl", []Purpose{ForTraining, ForOther}, Heeds, Documented, "https://commoncrawl.org/ccbot"},
	{"DeepSeekBot", "DeepSeek", nil, NoClaim, Undocumented, ""},
	{"Diffbot", "Diffbot", search, Heeds, Documented, diffbot},
	{"Diffbot-User", "Diffbot", users, NoClaim, Documented, diffbot},
	{"DuckAssistBot", "DuckDuckGo", users, Heeds, Documented, "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"},
	{"Google-Extended", "Google", []Purpose{ForTraining, ForInput}, Heeds, Documented, google},
	{"Google-CloudVertexBot", "Google", input, Heeds, Documented, google},
	{"GoogleOther", "Google", other, Heeds, Documented, google},
	{"Google-Agent", "Google", users, MayIgnore, Documented, googleFetcher},
	{"Google-GeminiNotebook", "Google", users, MayIgnore, Documented, googleFetcher},
	{"Google-NotebookLM", "Google", users, MayIgnore, Retired, googleFetcher},
	{"PetalBot", "Huawei", search, NoClaim, Documented, "https://webmaster.petalsearch.com/site/petalbot"},
	{"ImagesiftBot", "ImageSift", search, Heeds, Documented, "https://imagesift.com/about"},
	{"FacebookBot", "Meta", training, Heeds, Documented, "https://developers.facebook.com/docs/sharing/bot"},
	{"meta-externalagent", "Meta", []Purpose{ForTraining, ForSearch}, Heeds, Documented, meta},
	{"meta-webindexer", "Meta", search, Heeds, Documented, meta},
	{"meta-externalfetcher", "Meta", users, MayIgnore, Documented, meta},
	{"MistralAI-Training", "Mistral AI", training, Heeds, Documented, mistral},
	{"MistralAI-Index", "Mistral AI", search, Heeds, Documented, mistral},
	{"MistralAI-User", "Mistral AI", users, Heeds, Documented, mistral},
	{"GPTBot", "OpenAI", training, Heeds, Documented, openAI},
	{"OAI-SearchBot", "OpenAI", search, Heeds, Documented, openAI},
	{"ChatGPT-User", "OpenAI", users, MayIgnore, Documented, openAI},
	{"OAI-AdsBot", "OpenAI", other, NoClaim, Documented, openAI},
	{"ShapBot", "Parallel", search, NoClaim, Documented, parallel},
	{"PerplexityBot", "Perplexity", search, Heeds, Documented, perplexity},
	{"Perplexity-User", "Perplexity", users, MayIgnore, Documented, perplexity},
	{"Timpibot", "Timpi", search, NoClaim, Documented, "https://timpi.io/faq"},
	{"omgili", "Webz.io", training, Heeds, Documented, "https://webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website"},
	{"webzio-extended", "Webz.io", training, NoClaim, Documented, "https://webz.io/bot.html"},
	{"omgilibot", "Webz.io", nil, NoClaim, Undocumented, ""},
	{"GrokBot", "xAI", nil, NoClaim, Undocumented, ""},
	{"xAI-SearchBot", "xAI", nil, NoClaim, Undocumented, ""},
	{"YouBot", "You.com", search, Heeds, Documented, "https://about.you.com/youbot"},
}
