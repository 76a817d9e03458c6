package crawlers

import "time"

// The days on which entries were last compared with their sources. For a stored copy of a page, this is
// the day of the copy; if that is unknown, it is the day on which somebody read the copy.
var (
	special = day(2026, 2, 11) // Google's page about special-case crawlers
	fetcher = day(2026, 7, 16) // Google's page about user-triggered fetchers
	common  = day(2026, 9, 22) // Google's page about common crawlers
	day21   = day(2026, 11, 21)
	day22   = day(2026, 11, 22)
	day24   = day(2026, 11, 24)
	day28   = day(2026, 11, 28)
	day29   = day(2026, 11, 29)
)

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Sources of entries: pages of operators, and lists of crawlers.
const (
	ahrefs        = "https://ahrefs.com/robot"
	amazon        = "https://developer.amazon.com/amazonbot"
	anthropic     = "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler"
	apple         = "https://support.apple.com/en-us/119829"
	aiSearch      = "https://developers.cloudflare.com/ai-search/configuration/data-source/website/parse-types/"
	bing          = "https://blogs.bing.com/webmaster/2012/05/03/to-crawl-or-not-to-crawl-that-is-bingbots-question"
	bingCrawlers  = "https://www.bing.com/webmaster/help/which-crawlers-does-bing-use-8c184ec0"
	diffbot       = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt"
	google        = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
	googleFetcher = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers"
	googleSpecial = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers"
	kimi          = "https://www.kimi.com/policies/kimi-crawlers"
	list          = "https://github.com/ai-robots-txt/ai.robots.txt/blob/main/robots.json"
	listOfAgents  = "https://github.com/monperrus/crawler-user-agents"
	meta          = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
	mistral       = "https://docs.mistral.ai/robots"
	openAI        = "https://developers.openai.com/api/docs/bots"
	parallel      = "https://docs.parallel.ai/resources/crawler"
	perplexity    = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"
	semrush       = "https://www.semrush.com/bot/"
	yandexAgent   = "https://yandex.com/support/webmaster/en/robot-workings/user-agent"
	yandexAI      = "https://yandex.com/support/webmaster/en/yandex-ai"
	yandexDelay   = "https://www.yandex.com/support/webmaster/en/robot-workings/crawl-delay"
)

// The URLs of lists of IP ranges. Some of these lists are for several crawlers.
const (
	anthropicIPs     = "https://claude.com/crawling/bots.json"
	bingIPs          = "https://www.bing.com/toolbox/bingbot.json"
	googleIPs        = "https://developers.google.com/static/crawling/ipranges/common-crawlers.json"
	googleSpecialIPs = "https://developers.google.com/static/crawling/ipranges/special-crawlers.json"
	googleAgentIPs   = "https://developers.google.com/static/crawling/ipranges/user-triggered-agents.json"
	googleFetcherIPs = "https://developers.google.com/static/crawling/ipranges/user-triggered-fetchers-google.json"
	ahrefsIPs        = "https://api.ahrefs.com/v3/public/crawler-ip-ranges?output=json"
)

// A crawler with only one purpose has one of these lists as its Purposes.
var (
	training = []Purpose{Training}
	search   = []Purpose{Search}
	input    = []Purpose{Input}
	users    = []Purpose{User}
	other    = []Purpose{Other}
)

// Tokens that several crawlers follow.
var (
	googlebot = []string{"Googlebot"}
	yandex    = []string{"Yandex"}
)

