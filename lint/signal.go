package lint

import (
	"fmt"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// isSignal reports whether a line is a Content-Usage or a Content-Signal.
func isSignal(l robotstxt.Line) bool {
	return isRecord(l, "Content-Usage") || isRecord(l, "Content-Signal")
}

// A preference is one key with its value, and where in the line's value it is.
type preference struct {
	key, value string
	offset     int
}

// cutSignal takes the value of a Content-Usage or Content-Signal line apart: a
// path, if it starts with one, up to the first space, and preferences parted by
// commas (draft-ietf-aipref-attach-05; RFC 9651, section 3.2).
func cutSignal(value string) (path string, prefs []preference) {
	offset := 0
	if strings.HasPrefix(value, "/") {
		offset = len(value)
		if i := strings.IndexAny(value, " \t"); i >= 0 {
			offset = i
		}
		path = value[:offset]
	}
	for _, member := range strings.Split(value[offset:], ",") {
		key, val, _ := strings.Cut(member, "=")
		val, _, _ = strings.Cut(val, ";")
		lead := len(key) - len(strings.TrimLeft(key, " \t"))
		if key = strings.TrimSpace(key); key != "" {
			prefs = append(prefs, preference{key, strings.TrimSpace(val), offset + lead})
		}
		offset += len(member) + len(",")
	}
	return path, prefs
}

// checkContentUsage looks at the dictionary of a Content-Usage line
// (draft-ietf-aipref-vocab-07).
func checkContentUsage(c *checker, l robotstxt.Line) {
	if !isRecord(l, "Content-Usage") {
		return
	}
	path, prefs := cutSignal(l.Value)
	for _, p := range prefs {
		f := Finding{Line: l.Number, Column: l.ValueColumn + p.offset}
		switch {
		case path != "" && strings.ContainsAny(p.key, " \t"):
			f.Code, f.Text = "content-usage-space", "The path ends at its first space, so it is only "+quote(path)+", and what follows is no preference."
			f.Advice = `Write "%20" for each space in the path.`
		case p.key != strings.ToLower(p.key):
			f.Code, f.Text = "content-usage-capitals", "Keys have no capitals, and because of "+quote(p.key)+" nothing on the line is read."
			f.Advice = "Write " + quote(strings.ToLower(p.key)+"="+p.value) + "."
		case p.key != "train-ai" && p.key != "search" || p.value == "y" || p.value == "n":
			continue
		default:
			f.Code, f.Text = "content-usage-value", quote(p.value)+" is neither y nor n, so nothing is said about "+p.key+"."
			f.Advice = valueAdvice(p, "y", "n")
		}
		c.report(f)
		if f.Code != "content-usage-value" {
			return // all else on the line follows from this
		}
	}
}

// checkContentSignal looks at the values of a Content-Signal line
// (contentsignals.org).
func checkContentSignal(c *checker, l robotstxt.Line) {
	if !isRecord(l, "Content-Signal") {
		return
	}
	_, prefs := cutSignal(l.Value)
	for _, p := range prefs {
		var values []string
		switch strings.ToLower(p.key) {
		case "search", "ai-input", "ai-train":
			values = []string{"yes", "no"}
		case "use":
			values = []string{"immediate", "reference", "full"}
		default:
			continue
		}
		if !strings.Contains(" "+strings.Join(values, " ")+" ", " "+strings.ToLower(p.value)+" ") {
			c.report(Finding{Line: l.Number, Column: l.ValueColumn + p.offset, Code: "content-signal-value",
				Text:   quote(p.value) + " is none of " + strings.Join(values, ", ") + ", so nothing is said about " + p.key + ".",
				Advice: valueAdvice(p, values...)})
		}
	}
}

// valueAdvice proposes the value that starts as the one that was written.
func valueAdvice(p preference, values ...string) string {
	for _, v := range values {
		if p.value != "" && strings.EqualFold(p.value[:1], v[:1]) {
			return "Write " + quote(p.key+"="+v) + "."
		}
	}
	return "Write " + quote(p.key+"="+values[0]) + " or " + quote(p.key+"="+values[1]) + "."
}

// checkSignalConflicts finds signals of one group that contradict each other.
func checkSignalConflicts(c *checker, g *group) {
	type about struct{ name, path, key string }
	type said struct {
		value string
		text  string // key and value as the finding has them
		line  int
	}
	first := map[about]said{}
	for _, l := range g.lines(robotstxt.OtherKind) {
		if !isSignal(l) {
			continue
		}
		path, prefs := cutSignal(l.Value)
		for _, p := range prefs {
			what := about{lex.Letters(l.Key), path, p.key}
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
// a group of their own do not see.
func checkSignalsOfStar(c *checker) {
	for _, l := range c.sections[0].lines {
		if isSignal(l) {
			c.report(Finding{Line: l.Number, Column: l.KeyColumn, Code: "signal-before-group",
				Text: "The line stands above the first group, so it may hold for nobody."})
		}
	}
	ofStar, other := c.signalOfStar()
	if ofStar.Number > 0 && other.line > 0 {
		c.report(Finding{Line: ofStar.Number, Column: ofStar.KeyColumn, Code: "signal-only-in-star",
			Text: fmt.Sprintf("Crawlers with a group of their own, such as %s in line %d, do not read this line.", quote(other.token), other.line)})
	}
}

// signalOfStar returns the first signal for "*", and the first crawler that may
// fetch something and has no signal.
func (c *checker) signalOfStar() (signal robotstxt.Line, other agent) {
	covered := map[string]bool{"*": true}
	for i := range c.sections {
		s := &c.sections[i]
		l, ok := s.signal()
		for _, a := range s.agents {
			covered[a.folded] = covered[a.folded] || ok || s.closed
			if a.folded == "*" && signal.Number == 0 {
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

// signal returns the section's first Content-Usage or Content-Signal line.
func (s *section) signal() (l robotstxt.Line, ok bool) {
	for _, l := range s.lines {
		if isSignal(l) {
			return l, true
		}
	}
	return robotstxt.Line{}, false
}
