package lint

import (
	"cmp"
	"slices"
	"strings"
)

// A Severity ranks findings by how much they matter.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // a line has no effect, or not the effect that it seems to have
	Warning Severity = "warning" // not all crawlers read the line in the same way, or the line might not do what its author wants
	Info    Severity = "info"    // the line works, but perhaps not as its author expects
)

// A Code is a kind of finding.
type Code struct {
	Name     string // such as "crawl-delay-joins-groups"; never changes
	Severity Severity
	Meaning  string // what is wrong, in one or two sentences
	Advice   string // what to do; empty if each finding has its own advice
	Source   string // the URL of the document that the finding is based on; empty if that is RFC 9309, or if there is none
	Example  string // a file with such a finding; empty if the file would have to be huge
}

// Codes returns all codes, the most serious first. Mistakes that change what crawlers may fetch
// come first; lines that are only untidy come last.
func Codes() []Code {
	codes := make([]Code, len(table))
	for i, e := range table {
		codes[i] = e.Code
	}
	return codes
}

// An entry is a code with its sentences. In a sentence, %[1]v, %[2]v and so on stand for the
// values that a check passes to checker.report after the name of the code.
type entry struct {
	Code
	text   string             // the text of a finding; if empty, the text is Code.Meaning
	advice string             // the advice of a finding; if empty, the advice is Code.Advice
	cases  map[string]wording // sentences for special cases, by the name of the case
	once   bool               // whether Check merges all findings with this code and the same severity into one
	more   wording            // used if findings are dropped: more.text is the sentence that lists their lines (%s is "lines 2 and 3"), and more.advice is the advice for all lines

	keepsAdvice bool // whether to keep the advice instead of quoting the line that the Fix writes: an editor does not show the change, or many lines need the same change
}

// A wording overrides the sentences and the severity of a code. Empty fields override
// nothing.
type wording struct {
	text, advice string
	severity     Severity
}

// entryAndWording returns the entry of a code, and the wording of its findings. Its argument is the
// code, such as "dead-key". For a special case, it is the code, a slash and the name of the case, as
// in "dead-key/Host".
func entryAndWording(name string) (e *entry, w wording) {
	name, special, _ := strings.Cut(name, "/")
	e = entryOf[name]
	w = e.cases[special]
	return e, wording{cmp.Or(w.text, e.text, e.Meaning), cmp.Or(w.advice, e.advice, e.Advice), cmp.Or(w.severity, e.Severity)}
}

var entryOf = func() map[string]*entry {
	m := make(map[string]*entry, len(table))
	for i := range table {
		m[table[i].Name] = &table[i]
	}
	return m
}()

// isDead reports whether key is one of the keys that no crawler reads.
func isDead(key string) bool { return isCase("dead-key", key) }

// isCase reports whether a code has sentences for a special case.
func isCase(name, special string) bool {
	_, ok := entryOf[name].cases[special]
	return ok
}

// hides contains, for a code, other codes whose findings have the same cause. If a line has a
// finding with the first code, Check drops the line's findings with the other codes.
var hides = map[string][]string{
	"broken-byte-order-mark":   {"variant-key"},
	"byte-order-mark":          {"invisible-character"},
	"variant-key":              {"missing-colon"},
	"placeholder":              {"sitemap-not-absolute"},
	"sitemap-not-absolute":     {"variant-key"},
	"bad-escape":               {"space-in-path"},
	"invisible-character":      {"variant-key", "token-with-version", "unusable-token", "path-without-slash", "sitemap-not-absolute"},
	"several-keys":             {"sitemap-not-absolute", "group-without-rules"},
	"group-without-rules":      {"crawl-delay-ignored", "crawl-delay-huge"},
	"dead-key":                 {"invisible-character"},
	"double-encoded":           {"path-without-slash", "space-in-path"},
	"non-ascii-in-path":        {"invisible-character", "space-in-path"},
	"glued-comment":            {"path-without-slash", "dead-rule", "allow-and-disallow", "all-disallowed"},
	"url-as-path":              {"space-in-path", "non-ascii-in-path", "bad-escape", "dead-rule", "allow-and-disallow"},
	"regexp-in-path":           {"path-without-slash", "space-in-path", "bad-escape"},
	"duplicate-rule":           {"glued-comment", "path-without-slash", "space-in-path", "non-ascii-in-path", "parameter-not-first"},
	"path-without-slash":       {"space-in-path"},
	"dead-rule":                {"parameter-not-first"},
	"record-joins-groups":      {"dead-key"},
	"crawl-delay-joins-groups": {"crawl-delay-huge", "crawl-delay-ignored"},
	"misspelled-key":           {"record-joins-groups"},
	"misspelled-token":         {"variant-key", "missing-colon", "same-as-star"},
	"brand-as-token":           {"same-as-star"},
	"unusable-token":           {"missing-colon"},
}

// inLists contains the codes for odd names that often occur in copied lists. The value is true if
// names with the code are evidence that a list was copied. If checkNames reports copied-list for a
// file, it does not also report the names with these codes one by one.
var inLists = map[string]bool{
	"user-agent-header": true, "token-with-version": true, "token-with-space": true, "token-characters": true,
	"misspelled-token": false, "brand-as-token": false, "unusable-token": false, "several-tokens": false,
}

// An asset describes patterns that match style sheets or scripts, such as "/a/css" or "/b/CSS". The
// field end is the end of all these patterns, in lower case: "/css". The field file is the text that
// turns such a pattern into the path of a style sheet or script: "/a/css" + "/page.css".
type asset struct{ end, file string }

var assets = []asset{
	{"/*.css", ""}, {"/css", "/page.css"}, {"/styles", "/page.css"}, {"/stylesheets", "/page.css"},
	{"/*.js", ""}, {"/js", "/page.js"}, {"/javascript", "/page.js"}, {"/javascripts", "/page.js"}, {"/scripts", "/page.js"}, {"/assets/scripts", "/page.js"}, {"/static/scripts", "/page.js"},
	{"/_next", "/static/chunks/page.js"}, {"/_next/static", "/chunks/page.js"}, {"/_nuxt", "/page.js"},
	{"/wp-includes", "/js/page.js"}, {"/wp-content", "/themes/page.css"}, {"/wp-content/themes", "/a/page.css"}, {"/wp-content/plugins", "/a/page.js"},
}

// magentoAssets are the assets to check on a site that seems to use Magento, whose folder /scripts
// contains only programs for the server.
var magentoAssets = slices.DeleteFunc(slices.Clone(assets), func(a asset) bool { return a.end == "/scripts" })

// drupalAssets are the assets to check on a site that seems to use Drupal. Its folder /scripts contains only
// shell scripts.
var drupalAssets = append(slices.Clone(magentoAssets),
	asset{"/misc", "/page.js"}, asset{"/modules", "/a/page.css"}, asset{"/themes", "/a/page.css"}, asset{"/sites", "/all/modules/a/page.css"},
	asset{"/templates", "/a/page.css"})

// joomlaAssets are the assets to check on a site that seems to use Joomla.
var joomlaAssets = append(slices.Clone(drupalAssets), asset{"/media", "/a/page.js"})

// systemAssets contains the assets to check if the file has a rule for a folder that only the robots.txt
// files of Drupal, Joomla, Magento or WordPress name. If the folder is "libraries", the file must also disallow
// /administrator/.
var systemAssets = map[string][]asset{"downloader": magentoAssets, "pkginfo": magentoAssets, "profiles": drupalAssets, "wp-admin": wordPressAssets, "wp-content": wordPressAssets, "wp-includes": wordPressAssets, "wp-content/plugins": wordPressAssets, "wp-content/themes": wordPressAssets, "wp-content/uploads": wordPressAssets, "libraries": joomlaAssets, "mambots": joomlaAssets}

// wordPressAssets are the assets to check on a site that seems to use WordPress. The rule "/wp-*" closes
// several folders of WordPress, two of which contain style sheets and scripts. On other sites, this rule
// only keeps robots from looking for WordPress.
var wordPressAssets = append(slices.Clip(assets), asset{"/wp-", "includes/js/page.js"})

// notForReaders contains the names of folders and files, in lower case. Rules of "*" for their paths do not
// matter to a crawler with a group of its own (see droppedRules).
var notForReaders = []string{"amp", "wp-", "webresource.axd", "scriptresource.axd", "readme.html", "readme.txt", "license.txt", "changelog.txt", "t3lib", "typo3", "typo3conf", "typo3temp", "fileadmin/templates"}

