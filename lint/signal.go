package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/signal"
)

// vocabularyOf returns the vocabulary of a Content-Usage or Content-Signal line, or nil
// for other lines.
func vocabularyOf(l *line) *signal.Vocabulary {
	if l.Kind != robotstxt.OtherKind {
		return nil
	}
	return signal.Of(l.Key)
}

// checkSignal looks at the preferences of a Content-Usage or Content-Signal line.
func checkSignal(c *checker, l *line) {
	v := vocabularyOf(l)
	if v == nil {
		return
	}
	path, rest, offset := signal.CutPath(l.Value)
	prefs := v.Cut(rest)
	switch {
	case v == signal.Usage && reportUsagePath(c, l, path, prefs, offset), reportSeparator(c, l, v, prefs, offset):
	case v == signal.Usage && reportUsageSyntax(c, l, rest, prefs, offset):
	default:
		for _, p := range prefs {
			checkPreference(c, atValue(l, offset+p.Offset), p, v)
		}
	}
}

// reportUsagePath reports a path that does not end or start where it should.
func reportUsagePath(c *checker, l *line, path string, prefs []signal.Preference, offset int) bool {
	first, rest, _ := strings.Cut(l.Value, " ")
	switch {
	case path == "" && strings.ContainsAny(first, "/*.$?") && strings.Contains(rest, "=") && !strings.Contains(first, "="):
		c.report(atValue(l, 0), "content-usage-path", quote(first), quote(l.Key+": /"+first+" "+lex.Trim(rest)))
	case path != "" && len(prefs) > 0 && strings.ContainsAny(prefs[0].Name, " \t") && !strings.Contains(prefs[0].Name, "="):
		c.report(atValue(l, offset+prefs[0].Offset), "content-usage-space", quote(path))
	default:
		return false
	}
	return true
}

// reportSeparator reports a semicolon or a space where a comma should be.
func reportSeparator(c *checker, l *line, v *signal.Vocabulary, prefs []signal.Preference, offset int) bool {
	for _, p := range prefs {
		member, _, _ := strings.Cut(l.Value[offset+p.Offset:], ",")
		for i := 1; i < len(member); i++ {
			if !strings.ContainsRune("; \t", rune(member[i])) {
				continue
			}
			name, _, found := strings.Cut(strings.TrimLeft(member[i:], "; \t"), "=")
			if _, isLabel := v.Meant(lex.Trim(name)); found && isLabel {
				c.report(atValue(l, offset+p.Offset+i), "signal-separator", quote(lex.Trim(name)))
				return true
			}
		}
	}
	return false
}

// reportUsageSyntax reports what makes crawlers ignore the whole line.
func reportUsageSyntax(c *checker, l *line, rest string, prefs []signal.Preference, offset int) bool {
	for _, p := range prefs {
		if p.Name != strings.ToLower(p.Name) {
			c.report(atValue(l, offset+p.Offset), "content-usage-capitals", quote(p.Name), quote(strings.ToLower(p.Name)+"="+p.Value))
			return true
		}
	}
	if _, err := httpsfv.UnmarshalDictionary([]string{strings.TrimSpace(rest)}); err != nil || len(prefs) == 0 {
		c.report(atValue(l, 0), "content-usage-syntax")
		return true
	}
	return false
}

// checkPreference looks at one label and its value.
func checkPreference(c *checker, at place, p signal.Preference, v *signal.Vocabulary) {
	name := strings.ToLower(p.Name)
	label, isLabel := v.Label(name)
	meant, hasMeant := v.Meant(name)
	newer, isRetired := v.Retired[name]
	switch {
	case isLabel && slices.Contains(label.Values, v.Fold(p.Value)):
	case isLabel:
		code := "content-usage-value"
		if v == signal.Signal {
			code = "content-signal-value"
		}
		c.report(at, code, quote(p.Value), strings.Join(label.Values, " nor "), p.Name, valueAdvice(label, p.Name, p.Value))
	case hasMeant:
		c.report(at, "signal-vocabulary/other", quote(p.Name), v.Key, valueAdvice(meant, meant.Name, p.Value))
	case isRetired && newer != "":
		successor, _ := v.Label(newer)
		c.report(at, "signal-retired/newer", quote(p.Name), valueAdvice(successor, newer, p.Value))
	case isRetired:
		c.report(at, "signal-retired", quote(p.Name))
	case !p.HasValue:
		c.report(at, "signal-vocabulary/no value", quote(p.Name), quote(v.Example))
	}
}

