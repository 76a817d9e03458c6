package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/signal"
)

// wrongSeparator matches two preferences that are separated by white space or a semicolon instead
// of a comma. The match goes from the end of the first preference to the "=" of the second one.
var wrongSeparator = regexp.MustCompile(`[^,;\s][;\s]+([\w-]+)\s*=`)

// checkSignal checks the preferences of a Content-Usage or Content-Signal line.
func checkSignal(c *checker, l *line) {
	v := vocabularyOf(l)
	if v == nil {
		return
	}
	_, rest, offset := signal.CutPath(l.Value)
	prefs := v.Cut(rest)
	if v == signal.Usage {
		if _, err := httpsfv.UnmarshalDictionary([]string{strings.TrimSpace(rest)}); err != nil || len(prefs) == 0 {
			c.report(atValue(l, 0), "content-usage-syntax")
			return
		}
	}
	for _, m := range wrongSeparator.FindAllStringSubmatchIndex(rest, -1) {
		name := rest[m[2]:m[3]]
		if _, isLabel := v.Meant(name); isLabel {
			c.report(atValue(l, offset+m[0]+1), "signal-separator", quote(name))
			return
		}
	}
	for _, p := range prefs {
		checkPreference(c, atValue(l, offset+p.Offset), p, v)
	}
}

// checkPreference checks the label and the value of a preference.
func checkPreference(c *checker, at place, p signal.Preference, v *signal.Vocabulary) {
	label, isLabel := v.Label(p.Name)
	meant, hasMeant := v.Meant(p.Name)
	switch {
	case slices.Contains(label.Values, v.Fold(p.Value)):
	case isLabel:
		c.report(at, "signal-value", quote(p.Value), strings.Join(label.Values, " nor "), p.Name, valueAdvice(label))
	case hasMeant:
		c.report(at, "signal-vocabulary", quote(p.Name), v.Key, valueAdvice(meant))
	case slices.Contains(v.Retired, p.Name):
		c.report(at, "signal-retired", quote(p.Name))
	case !p.HasValue:
		c.report(at, "signal-vocabulary/no value", quote(p.Name), quote(v.Example))
	}
}

// valueAdvice returns a label with each of its values, as in "train-ai=y" or "train-ai=n".
func valueAdvice(label signal.Label) string {
	var words []string
	for _, v := range label.Values {
		words = append(words, quote(label.Name+"="+v))
	}
	return strings.Join(words, " or ")
}

// checkSignals checks signals, which are Content-Usage and Content-Signal lines. It reports signals
// above the first group, and signals that contradict each other. It also reports signals that apply
// only to some crawlers, although the owner of the site may have meant them for all.
func checkSignals(c *checker) {
	isSignal := func(l *line) bool { return vocabularyOf(l) != nil }
	if !slices.ContainsFunc(c.lines, isSignal) {
		return
	}
	for _, l := range c.sections[0].records {
		if isSignal(l) {
			c.report(atStart(l), "signal-before-group")
		}
	}
	first, seen := map[string]*line{}, map[int]bool{} // the first signal of each token
	searched := 0
	for _, g := range c.groups {
		records := g.Records()
		if searched += len(c.lines) + len(records); searched > mostSearched {
			break
		}
		var signals []*line
		for _, r := range records {
			if l := c.lines[r.Line-1]; isSignal(l) {
				signals = append(signals, l)
			}
		}
		reportConflicts(c, signals, seen)
		for _, token := range g.Tokens() {
			if len(signals) > 0 {
				first[lex.Fold(token)] = signals[0]
			}
		}
	}
	if star := first["*"]; star != nil {
		reportUncovered(c, star, first)
	}
}

// reportConflicts reports signals of one group that contradict each other.
func reportConflicts(c *checker, signals []*line, seen map[int]bool) {
	type said struct {
		value string
		line  int
	}
	first := map[string]said{} // the first value of each preference, by record key, path and label
	for _, l := range signals {
		v := vocabularyOf(l)
		path, rest, offset := signal.CutPath(l.Value)
		for _, p := range v.Cut(rest) {
			name, value := v.Fold(p.Name), v.Fold(p.Value)
			if label, _ := v.Label(name); !slices.Contains(label.Values, value) {
				continue // the vocabulary does not define the preference
			}
			about := v.Key + " " + path + " " + name
			before, ok := first[about]
			switch {
			case !ok:
				first[about] = said{value, l.Number}
			case before.value != value && before.line != l.Number && !seen[l.Number]:
				seen[l.Number] = true
				c.report(atValue(l, offset+p.Offset), "signal-conflict", before.line, quote(name+"="+before.value))
			}
		}
	}
}

// reportUncovered reports star, the first signal of "*", if another crawler has its own group
// without a signal: such a crawler ignores star. A group that disallows the whole site does not
// count, because its crawlers need no signal.
func reportUncovered(c *checker, star *line, first map[string]*line) {
	for _, s := range c.sections {
		for _, a := range s.Agents {
			if first[a.Folded] == nil && !c.tokens[a.Folded].closed {
				c.report(atStart(star), "signal-only-in-star", quote(a.Token), fmt.Sprint(a.Line))
				return
			}
		}
	}
}
