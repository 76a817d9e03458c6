package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/internal/signal"
)

type line = robotstxt.Line

// A file is a robots.txt file, split into lines and sections for the checks.
type file struct {
	data     []byte
	parsed   *robotstxt.File
	groups   []*robotstxt.Group
	lines    []*line
	sections []*sect              // the first section contains the lines above the first user-agent line
	tokens   map[string]tokenInfo // the key is the token in folded form
	inside   []*sect              // the section of each line
	sites    map[string]bool      // the sites of all sitemaps (see siteOf)

	google      *robotstxt.Group // Googlebot's group; nil if the group disallows the home page or has more than mostRules rules
	googleRules []*line          // the rules of that group
}

// A sect is a section, and facts about this section that several checks need.
type sect struct {
	section.Section
	rules   []*line // allow and disallow lines that have a path and are not commented out
	records []*line // crawl-delay lines, and lines whose key is not part of the protocol

	// The field allow says whether there is an allow line with a path. An "Allow: /" does not
	// count if a rule such as "Disallow: /*" overrides it. The field disallow says whether there
	// is a disallow line with a path, and pathless whether there is one without a path.
	allow, disallow, pathless bool

	closed bool // whether a rule disallows the whole site, and no rule allows anything

	// If mayJoin is true, a line between the user-agent lines can join groups by mistake (see
	// checkJoins). If joins is true, a crawl-delay or another line with a key does so.
	mayJoin, joins bool

	sound *robotstxt.Group // the rules that count for changesNothing; nil before the first call

	said string // the result of the method summary; empty before the first call
}

// A tokenInfo describes all sections that name a product token, taken together.
type tokenInfo struct {
	rules           int
	allow, disallow bool   // whether the field allow of one of the sections is true; the same for the field disallow
	pathless        bool   // the same for the field pathless
	closed          bool   // the same for the field closed
	line            int    // the first line that names the token
	name            string // the first name in the file that starts with the token, as lex.Fold returns it
	severalNames    bool   // whether the file has different names that start with the token, such as "Mozilla/4.0" and "Mozilla/5.0"
	last            *sect  // the last section that names the token
	bare            *sect  // the last section that has the token as a name without a version or other text after it
}

func newFile(data []byte) *file {
	parsed := robotstxt.Parse(data)
	f := &file{data: data, parsed: parsed, groups: parsed.Groups(), tokens: map[string]tokenInfo{}, sites: map[string]bool{}}
	sections := section.Cut(data)
	if last := sections[len(sections)-1].Lines; len(last) > 0 {
		n := last[len(last)-1].Number
		f.lines, f.inside = make([]*line, 0, n), make([]*sect, 0, n)
	}
	for _, s := range sections {
		f.add(&sect{Section: s, rules: make([]*line, 0, len(s.Lines))})
	}
	google := parsed.Group("Googlebot")
	home := google.Decide("/")
	if rules := f.rulesOf(lex.Fold(home.Token)); home.Allowed && len(rules) <= mostRules {
		f.google, f.googleRules = google, rules
	}
	return f
}

func (f *file) add(s *sect) {
	// If allows is true, the section contains an allow rule. If isOverridden is true, the section
	// contains a rule such as "Disallow: /*", which is longer than "Allow: /" and overrides it.
	var allows, isOverridden bool
	f.sections = append(f.sections, s)
	for i := range s.Lines {
		l := &s.Lines[i]
		f.lines = append(f.lines, l)
		f.inside = append(f.inside, s)
		switch isAll := closesAll(l); {
		case section.IsCommentedOut(l):
		case section.IsRule(l) && l.Value != "":
			s.rules = append(s.rules, l)
			s.closed, isOverridden = s.closed || isAll, isOverridden || isAll && len(l.Value) > 1
			allows = allows || l.Kind == robotstxt.AllowKind
			s.allow = s.allow || l.Kind == robotstxt.AllowKind && l.Value != "/"
			s.disallow = s.disallow || l.Kind == robotstxt.DisallowKind
		case l.Kind == robotstxt.DisallowKind:
			s.pathless = true
		case l.Kind == robotstxt.SitemapKind:
			if site := siteOf(l.Value); site != "" {
				f.sites[site] = true
			}
		case l.Kind == robotstxt.CrawlDelayKind, l.Kind == robotstxt.OtherKind:
			s.records = append(s.records, l)
		}
	}
	s.allow = s.allow || allows && !isOverridden
	s.closed = s.closed && !s.allow
	s.Agents = slices.DeleteFunc(s.Agents, func(a section.Agent) bool { return section.IsCommentedOut(f.lines[a.Line-1]) })
	s.mayJoin = s.disallow && len(s.Agents) > 0 && (s.closed || s.Agents[len(s.Agents)-1].Line < s.Last || s.Agents[len(s.Agents)-1].Token != "*")
	s.joins = s.mayJoin && slices.ContainsFunc(f.lines[s.Agents[0].Line:s.Last], func(l *line) bool { return weight(l) > 1 })
	for _, a := range s.Agents {
		f.addToken(a, s)
	}
}

