package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// isSignal reports whether a line is a Content-Usage or a Content-Signal.
func isSignal(l *line) bool {
	return isRecord(l, "Content-Usage") || isRecord(l, "Content-Signal")
}

// A preference is one key with its value, and where in the line's value it is.
type preference struct {
	key, value string
	hasValue   bool // there is a "="
	offset     int
}

// cutSignal cuts the value of a Content-Usage or Content-Signal line into a path, if
// it starts with one, up to the first space, and preferences separated by commas
// (draft-ietf-aipref-attach-05; RFC 9651, section 3.2).
func cutSignal(l *line) (path string, prefs []preference) {
	value, offset := l.Value, 0
	if strings.HasPrefix(value, "/") {
		offset = len(value)
		if i := strings.IndexAny(value, " \t"); i >= 0 {
			offset = i
		}
		path = value[:offset]
	}
	for _, member := range strings.Split(value[offset:], ",") {
		key, val, hasValue := strings.Cut(member, "=")
		if isRecord(l, "Content-Usage") {
			val, _, _ = strings.Cut(val, ";") // parameters
		}
		lead := len(key) - len(strings.TrimLeft(key, " \t"))
		if key = strings.TrimSpace(key); key != "" {
			prefs = append(prefs, preference{key, strings.TrimSpace(val), hasValue, offset + lead})
		}
		offset += len(member) + len(",")
	}
	return path, prefs
}

// A vocabulary is what one of the two keys of signals can say.
type vocabulary struct {
	key     string
	example string
	labels  map[string][]string // label to values
	other   map[string]string   // from labels of the other vocabulary
}

// The vocabularies: draft-ietf-aipref-vocab-08, and contentsignals.org.
var (
	usageWords = vocabulary{"Content-Usage", "train-ai=n",
		map[string][]string{"train-ai": {"y", "n"}, "ai-use": {"y", "n"}, "search": {"y", "n"}},
		map[string]string{"ai-train": "train-ai", "ai-input": "ai-use"}}
	signalWords = vocabulary{"Content-Signal", "ai-train=no",
		map[string][]string{"search": {"yes", "no"}, "ai-input": {"yes", "no"}, "ai-train": {"yes", "no"}, "use": {"immediate", "reference", "full"}},
		map[string]string{"train-ai": "ai-train", "ai-use": "ai-input"}}
)

// wordsOf returns the vocabulary of a signal.
func wordsOf(l *line) vocabulary {
	if isRecord(l, signalWords.key) {
		return signalWords
	}
	return usageWords
}

// retiredLabels are labels of older drafts of the preference vocabulary, versions 01
// to 03, and the labels that took their place, if there is one.
var retiredLabels = map[string]string{
	"ai": "train-ai", "genai": "train-ai", "train-genai": "train-ai", "inference": "ai-use", "ai-output": "ai-use",
	"tdm": "", "all": "", "bots": "",
}

// checkContentUsage looks at the dictionary of a Content-Usage line
// (draft-ietf-aipref-attach-05, section 3, and draft-ietf-aipref-vocab-08).
func checkContentUsage(c *checker, l *line) {
	if !isRecord(l, "Content-Usage") {
		return
	}
	path, prefs := cutSignal(l)
	if c.checkSignalPath(l, path, prefs) || c.checkSeparators(l, usageWords) {
		return // everything else on the line follows from this
	}
	for _, p := range prefs {
		if p.key != strings.ToLower(p.key) {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn + p.offset, Code: "content-usage-capitals",
				Text:   "Keys have no capitals, and because of " + quote(p.key) + " crawlers read nothing on the line.",
				Advice: "Write " + quote(strings.ToLower(p.key)+"="+p.value) + "."})
			return
		}
	}
	if _, err := httpsfv.UnmarshalDictionary([]string{strings.TrimSpace(l.Value[len(path):])}); err != nil || len(prefs) == 0 {
		c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "content-usage-syntax",
			Text: "The line is not a list such as \"train-ai=n, search=y\", so crawlers read nothing on it."})
		return
	}
	for _, p := range prefs {
		c.checkPreference(l, p, usageWords)
	}
	c.checkUnfetched(l, path)
}

// checkContentSignal looks at the values of a Content-Signal line
// (contentsignals.org).
func checkContentSignal(c *checker, l *line) {
	if !isRecord(l, "Content-Signal") || c.checkSeparators(l, signalWords) {
		return
	}
	_, prefs := cutSignal(l)
	for _, p := range prefs {
		c.checkPreference(l, p, signalWords)
	}
}