// table contains all crawlers, sorted by operator. Checked can be day(2026, 12, 31). Before you change
// it, compare the entry with its Source.
var table = []Crawler{
	{Token: "AhrefsBot", Operator: "Ahrefs", Purposes: []Purpose{Other, Search}, Claim: Heeds, Status: Documented, CrawlDelay: Yes, Source: ahrefs, Checked: day22, IPRanges: ahrefsIPs},
	// The owners of a site can let it ignore the file.
	{Token: "AhrefsSiteAudit", Operator: "Ahrefs", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: Yes, Source: ahrefs, Checked: day29, IPRanges: ahrefsIPs},
	{Token: "AI2Bot", Operator: "Ai2", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: "https://allenai.org/crawler", Checked: day21},
	{Token: "Amazonbot", Operator: "Amazon", Purposes: []Purpose{Training, Other}, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: No, Source: amazon, Checked: day22},
	{Token: "Amzn-SearchBot", Operator: "Amazon", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: amazon, Checked: day21},
	{Token: "Amzn-User", Operator: "Amazon", Purposes: users, Claim: Heeds, Status: Documented, AI: true, Source: amazon, Checked: day21},
	{Token: "bedrockbot", Operator: "Amazon", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: "https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html", Checked: day21},
	{Token: "amazon-kendra", Operator: "Amazon", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "amazon-QBusiness", Operator: "Amazon", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: "https://docs.aws.amazon.com/amazonq/latest/qbusiness-ug/stop-web-crawler.html", Checked: day28},
	{Token: "AmazonAdBot", Operator: "Amazon", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://adbot.amazon.com/index.html", Checked: day28},
	{Token: "ClaudeBot", Operator: "Anthropic", Purposes: training, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: anthropic, Checked: day22, IPRanges: anthropicIPs},
	{Token: "Claude-SearchBot", Operator: "Anthropic", Purposes: search, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: anthropic, Checked: day22, IPRanges: anthropicIPs},
	{Token: "Claude-User", Operator: "Anthropic", Purposes: users, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: anthropic, Checked: day22, IPRanges: anthropicIPs},
	{Token: "anthropic-ai", Operator: "Anthropic", Claim: NoClaim, Status: Retired, AI: true, Successors: []string{"ClaudeBot"}, Source: anthropic, Checked: day22},
	{Token: "Claude-Web", Operator: "Anthropic", Claim: NoClaim, Status: Retired, AI: true, Successors: []string{"ClaudeBot"}, Source: anthropic, Checked: day22},
	// We read the sentence about Googlebot in a copy of Apple's page of 2018-04-26, and in quotations of later ones.
	{Token: "Applebot", Operator: "Apple", Purposes: []Purpose{Search, Training}, Claim: Heeds, Status: Documented, AI: true, Follows: googlebot, Source: apple, Checked: day21, IPRanges: "https://search.developer.apple.com/applebot.json"},
	{Token: "Applebot-Extended", Operator: "Apple", Purposes: training, Claim: Heeds, Status: Documented, AI: true, ControlOnly: true, Source: apple, Checked: day21},
	{Token: "atlassian-bot", Operator: "Atlassian", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: "https://support.atlassian.com/organization-administration/docs/connect-custom-website-to-rovo", Checked: day29},
	{Token: "Barkrowler", Operator: "Babbar", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: Yes, Source: "https://www.babbar.tech/crawler", Checked: day29},
	// In September 2012, Baidu announced to webmasters that it no longer reads Crawl-delay.
	{Token: "Baiduspider", Operator: "Baidu", Purposes: search, Claim: NoClaim, Status: Documented, CrawlDelay: No, Source: listOfAgents, Checked: day22},
	{Token: "Baiduspider-render", Operator: "Baidu", Purposes: search, Claim: NoClaim, Status: Documented, CrawlDelay: No, Follows: []string{"Baiduspider"}, Source: "https://blog.chineseseoshifu.com/what-is-baiduspider/", Checked: day29},
	{Token: "Bravebot", Operator: "Brave", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "Brightbot", Operator: "Bright Data", Purposes: other, Claim: Heeds, Status: Documented, AI: true, Source: "https://docs.brightdata.com/general/brightbot_webmaster", Checked: day28},
	{Token: "Bytespider", Operator: "ByteDance", Claim: NoClaim, Status: Undocumented, AI: true, Source: list, Checked: day22},
	{Token: "TikTokSpider", Operator: "ByteDance", Claim: NoClaim, Status: Undocumented, Source: "https://darkvisitors.com/agents/tiktokspider", Checked: day29},
	{Token: "TerraCotta", Operator: "Ceramic AI", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "Cloudflare-AutoRAG", Operator: "Cloudflare", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "Cloudflare-AI-Search", Operator: "Cloudflare", Purposes: []Purpose{Input, Search}, Claim: Heeds, Status: Documented, AI: true, Source: aiSearch, Checked: day28},
	{Token: "Cloudflare-AI-Search-External", Operator: "Cloudflare", Purposes: []Purpose{Input, Search}, Claim: Heeds, Status: Documented, AI: true, Source: aiSearch, Checked: day28},
	// For the customers of Cloudflare, who can state other purposes.
	{Token: "CloudflareBrowserRenderingCrawler", Operator: "Cloudflare", Purposes: []Purpose{Search, Input, Training}, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: "https://developers.cloudflare.com/browser-run/quick-actions/crawl-endpoint/", Checked: day28},
	// Cohere's page (docs.cohere.com/docs/cohere-web-crawlers) says that no crawler of Cohere collects training data.
	{Token: "cohere-ai", Operator: "Cohere", Claim: NoClaim, Status: Undocumented, AI: true, Source: list, Checked: day22},
	{Token: "CCBot", Operator: "Common Crawl", Purposes: []Purpose{Training, Other}, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: "https://commoncrawl.org/ccbot", Checked: day21, IPRanges: "https://index.commoncrawl.org/ccbot.json"},
	{Token: "Twiceler", Operator: "Cuil", Claim: NoClaim, Status: Retired, RetiredOn: "2010-09-17", Source: "https://tekedia.com/remembering-cuil-the-search-engine-that-went-gone", Checked: day22},
	{Token: "DeepSeekBot", Operator: "DeepSeek", Claim: NoClaim, Status: Undocumented, AI: true, Source: list, Checked: day22},
	{Token: "Diffbot", Operator: "Diffbot", Purposes: search, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: diffbot, Checked: day29},
	{Token: "Diffbot-User", Operator: "Diffbot", Purposes: users, Claim: NoClaim, Status: Documented, AI: true, Source: diffbot, Checked: day21},
	{Token: "Anomura", Operator: "Direqt", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: "https://docs.direqt-search.com/direqt-bots/direqt-crawlers-and-user-agents", Checked: day28},
	{Token: "DuckAssistBot", Operator: "DuckDuckGo", Purposes: users, Claim: Heeds, Status: Documented, AI: true, Source: "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot", Checked: day21, IPRanges: "https://duckduckgo.com/duckassistbot.json"},
	{Token: "DuckDuckBot", Operator: "DuckDuckGo", Purposes: search, Claim: Heeds, Status: Documented, Source: "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot", Checked: day22, IPRanges: "https://duckduckgo.com/duckduckbot.json"},
	{Token: "Googlebot", Operator: "Google", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: google, Checked: day22, IPRanges: googleIPs},
	{Token: "Googlebot-Image", Operator: "Google", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: google, Checked: day22, IPRanges: googleIPs},
	{Token: "Googlebot-News", Operator: "Google", Purposes: search, Claim: Heeds, Status: Documented, ControlOnly: true, CrawlDelay: No, Source: google, Checked: day22},
	{Token: "Googlebot-Video", Operator: "Google", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: google, Checked: day22, IPRanges: googleIPs},
	{Token: "Googlebot-Mobile", Operator: "Google", Claim: NoClaim, Status: Retired, CrawlDelay: No, Successors: []string{"Googlebot"}, Source: google, Checked: day21},
	{Token: "Google-Extended", Operator: "Google", Purposes: []Purpose{Training, Input}, Claim: Heeds, Status: Documented, AI: true, ControlOnly: true, Source: google, Checked: day21},
	{Token: "Storebot-Google", Operator: "Google", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: google, Checked: common, IPRanges: googleIPs},
	{Token: "Google-InspectionTool", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: google, Checked: common, IPRanges: googleIPs},
	{Token: "Google-CloudVertexBot", Operator: "Google", Purposes: input, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: No, Source: google, Checked: day21, IPRanges: googleIPs},
	{Token: "GoogleOther", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: No, Source: google, Checked: day21, IPRanges: googleIPs},
	{Token: "GoogleOther-Image", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: No, Source: google, Checked: day22, IPRanges: googleIPs},
	{Token: "GoogleOther-Video", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: No, Source: google, Checked: day22, IPRanges: googleIPs},
	{Token: "AdsBot-Google", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, IgnoresStar: true, CrawlDelay: No, Source: googleSpecial, Checked: day22, IPRanges: googleSpecialIPs},
	{Token: "AdsBot-Google-Mobile", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, IgnoresStar: true, CrawlDelay: No, Source: googleSpecial, Checked: day22, IPRanges: googleSpecialIPs},
	{Token: "APIs-Google", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, IgnoresStar: true, CrawlDelay: No, Source: googleSpecial, Checked: day22, IPRanges: googleSpecialIPs},
	{Token: "Mediapartners-Google", Operator: "Google", Purposes: other, Claim: Heeds, Status: Documented, IgnoresStar: true, CrawlDelay: No, Source: googleSpecial, Checked: day22, IPRanges: googleSpecialIPs},
	{Token: "Google-Safety", Operator: "Google", Purposes: other, Claim: MayIgnore, Status: Documented, Source: googleSpecial, Checked: special},
	{Token: "AdsBot-Google-Mobile-Apps", Operator: "Google", Claim: NoClaim, Status: Retired, IgnoresStar: true, Source: googleSpecial, Checked: special},
	{Token: "DuplexWeb-Google", Operator: "Google", Claim: MayIgnore, Status: Retired, Source: googleSpecial, Checked: special},
	{Token: "googleweblight", Operator: "Google", Claim: MayIgnore, Status: Retired, Source: googleSpecial, Checked: special},
	{Token: "Google-Agent", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: googleFetcher, Checked: day22, IPRanges: googleAgentIPs},
	{Token: "Google-GeminiNotebook", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: googleFetcher, Checked: day22, IPRanges: googleFetcherIPs},
	{Token: "Google-NotebookLM", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Retired, RetiredOn: "2026-08", AI: true, Successors: []string{"Google-GeminiNotebook"}, Source: googleFetcher, Checked: day22},
	{Token: "Google-CWS", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "FeedFetcher-Google", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "GoogleMessages", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "Google-Pinpoint", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "GoogleProducer", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "Google-Read-Aloud", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "Google-Site-Verification", Operator: "Google", Purposes: users, Claim: MayIgnore, Status: Documented, Source: googleFetcher, Checked: day29, IPRanges: googleFetcherIPs},
	{Token: "google-speakr", Operator: "Google", Claim: MayIgnore, Status: Retired, Successors: []string{"Google-Read-Aloud"}, Source: googleFetcher, Checked: fetcher},
	{Token: "PetalBot", Operator: "Huawei", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: "https://aspiegel.com/petalbot", Checked: day29},
	{Token: "ImagesiftBot", Operator: "ImageSift", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: "https://imagesift.com/about", Checked: day21},
	{Token: "archive.org_bot", Operator: "Internet Archive", Purposes: other, Claim: MayIgnore, Status: Documented, Source: "https://blog.archive.org/2017/04/17/robots-txt-meant-for-search-engines-dont-work-well-for-web-archives/", Checked: day29},
	{Token: "Kagibot", Operator: "Kagi", Purposes: search, Claim: Heeds, Status: Documented, Follows: googlebot, Source: "https://kagi.com/bot", Checked: day29},
	{Token: "KlaviyoAIBot", Operator: "Klaviyo", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: "https://help.klaviyo.com/hc/en-us/articles/40496146232219", Checked: day29},
	{Token: "LAIONDownloader", Operator: "LAION", Purposes: training, Claim: MayIgnore, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "LinkedInBot", Operator: "LinkedIn", Purposes: other, Claim: NoClaim, Status: Undocumented, Source: listOfAgents, Checked: day22},
	{Token: "MJ12bot", Operator: "Majestic", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: Yes, Source: "https://mj12bot.com", Checked: day22},
	{Token: "FacebookBot", Operator: "Meta", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: "https://developers.facebook.com/docs/sharing/bot", Checked: day21},
	{Token: "facebookexternalhit", Operator: "Meta", Purposes: users, Claim: MayIgnore, Status: Documented, Source: meta, Checked: day21},
	{Token: "meta-externalagent", Operator: "Meta", Purposes: []Purpose{Training, Search}, Claim: Heeds, Status: Documented, AI: true, Source: meta, Checked: day21},
	{Token: "meta-webindexer", Operator: "Meta", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: meta, Checked: day21},
	{Token: "meta-externalfetcher", Operator: "Meta", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: meta, Checked: day21},
	// A name of facebookexternalhit in User-Agent headers.
	{Token: "facebookcatalog", Operator: "Meta", Purposes: users, Claim: MayIgnore, Status: Documented, Source: meta, Checked: day29},
	{Token: "meta-externalads", Operator: "Meta", Purposes: other, Claim: NoClaim, Status: Documented, Source: meta, Checked: day29},
	{Token: "AdIdxBot", Operator: "Microsoft", Purposes: other, Claim: NoClaim, Status: Documented, Source: bingCrawlers, Checked: day29},
	{Token: "BingPreview", Operator: "Microsoft", Purposes: other, Claim: NoClaim, Status: Documented, Source: bingCrawlers, Checked: day29},
	// The announcement of bingbot, which is the source of the row of msnbot, says that bingbot obeys rules for msnbot.
	{Token: "bingbot", Operator: "Microsoft", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: Yes, MaxCrawlDelay: 30 * time.Second, Follows: []string{"msnbot"}, Source: bing, Checked: day22, IPRanges: bingIPs},
	{Token: "msnbot", Operator: "Microsoft", Claim: NoClaim, Status: Retired, RetiredOn: "2010-10-01", Successors: []string{"bingbot"}, Source: "https://blogs.bing.com/webmaster/September-2010/Bingbot-is-coming-to-town", Checked: day22},
	{Token: "MistralAI-Training", Operator: "Mistral AI", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: mistral, Checked: day22},
	{Token: "MistralAI-Index", Operator: "Mistral AI", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: mistral, Checked: day22, IPRanges: "https://mistral.ai/mistralai-index-ips.json"},
	{Token: "MistralAI-User", Operator: "Mistral AI", Purposes: users, Claim: Heeds, Status: Documented, AI: true, Source: mistral, Checked: day22, IPRanges: "https://mistral.ai/mistralai-user-ips.json"},
	{Token: "MojeekBot", Operator: "Mojeek", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: "https://www.mojeek.com/bot.html", Checked: day29},
	{Token: "KimiBot", Operator: "Moonshot AI", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: kimi, Checked: day29},
	{Token: "Kimi-SearchBot", Operator: "Moonshot AI", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: kimi, Checked: day29},
	{Token: "Kimi-User", Operator: "Moonshot AI", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: kimi, Checked: day29},
	{Token: "DotBot", Operator: "Moz", Purposes: other, Claim: NoClaim, Status: Documented, CrawlDelay: Yes, Source: "https://webmasterid.com/robots/block-dotbot", Checked: day29},
	{Token: "rogerbot", Operator: "Moz", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://moz.com/help/moz-procedures/crawlers/rogerbot", Checked: day29},
	{Token: "Mozilla-Tabstack", Operator: "Mozilla", Purposes: input, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "Yeti", Operator: "Naver", Purposes: search, Claim: NoClaim, Status: Documented, Source: listOfAgents, Checked: day22},
	{Token: "ICC-Crawler", Operator: "NICT", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "GPTBot", Operator: "OpenAI", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: openAI, Checked: day21, IPRanges: "https://openai.com/gptbot.json"},
	{Token: "OAI-SearchBot", Operator: "OpenAI", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: openAI, Checked: day21, IPRanges: "https://openai.com/searchbot.json"},
	{Token: "ChatGPT-User", Operator: "OpenAI", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: openAI, Checked: day21, IPRanges: "https://openai.com/chatgpt-user.json"},
	{Token: "OAI-AdsBot", Operator: "OpenAI", Purposes: other, Claim: NoClaim, Status: Documented, AI: true, Source: openAI, Checked: day21, IPRanges: "https://openai.com/adsbot.json"},
	{Token: "ShapBot", Operator: "Parallel", Purposes: search, Claim: NoClaim, Status: Documented, AI: true, Source: parallel, Checked: day22, IPRanges: "https://docs.parallel.ai/resources/shapbot.json"},
	{Token: "Shap-User", Operator: "Parallel", Claim: NoClaim, Status: Undocumented, AI: true, Source: list, Checked: day22},
	{Token: "PerplexityBot", Operator: "Perplexity", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: perplexity, Checked: day21, IPRanges: "https://www.perplexity.ai/perplexitybot.json"},
	{Token: "Perplexity-User", Operator: "Perplexity", Purposes: users, Claim: MayIgnore, Status: Documented, AI: true, Source: perplexity, Checked: day21, IPRanges: "https://www.perplexity.ai/perplexity-user.json"},
	{Token: "Pinterest", Operator: "Pinterest", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://help.pinterest.com/en/business/article/pinterest-crawler", Checked: day22},
	{Token: "Pinterestbot", Operator: "Pinterest", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://help.pinterest.com/en/business/article/pinterest-crawler", Checked: day22},
	{Token: "Qwantbot", Operator: "Qwant", Purposes: search, Claim: Heeds, Status: Documented, Source: "https://help.qwant.com/bot/", Checked: day29},
	{Token: "Qwantify", Operator: "Qwant", Claim: NoClaim, Status: Retired, Successors: []string{"Qwantbot"}, Source: "https://help.qwant.com/bot/", Checked: day29},
	{Token: "Cotoyogi", Operator: "ROIS", Purposes: training, Claim: Heeds, Status: Documented, AI: true, CrawlDelay: Yes, Source: "https://ds.rois.ac.jp/en_center8/en_crawler/", Checked: day29},
	{Token: "SBIntuitionsBot", Operator: "SB Intuitions", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "BLEXBot", Operator: "SE Ranking", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: Yes, Source: "https://help.seranking.com/hc/en-us/articles/17126130916636-BLEXBot-Crawler", Checked: day29},
	// We read about Crawl-delay only in quotations of the page.
	{Token: "SemrushBot", Operator: "Semrush", Purposes: other, Claim: Heeds, Status: Documented, CrawlDelay: Yes, MaxCrawlDelay: 10 * time.Second, Source: semrush, Checked: day29},
	{Token: "SemrushBot-OCOB", Operator: "Semrush", Purposes: other, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "SemrushBot-SWA", Operator: "Semrush", Purposes: other, Claim: Heeds, Status: Documented, AI: true, Source: list, Checked: day22},
	{Token: "SiteAuditBot", Operator: "Semrush", Purposes: other, Claim: NoClaim, Status: Documented, Source: semrush, Checked: day29},
	{Token: "Adsbot", Operator: "Seostar", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://seostar.co/robot/", Checked: day24},
	{Token: "SeznamBot", Operator: "Seznam", Purposes: search, Claim: Heeds, Status: Documented, Source: "https://o-seznam.cz/napoveda/vyhledavani/en/crawling-control", Checked: day22},
	// The source quotes the help of Sogou.
	{Token: "Sogou", Operator: "Sogou", Purposes: search, Claim: Heeds, Status: Documented, Source: "https://www.bninc.cn/wiki/post/id/1531", Checked: day29},
	{Token: "Timpibot", Operator: "Timpi", Purposes: search, Claim: NoClaim, Status: Documented, AI: true, Source: "https://timpi.io/faq", Checked: day21},
	{Token: "trendictionbot", Operator: "Trendiction", Purposes: other, Claim: NoClaim, Status: Documented, Source: listOfAgents, Checked: day22},
	{Token: "trovitBot", Operator: "Trovit", Purposes: other, Claim: NoClaim, Status: Documented, Source: listOfAgents, Checked: day22},
	{Token: "omgili", Operator: "Webz.io", Purposes: training, Claim: Heeds, Status: Documented, AI: true, Source: "https://webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website", Checked: day21},
	{Token: "webzio-extended", Operator: "Webz.io", Purposes: training, Claim: NoClaim, Status: Documented, AI: true, ControlOnly: true, Source: "https://webz.io/bot.html", Checked: day21},
	{Token: "omgilibot", Operator: "Webz.io", Claim: NoClaim, Status: Undocumented, AI: true, Source: list, Checked: day22},
	{Token: "Twitterbot", Operator: "X", Purposes: other, Claim: Heeds, Status: Documented, Source: "https://developer.x.com/cards/overview", Checked: day29},
	{Token: "GrokBot", Operator: "xAI", Claim: NoClaim, Status: Undocumented, AI: true, Source: "https://atiemppo.com/GEO-CRAWLER-NOTES/", Checked: day22},
	{Token: "xAI-SearchBot", Operator: "xAI", Claim: NoClaim, Status: Undocumented, AI: true, Source: "https://atiemppo.com/GEO-CRAWLER-NOTES/", Checked: day22},
	{Token: "Yandex", Operator: "Yandex", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Source: yandexDelay, Checked: day22},
	// All crawlers of Yandex obey a group for Yandex, unless the file has one for the crawler.
	{Token: "YandexBot", Operator: "Yandex", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Follows: yandex, Source: yandexAgent, Checked: day29},
	{Token: "YandexDirect", Operator: "Yandex", Purposes: other, Claim: Heeds, Status: Documented, Follows: yandex, Source: "https://yandex.com/support/partner2/technologies/robot.html", Checked: day29},
	{Token: "YandexImages", Operator: "Yandex", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Follows: yandex, Source: yandexAgent, Checked: day29},
	{Token: "YandexMedia", Operator: "Yandex", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Follows: yandex, Source: yandexAgent, Checked: day29},
	{Token: "YandexVideo", Operator: "Yandex", Purposes: search, Claim: Heeds, Status: Documented, CrawlDelay: No, Follows: yandex, Source: yandexAgent, Checked: day29},
	{Token: "YandexAdditional", Operator: "Yandex", Purposes: input, Claim: Heeds, Status: Documented, AI: true, ControlOnly: true, CrawlDelay: No, Follows: yandex, Source: yandexAI, Checked: day22},
	{Token: "YandexAdditionalBot", Operator: "Yandex", Purposes: input, Claim: Heeds, Status: Documented, AI: true, ControlOnly: true, CrawlDelay: No, Follows: yandex, Source: yandexAI, Checked: day22},
	{Token: "YouBot", Operator: "You.com", Purposes: search, Claim: Heeds, Status: Documented, AI: true, Source: "https://docs.you.com/youbot", Checked: day22},
}