// linesOfSPIP contains lines that SPIP, a system for websites, writes for its own folders. Each value
// completes the name of a special case of dead-key.
var linesOfSPIP = map[string]string{
	"Noindex /local/": " of SPIP", "Noindex /plugins-dist/": " of SPIP", "Noindex /plugins/": " of SPIP",
	"Noindex /squelettes-dist/": " of SPIP", "Noindex /squelettes/": " of SPIP",
}

// Documents that findings are based on.
const (
	googleSpec      = "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"
	googleParser    = "https://github.com/google/robotstxt/blob/master/robots.cc"
	googleReporting = "https://github.com/google/robotstxt/blob/master/reporting_robots.cc" // lists the keys that Google ignores (as of 2026-02-19)
	bingDelay       = "https://blogs.bing.com/webmaster/2012/05/03/to-crawl-or-not-to-crawl-that-is-bingbots-question"
	yandexRules     = "https://yandex.com/support/webmaster/en/controlling-robot/robots-txt"
	usageDraft      = "https://datatracker.ietf.org/doc/html/draft-ietf-aipref-attach-05"
	signals         = "https://contentsignals.org"
)

var table = []entry{
	// Mistakes that let crawlers in or shut them out.
	{Code: Code{Name: "not-robots-txt", Severity: Error,
		Meaning: "The file is not a robots.txt file, but an HTML page, an error message or something else.",
		Advice:  `Put a plain text file in its place. If you have no rules, let the server answer "404 Not Found" instead.`,
		Example: "<!DOCTYPE html>\n<title>Page not found</title>\n"},
		text: "This is not a robots.txt file: it starts with %[1]v. Crawlers find no rules in it and may fetch everything.",
		cases: map[string]wording{
			"before":  {text: "Other text stands before the first user-agent line, so crawlers do not recognize the line.", advice: `Delete the text before "User-agent:". If you did not put it there, find out who did: a broken program, or somebody who changed your site.`},
			"refused": {advice: `The server seems to refuse the request. Let it send robots.txt, a plain text file, to all crawlers. If you have no rules, let it answer "404 Not Found" instead.`},
			"RTF":     {text: "The file is saved as rich text (RTF), so crawlers misread its lines.", advice: "Save the file as plain text."},
			"above":   {text: "HTML or program code stands above the first group, which starts in line %[1]v. Crawlers skip it, but it does not belong in this file.", advice: "Delete it. If the server should run the code, correct the server's settings instead. If you did not put the text there, find out who did: a broken program, or somebody who changed your site."},
		}},
	{Code: Code{Name: "utf-16-unmarked", Severity: Error,
		Meaning: "The file is encoded in UTF-16 without a byte-order mark, so crawlers cannot read it and may fetch everything.",
		Advice:  "Save the file as UTF-8.",
		Example: "U\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00 \x00*\x00\n\x00"}},
	{Code: Code{Name: "file-too-large", Severity: Error,
		Meaning: "The file is larger than 500 KiB (512,000 bytes), so crawlers may ignore its end.",
		Advice:  `Move the most important groups to the top, and in each group the most important rules. Delete the rules for pages that no longer exist. If crawlers should fetch nothing in a folder, keep only one rule for it, such as "Disallow: /old/". If most lines are sitemaps, list these in one sitemap index, and name only the index here.`,
		Example: ""},
		text: "Crawlers may stop reading after this line, because the file is larger than 512,000 bytes (500 KiB)."},
	{Code: Code{Name: "broken-byte-order-mark", Severity: Error,
		Meaning: "The file starts with the remains of a byte-order mark, which some editors put at the start of a file. So most crawlers do not recognize the first line.",
		Advice:  "Delete these characters, and save the file as UTF-8 without a byte-order mark.",
		Example: "ï»¿User-agent: *\nDisallow: /private/\n"},
		text: "The file starts with %[1]v, the remains of a byte-order mark, so most crawlers do not recognize the first line."},
	{Code: Code{Name: "rule-before-user-agent", Severity: Error,
		Meaning: "The line is above the first user-agent line, so crawlers ignore it.",
		Advice:  `If all crawlers should obey the line, move it to the rules for "User-agent: *", and copy it to every other group. If the file has no "User-agent: *", write that above the line. If only one crawler should obey it, move it to the group for that crawler. A new group also needs the rules for "*" that the crawler should keep.`,
		Example: "Disallow: /private/\n\nUser-agent: *\nDisallow: /search\n"},
		text: "Crawlers ignore the line, because no user-agent line is above it.",
		cases: map[string]wording{
			"all":  {text: "Crawlers ignore all rules of the file, because it has no user-agent line.", advice: `Add "User-agent: *" above line %[1]v.`},
			"site": {advice: `If no crawler should fetch anything, write "User-agent: *" above the line. If not, delete each line that disallows the whole site.`},
		}},
	{Code: Code{Name: "crawl-delay-joins-groups", Severity: Error,
		Meaning: `A Crawl-delay line does not end a group, so the rules below it also apply to the crawlers above it. If the group names msnbot, and the file does not name bingbot, the rules also apply to bingbot.`,
		Example: "User-agent: bingbot\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /\n"},
		text:   "A crawl-delay does not end a group: lines %[1]v to %[2]v belong to one group, so the rules below also %[3]v.",
		advice: `In lines %[1]v to %[2]v, add below each Crawl-delay line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`,
		cases: map[string]wording{
			"ignored": {advice: `Crawl-delay has no effect on %[5]v: delete the user-agent lines for %[5]v, and each Crawl-delay line that is only for them. If other Crawl-delay lines between user-agent lines of this group are left, add below each the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
			"move":    {advice: `If a crawler or "*" has another group with rules, move the crawl-delay there, and delete the user-agent line here. If other Crawl-delay lines between user-agent lines of this group are left, add below each the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
			"star":    {advice: `Below the Crawl-delay line, add the rules for "*": a copy of the rules below if they are meant for all crawlers, or "Disallow:" to let all other crawlers fetch everything.`},
		}},
	{Code: Code{Name: "record-joins-groups", Severity: Error,
		Meaning: `A line that is not a rule, such as a Sitemap line, does not end a group. So the rules below it also apply to the crawlers above it.`,
		Example: "User-agent: bingbot\nSitemap: https://www.example.edu/sitemap.xml\n\nUser-agent: *\nDisallow: /\n"},
		text:   "A %[4]v line does not end a group: lines %[1]v to %[2]v belong to one group, so the rules below also %[3]v.",
		advice: `In lines %[1]v to %[2]v, add below each such line the rules that the crawlers above it should obey, or "Disallow:" if they may fetch everything.`},
	{Code: Code{Name: "misspelled-key", Severity: Error,
		Meaning: "The key is misspelled, so most crawlers ignore the line.",
		Example: "User-agent: *\nDisaloww: /private/\n"},
		text:   "Most crawlers do not know the key %[1]v, and ignore the line.", // Google accepts "Disallowed"
		advice: "Did you mean %[2]v?"},
	{Code: Code{Name: "empty-user-agent", Severity: Error,
		Meaning: "The user-agent line names no crawler.",
		Advice:  `If the user-agent line right above or below names the crawlers that the rules are for, delete this line. If not, write the name of the crawler that the rules are for, or "*" if they are for all crawlers.`,
		Example: "User-agent:\nDisallow: /private/\n"},
		text: "The user-agent line names no crawler. If no other user-agent line of the group names one, most crawlers ignore the rules below it."},
	{Code: Code{Name: "unusable-token", Severity: Error,
		Meaning: "The value of the user-agent line is not a crawler's name.",
		Advice:  `Write only the name of the crawler that you mean, or only "*" if you mean all crawlers. If you do not know the name, delete the line. If the group then names no crawler, delete the group's rules, too.`,
		Example: "User-agent: *bot\nDisallow: /private/\n"},
		text:  "%[1]v is not a valid crawler name, so the line applies to no crawler.",
		cases: map[string]wording{"named": {advice: `Did you mean %[2]v? That crawler then obeys only the rules for its name, not those for "*".`}},
		once:  true, more: wording{advice: `Write only the names of the crawlers that you mean, without "*" and other characters around them. If you mean all crawlers, write only "*". If you do not know a name, delete the line. If a group then names no crawler, delete its rules, too.`}},
	{Code: Code{Name: "user-agent-header", Severity: Error,
		Meaning: "The value is the whole text with which a program introduces itself to a server (its User-Agent header). Crawlers read only its first word.",
		Advice:  "Write the name that the crawler's documentation gives. If you mean a browser, delete the line. If the group then names no crawler, delete the group's rules, too.",
		Example: "User-agent: Mozilla/5.0 (compatible; FooBot/1.2; +https://www.example.org/bot)\nDisallow: /\n"},
		text: "Crawlers read only %[1]v here, and no crawler has that name.",
		cases: map[string]wording{
			"named": {advice: `Did you mean %[2]v? That crawler then obeys only the rules for its name, not those for "*".`},
		}},
	{Code: Code{Name: "url-as-path", Severity: Error,
		Meaning: "The value is a whole URL, but a rule should contain only the path.",
		Advice:  `Delete the line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`,
		Example: "User-agent: *\nDisallow: https://www.example.org/private/\n"},
		text: `A path starts with "/", not with "http", so the line matches nothing.`,
		cases: map[string]wording{
			"host":   {advice: `Delete such a line: a robots.txt file applies only to its own host. If the URL is on another host of yours, such as a subdomain, write the rule into a robots.txt file there. If no rules are left in the group here, add "Disallow:" to it.`},
			"again":  {severity: Info, advice: "Such a line can go, because its path is %[1]ved anyway."}, // "allowed" or "disallowed"
			"path":   {advice: "Write %[2]v."},
			"unsure": {advice: "If the URL is on this site, write %[2]v. If it is on another host, delete the line: a robots.txt file applies only to its own host, so a rule for a subdomain belongs in a file there. If it is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in the group, add \"Disallow:\" to it."},
		},
		once: true, more: wording{advice: "If a URL is on this site, write only its path, once for each path. But delete each line whose URL is a home page or on another host, such as a subdomain: a robots.txt file applies only to its own host, so rules for a subdomain belong in a file there. If a URL is a sitemap that crawlers should read, list it in a Sitemap line instead. If no rules are left in a group, add \"Disallow:\" to it."}},
	{Code: Code{Name: "several-keys", Severity: Error,
		Meaning: "A line break is missing, so crawlers read the next key as part of the value.",
		Advice:  `Start a new line before each key in the value, and delete leftovers such as "<br/>".`,
		Example: "User-agent: *\nDisallow: /private/ Allow: /private/press/\n"},
		text: "Crawlers read %[1]v as part of the value, because a line can have only one key.",
		cases: map[string]wording{
			"site":  {advice: `On a line of its own, "Disallow: /" closes the whole site. If you want that, start a new line before each key in the value. If not, do the same, but leave out each "Disallow: /", and let each path start with "/". If a group then has no rules, add "Disallow:" to it.`},
			"empty": {advice: `Delete that key: beside other disallow lines, it does nothing without a path. If it should let the crawler fetch everything, start a new line before it instead, and move the other rules of this group to the group that they are meant for.`},
			"twice": {advice: `Keep only the key that you mean or, if a line break is missing, start a new line before the second key. A crawler's name belongs after "User-agent:", a path such as "/press/", without the site's address, after "Disallow:" or "Allow:", and the whole URL of a sitemap after "Sitemap:". The rule "Disallow: /" closes the whole site.`},
			"open":  {advice: `If the first "Disallow:" should let the crawler fetch everything, delete the rest of the line, and move the other rules of this group to the group that they are meant for. If not, delete one of the two keys.`},
			"again": {advice: "Delete that key and the text after it: the group is already for that name."},
			"own":   {advice: `Start a new line before each key in the value. A named crawler obeys only its own group, so copy any rules for "*" that it should keep to the end of that group.`},
			"below": {advice: "Start a new line before that key. To keep the new line from applying to the crawlers above as well, first add their own rules above this line, or move their user-agent lines down to their rules."},
			"name":  {advice: `Write only the name of a crawler after "User-agent:". If you do not know the name, delete the line. If no user-agent line is then right above the rules that follow, delete these rules, too.`},
			"path":  {advice: "If the key got into a path by mistake, delete it there. If you mean two rules, start a new line before that key. The first rule, %[2]v, then applies to every path that starts with its path."},
		}},
	{Code: Code{Name: "glued-comment", Severity: Error,
		Meaning: `A "#" starts a comment even without a space before it, so crawlers ignore the rest of the value. If the path before the "#" is a page such as "/press.html", this is only an info, because the rule still applies to the page. An allow line is also only an info, because it still opens all pages that you mean.`,
		Advice:  `If that is what you mean, delete the "#" and the text after it. If not, delete the line: crawlers never request the part of a URL after "#", so no rule can match it. If no rules are left in the group, add "Disallow:" to it. If the text after "#" is a comment, put a space before the "#" instead.`,
		Example: "User-agent: *\nDisallow: /account#orders\n"},
		text: `The "#" starts a comment, so crawlers read only %[1]v, as if the whole site should be disallowed.`,
		cases: map[string]wording{
			"allow": {severity: Info, text: `The "#" starts a comment, so crawlers read only %[1]v.`, advice: `Delete the "#" and any text after it. If that text is a comment, put a space before the "#" instead.`},
			"page":  {severity: Info, text: `The "#" starts a comment, so the line applies to the whole page, %[1]v.`, advice: `If that is what you mean, write %[2]v. If not, delete the line: crawlers never request the part of a URL after "#". If no rules are left in the group, add "Disallow:" to it.`},
			"path":  {text: `The "#" starts a comment, so the line applies to every path that starts with %[1]v.`, advice: `If that is what you mean, write %[2]v. If not, delete the line: crawlers never request the part of a URL after "#". If no rules are left in the group, add "Disallow:" to it. If the text after "#" is a comment, put a space before the "#" instead.`},
		},
		once: true, more: wording{text: " The same problem exists in %s.", advice: `If the text after "#" is a comment, put a space before the "#". If not, delete the "#" and that text: crawlers never request that part of a URL, and obey the line without it. If a disallow line should not apply to the whole path before the "#", delete the line instead. If no rules are left in a group, add "Disallow:" to it.`}},
	{Code: Code{Name: "regexp-in-path", Severity: Error,
		Meaning: `The path is written as a regular expression, a search pattern from programming. In paths, only "*" and a "$" at the end have a special meaning.`,
		Advice:  `Write "*" for each part that varies, such as "\d+", ".*" or "(.*?)": "/item\d+" becomes "/item*". Delete other special characters such as "^", "(", ")" and "\", but keep a "$" at the end. If the new rule matches other pages or even the whole site, write one line for each page that you mean instead.`,
		Example: "User-agent: *\nDisallow: /item\\d+\n"},
		text: `Paths are not regular expressions, so crawlers do not read %[1]v as you mean it. Only "*" and a "$" at the end have a special meaning.`,
		cases: map[string]wording{
			"allow": {advice: "Delete the line, or write one line for each path that you mean."},
		}},
	{Code: Code{Name: "placeholder", Severity: Error,
		Meaning: "The value is left over from a template, an example or a web page.",
		Advice:  `Write the real value, or delete the line. If a group then has no rules, add "Disallow:" to it. If a group then names no crawler, delete its rules, too.`,
		Example: "Sitemap: https://www.yourdomain.com/sitemap.xml\n"},
		text: "The value contains %[1]v, which looks like a leftover from a template, an example or a web page."},
	{Code: Code{Name: "allow-and-disallow", Severity: Error,
		Meaning: "An allow line and a disallow line match the same URLs, so one of them has no effect. Crawlers obey the allow line, unless the path of the disallow line is longer. For example, /press/* is longer than /press/.",
		Advice:  "Delete the line that you did not intend, or correct its path.",
		Example: "User-agent: *\nAllow: /press/\nDisallow: /press/\n"},
		text: "The line has no effect, because line %[1]v %[2]vs the same path.",
		cases: map[string]wording{
			"apart": {advice: `If the rules below this line are meant for all crawlers, delete those that the group for "*" already has, and move the others there. If the file has no such group, write "User-agent: *" above the rules. If they are meant for the crawlers above, delete the line that you did not intend.`},
			"page":  {advice: "Delete the line that you did not intend, or correct its path. If only this page should be open, write %[3]v."},
		},
		once: true, more: wording{text: " The same problem exists in %s.", advice: `In each pair of lines, delete the one that you did not intend, or correct its path. If an allow line should open only one page, and not the pages below it, end it with "$", as in "Allow: /press/$".`}},
	{Code: Code{Name: "dead-rule", Severity: Error,
		Meaning: "Other rules match every page that this rule matches, and override it.",
		Advice:  `If you do not need the line, delete it. If you do, change the rules that override it so that they match fewer pages, such as "/new/shop/" instead of "/*shop/". If this is an allow line, and one of them ends in "*", it may be enough to delete that "*", because a longer path overrides a shorter one.`,
		Example: "User-agent: *\nDisallow: /shop/\nAllow: /*shop/\n"},
		text: "%[1]v"},
	{Code: Code{Name: "junk-line", Severity: Error,
		Meaning: "The line is neither a comment nor a key with a value, so crawlers skip it.",
		Advice:  `If the line is a comment, put a "#" at its start. If it continues the line above, join the two. If neither is true, correct the line, or delete it and the lines that belong to it.`,
		Example: "User-agent: *\nDisallow: /private/\n/search\n"},
		text: "%[1]v is neither a comment nor a key with a value, so crawlers skip the line.",
		cases: map[string]wording{
			"comment": {severity: Info},
			"sitemap": {advice: "If the URL is a sitemap, write %[2]v, or delete the line if another line lists it."},
			"path":    {advice: `If the path belongs to a line above it, such as "Disallow:" or "Allow:" without a path, join the two. If not, and crawlers should not fetch the path, write %[2]v among the rules of the group that should obey it. If they should fetch it, delete the line.`},
			"key":     {advice: "If the line is not a comment, write %[2]v before the value."},
		},
		once: true, more: wording{advice: `If a line is a comment, put a "#" at its start. If it belongs to a line above it, such as "Disallow:" or "Allow:" without a path, join the two, and repeat the key before each further path. If it is a path that crawlers should not fetch, write "Disallow:" before it, among the rules of the group that should obey it. If it is the URL of a sitemap that no other line lists, write "Sitemap:" before it. Correct the other lines, or delete them.`}},
	{Code: Code{Name: "sitemap-not-absolute", Severity: Error,
		Meaning: "The value is not the complete URL of one sitemap, so crawlers may not find the sitemap. If a line above has the complete URL of a sitemap, this is only a warning.",
		Advice:  `Write one complete URL: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". If another line has that URL, or if you have no sitemap, delete this line.`,
		Example: "Sitemap: /sitemap.xml\n"},
		text: "%[1]v is not the complete URL of one sitemap, so most crawlers do not find the sitemap.",
		cases: map[string]wording{
			"home":   {text: "%[1]v is not the URL of a sitemap.", advice: "Write the URL of the sitemap. If you have no sitemap, delete this line."},
			"host":   {advice: "Write %[2]v."},
			"letter": {text: `%[1]v does not start with "http" in Latin letters: one of its first letters only looks like a Latin letter. So crawlers do not find the sitemap.`, advice: `Type "https://" or "http://" anew.`},
			"beside": {severity: Warning},
		},
		once: true, more: wording{advice: `Write one complete URL in each of these lines: "https://", your host and the path, as in "https://www.example.org/sitemap.xml". Delete a line if another line has its URL, or if it is for no sitemap.`}},
	{Code: Code{Name: "dead-key", Severity: Error,
		Meaning: "No known crawler reads lines with this key. If the line does no harm, such as a Host line, this is only an info. If you cannot change what your server sends, ask your web host.",
		Source:  googleReporting,
		Example: "User-agent: *\nNoindex: /old/\n"},
		cases: map[string]wording{
			"Noindex of SPIP":      {severity: Info, text: "No crawler reads Noindex lines anymore; Google stopped in September 2019.", advice: "Delete the line. SPIP, a system for websites, writes such lines for its own folders."},
			"Noindex disallowed":   {text: "No crawler reads Noindex lines anymore; Google stopped in September 2019.", advice: `Delete the line. Search results may still list a disallowed page. To prevent that, let crawlers fetch the page, and let the server send the header "X-Robots-Tag: noindex" with the page.`},
			"Noindex":              {text: "No crawler reads Noindex lines anymore; Google stopped in September 2019.", advice: `Delete the line, and let the server send the header "X-Robots-Tag: noindex" with the page. If the page is HTML, you can put <meta name="robots" content="noindex"> into it instead. If the line is only for Google's crawlers, write "X-Robots-Tag: googlebot: noindex" or name="googlebot". Do not disallow the page: crawlers see the header or the tag only if they may fetch the page.`},
			"Nofollow":             {text: "No crawler reads Nofollow lines.", advice: `Delete the line. To have the same effect, put <meta name="robots" content="nofollow"> into the page, or add rel="nofollow" to the link.`},
			"Noarchive":            {text: "No crawler reads Noarchive lines.", advice: `Delete the line, and let the server send the header "X-Robots-Tag: noarchive" with the page. Crawlers see the header only if they may fetch the page.`},
			"Noarchive disallowed": {severity: Info, text: "No crawler reads Noarchive lines.", advice: "Delete the line. Crawlers do not archive a page that they may not fetch."},
			"Nosnippet disallowed": {severity: Info, text: "No crawler reads Nosnippet lines.", advice: "Delete the line. Crawlers cannot quote a page that they may not fetch."},
			"Nosnippet":            {text: "No crawler reads Nosnippet lines.", advice: `Delete the line, and let the server send the header "X-Robots-Tag: nosnippet" with the page. Crawlers see the header only if they may fetch the page.`},
			"Host":                 {severity: Info, text: "No crawler reads Host lines anymore; Yandex stopped in March 2018.", advice: "Delete the line, and redirect your other hosts to the main one."},
			"Domain":               {severity: Info, text: "No crawler is known to read Domain lines.", advice: "Delete the line."},
			"Visit-time":           {severity: Info, text: "No crawler is known to read Visit-time lines.", advice: "Delete the line. When the site is busy, let the server answer with status 429 or 503."},
			"Revisit-after":        {severity: Info, text: "No crawler is known to read Revisit-after lines.", advice: "Delete the line. A sitemap can say when pages changed."},
			"Robot-version":        {severity: Info, text: "No crawler reads Robot-version lines.", advice: "Delete the line."},
			"DisallowAITraining":   {text: `The key comes from an expired draft, and no crawler is known to read it as the draft says. Google reads it as "Disallow".`, advice: `Replace the line with "Content-Usage: train-ai=n", which a newer draft defines.`},
			"AllowAITraining":      {text: `The key comes from an expired draft, and no crawler is known to read it as the draft says. Google reads it as "Allow".`, advice: `Replace the line with "Content-Usage: train-ai=y", which a newer draft defines.`},
		}},
	{Code: Code{Name: "signal-value", Severity: Error,
		Meaning: `A preference in a Content-Usage or Content-Signal line has a value that does not exist, so crawlers ignore the preference. Such lines say what others may do with the pages, for example train AI. Most preferences of Content-Signal take yes or no, as in "ai-train=no". Those of Content-Usage take y or n, as in "train-ai=n".`,
		Source:  signals,
		Example: "User-agent: *\nContent-Signal: ai-train=n\nDisallow: /search\n"},
		text: "%[1]v is neither %[2]v, so the line says nothing about %[3]v.", advice: "Write %[4]v."},
	{Code: Code{Name: "content-usage-syntax", Severity: Error,
		Meaning: "The value of Content-Usage is not a valid list of preferences, so crawlers ignore the line.",
		Advice:  `Write a list such as "train-ai=n", in lower case, with commas between preferences. If a path comes before the list, as in "/press/ train-ai=n", start it with "/", and write "%20" for each space in it.`,
		Source:  usageDraft,
		Example: "User-agent: *\nContent-Usage: no training\nDisallow: /search\n"}},
	{Code: Code{Name: "signal-separator", Severity: Error,
		Meaning: "Two preferences have no comma between them, so crawlers misread them.",
		Advice:  "Write a comma between preferences.",
		Example: "User-agent: *\nContent-Signal: search=yes; ai-train=no\nDisallow: /search\n"},
		text: "Only commas separate preferences, so crawlers do not read %[1]v as a preference."},
	{Code: Code{Name: "signal-vocabulary", Severity: Error,
		Meaning: "A preference is misspelled or on the wrong kind of line, so crawlers ignore the preference. Content-Signal has ai-train, ai-input, search and use. Content-Usage has train-ai, ai-use and search.",
		Example: "User-agent: *\nContent-Usage: ai-train=n\nDisallow: /search\n"},
		text: "%[1]v is not a preference of %[2]v, so crawlers ignore it.", advice: "Write %[3]v.",
		cases: map[string]wording{
			"no value": {text: "%[1]v has no value, so crawlers do not read it as a preference.", advice: "Write a preference with a value, such as %[2]v."},
		}},
	{Code: Code{Name: "license-not-absolute", Severity: Error,
		Meaning: "The value of the License line is not a complete URL, so crawlers cannot find the license.",
		Advice:  `Write the complete URL, such as "https://www.example.org/license.xml".`,
		Source:  "https://rslstandard.org/rsl",
		Example: "License: /license.xml\n"},
		text: "%[1]v is not a complete URL, so crawlers do not find the license."},

	// Lines that crawlers read in different ways, and lines that might not do what their author
	// wants.
	{Code: Code{Name: "group-only-allows", Severity: Warning,
		Meaning: `A group has only allow lines. Its crawler may fetch everything, because the rules for "*" do not apply to it.`,
		Example: "User-agent: *\nDisallow: /search\n\nUser-agent: Googlebot\nAllow: /*.css\nAllow: /*.js\n"},
		text:   `Crawlers obey only their own group, and this group disallows nothing. So %[1]v may fetch everything, even pages that the rules for "*" disallow (%[2]v).`,
		advice: `If you want that, add "Disallow:" to each group for %[3]v. If not, copy the rules for "*" into %[4]v. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there. Longer paths win over short ones such as "*.css": to keep style sheets open in a disallowed folder, add a line such as "Allow: /templates/*.css".`,
		cases: map[string]wording{
			"pages":  {advice: `If you want that, add "Disallow:" to each group for %[3]v. If not, copy the rules for "*" into %[4]v. Leave out rules for style sheets and scripts, and lines that disallow the path of an allow line there.`},
			"assets": {advice: `If you want that, add "Disallow:" to each group for %[3]v. If not, move the allow lines of each such group to the group for "*". Longer paths win over short ones such as "/*.css": if a folder with style sheets or scripts is disallowed there, also add lines such as "Allow: /templates/*.css" and "Allow: /templates/*.js". Then delete each group for %[3]v, but keep any Sitemap lines.`},
			"closed": {text: `Crawlers obey only their own group, and this group disallows nothing. So %[1]v may fetch everything, although the rules for "*" close the site (%[2]v).`,
				advice: `To let %[3]v fetch only what the group allows, add "Disallow: /" to %[4]v. To let %[3]v fetch everything, add "Disallow:".`},
		}},
	{Code: Code{Name: "group-without-rules", Severity: Warning,
		Meaning: `The group has no rules, so its crawlers may fetch everything, whatever other groups say. If none of its crawlers reads pages for search or AI, this is an info. A group for msnbot is a warning if the file does not name bingbot, because bingbot then obeys it.`,
		Advice:  `Add the rules that are meant for the group, such as copies of the rules for "*", or add "Disallow:" to let its crawlers fetch everything. If the group has several Crawl-delay lines, do this below each one.`,
		Example: "User-agent: *\nDisallow: /search\n\nUser-agent: bingbot\nCrawl-delay: 10\n"},
		text: "The group has no rules, so %[1]v may fetch everything, whatever other groups say.%[3]v",
		cases: map[string]wording{
			"ignored": {advice: `Crawl-delay has no effect on %[2]v. If the group names them only for that, delete the user-agent lines for %[2]v, and each Crawl-delay line that is only for them: they then obey the rules for "*". For the crawlers that stay, add rules below each Crawl-delay line, such as copies of the rules for "*", or "Disallow:" to let them fetch everything.`},
		}},
	{Code: Code{Name: "brand-as-token", Severity: Warning,
		Meaning: "The name belongs to a company or a product. No known crawler looks for it in robots.txt.",
		Example: "User-agent: OpenAI\nDisallow: /\n"},
		text: "No known crawler calls itself %[1]v, so the line may apply to no crawler.", advice: "Write one user-agent line for each crawler that you mean, such as %[2]v. They then ignore the rules for \"*\".",
	},
	{Code: Code{Name: "misspelled-token", Severity: Warning,
		Meaning: "The name looks like a misspelling of a well-known crawler's name. If it is, that crawler ignores the group.",
		Example: "User-agent: Googelbot\nDisallow: /private/\n"},
		text: "%[1]v looks like a misspelling of %[2]v.", advice: "Did you mean %[3]v? That crawler then ignores the rules for \"*\"."},
	{Code: Code{Name: "blank-line-joins-groups", Severity: Warning,
		Meaning: `A blank line does not end a group, so the rules below it also apply to the crawlers above it. Only older crawlers end the group there.`,
		Advice:  `If the crawlers above the blank line should obey the rules below, delete the blank line. If they have rules of their own, write these above it. If they may fetch everything, write "Disallow:" above it.`,
		Example: "User-agent: bingbot\n\nUser-agent: *\nDisallow: /\n"},
		text: "A blank line does not end a group: lines %[1]v to %[2]v belong to one group, so the rules below also %[3]v.",
		cases: map[string]wording{
			"move": {advice: "If a crawler above the blank line should obey only its other group, delete its user-agent line here. If the crawlers there should also obey the rules below, delete the blank line."},
		}},
	{Code: Code{Name: "repeated-token", Severity: Warning,
		Meaning: "Two groups are for the same crawler: some crawlers join them, some read only one.",
		Example: "User-agent: FooBot\nDisallow: /search\n\nUser-agent: FooBot\nDisallow: /private/\n"},
		text: "Line %[1]v already starts a group for %[2]v: some crawlers join the two, some read only one.", advice: "Move the rules and any crawl-delay to the group of line %[1]v, and delete this line. If that group ends right above this line, just delete this line and any blank lines above it.",
		cases: map[string]wording{
			"empty":  {advice: "Delete line %[1]v and its rule, which disallows nothing. If %[2]v still has several groups then, move their rules into one of them."},
			"second": {advice: "Delete this line and its rule, which disallows nothing."},
			"closed": {text: "Line %[1]v already starts a group for %[2]v, and one of the two closes the whole site. Some crawlers join the two, some read only one.", advice: "Keep only the group that you want for %[2]v. If the other one is also for other crawlers, delete only the name there."},
			"others": {advice: "Write one group for %[2]v alone, with the rules and crawl-delays of all its groups. Delete %[2]v from all other groups, and delete any group that then names no crawler."},
		},
		once: true, more: wording{advice: "For each name in these lines, write one group that contains all rules and crawl-delays for the name. Delete the name from all other groups, and delete any group that then names no crawler."}},
	{Code: Code{Name: "rules-after-blank-line", Severity: Warning,
		Meaning: `A group of named crawlers first allows or disallows the whole site. Below a blank line, the group goes on with a disallow line, which is probably meant for other crawlers.`,
		Advice:  `If this rule and the rules below it are meant for all crawlers, move them to the group for "*". If the file has no such group, write "User-agent: *" above this line.`,
		Example: "User-agent: FooBot\nDisallow: /\n\nDisallow: /search\n"},
		text:  "A blank line does not end a group, so this rule is only for the group that starts in line %[2]v. But line %[1]v already disallows the whole site for that group.",
		cases: map[string]wording{"open": {text: "A blank line does not end a group, so this rule is only for the group that starts in line %[2]v. But the first rule of that group opens the whole site.", advice: `If this rule and the rules below it are meant for all crawlers, copy them to the group for "*". If the file has no such group, write "User-agent: *" at the end of the file, and a copy of the rules below it.`}},
		once:  true, more: wording{advice: `If these rules are meant for all crawlers, copy them to the group for "*". Then delete them in each group with "Disallow: /".`}},
	{Code: Code{Name: "path-without-slash", Severity: Warning,
		Meaning: `The path starts with neither "/" nor "*": some crawlers add the "/", others ignore the line.`,
		Advice:  `Start the path with "/".`,
		Source:  googleSpec,
		Example: "User-agent: *\nDisallow: private/\n"},
		text: `The path does not start with "/": some crawlers read it as %[1]v, others ignore the line.`,
		cases: map[string]wording{
			"plain":      {advice: `Start each such path with "/", and write "%20" for each space.`},
			"word":       {advice: `If crawlers should fetch nothing, write "Disallow: /". If not, delete the line. If the group then has no rules, add "Disallow:" to it.`},
			"text":       {advice: `If it is a path, start it with "/", write "%20" for each space, and delete quotation marks. If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
			"odd":        {advice: `If you mean a path on this site, write %[5]v. If not, delete the line, or put a "#" before it. If the group then has no rules, add "Disallow:" to it.`},
			"host":       {advice: `Write the path alone, without the host or port. If the line is about another host, such as a subdomain, delete it: a robots.txt file applies only to its own host, so the rule belongs in a file there. If the group then has no rules, add "Disallow:" to it.`},
			"host alone": {advice: `If you mean a folder with that name, start the path with "/". If not, delete the line: a robots.txt file applies only to its own host. If the group then has no rules, add "Disallow:" to it. For another host of yours, such as a subdomain, write the rule into a robots.txt file there.`},
			"anywhere":   {advice: "Write %[2]v to match this text anywhere in a URL."},
			"either":     {advice: "To match this text anywhere in a URL, write %[2]v. If every path that you mean starts with it, write %[5]v."},
			"parameter":  {advice: "Write %[3]v and %[4]v, each on its own line."},
		},
		once: true, more: wording{advice: `If a line is about another host or its value is no path, delete it. If a group then has no rules, add "Disallow:" to it. For a parameter such as "?sort=", write two lines, with "/*?sort=" and "/*&sort=". Start each other path with "/", or with "/*" to match the text anywhere in a URL.`}},
	{Code: Code{Name: "double-encoded", Severity: Warning,
		Meaning: "The path contains UTF-8 text that was encoded twice, so it does not match the URLs that you mean.",
		Example: "User-agent: *\nDisallow: /cafÃ©/\n"},
		text: "The path was encoded twice: %[1]v was probably %[2]v.", advice: "Write %[3]v.",
		once: true, more: wording{advice: "Write each path percent-encoded, as it is in the address of the page."}},
	{Code: Code{Name: "space-in-path", Severity: Warning,
		Meaning: `The path contains a space or tab: some crawlers read a space as "%20", others never match the path.`,
		Advice:  `Write "%20" for each space.`,
		Example: "User-agent: *\nDisallow: /my files/\n"},
		text: `The path contains a space or tab: some crawlers read a space as "%20", others never match the path.`,
		cases: map[string]wording{
			"root":  {advice: `If the space is part of the URL, write "%20". If not, delete only the space.`},
			"stray": {advice: `If the space is part of the URL, write "%20". If the line contains several paths, write a line for each. If the text after the space is not part of the path, delete it. If none of this is true, delete only the space.`},
		},
		once: true, more: wording{advice: `Write "%20" for each space that is part of a URL, and "%09" for each tab. If a line contains several paths, write a line for each. Delete all other spaces and tabs.`}},
	{Code: Code{Name: "non-ascii-in-path", Severity: Warning,
		Meaning: `The path contains letters such as "é" or other characters outside ASCII: some crawlers percent-encode them, others never match the path.`,
		Advice:  "Write the characters percent-encoded.",
		Source:  googleSpec, // Google has recommended percent-encoding since 2026-10-23
		Example: "User-agent: *\nDisallow: /café/\n"},
		text: `The path contains letters such as "é" or other characters outside ASCII: some crawlers percent-encode them, others never match the path.`,
		cases: map[string]wording{
			"mixed":     {text: "Some letters in the path look Latin but are Cyrillic or Greek, so the line does not match the word in Latin letters.", advice: "If you mean Latin letters, type the word again. If the URLs have these letters, write them percent-encoded."},
			"not UTF-8": {text: "The path contains bytes that are not UTF-8, so crawlers may read characters that you did not mean.", advice: `Write these characters percent-encoded, as the site's URLs have them. Most sites use UTF-8, where "é" is "%C3%A9". If they are not part of the URL, delete them.`},
		},
		once: true, more: wording{advice: `Write these characters percent-encoded, as the site's URLs have them, such as "%C3%A9" for "é" in UTF-8, and "%20" for a space. If the URLs do not have such a character, write what they have instead.`}},
	{Code: Code{Name: "bad-escape", Severity: Warning,
		Meaning: `The path contains a "%" that does not start an escape such as "%20".`,
		Advice:  `If the pages' addresses have "%25" here, write that. If they have a bare "%", keep the line. If neither, correct the escape.`,
		Source:  googleSpec, // Google has recommended percent-encoding since 2026-10-23
		Example: "User-agent: *\nDisallow: /100%/\n"},
		text: `%[1]v is not a valid escape: in a path, two digits or letters from A to F must follow a "%%", as in "%%20".`, once: true},
	{Code: Code{Name: "invisible-character", Severity: Warning,
		Meaning: `The line contains an invisible character, which some crawlers read as part of the key or the value. In a user-agent line, this is an error if the character is before or in the key, before the name, or beside "*". If another group names the crawler, too, it is only an info.`,
		Advice:  "Delete the line, and type it again. In a path whose URLs have the character, write it percent-encoded instead.",
		Example: "User-agent: *\nDisallow: /private/\u200b\n"},
		text: "The line contains %[1]v, which some crawlers read as part of the key or the value.", advice: "Delete the line, and type it again. In a path whose URLs have the character, write %[2]v instead.", keepsAdvice: true,
		cases: map[string]wording{
			"agent":    {severity: Error, text: "The line contains %[1]v, so many crawlers do not recognize the line or the name.", advice: "Delete the line, and type it again."},
			"repeated": {severity: Info, text: "The line contains %[1]v, so many crawlers do not recognize the line or the name. But another group names the same crawler.", advice: `Write one group for this crawler, with all its rules except "Allow: /", and without the character. Delete its name from all other groups, and delete any group that then names no crawler.`},
		}},
	{Code: Code{Name: "missing-colon", Severity: Warning,
		Meaning: `The colon after the key is missing, so only some crawlers read the line. In a user-agent line, this is an error if the group disallows anything. If the line closes the site, and the next group does the same, this is an info.`,
		Advice:  `Write a colon after the key, as in "Disallow: /private/".`,
		Example: "User-agent: *\nDisallow /private/\n"}, keepsAdvice: true,
		text: "The colon after the key is missing, so only some crawlers read the line.",
		cases: map[string]wording{
			"agent": {severity: Error, text: "The colon after the key is missing, so only some crawlers read the line. Others ignore the rules below it, or read them as part of the group above.", advice: `Write a colon after the key, as in "User-agent: *".`},
			"same":  {severity: Info, text: "The colon after the key is missing. Crawlers that skip the line obey the next group instead, which also closes the site."},
		}},
	{Code: Code{Name: "variant-key", Severity: Warning,
		Meaning: `The key is spelled in a way that some crawlers understand, but most do not. A line that seems to be commented out, such as "//Disallow: /private/", is only an info, and --fix does not change it. Some spellings that Google does not understand either, such as "Desallow", are errors.`,
		Source:  googleParser,
		Example: "Useragent: *\nDisallow: /private/\n"},
		text: "The key is spelled %[1]v, which most crawlers do not understand.", advice: "Write the key as %[2]v.", keepsAdvice: true,
		cases: map[string]wording{
			"comment": {severity: Info, text: `The line looks commented out, but only "#" starts a comment. Most crawlers ignore the line; some may obey it.`, advice: `Start a comment with "#".`},
			// Spellings that Google does not read either.
			"usersagent": {severity: Error}, "usegagent": {severity: Error}, "seragent": {severity: Error}, "useragnet": {severity: Error},
			"desallow": {severity: Error}, "dssalow": {severity: Error}, "dsallow": {severity: Error}, "diallow": {severity: Error}, "disllow": {severity: Error},
		}},
	{Code: Code{Name: "several-tokens", Severity: Warning,
		Meaning: `The line names several crawlers, but some crawlers expect one name per line.`,
		Advice:  "Give each crawler its own user-agent line, one below the other.",
		Example: "User-agent: FooBot, BarBot\nDisallow: /\n"},
		text: "The line names several crawlers, but some crawlers expect one name per line."},
	{Code: Code{Name: "token-with-space", Severity: Warning,
		Meaning: "The crawler's name contains a space, or another character at which most crawlers stop reading.",
		Advice:  "Check how the crawler's documentation spells the name. If the line names several crawlers, write a line for each.",
		Example: "User-agent: bingbot crawler\nDisallow: /search\n"},
		text: "Most crawlers read only %[1]v and ignore the rest of the line.",
		once: true, more: wording{advice: "Check how the crawlers' documentation spells their names. If a line names several crawlers, write a line for each."}},
	{Code: Code{Name: "utf-16", Severity: Warning,
		Meaning: "The file is encoded in UTF-16, which many crawlers cannot read.",
		Advice:  "Save the file as UTF-8 without a byte-order mark.",
		Example: "\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00 \x00*\x00\n\x00"}, keepsAdvice: true},
	{Code: Code{Name: "byte-order-mark", Severity: Warning,
		Meaning: `The file starts with a byte-order mark, which some crawlers read as part of the first line. This is an info if the first line is not a user-agent line, or if its group is only for Google's crawlers. It is also an info if another group names the crawler again, or if neither this group nor the group for "*" disallows anything. Two such marks are an error.`,
		Advice:  "Save the file as UTF-8 without a byte-order mark.",
		Example: "\ufeffUser-agent: *\nDisallow: /private/\n"}, keepsAdvice: true,
		text: "The file starts with a byte-order mark, which some crawlers read as part of the first line.",
		cases: map[string]wording{
			"two":      {severity: Error, text: "The file starts with two byte-order marks. Crawlers skip only one of them, so most do not recognize the first line."},
			"harmless": {severity: Info},
			"repeated": {severity: Info, advice: `First write one group for this crawler, with all its rules except "Allow: /". Delete its name from all other groups, and delete any group that then names no crawler. Then save the file as UTF-8 without a byte-order mark.`},
		}},
	{Code: Code{Name: "sitemap-disallowed", Severity: Warning,
		Meaning: "A rule keeps Googlebot from fetching the sitemap.",
		Advice:  "Add an allow line with the sitemap's path to the rule's group. If it is a sitemap index, also add one for each of its sitemaps. If crawlers should not read the sitemap, delete the sitemap line instead.",
		Example: "User-agent: *\nDisallow: /*.xml\nSitemap: https://www.example.edu/sitemap.xml\n"},
		text:  "If the sitemap is on this site, line %[1]v (%[2]v) keeps Googlebot from fetching it.",
		cases: map[string]wording{"same": {advice: `Delete line %[1]v. If its group then has no rules, add "Disallow:" to it. If crawlers should not read the sitemap, delete the sitemap line instead.`}},
		once:  true, more: wording{text: " The same problem exists in %s.", advice: "Add allow lines with the paths of these sitemaps, and of the sitemaps that they list. If crawlers should not read a sitemap, delete its sitemap line instead."}},
	{Code: Code{Name: "signal-retired", Severity: Warning,
		Meaning: "A preference in a Content-Usage line is from an older draft of the standard for such lines. The newest draft does not define it.",
		Advice:  `Write "train-ai", "ai-use" or "search" instead, with "=n" or "=y".`, Source: usageDraft,
		Example: "User-agent: *\nContent-Usage: genai=n\nDisallow: /search\n"},
		text: "The preference %[1]v is from an older draft; the newest draft does not define it."},
	{Code: Code{Name: "signal-before-group", Severity: Warning,
		Meaning: "The line is above the first group, so crawlers may ignore it.",
		Advice:  `Move the line below the user-agent lines of every group. If no group is for "*", also add one at the end of the file: "User-agent: *", this line and "Disallow:".`,
		Example: "Content-Signal: ai-train=no\n\nUser-agent: *\nDisallow: /search\n"}},
	{Code: Code{Name: "signal-only-in-star", Severity: Warning,
		Meaning: `The group for "*" has a Content-Usage or Content-Signal line, but another group has none. The crawlers of that other group ignore the line.`,
		Advice:  "Repeat the line in the other groups.",
		Example: "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /search\n\nUser-agent: GPTBot\nDisallow: /press/\n"},
		text: "Crawlers with a group of their own, such as %[1]v in line %[2]v, ignore this line."},
	{Code: Code{Name: "signal-conflict", Severity: Warning,
		Meaning: "Two Content-Usage or Content-Signal lines of a group contradict each other. Crawlers apply the stricter one.",
		Advice:  "Keep only one of the two preferences.",
		Example: "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: ai-train=yes\nDisallow: /search\n"},
		text: "This line conflicts with line %[1]v (%[2]v). Crawlers apply the stricter one."},
	{Code: Code{Name: "ignored-code-unknown", Severity: Warning,
		Meaning: "A comment asks lint to ignore a code that does not exist.",
		Advice:  "Copy the code from the brackets at the end of a finding.",
		Example: "User-agent: *\nDisallow: /search # robotstxt-lint: ignore no-such-code\n"},
		text: "There is no code %[1]v, so this part of the comment has no effect."},

	// Facts that the owner may want to know.
	{Code: Code{Name: "all-disallowed", Severity: Info,
		Meaning: `The rules for "*" close the whole site, and no other group lets in a crawler that reads pages for search or AI. If the rules for "*" also contain three or more other lines, and the file lists a sitemap, this is a warning: the owner probably did not mean to close the site.`,
		Advice:  "To open the site, delete this line, or write \"Disallow:\" if the group has no other rules. If the site should stay closed, note that search results can list even closed pages. To prevent that, use a password, or put <meta name=\"robots\" content=\"noindex\"> into each page and only then let crawlers in.",
		Source:  "https://developers.google.com/search/docs/crawling-indexing/robots/intro",
		Example: "User-agent: *\nDisallow: /\n"},
		text: `The rules for "*" close the whole site, and no other group lets in a crawler that reads pages for search or AI.`,
		cases: map[string]wording{
			"others": {severity: Warning, text: `The line closes the whole site, so the other %[1]v disallow lines for "*" have no effect.`, advice: "To close only the paths in the other lines, delete this line."},
			"except": {text: `The rules for "*" close the whole site. Of the crawlers with a group of their own, only %[1]v may fetch pages.`, advice: "If search engines should list the site, add groups for their crawlers."},
		}},
	{Code: Code{Name: "star-rules-dropped", Severity: Info,
		Meaning: `A crawler with a group of its own ignores the rules for "*".`,
		Example: "User-agent: *\nDisallow: /search\n\nUser-agent: bingbot\nDisallow: /press/\n"},
		text: `Crawlers obey only their own group, so some rules for "*" do not apply to %[1]v (%[2]v).`, advice: "If %[3]v should obey these rules, copy them and any allow lines for parts of their paths into %[4]v.",
		cases: map[string]wording{
			"one":       {text: `Crawlers obey only their own group, so one rule for "*" does not apply to %[1]v (%[2]v).`, advice: "If %[3]v should obey this rule, copy it and any allow lines for parts of its path into %[4]v."},
			"sensitive": {text: `Crawlers obey only their own group, so %[1]v may fetch pages that the rules for "*" disallow (%[2]v).`, advice: `If %[3]v should obey these rules, copy them and any allow lines for parts of their paths into %[4]v. If not, you can write "Disallow:" instead of "Allow: /": it means the same, and lint then reports nothing.`},
		}},
	{Code: Code{Name: "assets-disallowed", Severity: Info,
		Meaning: `Googlebot may not fetch style sheets or scripts, so Google might see the pages differently from visitors.`,
		Advice:  "Allow the style sheets and scripts that change what a page shows.",
		Source:  "https://developers.google.com/search/docs/crawling-indexing/robots/intro",
		Example: "User-agent: *\nDisallow: /css/\nDisallow: /js/\n"},
		text: "Googlebot may not fetch style sheets or scripts in %[1]v, so Google might see the pages differently from visitors.", advice: "Above this line, add lines such as %[2]v and %[3]v.",
		cases: map[string]wording{"files": {text: "Googlebot may not fetch style sheets or scripts that match %[1]v, so Google might see the pages differently from visitors.", advice: "Delete such lines. If the group then has no rules, add \"Disallow:\" to it."}},
		once:  true, more: wording{advice: `Above the rule for a folder, add lines with the name of the folder, such as "Allow: /css/*.css" and "Allow: /css/*.js" for "/css/". Delete any lines such as "Disallow: /*.css$". If the group then has no rules, add "Disallow:" to it.`}},
	{Code: Code{Name: "parameter-not-first", Severity: Info,
		Meaning: `The rule matches a parameter, such as "sort=1", only right after the "?". For example, it matches /page?sort=1, but not /page?x=1&sort=1.`,
		Example: "User-agent: *\nDisallow: /*?sort=\n"},
		text: `The rule matches the parameter only right after the "?", not in a URL such as %[1]v.`, advice: "To match it there, too, add %[2]v.", once: true,
		more: wording{advice: `To match a parameter further on, too, add a line with "&" for it, as in "Disallow: /*&sort=" for "Disallow: /*?sort=".`}},
	{Code: Code{Name: "blank-line-in-group", Severity: Info,
		Meaning: "A group contains a blank line. Crawlers that follow the standard (RFC 9309) ignore it. Some simple crawlers end the group there, such as those built on older versions of Python's urllib.robotparser.",
		Advice:  `Delete the blank line, or write "#" in it.`,
		Source:  "https://www.robotstxt.org/orig.html",
		Example: "User-agent: *\nDisallow: /search\n\nDisallow: /private/\n"},
		text: "The group goes on after the blank line, but older crawlers end it there and ignore the lines that follow.",
		once: true, more: wording{advice: `Delete these blank lines, or write "#" in them.`}},
	{Code: Code{Name: "crawl-delay-ignored", Severity: Info,
		Meaning: `According to their operators, the crawlers of this group ignore Crawl-delay.`,
		Advice:  "Delete the line.",
		Example: "User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /search\n"},
		text: "%[1]v ignores Crawl-delay, according to its operator.", advice: "Delete the line. Some operators let you set the speed on a website, such as Yandex Webmaster. While the site is too busy, the server can answer with status 429 or 503, but not for days.",
		once: true, more: wording{text: " The crawlers in the groups of %s ignore it, too.", advice: "Delete these lines. Some operators let you set the speed on a website, such as Yandex Webmaster. While the site is too busy, the server can answer with status 429 or 503, but not for days."}},
	{Code: Code{Name: "crawl-delay-huge", Severity: Info,
		Meaning: `The crawl-delay is longer than Bing accepts, so Bing ignores it. If the file does not name bingbot, Bing obeys the group for msnbot. If it does not name msnbot either, Bing obeys the group for "*".`,
		Source:  bingDelay,
		Example: "User-agent: bingbot\nCrawl-delay: 3600\nDisallow: /search\n"},
		text: "Bing ignores a crawl-delay of more than %[1]v seconds.", advice: "For Bing, write %[1]v or less. If the group is also for other crawlers, and these should wait longer, make a separate group for bingbot, with a copy of all rules that it obeys now."},
	{Code: Code{Name: "retired-crawler", Severity: Info,
		Meaning: "The crawler's operator no longer uses this name. The current crawler has another name, so it does not obey these rules.",
		Example: "User-agent: Claude-Web\nDisallow: /search\n"},
		text: "%[1]v no longer uses the name %[2]v. Its current crawler, %[3]v, does not obey these rules.", advice: "If you want %[3]v to obey these rules, write %[4]v, and add any rules for \"*\" that it should keep. If not, delete the line or, if it contains other names, only this name. If the group then names no crawler, delete the group's rules, too.",
		cases: map[string]wording{
			"open": {text: "%[1]v no longer uses the name %[2]v. Its current crawler, %[3]v, is allowed to fetch the site.", advice: "To keep %[3]v out, write %[4]v."},
			"star": {text: `%[1]v no longer uses the name %[2]v. Its current crawler, %[3]v, obeys the rules for "*" instead.`, advice: `If %[3]v should obey these rules instead, write %[4]v, and add the rules for "*" that it should keep. If not, delete the line or, if it contains other names, only this name. If the group then names no crawler, delete the group's rules, too.`},
		}},
	{Code: Code{Name: "extension-key", Severity: Info,
		Meaning: "The key is not part of the robots.txt standard, and few crawlers read it.",
		Example: "User-agent: *\nRequest-rate: 1/5\nDisallow: /search\n"},
		cases: map[string]wording{
			"Request-rate":   {text: "SeznamBot reads Request-rate lines, but hardly any other crawler does.", advice: "Keep the line only if it is for SeznamBot. To slow down other crawlers, such as bingbot, use a Crawl-delay line."},
			"Content-Signal": {text: "Content-Signal, a key from contentsignals.org, says how pages may be used. It does not keep crawlers from fetching the pages. Google ignores it, and few crawlers say that they obey it.", advice: "Disallow the pages that crawlers should not fetch."},
			"Content-Usage":  {text: "Content-Usage, a key from an IETF draft, says how pages may be used. It does not keep crawlers from fetching the pages. Google ignores it, and few crawlers say that they obey it.", advice: "Disallow the pages that crawlers should not fetch."},
		}},

	// Untidy lines.
	{Code: Code{Name: "token-with-version", Severity: Info,
		Meaning: `The crawler's name is followed by a version or a star, so some crawlers do not recognize it.`,
		Advice:  "Write only the name, without a version or a star.",
		Example: "User-agent: Twitterbot/1.0\nDisallow: /search\n"},
		text: "Most crawlers read only %[1]v; some do not recognize a name that is followed by a version or a star.",
		once: true},
	{Code: Code{Name: "copied-list", Severity: Info,
		Meaning: `Many crawler names are misspelled, or have versions, spaces or stars. The list was probably copied from another site or from the log of a server.`,
		Advice:  `Keep only crawlers that you know, and write each name as the crawler's documentation does. For example, write "ClaudeBot", not "ClaudeBot*" or "Mozilla/5.0 (compatible; ClaudeBot/1.0)". If you delete all names of a group, delete its rules, too.`,
		Example: "User-agent: Offline Explorer\nUser-agent: Teleport Pro\nUser-agent: Xenu's\nUser-agent: EirGrabber/1.0\nUser-agent: WebZIP/4.0\nDisallow: /\n"},
		text: "The file has %[2]v names, such as %[1]v, that are not spelled as crawlers expect. The list was probably copied from another site or from the log of a server."},
	{Code: Code{Name: "same-as-star", Severity: Info,
		Meaning: `The group has the same rules as the group for "*", in the same order.`,
		Advice:  "Delete the group, but keep its Sitemap lines unless another line has the same sitemap. The group's crawlers then obey the group for \"*\".",
		Example: "User-agent: *\nDisallow: /search\n\nUser-agent: FooBot\nDisallow: /search\n"},
		once: true, more: wording{advice: "Delete these groups, but keep their Sitemap lines unless another line has the same sitemap. The crawlers then obey the group for \"*\"."},
		text: `The group has the same rules as the group for "*".`},
	{Code: Code{Name: "empty-disallow", Severity: Info,
		Meaning: `The line has no path. The group also has other disallow lines, so this line does nothing. But some crawlers take it to allow everything.`,
		Advice:  "Delete the line.",
		Example: "User-agent: *\nDisallow:\nDisallow: /search\n"},
		text: "The line has no path. Most crawlers ignore it, but some take it to allow everything."},
	{Code: Code{Name: "empty-allow", Severity: Info,
		Meaning: `An allow line without a path matches no page. Most crawlers ignore it, but some take it to allow everything.`,
		Advice:  "Delete the line.",
		Example: "User-agent: *\nAllow:\nDisallow: /search\n"},
		text:  "An allow line without a path matches no page. Most crawlers ignore it, but some take it to allow everything.",
		cases: map[string]wording{"alone": {text: "An allow line without a path does nothing. Crawlers may fetch everything here, because no line of the group disallows anything.", advice: `To make that clear, write "Disallow:" instead.`}}},
	{Code: Code{Name: "duplicate-rule", Severity: Info,
		Meaning: `Another rule of the group has the same effect. It can have the same path, or the same path without a "/", such as "foo" beside "/foo". It can also have a path with wildcards that covers the other one, such as "*/search/*" beside "/search/*".`,
		Advice:  "Delete this line.",
		Example: "User-agent: *\nDisallow: /search\nDisallow: /private/\nDisallow: /search\n"},
		text:  "Line %[1]v already has the same effect.",
		cases: map[string]wording{"rules": {text: "%[1]v"}},
		once:  true, more: wording{text: " Other rules also make %s unnecessary.", advice: "Delete these lines, or correct their paths."}},
	{Code: Code{Name: "duplicate-sitemap", Severity: Info,
		Meaning: "The same sitemap is listed twice.",
		Advice:  "Delete this line.",
		Example: "Sitemap: https://www.example.edu/sitemap.xml\nSitemap: https://www.example.edu/sitemap.xml\n"},
		text: "Line %[1]v lists the same sitemap.",
		once: true, more: wording{text: " There are also duplicates in %s.", advice: "Delete these lines, or write the URLs of the sitemaps that you meant."}},
}
