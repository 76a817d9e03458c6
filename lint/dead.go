package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
	"github.com/robotstxt-go/robotstxt/rules"
)

// checkDead takes longer than the other checks, so it skips large files: files in which more than
// mostGroupsSearched groups have several rules, and files whose groups have more than
// mostRulesSearched rules together.
const (
	mostGroupsSearched = 100
	mostRulesSearched  = 5000
)

// checkDead reports dead rules, which decide no URL for any of their crawlers.
func checkDead(c *checker) {
	var groups []*robotstxt.Group // the groups with more than one rule
	total := 0
	for _, g := range c.groups {
		n := c.tokens[lex.Fold(g.Tokens()[0])].rules
		if total += n; n > 1 {
			groups = append(groups, g)
		}
	}
	if len(groups) > mostGroupsSearched || total > mostRulesSearched {
		return
	}
	found := map[int][]rules.DeadRule{} // by line number
	for _, g := range groups {
		dead, _ := rules.Dead(g)
		for _, d := range dead {
			found[d.Rule.Line] = append(found[d.Rule.Line], d)
		}
	}
	if len(found) == 0 {
		return
	}
	groupsOf := make([]int, len(c.lines)+1)
	for _, g := range c.groups {
		for _, r := range g.Rules() {
			groupsOf[r.Line]++
		}
	}
	for _, number := range slices.Sorted(maps.Keys(found)) {
		if n := groupsOf[number]; len(found[number]) == n { // the rule is dead in every group that has it
			reportDead(c, c.lines[number-1], found[number][n-1])
		}
	}
}

// reportDead reports a dead rule, and the rules that decide instead of it.
func reportDead(c *checker, l *line, d rules.DeadRule) {
	s, agrees, isUnclear := c.sectionOf(l.Number), true, section.IsCommentedOut(l)
	for _, r := range d.Instead {
		agrees, isUnclear = agrees && r.Allow == d.Rule.Allow, isUnclear || c.sectionOf(r.Line) != s || section.IsCommentedOut(c.lines[r.Line-1])
	}
	var twin *line
	if len(d.Instead) > 0 && form(d.Instead[0].Pattern) == form(l.Value) { // d.Instead is empty if the rule matches only /robots.txt
		twin = c.lines[d.Instead[0].Line-1]
	}
	switch {
	case isUnclear:
		// Most crawlers ignore a rule that is commented out. checkRepeatedTokens reports crawlers with several groups. It accepts groups whose
		// names differ after the token, because such groups can be for different crawlers.
	case agrees && (matchesAll(l.Value) || l.Value == "/*?api_key*" || isURL(strings.TrimLeft(l.Value, "/"))):
		// These rules are superfluous, but do no harm: a rule for the whole site, the rule for
		// api_key that the forum software Discourse writes, and rules such as
		// "/https://www.example.org/" that Weebly writes for hidden links to other sites.
	case agrees && twin != nil && l.Value != twin.Value && strings.Contains(l.Value+twin.Value, "%") && !hasOddChars(l.Value) && !hasOddChars(twin.Value):
		// Some crawlers do not decode escapes, so they need both rules.
	case agrees && twin != nil:
		reportTwin(c, l, twin)
	case agrees && isLiteral(l.Value) && slices.ContainsFunc(d.Instead, func(r robotstxt.Rule) bool { return !isLiteral(r.Pattern) }):
		// Crawlers that do not know wildcards need the rule.
	case agrees:
		c.report(atStart(l), "duplicate-rule/rules", d.String())
	case twin != nil && l.Kind == robotstxt.AllowKind && twin.Value == l.Value+"*":
		c.report(atStart(l), "allow-and-disallow/page", twin.Number, "disallow", quoteWhole("Allow: "+l.Value+"$"))
	case twin != nil && closesAll(l) && s.isNamed() && twin.Number > l.Number && c.lines[l.Number].Kind == robotstxt.NoKind: // a blank line or a comment follows
		c.report(atStart(l), "allow-and-disallow/apart", twin.Number, "allow")
	case twin != nil:
		c.report(atStart(l), "allow-and-disallow", twin.Number, strings.ToLower(twin.Kind.String()))
	default:
		c.report(atStart(l), "dead-rule", d.String())
	}
}

// reportTwin reports one of two rules that match the same URLs. It prefers to report a rule with
// wildcards, spaces or characters outside ASCII, because fewer crawlers understand such a rule.
// But this rule can be the longer one. Suppose that both are disallow rules, and that the length of
// an allow rule is between theirs. The allow rule loses to the longer rule, but would win if only the
// shorter one were left. So in this case, reportTwin reports neither, unless the allow rule starts
// differently and so never matches the same URLs.
func reportTwin(c *checker, l, twin *line) {
	rules := c.sectionOf(l.Number).rules
	if same := rules[slices.IndexFunc(rules, func(r *line) bool { return isSame(r, l) })]; same != l {
		twin = same
	} else if !hasOddChars(l.Value) && hasOddChars(twin.Value) && !lacksSlash(l.Value) || isLiteral(l.Value) && !isLiteral(twin.Value) {
		kept, longest := canonical(l), len(canonical(twin))
		isBetween := func(r *line) bool {
			if r.Kind == l.Kind {
				return false
			}
			path := canonical(r)
			start, _, _ := strings.Cut(path, "*")
			return len(kept) <= len(path) && len(path) <= longest && strings.HasPrefix(kept, start)
		}
		if !slices.ContainsFunc(rules, isBetween) {
			c.report(atStart(twin), "duplicate-rule", l.Number)
		}
		return
	}
	f := c.report(atStart(l), "duplicate-rule", twin.Number)
	if twin.Value == l.Value {
		f.Fix = deletion(l)
	}
}

// canonical returns the path of a rule in the form whose length decides between rules.
func canonical(l *line) string { return robotstxt.NewPattern(l.Value).Canonical() }

// hasOddChars reports whether a path has spaces or characters outside ASCII.
func hasOddChars(path string) bool { return hasSpace(path) || lex.CharsOf(path).HasAny(lex.Foreign) }

// form returns a path in a standard spelling, so that two paths can be compared. The standard
// spelling starts with "/", has no needless "*" at its end, and always spells a character in the same way,
// also "/" and ":", which may be encoded in a query.
func form(path string) string {
	return plainQuery(robotstxt.NewPattern(strings.TrimRight(path, "*")).Canonical())
}

// plainQuery decodes "/" and ":", which mean the same with and without an escape in a query.
var plainQuery = strings.NewReplacer("%2F", "/", "%3A", ":").Replace
