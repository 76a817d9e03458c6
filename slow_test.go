package robotstxt_test

// A slow reference implementation of testdata/RULES.md. It parses the whole file for every
// question, copies freely, and matches a pattern by marking every place in the URL up to
// which the pattern can match. It shares no code with the package under test. The numbers
// in the comments refer to the rules.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// slowSizeLimit is the limit on the size of a file (rule 1.1).
const slowSizeLimit = 512000

// slowDecide reports whether agent may fetch url, and which line decides. The line is 0 if
// no rule matches.
func slowDecide(data []byte, agent, url string) (allowed bool, line int) {
	target := slowCanonical(slowTarget(url)) // rules 3.7, 3.2
	if target == "/robots.txt" {             // rule 2.8
		return true, 0
	}
	best := slowRule{allow: true} // rule 3.5: allowed if no rule matches
	bestOctets := -1
	group, _ := slowGroupFor(data, agent)
	for _, r := range group.rules {
		if !slowMatchCanonical(r.pattern, target) {
			continue
		}
		// Rule 3.5: the longer pattern decides; at a tie, allow; among equals
		// the earliest line. Rules come in file order, so a later equal one
		// counts only if it turns a disallow into an allow.
		octets := len(r.pattern)
		if octets > bestOctets || octets == bestOctets && r.allow && !best.allow {
			best, bestOctets = r, octets
		}
	}
	return best.allow, best.line
}

// slowSitemaps lists the sitemaps of the file, wherever they are (rule 4.1).
func slowSitemaps(data []byte) []string {
	var sitemaps []string
	for _, l := range slowLines(data) {
		if l.key == "sitemap" && l.value != "" {
			sitemaps = append(sitemaps, l.value)
		}
	}
	return sitemaps
}

// slowRecords lists the records of the agent's group (rules 4.1 to 4.3).
func slowRecords(data []byte, agent string) []slowLine {
	group, _ := slowGroupFor(data, agent)
	return group.records
}

// slowFileRecords lists the records before the first user-agent line (rule 4.1).
func slowFileRecords(data []byte) []slowLine {
	var records []slowLine
	for _, l := range slowLines(data) {
		if l.key == "useragent" {
			break
		}
		if l.isRecord() {
			records = append(records, l)
		}
	}
	return records
}

// slowCrawlDelay returns the first valid crawl-delay of the agent's group, or else of
// the file, as written (rule 4.4).
func slowCrawlDelay(data []byte, agent string) (seconds string, ok bool) {
	for _, records := range [][]slowLine{slowRecords(data, agent), slowFileRecords(data)} {
		for _, l := range records {
			if l.key == "crawldelay" && slowIsSeconds(l.value) {
				return l.value, true
			}
		}
	}
	return "", false
}

