package robotstxt_test

// A slow reference reading of section 4 of the design: what a robots.txt
// means for one agent and one URL. It parses the whole file for every
// question, copies freely, and matches a pattern by marking every place in
// the URL that can be reached. Nothing here is shared with the package under
// test; the numbers in the comments are the rules of the design.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// slowSizeLimit is SizeLimit of section 3, written out again.
const slowSizeLimit = 512000

// slowDecide answers whether agent may fetch url, and by which line: 0 if no
// rule decided.
func slowDecide(data []byte, agent, url string) (allowed bool, line int) {
	target := slowCanonical(slowTarget(url)) // 4.3.7, 4.3.2
	if target == "/robots.txt" {             // 4.2.8
		return true, 0
	}
	best := slowRule{allow: true} // 4.3.5: no rule, allowed
	bestOctets := -1
	for _, r := range slowGroupFor(data, agent).rules {
		if !slowMatchCanonical(r.pattern, target) {
			continue
		}
		// 4.3.5: the longer pattern decides; at a tie, allow; among equals
		// the earliest line. Rules come in file order, so a later equal one
		// counts only if it turns a disallow into an allow.
		octets := len(r.pattern)
		if octets > bestOctets || octets == bestOctets && r.allow && !best.allow {
			best, bestOctets = r, octets
		}
	}
	return best.allow, best.line
}

// slowSitemaps lists the sitemaps of the file, wherever they stand (4.4).
func slowSitemaps(data []byte) []string {
	var sitemaps []string
	for _, l := range slowLines(data) {
		if l.key == "sitemap" {
			sitemaps = append(sitemaps, l.value)
		}
	}
	return sitemaps
}

// slowCrawlDelay is the first valid crawl-delay of the agent's merged group,
// as it stands in the file (4.4).
func slowCrawlDelay(data []byte, agent string) (seconds string, ok bool) {
	for _, value := range slowGroupFor(data, agent).delays {
		if slowIsSeconds(value) {
			return value, true
		}
	}
	return "", false
}

// slowIsSeconds reports whether value is a decimal number without a sign or
// an exponent: digits, with at most one point among or beside them (4.4).
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

// Lines (4.1)

// A slowLine is one line of the protocol.
type slowLine struct {
	number int
	key    string // useragent, allow, disallow, sitemap or crawldelay
	value  string // trimmed, without the comment
}

// slowMisspellings is the table of 4.1.4, by the key that is meant.
var slowMisspellings = map[string]string{
	"useragent":  "useragents usersagent usegagent seragent useragnet",
	"allow":      "",
	"disallow":   "dissallow dissalow disalow diasllow disallaw desallow dssalow dsallow diallow disallows disllow",
	"sitemap":    "sitemaps",
	"crawldelay": "clawldelay crawdelay crawldeley",
}

// slowLines returns the lines with a key this oracle knows. Blank lines,
// other records and junk have no bearing on groups (4.2.1), so they are left
// out; only their line numbers count.
func slowLines(data []byte) []slowLine {
	var lines []slowLine
	for i, text := range slowSplit(slowText(data)) {
		text, _, _ = strings.Cut(text, "#") // 4.1.5
		text = slowTrim(text)               // 4.1.6
		key, value, colon := strings.Cut(text, ":")
		if !colon { // 4.1.7
			words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
			if len(words) != 2 {
				continue // 4.1.8
			}
			key, value = words[0], words[1]
		}
		if key = slowKey(key); key != "" {
			lines = append(lines, slowLine{i + 1, key, slowTrim(value)})
		}
	}
	return lines
}

// slowText is the file as UTF-8: transcoded if it starts with a UTF-16
// byte-order mark, which is dropped, and as it is otherwise (4.1.3).
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

// slowSplit cuts text into lines at CR, LF and CRLF, the latter once (4.1.2),
// and drops what has a byte of its content beyond the limit (4.1.1).
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

// slowKey is the known key that written means, or "" (4.1.4).
func slowKey(written string) string {
	reduced := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z':
			return r
		}
		return -1
	}, written)
	for key, misspellings := range slowMisspellings {
		if reduced == key || slices.Contains(strings.Fields(misspellings), reduced) {
			return key
		}
	}
	return ""
}

// slowTrim takes white space, control and format characters off both ends
// (4.1.6). A byte that is not UTF-8 is none of these.
func slowTrim(s string) string {
	return strings.TrimFunc(s, slowIsBlank)
}

