package lint

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// mostRulesCompared is how many rules of "*" are compared with a group.
const mostRulesCompared = 100

// A starRule is a disallow rule of "*" with two of the paths that it matches.
type starRule struct {
	*line
	long, short string // with something for each wildcard, and with nothing
}

// starDisallows returns the first disallow rules of "*".
func starDisallows(c *checker) (rules []starRule) {
	for _, l := range c.starRules() {
		if l.Kind == robotstxt.DisallowKind && len(rules) < mostRulesCompared && regexpIn(l.Value) == "" {
			rules = append(rules, newStarRule(l))
		}
	}
	return rules
}

func newStarRule(l *line) starRule {
	path := strings.TrimSuffix(l.Value, "$")
	if lacksSlash(path) {
		path = "/" + path
	}
	return starRule{l, strings.ReplaceAll(path, "*", "x"), strings.ReplaceAll(path, "*", "")}
}

// droppedRules returns the rules whose paths the group allows.
func droppedRules(g *robotstxt.Group, rules []starRule) (dropped []*line) {
	for _, r := range rules {
		if g.Allowed(r.long) && (r.short == r.long || g.Allowed(r.short)) {
			dropped = append(dropped, r.line)
		}
	}
	return dropped
}
