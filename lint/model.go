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
	sections []*sect           // the first contains the lines above the first user-agent line
	tokens   map[string]tokens // by folded token
	inside   []*sect           // the section of each line
	sitemap  *line             // the first sitemap line with a complete URL, or nil

	google      *robotstxt.Group // the group of Googlebot, or nil if it disallows the home page or has more than mostRules
	googleRules []*line          // the rules of google
}

// A sect is a section with facts that several checks need.
type sect struct {
	section.Section
	rules   []*line // allow and disallow lines that have a path
	records []*line // crawl-delays, and lines with a key outside the protocol

	allow, disallow bool // whether rules contains such lines
	pathless        bool // whether there is a disallow line without a path
	closed          bool // whether the whole site is disallowed

	said string // the summary, once it is computed
}

// A tokens value holds what a file says about one product token.
type tokens struct {
	rules           int
	allow, disallow bool
	pathless        bool   // whether there is a disallow line without a path
	closed          bool   // whether one of the sections closes the site
	line            int    // the first line for the token
	name            string // the first name that starts with the token, folded
	severalNames    bool   // whether its names differ after the token, as those of two whole User-Agent headers
	last            *sect  // the last section for the token
	bare            *sect  // the last section that names the token with nothing after it
}

func newFile(data []byte) *file {
	parsed := robotstxt.Parse(data)
	f := &file{data: data, parsed: parsed, groups: parsed.Groups(), tokens: map[string]tokens{}}
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
	f.sections = append(f.sections, s)
	for i := range s.Lines {
		l := &s.Lines[i]
		f.lines = append(f.lines, l)
		f.inside = append(f.inside, s)
		switch {
		case section.IsRule(l) && l.Value != "":
			s.rules = append(s.rules, l)
			s.closed = s.closed || l.Kind == robotstxt.DisallowKind && matchesAll(l.Value)
			s.allow = s.allow || l.Kind == robotstxt.AllowKind
			s.disallow = s.disallow || l.Kind == robotstxt.DisallowKind
		case l.Kind == robotstxt.DisallowKind:
			s.pathless = true
		case l.Kind == robotstxt.SitemapKind && f.sitemap == nil && isAbsolute(l.Value):
			f.sitemap = l
		case l.Kind == robotstxt.CrawlDelayKind, l.Kind == robotstxt.OtherKind:
			s.records = append(s.records, l)
		}
	}
	s.closed = s.closed && !s.allow
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

// token returns what the file says about a folded token.
func (f *file) token(folded string) tokens { return f.tokens[folded] }

// sectionOf returns the section that a line is in.
func (f *file) sectionOf(number int) *sect { return f.inside[number-1] }

// mostRules is the number of rules that Yandex reads, according to its documentation.
const mostRules = 2048

// mostSearched limits how many lines and records a search visits. Real files need few, but
// in a hostile file, thousands of crawlers can share thousands of records.
const mostSearched = 2_000_000

// rulesOf returns the allow and disallow lines for a folded token that have a path, in file
// order.
func (f *file) rulesOf(folded string) (rules []*line) {
	for _, s := range f.sections {
		if s.names(folded) {
			rules = append(rules, s.rules...)
		}
	}
	return rules
}

// starCloser returns the line that closes the whole site for "*", or nil.
func (f *file) starCloser() *line {
	if star := f.token("*"); star.allow || !star.closed {
		return nil
	}
	rules := f.rulesOf("*")
	return rules[slices.IndexFunc(rules, func(l *line) bool { return matchesAll(l.Value) })]
}

// names reports whether the section is for a folded token.
func (s *sect) names(folded string) bool {
	return slices.ContainsFunc(s.Agents, func(a section.Agent) bool { return a.Folded == folded })
}

// summary returns a string for comparing sections. It is equal for sections with the same
// rules and records, and for all sections that close the whole site.
func (s *sect) summary() string {
	if s.said != "" {
		return s.said
	}
	text := []byte("open\n")
	for i := range s.Lines {
		if l := &s.Lines[i]; section.IsRule(l) || l.Kind == robotstxt.CrawlDelayKind || l.Kind == robotstxt.OtherKind {
			text = append(lex.AppendLetters(append(text, '0'+byte(l.Kind)), l.Key), ' ')
			text = append(append(text, l.Value...), '\n')
		}
	}
	if s.said = string(text); s.closed {
		s.said = "closed"
	}
	return s.said
}

// isNamed reports whether the section has names, but not "*".
func (s *sect) isNamed() bool { return len(s.Agents) > 0 && !s.names("*") }

// isSame reports whether two rules are the same.
func isSame(x, y *line) bool { return x.Kind == y.Kind && x.Value == y.Value }

// matchesAll reports whether a path matches every URL.
func matchesAll(path string) bool {
	if strings.HasSuffix(path, "*$") {
		path = path[:len(path)-1]
	}
	rest := strings.Trim(path, "*")
	return path != "" && (rest == "" || rest == "/")
}

// isLiteral reports whether a path means the same to crawlers that do not know wildcards.
func isLiteral(path string) bool { return path[0] == '/' && !strings.ContainsAny(path, "*$") }

// content returns a line without its comment and the white space around it.
func content(l *line) string {
	text, _, _ := strings.Cut(l.Text, "#")
	return lex.Trim(text)
}

// isKnown reports whether the key of a line belongs to the protocol.
func isKnown(l *line) bool {
	return l.Kind != robotstxt.NoKind && l.Kind != robotstxt.OtherKind
}

// kindOf returns the kind of a line with the key, or NoKind if the protocol does not have it.
func kindOf(key string) robotstxt.Kind {
	for l := range robotstxt.Lines([]byte(key + ":")) {
		if isKnown(&l) {
			return l.Kind
		}
	}
	return robotstxt.NoKind
}

// vocabularyOf returns the vocabulary of a Content-Usage or Content-Signal line, or nil
// for other lines.
func vocabularyOf(l *line) *signal.Vocabulary {
	if l.Kind != robotstxt.OtherKind {
		return nil
	}
	return signal.Of(l.Key)
}

// isAbsolute reports whether s is one absolute http, https or ftp URL. It takes a host such
// as "sitemap.xml" for a path.
func isAbsolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp") && u.Host != "" && !strings.HasSuffix(u.Host, ".xml") && !hasSpace(s)
}

func hasSpace(s string) bool { return lex.CharsOf(s).HasAny(lex.CharsOf(" \t")) }

// readsPages reports whether a crawler fetches pages for an index or a model. Google's tokens
// for images, news and videos only select from what Googlebot fetches.
func readsPages(folded string) bool {
	known, _ := crawlers.Find(folded)
	return !strings.HasPrefix(folded, "googlebot-") && known.Status == crawlers.Documented && !known.Previews && !known.ByPerson() && known.Purposes[0] != crawlers.Other
}

func readsDelay(token string) bool {
	known, ok := crawlers.Find(token)
	return !ok || known.CrawlDelay != crawlers.No
}

// withoutDelay returns those crawlers whose operators say that they ignore Crawl-delay.
func withoutDelay(tokens []string) []string {
	return slices.DeleteFunc(slices.Clone(tokens), readsDelay)
}