// checkSignalPath reports whether the path of a Content-Usage line is wrong, after a
// finding that says so.
func (c *checker) checkSignalPath(l *line, path string, prefs []preference) bool {
	f := Finding{Line: l.Number, Column: l.ValueColumn}
	first, rest, _ := strings.Cut(l.Value, " ")
	switch {
	case path == "" && strings.ContainsAny(first, "/*.$?") && strings.Contains(rest, "=") && !strings.Contains(first, "="):
		f.Code, f.Text = "content-usage-path", "The path "+quote(first)+" does not start with \"/\", so crawlers read nothing on the line."
		f.Advice = "Write " + quote(l.Key+": /"+first+" "+lex.Trim(rest)) + "."
	case path != "" && len(prefs) > 0 && strings.ContainsAny(prefs[0].key, " \t") && !strings.Contains(prefs[0].key, "="):
		f.Column += prefs[0].offset
		f.Code, f.Text = "content-usage-space", "The path ends at its first space, so it is only "+quote(path)+", and what follows is not a preference."
		f.Advice = `Write "%20" for each space in the path.`
	default:
		return false
	}
	c.report(f)
	return true
}

// checkSeparators reports whether a semicolon or a space is where a comma should be,
// after a finding that says so.
func (c *checker) checkSeparators(l *line, words vocabulary) bool {
	_, prefs := cutSignal(l)
	for _, p := range prefs {
		member := l.Value[p.offset:]
		member = member[:cmp.Or(strings.IndexByte(member, ',')+1, len(member)+1)-1]
		for i := 1; i < len(member); i++ {
			if !strings.ContainsRune("; \t", rune(member[i])) {
				continue
			}
			label, _, found := strings.Cut(strings.TrimLeft(member[i:], "; \t"), "=")
			if found && words.meant(strings.TrimSpace(label)) != "" {
				c.report(Finding{Line: l.Number, Column: l.ValueColumn + p.offset + i, Code: "signal-separator",
					Text: "Only a comma separates preferences, so crawlers do not read " + quote(strings.TrimSpace(label)) + " as one."})
				return true
			}
		}
	}
	return false
}

// checkPreference looks at one label and its value.
func (c *checker) checkPreference(l *line, p preference, words vocabulary) {
	f := Finding{Line: l.Number, Column: l.ValueColumn + p.offset}
	label := strings.ToLower(p.key)
	values, ok := words.labels[label]
	newer, isRetired := retiredLabels[label]
	switch {
	case ok && slices.Contains(values, words.fold(p.value)):
		return
	case ok:
		f.Code, f.Text = "content-usage-value", quote(p.value)+" is neither "+strings.Join(values, " nor ")+", so the line says nothing about "+p.key+"."
		if words.key == signalWords.key {
			f.Code = "content-signal-value"
		}
		f.Advice = valueAdvice(p.key, p.value, values)
	case words.meant(label) != "":
		meant := words.meant(label)
		f.Code, f.Text = "signal-vocabulary", quote(p.key)+" is not a label of "+words.key+", so crawlers ignore it."
		f.Advice = valueAdvice(meant, p.value, words.labels[meant])
	case isRetired && words.key == usageWords.key:
		f.Code, f.Text = "signal-retired", "The label "+quote(p.key)+" is from an older draft, and the newest draft does not have it."
		if newer != "" {
			f.Advice = valueAdvice(newer, p.value, words.labels[newer])
		}
	case !p.hasValue:
		f.Code, f.Text = "signal-vocabulary", quote(p.key)+" is not a label with a value, so it says nothing."
		f.Advice = "Write a label with a value, such as " + quote(words.example) + "."
	default:
		return // a label that others may know
	}
	c.report(f)
}

// fold returns a value as it is compared. Content-Signal ignores case.
func (words vocabulary) fold(value string) string {
	if words.key == signalWords.key {
		return strings.ToLower(value)
	}
	return value
}

// meant returns the label that the author most likely meant, or nothing.
func (words vocabulary) meant(label string) string {
	label = strings.ToLower(label)
	if _, ok := words.labels[label]; ok {
		return label
	}
	plain := lex.Letters(label)
	for other, own := range words.other {
		if plain == lex.Letters(other) {
			return own
		}
	}
	for own := range words.labels {
		if plain == lex.Letters(own) {
			return own
		}
	}
	return ""
}

// valueAdvice proposes the value with the same first letter as the written one.
func valueAdvice(label, value string, values []string) string {
	for _, v := range values {
		if value != "" && strings.EqualFold(value[:1], v[:1]) {
			return "Write " + quote(label+"="+v) + "."
		}
	}
	return "Write " + quote(label+"="+values[0]) + " or " + quote(label+"="+values[1]) + "."
}

// mostUsages is how many Content-Usage lines are compared with the rules.
const mostUsages = 50

// checkUnfetched finds a Content-Usage line about pages that may not be fetched, for
// which it means nothing (draft-ietf-aipref-attach-05, section 3).
func (c *checker) checkUnfetched(l *line, path string) {
	s := c.sectionOf(l)
	if c.usages++; c.usages > mostUsages || len(s.agents) == 0 || c.rulesOf[s.agents[0].folded].allow {
		return // an allow rule may open a part of it
	}
	for _, r := range s.lines {
		if r.Kind == robotstxt.DisallowKind && r.Value != "" && (matchesAll(r.Value) || path != "" && strings.HasPrefix(path, r.Value)) {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn, Code: "content-usage-disallowed",
				Text: fmt.Sprintf("The line means nothing, because line %d disallows the pages that it is about.", r.Number)})
			return
		}
	}
}