func (f *file) addToken(a section.Agent, s *sect) {
	t, name := f.tokens[a.Folded], a.Folded
	if a.Name != a.Token {
		name = lex.Fold(a.Name)
	}
	if t.last == nil {
		t.line, t.name = a.Line, name
	}
	t.severalNames = t.severalNames || t.name != name
	if a.Name == a.Token {
		t.bare = s
	}
	if t.last != s { // a section may name a token twice
		t.last = s
		t.rules += len(s.rules)
		t.allow, t.disallow = t.allow || s.allow, t.disallow || s.disallow
		t.closed, t.pathless = t.closed || s.closed, t.pathless || s.pathless
	}
	f.tokens[a.Folded] = t
}

// isNamed reports whether a user-agent line of the file names a token.
func (f *file) isNamed(token string) bool { return f.tokens[lex.Fold(token)].last != nil }

// sectionOf returns the section that contains the line with the given number.
func (f *file) sectionOf(number int) *sect { return f.inside[number-1] }

// bindsBing reports whether a group for the token t also binds bingbot: Bing says that bingbot obeys the
// group for msnbot, its earlier name, if the file does not name bingbot.
func (f *file) bindsBing(t string) bool { return lex.Fold(t) == "msnbot" && !f.isNamed("bingbot") }

// isRepeated reports whether several sections name the first crawler on a user-agent line.
func (f *file) isRepeated(l *line) bool {
	t := f.tokens[lex.Fold(l.Value[:lex.NameLen(l.Value)])]
	return l.Kind == robotstxt.UserAgentKind && t.last != nil && t.last != f.sectionOf(t.line)
}

// mostRules is the largest number of rules for Googlebot that other rules are compared with.
const mostRules = 2048

// mostGroupsCompared limits how many groups are compared with the group of "*". A file with
// more groups was probably written by a program, and the comparison looks for mistakes that people
// make.
const mostGroupsCompared = 50

// mostSearched limits how many lines and records a search visits in total, counting repeated visits.
// Real files need far fewer visits. A hostile file can need far more, because thousands of crawlers
// can share thousands of records.
const mostSearched = 2_000_000

// rulesOf returns the rules of all sections that name a folded token, in file order.
func (f *file) rulesOf(folded string) (rules []*line) {
	for _, s := range f.sections {
		if s.names(folded) {
			rules = append(rules, s.rules...)
		}
	}
	return rules
}

// starDisallowAll returns the first rule for "*" that disallows the whole site. It returns nil if
// there is no such rule, or if there is an allow rule for "*".
func (f *file) starDisallowAll() *line {
	if star := f.tokens["*"]; star.allow || !star.closed {
		return nil
	}
	rules := f.rulesOf("*")
	return rules[slices.IndexFunc(rules, closesAll)]
}

// names reports whether the section names a folded token.
func (s *sect) names(folded string) bool {
	return slices.ContainsFunc(s.Agents, func(a section.Agent) bool { return a.Folded == folded })
}

// namesPrefixed reports whether the section names a token that starts with a folded prefix. To save
// time, it tries only the first names, at most mostRules.
func (s *sect) namesPrefixed(prefix string) bool {
	return slices.ContainsFunc(s.Agents[:min(len(s.Agents), mostRules)], func(a section.Agent) bool { return strings.HasPrefix(a.Folded, prefix) })
}

// summary returns a string for comparing sections. Sections with the same rules and records
// have equal summaries, apart from records that no crawler reads. The summary of a closed section is
// "closed", whatever else the section contains.
func (s *sect) summary() string {
	if s.closed {
		return "closed"
	}
	if s.said != "" {
		return s.said
	}
	text := []byte("open\n")
	for i := range s.Lines {
		if l := &s.Lines[i]; (section.IsRule(l) || l.Kind == robotstxt.CrawlDelayKind || l.Kind == robotstxt.OtherKind && !isDead(section.RecordKey(l.Key))) && !section.IsCommentedOut(l) {
			text = append(lex.AppendLetters(text, l.Key), ' ')
			text = append(append(text, l.Value...), '\n')
		}
	}
	s.said = string(text)
	return s.said
}

// hasRulesOf reports whether the section s has the same summary as another section, or is that
// section. If the other section is nil, the result is false.
func (s *sect) hasRulesOf(other *sect) bool { return other != nil && other.summary() == s.summary() }

// isNamed reports whether the section names crawlers, but not "*".
func (s *sect) isNamed() bool { return len(s.Agents) > 0 && !s.names("*") }

// weight ranks a line between user-agent lines. The higher the weight, the more likely the
// author of the file thinks that the line ends a group.
func weight(l *line) int {
	switch {
	case l.Kind == robotstxt.CrawlDelayKind:
		return 3
	case l.Kind != robotstxt.NoKind && l.Kind != robotstxt.UserAgentKind:
		return 2
	case isBlank(l):
		return 1
	}
	return 0
}