func slowIsBlank(r rune) bool {
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf)
}

// Groups (4.2)

// A slowGroup is a run of user-agent lines and what follows it, or several of
// them merged.
type slowGroup struct {
	tokens []string
	rules  []slowRule
	delays []string // values of crawl-delay lines, valid or not
}

// A slowRule is an allow or disallow line, or the directory an index page
// stands for (4.3.6).
type slowRule struct {
	line    int
	allow   bool
	pattern string // canonical
}

// slowGroups returns the groups as they stand in the file, not yet merged.
func slowGroups(data []byte) []slowGroup {
	var groups []slowGroup
	inRun := false
	for _, l := range slowLines(data) {
		if l.key == "useragent" {
			if !inRun { // 4.2.1, and 4.2.2: also without a usable token
				groups = append(groups, slowGroup{})
				inRun = true
			}
			g := &groups[len(groups)-1]
			g.tokens = append(g.tokens, slowTokens(l.value)...)
			continue
		}
		if l.key == "allow" || l.key == "disallow" {
			inRun = false // 4.2.1: also with an empty value
		}
		if len(groups) == 0 {
			continue // 4.2.3
		}
		g := &groups[len(groups)-1]
		switch l.key {
		case "allow", "disallow":
			g.rules = append(g.rules, slowRules(l)...)
		case "crawldelay":
			g.delays = append(g.delays, l.value) // 4.4
		}
	}
	return groups
}

// slowTokens returns the usable tokens of a user-agent value; the global one
// is "*", which no other can be (4.2.4).
func slowTokens(value string) []string {
	parts := []string{value}
	if !strings.Contains(value, "(") {
		parts = strings.Split(value, ",")
	}
	var tokens []string
	for _, part := range parts {
		part = slowTrim(part)
		if slowIsGlobal(part) {
			tokens = append(tokens, "*")
		} else if token := slowToken(part); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// slowIsGlobal reports whether part is a star, alone or followed by white
// space (4.2.4).
func slowIsGlobal(part string) bool {
	after, star := strings.CutPrefix(part, "*")
	if !star || after == "" {
		return star
	}
	r, _ := utf8.DecodeRuneInString(after)
	return unicode.Is(unicode.White_Space, r)
}

// slowToken is the product token s begins with (4.2.4).
func slowToken(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return slowIsBlank(r) || strings.ContainsRune(`/*()[]{}<>,;:"\=?@`, r)
	})
	if end < 0 {
		return s
	}
	return s[:end]
}

// slowAgentToken is the token of an agent as a caller gives it (4.2.5).
func slowAgentToken(agent string) string {
	agent = slowTrim(agent)
	token := slowToken(agent)
	if !slowEqualFold(token, "Mozilla") {
		return token
	}
	const compatible = "compatible;"
	for i := 0; i+len(compatible) <= len(agent); i++ {
		if slowEqualFold(agent[i:i+len(compatible)], compatible) {
			after := strings.TrimLeftFunc(agent[i+len(compatible):], slowIsBlank)
			if inner := slowToken(after); inner != "" {
				return inner
			}
			break // only the first one is looked at
		}
	}
	return token
}

// slowGroupFor merges the groups that apply to agent; it is empty if there
// are none (4.2.6).
func slowGroupFor(data []byte, agent string) slowGroup {
	groups := slowGroups(data)
	takesGlobal := true
	for token := slowAgentToken(agent); token != ""; token = slowWithoutSuffix(token) {
		if merged, found := slowMerge(groups, token); found {
			return merged
		}
		for _, name := range []string{"adsbot-google", "apis-google", "mediapartners-google"} {
			if slowEqualFold(token, name) {
				takesGlobal = false // 4.2.7
			}
		}
	}
	if !takesGlobal {
		return slowGroup{}
	}
	merged, _ := slowMerge(groups, "*")
	return merged
}

// slowWithoutSuffix takes the last -suffix off token; "" if there is none, or
// nothing but it (4.2.6).
func slowWithoutSuffix(token string) string {
	return token[:max(0, strings.LastIndex(token, "-"))]
}