// checkSignalConflicts finds signals of one group that contradict each other.
func checkSignalConflicts(c *checker, g *group) {
	type about struct{ name, path, key string }
	type said struct {
		value string
		text  string // key and value as the finding has them
		line  int
	}
	if g.splits(isSignal) {
		return // they are for different crawlers
	}
	first := map[about]said{}
	for _, l := range g.records(robotstxt.OtherKind) {
		if !isSignal(l) {
			continue
		}
		path, prefs := cutSignal(l)
		for _, p := range prefs {
			words := wordsOf(l)
			p.key, p.value = words.fold(p.key), words.fold(p.value)
			if !slices.Contains(words.labels[p.key], p.value) {
				continue // it says nothing
			}
			what := about{words.key, path, p.key}
			before, ok := first[what]
			if !ok {
				first[what] = said{p.value, quote(p.key + "=" + p.value), l.Number}
			} else if before.value != p.value && before.line != l.Number {
				c.report(Finding{Line: l.Number, Column: l.ValueColumn + p.offset, Code: "signal-conflict",
					Text: fmt.Sprintf("Line %d says %s, and the more restrictive of the two holds.", before.line, before.text)})
			}
		}
	}
}

// checkSignalsOfStar finds signals above all groups, and those that crawlers with
// another group do not see.
func checkSignalsOfStar(c *checker) {
	for _, l := range c.sections[0].lines {
		if isSignal(l) {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "signal-before-group",
				Text: "The line is above the first group, so crawlers may not read it."})
		}
	}
	if !slices.ContainsFunc(c.sections, func(s section) bool { return slices.ContainsFunc(s.records, isSignal) }) {
		return
	}
	ofStar, other := c.signalOfStar()
	if ofStar != nil && other.line > 0 {
		c.report(Finding{Line: ofStar.Number, Column: ofStar.KeyColumn, Code: "signal-only-in-star",
			Text: fmt.Sprintf("Crawlers with a group of their own, such as %s in line %d, do not read this line.", quote(other.token), other.line)})
	}
	c.checkLastSignal()
}

// checkLastSignal finds signals that are only in the last group, if that is for
// named crawlers: lines at the end of a file belong to its last group.
func (c *checker) checkLastSignal() {
	last := len(c.sections) - 1
	s := &c.sections[last]
	l, ok := s.signal()
	if !ok || last < 2 || len(s.agents) == 0 || s.names("*") || l.Number < s.lastRule() {
		return
	}
	for i := range last {
		if _, ok := c.sections[i].signal(); ok {
			return
		}
	}
	var tokens []string
	lines := s.signalled()
	for _, a := range s.agents {
		if _, ok := lines[a]; ok {
			tokens = append(tokens, a.token)
		}
	}
	c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "signal-only-in-last-group",
		Text: fmt.Sprintf("The line belongs to the group of line %d, so only %s may read it.", s.agents[0].line, listed(tokens))})
}

// lastRule returns the number of the section's last allow or disallow line, or 0.
func (s *section) lastRule() (number int) {
	for _, l := range s.lines {
		if isRule(l) {
			number = l.Number
		}
	}
	return number
}

// signalOfStar returns the first signal for "*", and the first crawler that may
// fetch something and has no signal.
func (c *checker) signalOfStar() (signal *line, other agent) {
	covered := map[string]bool{"*": true}
	for i := range c.sections {
		s := &c.sections[i]
		lines := s.signalled()
		for _, a := range s.agents {
			l, ok := lines[a]
			covered[a.folded] = covered[a.folded] || ok || s.closed
			if a.folded == "*" && signal == nil {
				signal = l
			}
		}
	}
	for i := range c.sections {
		for _, a := range c.sections[i].agents {
			if !covered[a.folded] {
				return signal, a
			}
		}
	}
	return signal, agent{}
}

// signalled returns the first signal for each agent of the section that has one.
// Signals of one key end a run of user-agent lines for signals of that key.
func (s *section) signalled() map[agent]*line {
	if _, ok := s.signal(); !ok {
		return nil
	}
	first := map[agent]*line{}
	for _, name := range []string{"Content-Usage", "Content-Signal"} {
		var run []agent
		next, ended := 0, false
		for _, l := range s.lines {
			switch {
			case l.Kind == robotstxt.UserAgentKind && ended:
				run, ended = nil, false
				fallthrough
			case l.Kind == robotstxt.UserAgentKind:
				for ; next < len(s.agents) && s.agents[next].line == l.Number; next++ {
					run = append(run, s.agents[next])
				}
			case isRecord(l, name) && !ended:
				for _, a := range run {
					if _, ok := first[a]; !ok {
						first[a] = l
					}
				}
				ended = true
			}
		}
	}
	return first
}

// signal returns the section's first Content-Usage or Content-Signal line.
func (s *section) signal() (l *line, ok bool) {
	for _, l := range s.records {
		if isSignal(l) {
			return l, true
		}
	}
	return nil, false
}