func isBlank(l *line) bool { return l.Kind == robotstxt.NoKind && lex.Trim(l.Text) == "" } // the first test only saves time

func isSame(x, y *line) bool { return x.Kind == y.Kind && x.Value == y.Value }

// matchesAll reports whether a path matches every URL.
func matchesAll(path string) bool {
	if len(path) > 1 && path[1] > '/' { // a letter or digit, as in most paths; the test saves time
		return false
	}
	rest := strings.Trim(strings.TrimSuffix(path, "*$"), "*")
	return path != "" && (rest == "" || rest == "/")
}

func closesAll(l *line) bool { return l.Kind == robotstxt.DisallowKind && matchesAll(l.Value) }

// isLiteral reports whether a path starts with "/" and has no wildcards, so that it means the
// same to all crawlers.
func isLiteral(path string) bool { return path[0] == '/' && !strings.ContainsAny(path, "*$") }

// content returns the text of a line without its comment, and without white space at both
// ends.
func content(l *line) string {
	text, _, _ := strings.Cut(l.Text, "#")
	return lex.Trim(text)
}

// isKnown reports whether package robotstxt knows the key of a line.
func isKnown(l *line) bool { return l.Kind != robotstxt.NoKind && l.Kind != robotstxt.OtherKind }

// kindOf returns the kind of a line with the given key, or NoKind if the key is unknown.
func kindOf(key string) robotstxt.Kind {
	for l := range robotstxt.Lines([]byte(key + ":")) {
		if isKnown(&l) {
			return l.Kind
		}
	}
	return robotstxt.NoKind
}

// similarKey returns a known key that is spelled almost like a misspelled key, or "" if there is
// none. The parameter letters contains the letters of the misspelled key.
func similarKey(letters string) string {
	if len(letters) > 16 { // text with so many letters is not similar to any key
		return ""
	}
	for _, key := range append([]string{"User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"}, section.RecordKeys()...) {
		if want := lex.Letters(key); !isDead(key) && lex.Distance(letters, want) <= min(2, len(want)/4) {
			return key
		}
	}
	return ""
}

// vocabularyOf returns the vocabulary of a Content-Usage or Content-Signal line, or nil
// for other lines.
func vocabularyOf(l *line) *signal.Vocabulary {
	if l.Kind != robotstxt.OtherKind {
		return nil
	}
	return signal.Of(l.Key)
}

// plainChars are the characters of ordinary paths. lineChecks report nothing about a path that has
// only these characters.
var plainChars = lex.Capitals | lex.Digits | lex.CharsOf("abcdefghijklmnopqrstuvwxyz/-_.,~!@=&?")

// isAbsolute reports whether s is one absolute http, https or ftp URL. In "https://sitemap.xml",
// the host is missing, so isAbsolute returns false.
func isAbsolute(s string) bool {
	if rest := strings.TrimPrefix(s, "https://"); plainChars.HasAll(lex.CharsOf(rest)) { // url.Parse accepts every such URL, so there is no need for this slow call
		host := hostOf(s)
		return host != "" && !strings.HasSuffix(host, ".xml")
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp") && u.Host != "" && !strings.HasSuffix(strings.ToLower(u.Host), ".xml") && !hasSpace(s)
}

// hostOf returns the host of a URL, with its port, in lower case. If the URL contains no "://",
// hostOf returns "".
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(rest[strings.LastIndexByte(rest, '@')+1:])
}

// pathOf returns the path and the query of the URL before the first tab of a text.
func pathOf(address string) string {
	address, _, _ = strings.Cut(address, "\t")
	_, rest, _ := strings.Cut(address, "://")
	return rest[strings.Index(rest+"/", "/"):]
}

func siteOf(address string) string { return strings.TrimPrefix(hostOf(address), "www.") }

func hasSpace(s string) bool { return lex.CharsOf(s).HasAny(lex.CharsOf(" \t")) }

// readsPages reports whether a token belongs to a documented crawler that mainly fetches pages
// for an index or a model. It returns false for Googlebot-Image, Googlebot-News and
// Googlebot-Video.
func readsPages(token string) bool {
	known := crawlers.Known(token)
	return !strings.HasPrefix(known.Token, "Googlebot-") && known.Status == crawlers.Documented && !known.ByPerson() && known.Purposes[0] != crawlers.Other
}

// isEngine reports whether a token is the name of a large search engine's main crawler.
func isEngine(token string) bool {
	return strings.EqualFold(token, "Googlebot") || strings.EqualFold(token, "bingbot")
}

// readsDelay reports whether a crawler of the section reads Crawl-delay.
func (s *sect) readsDelay() bool {
	return slices.ContainsFunc(s.Agents, func(a section.Agent) bool { return readsDelay(a.Token) })
}

func readsDelay(token string) bool { return crawlers.Known(token).CrawlDelay != crawlers.No }

// withoutDelay returns the tokens of crawlers that ignore Crawl-delay, according to their
// operators.
func withoutDelay(all []string) []string { return slices.DeleteFunc(slices.Clone(all), readsDelay) }