// slowIsSeconds reports whether value is a decimal number without a sign or
// an exponent: digits, with at most one point among, before or after them (rule 4.4).
func slowIsSeconds(value string) bool {
	digits := strings.Replace(value, ".", "", 1)
	if digits == "" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// Lines (section 1)

// A slowLine is one line of the protocol, or a record.
type slowLine struct {
	number  int
	key     string // a key of slowMisspellings, or the form in which other keys are compared (rule 4.2)
	written string // the key as written, trimmed
	value   string // trimmed, without the comment
}

// isRecord reports whether the line is a record of a group or of the file (rule 4.1).
func (l slowLine) isRecord() bool {
	switch l.key {
	case "useragent", "allow", "disallow", "sitemap":
		return false
	}
	return true
}

// slowMisspellings has the keys of 1.4 and, for each, its misspellings.
var slowMisspellings = map[string]string{
	"useragent":  "useragents usersagent usegagent seragent useragnet",
	"allow":      "allowed",
	"disallow":   "dissallow dissalow disalow diasllow disallaw desallow dssalow dsallow diallow disallows disllow disallowed",
	"sitemap":    "sitemaps",
	"crawldelay": "clawldelay crawdelay crawldeley",
}

// slowLines returns the lines that mean something. Other lines only add to the line
// numbers (rule 1.9).
func slowLines(data []byte) []slowLine {
	var lines []slowLine
	for i, text := range slowSplit(slowText(data)) {
		text, _, _ = strings.Cut(text, "#") // rule 1.5
		text = slowTrim(text)               // rule 1.6
		written, value, colon := strings.Cut(text, ":")
		if !colon { // rule 1.7
			words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
			if len(words) != 2 {
				continue
			}
			written, value = words[0], words[1]
		}
		written = slowTrim(written)
		key := slowKey(written)
		if key == "" && colon && slowLooksLikeKey(written) { // rule 1.8
			key = cmp.Or(slowLetters(written), strings.Map(slowFold, written)) // rule 4.2
		} else if key == "" {
			continue
		}
		lines = append(lines, slowLine{i + 1, key, written, slowTrim(value)})
	}
	return lines
}

// slowLooksLikeKey reports whether written can be the key of a record (rule 1.8).
func slowLooksLikeKey(written string) bool {
	for i, r := range written {
		switch {
		case unicode.IsLetter(r):
		case i > 0 && (unicode.IsDigit(r) || strings.ContainsRune(" -_.", r)):
		default:
			return false
		}
	}
	return written != "" && len(written) <= 40
}

// slowText returns the file in UTF-8. It transcodes a file that starts with a UTF-16
// byte-order mark, without the mark, and returns other files as they are (rule 1.3).
func slowText(data []byte) string {
	var high, low int // where in a unit its two bytes are
	switch {
	case strings.HasPrefix(string(data), "\xFE\xFF"):
		high, low = 0, 1
	case strings.HasPrefix(string(data), "\xFF\xFE"):
		high, low = 1, 0
	default:
		return string(data)
	}
	var units []uint16
	rest := data[2:]
	for ; len(rest) >= 2; rest = rest[2:] {
		units = append(units, uint16(rest[high])<<8|uint16(rest[low]))
	}
	text := string(utf16.Decode(units)) // a lone surrogate becomes U+FFFD
	if len(rest) == 1 {
		text += "\uFFFD"
	}
	return text
}

// slowSplit cuts text into lines at CR, LF and CRLF, where CRLF counts once (rule 1.2). It drops
// lines with a byte beyond the limit, unless only the line ending is beyond it (rule 1.1).
func slowSplit(text string) []string {
	var lines []string
	start := 0
	for start <= len(text) {
		end := start
		for end < len(text) && text[end] != '\r' && text[end] != '\n' {
			end++
		}
		if end > slowSizeLimit {
			break
		}
		lines = append(lines, text[start:end])
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		start = end + 1
	}
	return lines
}

// slowKey returns the known key that written spells, perhaps wrongly, or "" (rule 1.4).
func slowKey(written string) string {
	letters := slowLetters(written)
	for key, misspellings := range slowMisspellings {
		if letters == key || slices.Contains(strings.Fields(misspellings), letters) {
			return key
		}
	}
	return ""
}

// slowLetters reduces a key to its ASCII letters in lower case (rules 1.4, 4.2).
func slowLetters(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z':
			return r
		}
		return -1
	}, key)
}

// slowTrim removes white space, control and format characters from both ends (rule 1.6). A byte
// that is not UTF-8 is none of these.
func slowTrim(s string) string {
	return strings.TrimFunc(s, slowIsBlank)
}

func slowIsBlank(r rune) bool {
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf)
}

// Groups (section 2)

// A slowGroup is a run of user-agent lines with the rules and records that follow, or
// several of these joined for one agent.
type slowGroup struct {
	lines   []slowLine // the user-agent lines and records
	rules   []slowRule
	records []slowLine // of one agent
}

// A slowRule is an allow or disallow line, or the directory an index page
// stands for (rule 3.6).
type slowRule struct {
	line    int
	allow   bool
	pattern string // canonical
}

