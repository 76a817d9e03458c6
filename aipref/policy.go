package aipref

import (
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// policyToken is the mechanism of draft-kelley-aipref-training-preference-signal-00:
// ordinary groups under a token that names a purpose instead of a crawler.
const policyToken Mechanism = "policy token"

// trainingTokens are the policy tokens about training. There are none until the
// tokens of the draft are known.
var trainingTokens []string

// policyFor returns what the groups of policy tokens about training say about the
// URL. The draft keeps the groups, paths and precedence of robots.txt, so an allow or
// disallow rule decides as it does about fetching. The group of "*" is about
// fetching, and says nothing here.
func policyFor(file *robotstxt.File, url string, tokens []string) (p Preferences) {
	for _, token := range tokens {
		d := file.Decide(token, url)
		if d.Reason != robotstxt.RuleMatched || !strings.EqualFold(d.Token, token) {
			continue
		}
		pref := Preference{Disallow, policyToken, d.Rule.Line}
		if d.Allowed {
			pref.Value = Allow
		}
		p.Training = stricter(p.Training, pref)
	}
	return p.notUsage()
}
