package aipref

import "github.com/robotstxt-go/robotstxt/internal/crawlers"

// A Purpose is what a crawler fetches pages for, according to its operator.
type Purpose string

// The purposes.
const (
	ForTraining Purpose = "training"             // training models, or building data sets for training
	ForSearch   Purpose = "search index"         // building an index for search results or answers
	ForInput    Purpose = "model input"          // giving pages to a model that is answering a question ("grounding")
	ForUsers    Purpose = "user-triggered fetch" // fetching a page because a user asks for it
	ForOther    Purpose = "other"                // another purpose, or one that the operator does not state
)

// A Claim is an operator's statement on whether its crawler obeys robots.txt.
type Claim string

// The claims.
const (
	Heeds     Claim = "heeds robots.txt"      // the crawler obeys robots.txt
	MayIgnore Claim = "may ignore robots.txt" // the crawler ignores robots.txt, always or in some cases, such as when a user asks for a page
	NoClaim   Claim = "no statement found"    // no statement of the operator was found
)

// A Status says whether an agent is documented, undocumented or retired.
type Status string

// The statuses.
const (
	Documented   Status = "documented"   // the operator describes the agent on a web page
	Undocumented Status = "undocumented" // many files name the agent, but no operator's page was found
	Retired      Status = "retired"      // the operator no longer uses the agent
)

// An Agent is a well-known AI crawler, or a product token that only controls how pages are
// used.
type Agent struct {
	Token    string // the product token for user-agent lines
	Operator string
	Purposes []Purpose // the main one first; none if the agent is not documented
	Claim    Claim
	Status   Status
	Source   string // the URL of the source: the operator's page, or a list that names the agent
	Checked  string // the day on which the entry was last compared with its source, as YYYY-MM-DD
}

// String returns the token. If the agent is undocumented or retired, String adds the
// status in parentheses.
func (a Agent) String() string {
	if a.Status == Documented || a.Status == "" {
		return a.Token
	}
	return a.Token + " (" + string(a.Status) + ")"
}

// Agents returns well-known AI crawlers, sorted by operator. Some tokens, such as
// Google-Extended, Applebot-Extended, YandexAdditional and webzio-extended, belong to no
// crawler. They only control how the operator may use pages that its crawlers fetch.
//
// The list includes undocumented and retired tokens, because many files name them.
// [Agent.String] shows the status of these. For an undocumented token, Operator is the
// company to which others usually attribute the token. The caller may change the result.
func Agents() (agents []Agent) {
	for _, c := range crawlers.All() {
		if !c.AI {
			continue
		}
		a := Agent{c.Token, c.Operator, nil, Claim(c.Claim), Status(c.Status), c.Source, c.Checked}
		for _, p := range c.Purposes {
			a.Purposes = append(a.Purposes, Purpose(p))
		}
		agents = append(agents, a)
	}
	return agents
}