// slowGroups returns the groups as they are in the file, not yet joined.
func slowGroups(data []byte) []slowGroup {
	var groups []slowGroup
	inRun := false
	for _, l := range slowLines(data) {
		switch {
		case l.key == "useragent":
			if !inRun { // rules 2.1 and 2.2: even without a usable token
				groups = append(groups, slowGroup{})
			}
			inRun = true
		case l.key == "allow" || l.key == "disallow":
			inRun = false // rule 2.1: even with an empty value
		}
		if len(groups) == 0 {
			continue // rule 2.3
		}
		g := &groups[len(groups)-1]
		switch {
		case l.key == "useragent" || l.isRecord():
			g.lines = append(g.lines, l)
		case l.key != "sitemap":
			g.rules = append(g.rules, slowRules(l)...)
		}
	}
	return groups
}

// has reports whether the line is a user-agent line with the token.
func (l slowLine) has(token string) bool {
	return l.key == "useragent" && slices.ContainsFunc(slowNames(l.value), func(n slowName) bool { return slowEqualFold(n.token, token) })
}

// hasParent reports whether the line is a user-agent line with the token for longer names, too.
func (l slowLine) hasParent(token string) bool {
	return l.key == "useragent" && slices.ContainsFunc(slowNames(l.value), func(n slowName) bool { return !n.standsAlone && slowEqualFold(n.token, token) })
}

// recordsOf lists the records of the group that belong to a user-agent line (rule 4.3).
func (g slowGroup) recordsOf(isNamed func(slowLine) bool) []slowLine {
	var records []slowLine
	for n, record := range g.lines {
		if !record.isRecord() {
			continue
		}
		belongs := false
		for u, name := range g.lines[:n] {
			belongs = belongs || isNamed(name) && !slowEnds(g.lines[u+1:n], record.key)
		}
		if belongs {
			records = append(records, record)
		}
	}
	return records
}

// slowListed returns the tokens of all groups in the order of Groups.
func slowListed(data []byte) (groups [][]string) {
	sections := slowGroups(data)
	var tokens []string
	indexes := map[string]int{}
	for _, section := range sections {
		for _, l := range section.lines {
			for _, name := range slowNames(l.value) {
				token := name.token
				if l.key != "useragent" || slices.ContainsFunc(tokens, func(t string) bool { return slowEqualFold(t, token) }) {
					continue
				}
				tokens = append(tokens, token)
				key := slowContents(sections, token)
				if _, ok := indexes[key]; !ok {
					indexes[key] = len(groups)
					groups = append(groups, nil)
				}
				groups[indexes[key]] = append(groups[indexes[key]], token)
			}
		}
	}
	return groups
}

// slowContents returns a string that identifies the sections with the rules of a token, and
// those of its user-agent lines that have records after them. It identifies such a line by
// the first record after it.
func slowContents(sections []slowGroup, token string) string {
	first, contents := "", ""
	for n, section := range sections {
		if !slices.ContainsFunc(section.lines, func(l slowLine) bool { return l.has(token) }) {
			continue
		}
		first = cmp.Or(first, fmt.Sprint("nothing in section ", n))
		if len(section.rules) > 0 {
			contents += fmt.Sprint("rules of section ", n, ";")
		}
		for i, l := range section.lines {
			next := slices.IndexFunc(section.lines[i:], slowLine.isRecord)
			record := fmt.Sprint("record ", i+next, " of section ", n, ";")
			if l.has(token) && next >= 0 && !strings.HasSuffix(contents, record) {
				contents += record
			}
		}
	}
	return cmp.Or(contents, first)
}

// slowEnds reports whether, in lines, a user-agent line follows a record with the key. Such
// a record ends the run for its key (rule 4.3), except a crawl-delay that is not valid (rule 4.4).
func slowEnds(lines []slowLine, key string) bool {
	seen := false
	for _, l := range lines {
		if l.key == "useragent" && seen {
			return true
		}
		seen = seen || l.isRecord() && l.key == key && (key != "crawldelay" || slowIsSeconds(l.value))
	}
	return false
}