// valueAdvice proposes the value with the same first letter as the written one, or the
// first two.
func valueAdvice(label signal.Label, name, value string) string {
	for _, v := range label.Values {
		if value != "" && strings.EqualFold(value[:1], v[:1]) {
			return quote(name + "=" + v)
		}
	}
	return quote(name+"="+label.Values[0]) + " or " + quote(name+"="+label.Values[1])
}

// checkUnfetched finds Content-Usage lines about pages that may not be fetched, for
// which they mean nothing (draft-ietf-aipref-attach-05, section 3).
func checkUnfetched(c *checker) {
	const most = 50 // lines
	compared := 0
	for _, s := range c.sections {
		for _, l := range s.records {
			if vocabularyOf(l) != signal.Usage || len(s.Agents) == 0 || c.token(s.Agents[0].Folded).allow {
				continue // an allow rule may open a part of it
			}
			if compared++; compared > most {
				return
			}
			path, _, _ := signal.CutPath(l.Value)
			for _, r := range s.rules {
				if matchesAll(r.Value) || path != "" && strings.HasPrefix(path, r.Value) {
					c.report(atValue(l, 0), "content-usage-disallowed", r.Number)
					break
				}
			}
		}
	}
}

// checkSignals finds signals above all groups, those that crawlers with another group do
// not see, and those that contradict each other.
func checkSignals(c *checker) {
	isSignal := func(l *line) bool { return vocabularyOf(l) != nil }
	for _, l := range c.sections[0].records {
		if isSignal(l) {
			c.report(atKey(l), "signal-before-group")
		}
	}
	if c.countRecords(isSignal) == 0 {
		return
	}
	of, seen := map[string]*line{}, map[int]bool{} // the first signal of each token
	for token, signals := range c.records(isSignal) {
		checkConflicts(c, signals, seen)
		if len(signals) > 0 {
			of[token] = signals[0]
		}
	}
	if star := of["*"]; star != nil {
		reportUncovered(c, star, of)
	}
	checkLastSignal(c, of)
}

// checkConflicts finds signals of one group that contradict each other.
func checkConflicts(c *checker, signals []*line, seen map[int]bool) {
	type about struct{ key, path, name string }
	type said struct {
		value, text string
		line        int
	}
	first := map[about]said{}
	for _, l := range signals {
		v := vocabularyOf(l)
		path, rest, offset := signal.CutPath(l.Value)
		for _, p := range v.Cut(rest) {
			name, value := v.Fold(p.Name), v.Fold(p.Value)
			if label, ok := v.Label(name); !ok || !slices.Contains(label.Values, value) {
				continue // it says nothing
			}
			what := about{v.Key, path, name}
			before, ok := first[what]
			if !ok {
				first[what] = said{value, quote(name + "=" + value), l.Number}
			} else if before.value != value && before.line != l.Number && !seen[l.Number] {
				seen[l.Number] = true
				c.report(atValue(l, offset+p.Offset), "signal-conflict", before.line, before.text)
			}
		}
	}
}

// reportUncovered reports the signal of "*" if a crawler that may fetch something has a
// group without one.
func reportUncovered(c *checker, star *line, of map[string]*line) {
	for _, s := range c.sections {
		for _, a := range s.Agents {
			if a.Token != "*" && of[a.Folded] == nil && !c.token(a.Folded).closed {
				c.report(atKey(star), "signal-only-in-star", quote(a.Token), fmt.Sprint(a.Line))
				return
			}
		}
	}
}

// checkLastSignal finds signals that are only in the last group, if that is for named
// crawlers: lines at the end of a file belong to its last group.
func checkLastSignal(c *checker, of map[string]*line) {
	last := len(c.sections) - 1
	s := c.sections[last]
	if last < 2 || !s.isNamed() {
		return
	}
	var tokens []string
	var first *line
	for _, a := range s.Agents {
		if l := of[a.Folded]; l != nil && c.sectionOf(l.Number) == s {
			first, tokens = l, append(tokens, a.Token)
		}
	}
	for _, l := range of {
		if c.sectionOf(l.Number) != s {
			return
		}
	}
	if first != nil && (len(s.rules) == 0 || first.Number > s.rules[len(s.rules)-1].Number) {
		c.report(atKey(first), "signal-only-in-last-group", s.Agents[0].Line, listed(tokens))
	}
}