// slowMerge joins all groups that have token, in file order (4.2.6). It is
// found even if it has no rules.
func slowMerge(groups []slowGroup, token string) (merged slowGroup, found bool) {
	for _, g := range groups {
		has := func(t string) bool { return slowEqualFold(t, token) }
		if slices.ContainsFunc(g.tokens, has) {
			merged.rules = append(merged.rules, g.rules...)
			merged.delays = append(merged.delays, g.delays...)
			found = true
		}
	}
	return merged, found
}

// slowEqualFold compares by Unicode simple folding (4.2.6). Unlike
// strings.EqualFold it takes a byte that is not UTF-8 for that byte only.
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

// slowFold is the least of the runes that r folds to.
func slowFold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// Rules (4.3)

// slowRules returns what an allow or disallow line says: nothing, a rule, or
// a rule and the directory its index page stands for.
func slowRules(l slowLine) []slowRule {
	if l.value == "" {
		return nil // 4.3.1
	}
	rule := slowRule{l.number, l.key == "allow", slowCanonicalPattern(l.value)}
	rules := []slowRule{rule}
	// 4.3.6: what follows the last slash, textually; without a slash there is
	// no directory.
	slash := strings.LastIndex(rule.pattern, "/")
	if rule.allow && slash >= 0 && strings.HasPrefix(rule.pattern[slash+1:], "index.htm") {
		rule.pattern = rule.pattern[:slash+1] + "$"
		rules = append(rules, rule)
	}
	return rules
}

// slowCanonicalPattern is the canonical form of a pattern as written, with
// the slash it may lack (4.3.1, 4.3.2).
func slowCanonicalPattern(pattern string) string {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern
	}
	return slowCanonical(pattern)
}

// slowCanonical is the canonical form of a pattern or a URL (4.3.2), in one
// pass: what an escape decodes to is not looked at again.
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

// slowHex is the value of a hex digit, -1 for any other byte.
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

// slowSpecificity is the number of octets of the canonical form of a pattern
// as written, the slash it may lack included (4.3.5).
func slowSpecificity(pattern string) int {
	if pattern == "" {
		return 0
	}
	return len(slowCanonicalPattern(pattern))
}

// slowMatch reports whether a pattern as written matches a target as
// slowTarget returns it (4.3.1 to 4.3.4).
func slowMatch(pattern, target string) bool {
	if pattern == "" {
		return false // 4.3.1
	}
	return slowMatchCanonical(slowCanonicalPattern(pattern), slowCanonical(target))
}

// slowMatchCanonical is slowMatch for two canonical forms. It goes through
// the pattern once and keeps the set of all places in the target that what it
// has seen of the pattern can end at.
func slowMatchCanonical(pattern, target string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$") // 4.3.3: at its very end
	places := make([]bool, len(target)+1)
	places[0] = true
	inQuery := false // past the pattern's first question mark
	for pattern != "" && slices.Contains(places, true) {
		if pattern[0] == '*' { // 4.3.3
			pattern = pattern[1:]
			for i := 1; i < len(places); i++ {
				places[i] = places[i] || places[i-1]
			}
			continue
		}
		spellings, rest := slowLiteral(pattern, inQuery)
		pattern = rest
		if spellings[0] == "?" {
			inQuery = true
		}
		next := make([]bool, len(places))
		for i, reached := range places {
			for _, spelling := range spellings {
				if reached && strings.HasPrefix(target[i:], spelling) {
					next[i+len(spelling)] = true
				}
			}
		}
		places = next
	}
	if anchored {
		return places[len(target)]
	}
	return slices.Contains(places, true) // 4.3.3: a prefix
}

// slowLiteral takes the first literal off a canonical pattern and returns how
// the URL may spell it.
func slowLiteral(pattern string, inQuery bool) (spellings []string, rest string) {
	type character struct{ raw, escaped string }
	both := []character{{"$", "%24"}, {"*", "%2A"}} // 4.3.3; a raw star never comes here
	if inQuery {
		// 4.3.4. The pattern's question mark has matched one of the URL, so
		// the URL is in its query too.
		both = append(both, character{":", "%3A"}, character{"/", "%2F"})
	}
	for _, c := range both {
		for _, spelling := range []string{c.raw, c.escaped} {
			if rest, ok := strings.CutPrefix(pattern, spelling); ok {
				return []string{c.raw, c.escaped}, rest
			}
		}
	}
	return []string{pattern[:1]}, pattern[1:]
}

// slowTarget is the path and query of a URL, not yet canonical (4.3.7).
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