// A slowName is a usable token of a user-agent line. If it stands alone, it is for no longer name.
type slowName struct {
	token       string
	standsAlone bool
}

// slowNames returns the usable tokens of a user-agent value. The token "*" stands for all
// crawlers (rule 2.4).
func slowNames(value string) []slowName {
	parts := []string{value}
	if !strings.Contains(value, "(") {
		parts = strings.Split(value, ",")
	}
	var names []slowName
	for _, part := range parts {
		part = slowTrim(part)
		if slowIsGlobal(part) {
			names = append(names, slowName{token: "*"})
		} else if name := slowAgentName(part); name.token != "" {
			names = append(names, name)
		}
	}
	return names
}

// slowIsGlobal reports whether part is a star, alone or followed by white
// space (rule 2.4).
func slowIsGlobal(part string) bool {
	after, star := strings.CutPrefix(part, "*")
	if !star || after == "" {
		return star
	}
	r, _ := utf8.DecodeRuneInString(after)
	return unicode.Is(unicode.White_Space, r)
}

// slowToken returns the product token at the start of s (rule 2.4).
func slowToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return slowIsBlank(r) || strings.ContainsRune(`/*()[]{}<>,;:"\=?@`, r)
	})
	if end < 0 {
		return s
	}
	return s[:end]
}

// slowAgentToken returns the token of an agent that a caller gives (rule 2.5).
func slowAgentToken(agent string) string { return slowAgentName(slowTrim(agent)).token }

// slowAgentName returns the token of an agent or of a name on a user-agent line (rules 2.4, 2.5).
func slowAgentName(agent string) slowName {
	name := slowNameAtStart(agent)
	if !slowEqualFold(name.token, "Mozilla") {
		return name
	}
	if i := slowIndexFold(agent, "compatible;"); i >= 0 {
		part, _, _ := strings.Cut(agent[i+len("compatible;"):], ";")
		part, _, _ = strings.Cut(part, ")")
		if named := slowNameAtStart(slowTrim(part)); named.token != "" {
			return named
		}
	}
	before, _, found := strings.Cut(agent, "+http")
	open := strings.LastIndex(before, "(")
	if !found || open < strings.LastIndex(before, ")") || open < 0 {
		return name // there is no link, or it is not in a comment
	}
	product, comment := before[:open], before[open+1:]
	if slowTrim(comment) == "" {
		words := strings.FieldsFunc(product, slowIsBlank)
		if named := slowNameAtStart(words[len(words)-1]); named.token != "" && !strings.HasSuffix(words[len(words)-1], ")") {
			return named
		}
		return name
	}
	parts := strings.Split(comment, ";")
	part := slowTrim(parts[len(parts)-1])
	if part == "" {
		part = slowTrim(parts[len(parts)-2])
	}
	if named := slowNameAtStart(part); named.token != "" {
		return named
	}
	return name
}

// slowNameAtStart returns the token at the start of a text without blanks at its ends (rules 2.4
// and 2.6).
func slowNameAtStart(s string) slowName {
	token := slowToken(s)
	rest := s[len(token):]
	return slowName{token, slowTrim(rest) != rest}
}

// slowIndexFold returns the index of the first sub in s, regardless of case, or -1.
func slowIndexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if slowEqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// slowGroupFor joins the groups that apply to agent, if there are any (rule 2.6).
func slowGroupFor(data []byte, agent string) (group slowGroup, found bool) {
	groups := slowGroups(data)
	takesGlobal := true
	whole := slowAgentToken(agent)
	for token := whole; token != ""; token = slowWithoutSuffix(token) {
		isNamed := func(l slowLine) bool { return l.hasParent(token) || token == whole && l.has(token) }
		if group, found := slowJoin(groups, isNamed); found {
			return group, true
		}
		for _, name := range []string{"adsbot-google", "apis-google", "mediapartners-google"} {
			if slowEqualFold(token, name) {
				takesGlobal = false // rule 2.7
			}
		}
	}
	if !takesGlobal {
		return slowGroup{}, false
	}
	return slowJoin(groups, func(l slowLine) bool { return l.has("*") })
}

