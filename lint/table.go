package lint

import (
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// A row is a code and its check.
type row struct {
	Code
	check func(*pass)
}

// onLines returns a check that calls another one for each line of some kinds.
func onLines(check func(*pass, *line), kinds ...robotstxt.Kind) func(*pass) {
	var isWanted [robotstxt.OtherKind + 1]bool
	for _, k := range kinds {
		isWanted[k] = true
	}
	return func(p *pass) {
		for _, l := range p.lines {
			if isWanted[l.Kind] {
				check(p, l)
			}
		}
	}
}

// onLinesWith is onLines for a check that can only report a line whose value contains one of the
// characters. It saves time.
func onLinesWith(characters string, check func(*pass, *line), kinds ...robotstxt.Kind) func(*pass) {
	needed := lex.CharsOf(characters)
	return onLines(func(p *pass, l *line) {
		if l.chars.HasAny(needed) {
			check(p, l)
		}
	}, kinds...)
}

// onAgents returns a check that calls another one for each name on the user-agent lines.
func onAgents(check func(*pass, agent)) func(*pass) {
	return func(p *pass) {
		for _, g := range p.groups {
			for _, a := range g.agents {
				check(p, a)
			}
		}
	}
}

// Short names for the kinds of lines.
const (
	userAgent  = robotstxt.UserAgentKind
	allow      = robotstxt.AllowKind
	disallow   = robotstxt.DisallowKind
	sitemap    = robotstxt.SitemapKind
	crawlDelay = robotstxt.CrawlDelayKind
	other      = robotstxt.OtherKind // another key
	none       = robotstxt.NoKind    // no key
)

// Documents that rows are based on.
const (
	googleSpec = "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"
	googleKeys = "https://github.com/google/robotstxt/blob/master/reporting_robots.cc"
	signals    = "https://contentsignals.org"
)

// The text and advice of the two codes about lines for "*".
const (
	ownGroup  = `Crawlers obey only their own group, so this crawler for search or AI does not obey all lines for "*".`
	copyLines = `If it should, copy %[1]v into its group: %[2]v.`
)

// The table has all checks, the most serious first: only the first finding of a line counts. A
// check that does not look at single lines is a func(*pass).
var table = []row{
	{Code{Name: "not-robots-txt", Severity: Error,
		Text:    "This is not a robots.txt file, so crawlers may fetch everything.",
		Advice:  `It starts with %[1]v. Put a text file in its place whose lines have a key and ":", as in "User-agent: *", or let the server answer with status 404.`,
		Example: "<!DOCTYPE html>\n<title>Page not found</title>\n"},
		notRobotsTxt},
	{Code{Name: reading.UTF16, Severity: Error,
		Text:    "The file is in UTF-16: " + reading.Effect(reading.UTF16) + ". They may fetch everything.",
		Advice:  "Save the file as UTF-8 without a byte-order mark.",
		Example: "\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00 \x00*\x00\n\x00"},
		utf16},
	{Code{Name: "rich-text", Severity: Error,
		Text:    "The file is in RTF, a format of word processors, so crawlers misread its lines.",
		Advice:  "Save the file as plain text.",
		Example: "{\\rtf1\\ansi\nUser-agent: *\\\nDisallow: /private/}\n"},
		richText},
	{Code{Name: "template-text", Severity: Error,
		Text:    "The file is a template, or a template was not filled in. Crawlers read its code as it is.",
		Advice:  "Check what the server sends, with the address of the site instead of this file. If the code is there, too, correct the template.",
		Example: "User-agent: *\nDisallow: /{{ site.admin }}/\n"},
		templateText},
	{Code{Name: "file-too-large", Severity: Error,
		Text:   "The file is larger than 500 KiB, and crawlers may stop reading after this line.",
		Advice: `Shorten the file: "*" and the rules for folders can replace many rules.`},
		fileTooLarge},
	{Code{Name: "closed-by-accident", Severity: Error,
		Text:    "The line closes the whole site to search engines and most other crawlers, although it does not look like it.",
		Advice:  `%[1]v. Delete the line, or if its group has no other rule, write "Disallow:".`,
		Example: "User-agent: *\nAllow: /\nDisallow: /*#*\n"},
		closedByAccident},
	{Code{Name: "byte-order-mark", Severity: Error,
		Text:    "The file starts with a byte-order mark, so some crawlers do not know the first key, and ignore the line.",
		Advice:  "Save the file as UTF-8 without a byte-order mark.",
		Example: "\ufeffUser-agent: *\nDisallow: /private/\n"},
		byteOrderMark},
	{Code{Name: "invisible-character", Severity: Error,
		Text:    "The line contains an invisible character, which crawlers read as a part of the key or value.",
		Advice:  "Delete the line, and type it again. The character is %[1]v.",
		Example: "User-agent: *\nDisallow: /private/\u200b\n"},
		onLines(invisibleCharacter, userAgent, allow, disallow, sitemap, crawlDelay)},
	{Code{Name: "escaped-line-break", Severity: Error,
		Text:    `The characters "\n" do not start a new line, so crawlers read them, and what follows, as a part of the value.`,
		Advice:  `Replace "\n" with a line break.`,
		Example: "User-agent: *\\nDisallow: /private/\n"},
		onLinesWith(`\`, escapedLineBreak, userAgent, allow, disallow, sitemap, crawlDelay)},
	{Code{Name: "quoted-value", Severity: Error,
		Text:    "Crawlers read the quotation marks as a part of the value.",
		Advice:  `Write only %[1]v, without quotation marks.`,
		Example: "User-agent: *\nDisallow: \"/private/\"\n"},
		onLinesWith("\"'`“", quotedValue, userAgent, allow, disallow, sitemap)},
	{Code{Name: "several-keys", Severity: Error,
		Text:    "A line can have only one key, so crawlers read the second one as a part of the value.",
		Advice:  "Start a new line before the second key, or delete the key if it is there twice.",
		Example: "User-agent: *\nDisallow: /private/ Allow: /private/press/\n"},
		onLinesWith(" ", severalKeys, userAgent, allow, disallow, sitemap, crawlDelay)},
	{Code{Name: reading.MisspelledKey, Severity: Error,
		Text:    "The key is misspelled: " + reading.Effect(reading.MisspelledKey) + ".",
		Advice:  `Write %[1]v. If the line is a comment, start it with "#".`,
		Example: "User-agent: *\nDissallow: /private/\n"},
		onLines(misspelledKey, userAgent, allow, disallow, sitemap, crawlDelay, other)},
	{Code{Name: reading.UnusableToken, Severity: Error,
		Text:    "The line applies to none: " + reading.Effect(reading.UnusableToken) + ".",
		Advice:  `Write only the name of a crawler, or only "*" if you mean all crawlers.`,
		Example: "User-agent: all\nDisallow: /private/\n"},
		onLines(unusableToken, userAgent)},
	{Code{Name: "rule-before-user-agent", Severity: Error,
		Text:    "Crawlers ignore the rule, because no user-agent line is above it.",
		Advice:  `Move the rule below "User-agent: *", or write that line above it.`,
		Example: "Disallow: /private/\n\nUser-agent: *\nDisallow: /search\n"},
		ruleBeforeUserAgent},
	{Code{Name: "joined-groups", Severity: Error,
		Text:    "This line does not end a group, so the rules below also apply to the crawlers above.",
		Advice:  `Below this line, write the rules for the crawlers above, or "Disallow:" if they may fetch everything.`,
		Example: "User-agent: FooBot\nCrawl-delay: 10\n\nUser-agent: BarBot\nDisallow: /\n"},
		joinedGroups},
	{Code{Name: "url-as-path", Severity: Error,
		Text:    `A path starts with "/", so a rule with the name of a host matches nothing.`,
		Advice:  "If the URL is on another host, delete the line: each host has its own robots.txt. If not, write only the path.",
		Example: "User-agent: *\nDisallow: https://www.example.org/private/\n"},
		onLinesWith(".:", urlAsPath, allow, disallow)},
	{Code{Name: "several-paths", Severity: Error,
		Text:    "A line can have only one path, so crawlers read all of this as one path, which matches hardly any URL.",
		Advice:  `Write a line for each path. If a comment follows the path, start it with "#".`,
		Example: "User-agent: *\nDisallow: /private/, /search\n"},
		onLinesWith(", ", severalPaths, allow, disallow)},
	{Code{Name: "regexp-in-path", Severity: Error,
		Text:    "The path looks like a regular expression, but crawlers do not read it as one.",
		Advice:  `Write "*" for each part that varies. Only "*", and "$" at the end, are special.`,
		Example: "User-agent: *\nDisallow: /item\\d+\n"},
		onLinesWith(`\()+[^`, regexpInPath, allow, disallow)},
	{Code{Name: "dead-rule", Severity: Error,
		Text:    "The rule has no effect: for each URL that it matches, a rule of the other kind wins.",
		Advice:  "Delete this line, or the rules that win, in %[1]v. Longer paths win over shorter ones, and allow wins over disallow.",
		Example: "User-agent: *\nDisallow: /shop/\nAllow: /*shop/\n"},
		deadRule},
	{Code{Name: "sitemap-not-absolute", Severity: Error,
		Text:    "The value is not the complete URL of a sitemap, so crawlers may not find it.",
		Advice:  `Write one URL with "https://" and your host, as in "https://www.example.org/sitemap.xml".`,
		Example: "Sitemap: /sitemap.xml\n"},
		onLines(sitemapNotAbsolute, sitemap)},
	{Code{Name: "sitemap-unreachable", Severity: Error,
		Text:    "Crawlers cannot reach this host, so they cannot fetch the sitemap.",
		Advice:  `Write the name of your site's host instead of %[1]v.`,
		Example: "Sitemap: http://localhost:3000/sitemap.xml\n"},
		onLines(sitemapUnreachable, sitemap)},
	{Code{Name: "unknown-signal", Severity: Error,
		Text: "Crawlers do not know all preferences on this line, and ignore those that they do not know.",
		Advice: `Correct %[1]v. Content-Signal has "search", "ai-input" and "ai-train" with "yes" or "no", and "use"; ` +
			`Content-Usage has "search", "ai-use" and "train-ai" with "y" or "n". Put commas between them.`,
		Example: "User-agent: *\nContent-Signal: ai-train=n\nDisallow: /search\n",
		Source:  signals},
		onLines(unknownSignal, other)},

	{Code{Name: "space-in-name", Severity: Warning,
		Text:    "A name ends at a space, so crawlers read only the first word.",
		Advice:  "Did you mean %[1]v?",
		Example: "User-agent: GPT Bot\nDisallow: /private/\n"},
		onAgents(spaceInName)},
	{Code{Name: "all-disallowed", Severity: Warning,
		Text: `The line closes the whole site to search engines, and to all other crawlers that obey the group of "*".`,
		Advice: `To open the site, write "Disallow:" without a path. If it should stay closed, add ` +
			`"# robotstxt-lint: ignore all-disallowed" to the line.`,
		Example: "User-agent: *\nDisallow: /\n"},
		allDisallowed},
	{Code{Name: "search-engine-closed", Severity: Warning,
		Text: "The group closes the whole site to this search engine, so the site may vanish from its results.",
		Advice: `To open the site, %[1]v. If it should stay closed, add ` +
			`"# robotstxt-lint: ignore search-engine-closed" to this line.`,
		Example: "User-agent: Googlebot\nDisallow: /\n"},
		searchEngineClosed},
	{Code{Name: "junk-line", Severity: Warning,
		Text:    "The line has no key, and is not a comment either, so crawlers skip it.",
		Advice:  `Start a comment with "#", and any other line with a key and a colon, such as "User-agent:" or "Disallow:".`,
		Example: "User-agent: *\nDisallow: /private/\n/search\n"},
		onLines(junkLine, none, other)},
	{Code{Name: "meta-key", Severity: Warning,
		Text:    "Search engines read this key only in pages, not in robots.txt.",
		Advice:  `Delete the line, put <meta name="robots" content=%[1]v> into the pages that it is about, and let crawlers fetch them.`,
		Example: "User-agent: *\nNoindex: /old/\n",
		Source:  googleKeys},
		onLines(metaKey, other)},
	{Code{Name: "dead-key", Severity: Warning,
		Text: "Hardly any crawler reads lines with this key.",
		Advice: `Delete the line, start it with "#" if it is a comment, or write a key that crawlers read, in English: ` +
			`"User-agent:", "Disallow:", "Allow:" or "Sitemap:".`,
		Example: "User-agent: *\nRequest-rate: 1/10\n",
		Source:  googleKeys},
		onLines(deadKey, other)},
	{Code{Name: "record-before-group", Severity: Warning,
		Text:    "No user-agent line is above this line, so most crawlers ignore it.",
		Advice:  `Move the line below "User-agent: *" if it is for all crawlers.`,
		Example: "Content-Signal: ai-train=no\n\nUser-agent: *\nDisallow: /search\n",
		Source:  signals},
		recordBeforeGroup},
	{Code{Name: reading.MissingColon, Severity: Warning,
		Text:    "The colon after the key is missing: " + reading.Effect(reading.MissingColon) + ".",
		Advice:  `Write ":" after the key.`,
		Example: "User-agent: *\nDisallow /private/\n"},
		onLines(missingColon, userAgent, allow, disallow, sitemap, crawlDelay)},
	{Code{Name: "glued-comment", Severity: Warning,
		Text:    `The "#" starts a comment, so crawlers read only the text before it.`,
		Advice:  `If %[1]v is what you mean, put a space before the "#". If not, delete the line: no URL that crawlers fetch has a "#".`,
		Example: "User-agent: *\nDisallow: /account#orders\n"},
		onLines(gluedComment, allow, disallow)},
	{Code{Name: "dollar-inside-path", Severity: Warning,
		Text:    `The "$" is special only at the end of a path, so the rule matches hardly any URL.`,
		Advice:  "If you mean all URLs that end so, write %[1]v.",
		Example: "User-agent: *\nDisallow: /*.pdf$/\n"},
		onLinesWith("$", dollarInsidePath, allow, disallow)},
	{Code{Name: "escaped-query", Severity: Warning,
		Text:    `The "%3F" is a part of the path, and not the "?" before a query, so the rule matches no URL with a query.`,
		Advice:  "If you mean a query, write %[1]v.",
		Example: "User-agent: *\nDisallow: /search%3Fq=\n"},
		onLinesWith("%", escapedQuery, allow, disallow)},
	{Code{Name: reading.PathWithoutSlash, Severity: Warning,
		Text:    `The path does not start with "/": ` + reading.Effect(reading.PathWithoutSlash) + ".",
		Advice:  "Write %[1]v for a path at the top of the site, or %[2]v if it may be anywhere.",
		Example: "User-agent: *\nDisallow: private/\n"},
		onLines(pathWithoutSlash, allow, disallow)},
	{Code{Name: "space-in-path", Severity: Warning,
		Text:    `The path contains a space: some crawlers read it as "%20", others never match it.`,
		Advice:  `Write "%20" for a space that belongs to the path, and delete any other.`,
		Example: "User-agent: *\nDisallow: /my files/\n"},
		onLines(spaceInPath, allow, disallow)},
	{Code{Name: "not-utf-8", Severity: Warning,
		Text:    "The path contains characters that are not in UTF-8, so it may not match the URLs that it is meant for.",
		Advice:  "Save the file as UTF-8.",
		Example: "User-agent: *\nDisallow: /caf\xe9/\n",
		Source:  googleSpec},
		onLines(notUTF8, allow, disallow)},
	{Code{Name: "non-ascii-in-path", Severity: Warning,
		Text:    `The path contains characters other than English letters and signs, such as "é" or "ж", which some crawlers never match.`,
		Advice:  "Write %[1]v, as Google recommends, or if the characters are wrong, save the file as UTF-8 and correct them.",
		Example: "User-agent: *\nDisallow: /café/\n",
		Source:  googleSpec},
		onLines(nonASCIIInPath, allow, disallow)},
	{Code{Name: "empty-user-agent", Severity: Warning,
		Text:    "The line names no crawler.",
		Advice:  `Write the name of a crawler after the colon, or "*" if you mean all crawlers.`,
		Example: "User-agent:\nDisallow: /private/\n"},
		onLines(emptyUserAgent, userAgent)},
	{Code{Name: reading.UserAgentHeader, Severity: Warning,
		Text:    "The name is a whole User-Agent header: " + reading.Effect(reading.UserAgentHeader) + ".",
		Advice:  "If you mean a crawler, write only the name in its documentation. If you mean a browser, delete the line: browsers do not read robots.txt.",
		Example: "User-agent: Mozilla/5.0 (compatible; FooBot/1.2)\nDisallow: /\n"},
		onAgents(userAgentHeader)},
	{Code{Name: reading.SeveralNames, Severity: Warning,
		Text:    "The line has several names: " + reading.Effect(reading.SeveralNames) + ".",
		Advice:  "Write a user-agent line for each name.",
		Example: "User-agent: GPTBot, CCBot\nDisallow: /private/\n"},
		onLines(severalNames, userAgent)},
	{Code{Name: "odd-name", Severity: Warning,
		Text:    "Names of crawlers have no full stop at the end, and no star, so the line may apply to none.",
		Advice:  "Write only the name of a crawler, on a line of its own.",
		Example: "User-agent: FooBot.\nDisallow: /private/\n"},
		onAgents(oddName)},
	{Code{Name: "misspelled-token", Severity: Warning,
		Text:    "No known crawler has this name, so the line may apply to none.",
		Advice:  "Did you mean %[1]v?",
		Example: "User-agent: Googelbot\nDisallow: /private/\n"},
		onAgents(misspelledToken)},
	{Code{Name: "brand-as-token", Severity: Warning,
		Text:    "This is the name of a company or product. Whether its crawlers read the group is not documented.",
		Advice:  "Write the names of the crawlers that you mean, such as %[1]v.",
		Example: "User-agent: Claude\nDisallow: /private/\n"},
		onAgents(brandAsToken)},
	{Code{Name: "repeated-token", Severity: Warning,
		Text:    "Another group has the same name: some crawlers join the two, some read only one.",
		Advice:  "Move the rules below to the group of line %[1]v, and delete this line.",
		Example: "User-agent: FooBot\nDisallow: /a\n\nUser-agent: FooBot\nDisallow: /b\n"},
		repeatedToken},
	{Code{Name: "last-group-only", Severity: Warning,
		Text:    "A blank line or a comment does not end a group, so only the crawlers named above it obey this line and those below.",
		Advice:  `If the lines are for all crawlers, move them below "User-agent: *" in line %[2]v. Now they are only for %[1]v.`,
		Example: "User-agent: *\nAllow: /\n\nUser-agent: bingbot\nAllow: /\n\n# Our back office\nDisallow: /admin/\n"},
		lastGroupOnly},
	{Code{Name: "star-rules-dropped", Severity: Warning,
		Text:    ownGroup,
		Advice:  copyLines,
		Example: "User-agent: *\nDisallow: /admin/\n\nUser-agent: GPTBot\nAllow: /\n"},
		droppedLines(true)},
	{Code{Name: "sitemap-disallowed", Severity: Warning,
		Text:    "The rules keep Googlebot from fetching the sitemap.",
		Advice:  "Add an allow line for the sitemap below line %[1]v, %[2]v.",
		Example: "User-agent: *\nDisallow: /*.xml\nSitemap: https://www.example.edu/sitemap.xml\n",
		Source:  googleSpec},
		sitemapDisallowed},
	{Code{Name: "bad-crawl-delay", Severity: Warning,
		Text:    "Crawlers ignore a value that is not a number of seconds, and some fetch nothing from a site that wants more than 300.",
		Advice:  `Write only a number up to 300, as in "Crawl-delay: 10".`,
		Example: "User-agent: bingbot\nCrawl-delay: ten\nDisallow: /search\n",
		Source:  "https://github.com/crawler-commons/crawler-commons/blob/master/src/main/java/crawlercommons/robots/SimpleRobotRulesParser.java"},
		onLines(badCrawlDelay, crawlDelay)},

	{Code{Name: "host-key", Severity: Info,
		Text:    "No crawler reads this key anymore: only Yandex did, until March 2018.",
		Advice:  "Delete the line. To choose one host among several, let the server redirect from the others.",
		Example: "User-agent: *\nDisallow: /search\nHost: www.example.org\n"},
		onLines(hostKey, other)},
	{Code{Name: "star-rules-differ", Severity: Info,
		Text:    ownGroup,
		Advice:  copyLines,
		Example: "User-agent: *\nDisallow: /search\n\nUser-agent: bingbot\nDisallow: /press/\n"},
		droppedLines(false)},
	{Code{Name: "assets-disallowed", Severity: Info,
		Text:    "Googlebot may not fetch these style sheets or scripts, so Google may see the pages differently from visitors.",
		Advice:  "Delete the line, or allow the files that change what a page shows.",
		Example: "User-agent: *\nDisallow: /css/\n",
		Source:  googleSpec},
		assetsDisallowed},
	{Code{Name: "retired-crawler", Severity: Info,
		Text:    "No crawler uses this name anymore, so the line does nothing.",
		Advice:  "If the rules are for the operator's current crawler, write %[1]v. If not, delete the line.",
		Example: "User-agent: Claude-Web\nDisallow: /search\n"},
		onAgents(retiredCrawler)},
	{Code{Name: "crawl-delay-ignored", Severity: Info,
		Text:    "The crawlers of this group ignore crawl-delays, according to their operators.",
		Advice:  "Delete the line. When the site is too busy, the server can answer with status 429 or 503.",
		Example: "User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /search\n"},
		onLines(crawlDelayIgnored, crawlDelay)},
	{Code{Name: "empty-rule", Severity: Info,
		Text:    "The line has no path, so it does nothing beside the other rules of the group.",
		Advice:  "Delete the line. If it should let a crawler fetch everything, move the other rules to another group.",
		Example: "User-agent: *\nDisallow:\nDisallow: /private/\n"},
		onLines(emptyRule, allow, disallow)},
	{Code{Name: "duplicate-rule", Severity: Info,
		Text:    "The line repeats a rule of the same group.",
		Advice:  "Delete the line: line %[1]v says the same.",
		Example: "User-agent: *\nDisallow: /a\nDisallow: /a\n"},
		duplicateRule},
}
