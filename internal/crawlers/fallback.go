package crawlers

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// TrainingToken is the product token for which a group states the preference for training, according
// to draft-kelley-aipref-training-preference-signal-00 (2026-10-30).
//
// The token is provisional. The draft requires such a token, but no text of it that we found spells
// it out; this spelling comes from a third party, and nobody has confirmed it. Show it as
// provisional, and never write it into a file.
const TrainingToken = "__usage_ai-training"

// FallbackNote returns what tools say about a decision whose group was found by shortening the
// crawler's token, if the crawler's operator does not document that order. For the agent Claude-User
// and the group Claude, this is
//
//	by the group Claude; whether Claude-User reads it is not documented
//
// FallbackNote returns "" if there is nothing to say: if the group is for the whole token or for
// "*", or if Google documents that its crawler reads the group, as Googlebot-Image does with
// Googlebot. The agent is a token or a User-Agent header. The group is the token of the group that
// decided, such as the Token of a [robotstxt.Decision].
func FallbackNote(agent, group string) string {
	token := robotstxt.ProductToken(agent)
	isWholeToken := lex.Fold(token) == lex.Fold(group)
	isGoogles := Known(group).Operator == "Google" // a token that starts with Googlebot- is Google's, too
	if group == "" || group == "*" || isWholeToken || isGoogles {
		return ""
	}
	return fmt.Sprintf("by the group %s; whether %s reads it is not documented", group, token)
}