// slowWithoutSuffix returns token without its last -suffix (rule 2.6). It returns "" if token
// has no suffix or consists of one.
func slowWithoutSuffix(token string) string {
	return token[:max(0, strings.LastIndex(token, "-"))]
}

// slowJoin joins all groups with a named user-agent line, in file order (rule 2.6). A group is
// found even if it has no rules.
func slowJoin(groups []slowGroup, isNamed func(slowLine) bool) (joined slowGroup, found bool) {
	for _, g := range groups {
		if slices.ContainsFunc(g.lines, isNamed) {
			joined.rules = append(joined.rules, g.rules...)
			joined.records = append(joined.records, g.recordsOf(isNamed)...)
			found = true
		}
	}
	return joined, found
}

// slowEqualFold compares by Unicode simple folding (rule 2.6). Unlike with strings.EqualFold, a
// byte that is not UTF-8 equals only itself.
func slowEqualFold(a, b string) bool {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		same := a[:na] == b[:nb]
		bothValid := !(ra == utf8.RuneError && na == 1) && !(rb == utf8.RuneError && nb == 1)
		if bothValid && slowFold(ra) == slowFold(rb) {
			same = true
		}
		if !same {
			return false
		}
		a, b = a[na:], b[nb:]
	}
	return a == b
}

// slowFold returns the least of the runes that r folds to.
func slowFold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// Rules (section 3)

// slowRules returns the rules of an allow or disallow line: none, one, or two. The second
// is for the directory that an index page stands for (rule 3.6).
func slowRules(l slowLine) []slowRule {
	if l.value == "" {
		return nil // rule 3.1
	}
	rule := slowRule{l.number, l.key == "allow", slowCanonicalPattern(l.value)}
	rules := []slowRule{rule}
	// Rule 3.6: the last segment is the text after the last slash. Without a slash there is no
	// directory.
	slash := strings.LastIndex(rule.pattern, "/")
	if rule.allow && slash >= 0 && strings.HasPrefix(rule.pattern[slash+1:], "index.htm") {
		rule.pattern = rule.pattern[:slash+1] + "$"
		rules = append(rules, rule)
	}
	return rules
}

// slowCanonicalPattern returns the canonical form of a pattern as written, with the slash
// that it may lack (rules 3.1, 3.2).
func slowCanonicalPattern(pattern string) string {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern
	}
	return slowCanonical(pattern)
}

// slowCanonical returns the canonical form of a pattern or a URL (rule 3.2). It takes one pass:
// a decoded escape is not decoded again.
func slowCanonical(s string) string {
	const upperHex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && slowHex(s[i+1]) >= 0 && slowHex(s[i+2]) >= 0 {
			decoded := byte(slowHex(s[i+1])<<4 | slowHex(s[i+2]))
			if slowIsUnreserved(decoded) {
				b.WriteByte(decoded)
			} else {
				b.WriteString(strings.ToUpper(s[i : i+3]))
			}
			i += 2
		} else if c <= ' ' || c >= 0x7F || strings.IndexByte("\"#<>[\\]^`{|}", c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// slowHex returns the value of a hex digit, or -1 for any other byte.
func slowHex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// slowIsUnreserved reports whether c is unreserved in RFC 3986.
func slowIsUnreserved(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// slowSpecificity returns the number of octets of the canonical form of a pattern,
// including the slash that the pattern may lack (rule 3.5).
func slowSpecificity(pattern string) int {
	if pattern == "" {
		return 0
	}
	return len(slowCanonicalPattern(pattern))
}

// slowMatch reports whether a pattern as written matches a target from slowTarget (rules 3.1 to
// 3.4).
func slowMatch(pattern, target string) bool {
	if pattern == "" {
		return false // rule 3.1
	}
	return slowMatchCanonical(slowCanonicalPattern(pattern), slowCanonical(target))
}

// slowMatchCanonical is slowMatch for two canonical forms. It goes through the
// pattern once and keeps the set of all places in the target at which the part of
// the pattern so far can end.
func slowMatchCanonical(pattern, target string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$") // rule 3.3: "$" at the end is special
	hasQuery := strings.Contains(pattern, "?")
	pattern = slowSpelling(pattern, hasQuery)
	target = slowSpelling(strings.ReplaceAll(target, "*", "%2A"), hasQuery)
	places := make([]bool, len(target)+1)
	places[0] = true
	for _, octet := range []byte(pattern) {
		next := make([]bool, len(places))
		for i := range places {
			if octet == '*' { // rule 3.3
				next[i] = places[i] || i > 0 && next[i-1]
			} else {
				next[i] = i > 0 && places[i-1] && target[i-1] == octet
			}
		}
		places = next
	}
	if anchored {
		return places[len(target)]
	}
	return slices.Contains(places, true) // rule 3.3: the pattern is a prefix
}

// slowSpelling gives a pattern or a target in canonical form the spelling in which
// they are compared (rule 3.4).
func slowSpelling(s string, hasQuery bool) string {
	s = strings.ReplaceAll(s, "%24", "$")
	path, query, found := strings.Cut(s, "?")
	if hasQuery && found {
		query = strings.ReplaceAll(strings.ReplaceAll(query, "%3A", ":"), "%2F", "/")
		s = path + "?" + query
	}
	return s
}

// slowTarget returns the path and query of a URL, not yet in canonical form (rule 3.7).
func slowTarget(url string) string {
	url = strings.TrimPrefix(url, "//")
	from := 0
	if i := strings.Index(url, "://"); i >= 0 && !strings.ContainsAny(url[:i], "/?;") {
		from = i + len("://")
	}
	end := strings.IndexByte(url, '#')
	if end < 0 {
		end = len(url)
	}
	start := strings.IndexAny(url[from:], "/?;")
	if start < 0 || from+start > end {
		return "/"
	}
	target := url[from+start : end]
	if target[0] != '/' {
		target = "/" + target
	}
	return target
}

// TestSlow tests the slow functions with the conformance cases.
func TestSlow(t *testing.T) {
	for _, c := range readCases(t) {
		for _, s := range c.Sections {
			for _, row := range s.Rows {
				if got, want := slowRow(c.Robots, s.Name, row.Fields), row.Fields; got != nil && !slices.Equal(got, want) {
					t.Errorf("%s: got %q, want %q", c.At(row.Line), got, want)
				}
			}
		}
	}
}

// slowRow returns a row with the questions of fields and the answers of the slow functions.
// It returns nil if the answers agree with the row, or if no slow function answers rows of
// the section.
func slowRow(data []byte, section string, fields []string) []string {
	switch section {
	case "want":
		allowed, line := slowDecide(data, fields[1], fields[2])
		verdict, number := "disallow", "-"
		if allowed {
			verdict = "allow"
		}
		if line > 0 {
			number = strconv.Itoa(line)
		}
		return []string{verdict, fields[1], fields[2], number}
	case "crawl-delay":
		seconds, ok := slowCrawlDelay(data, fields[0])
		want, err := time.ParseDuration(fields[1])
		got, tooLarge := time.ParseDuration(seconds + "s")
		if ok == (err == nil) && (!ok || got == want || tooLarge != nil) {
			return nil
		}
		return []string{fields[0], seconds}
	case "records":
		records := slowFileRecords(data)
		if fields[0] != "-" {
			records = slowRecords(data, fields[0])
		}
		for _, l := range records {
			if got := []string{fields[0], strconv.Itoa(l.number), l.written, l.value}; slices.Equal(got, fields) {
				return nil
			}
		}
		return []string{"the slow functions find no such record"}
	case "tokens":
		return []string{fields[0], slowAgentToken(fields[0])}
	}
	return nil
}
