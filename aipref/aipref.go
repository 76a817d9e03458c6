// Package aipref reads what a site says about AI: whether its pages may be used to train
// models, appear in search results, or be given to a model as input. A robots.txt file says
// this in records beside its rules about fetching:
//
//	User-agent: *
//	Allow: /
//	Content-Usage: train-ai=n
//	Content-Usage: /press/ train-ai=y
//	Content-Signal: search=yes, ai-input=no
//
// [For] returns the answer for an agent and a URL, with the line that each preference comes
// from. The records do not change what may be fetched: [Answer.Access] is the
// [robotstxt.Decision] of package robotstxt. The set "@ai" of package
// [github.com/robotstxt-go/robotstxt/crawlers] contains the agents of AI companies.
//
// # Mechanisms
//
// An agent follows the records of one group, the group that decides what it may fetch. If
// the agent has its own group, the records of the group of "*" do not concern it. Keys are
// compared by their ASCII letters, regardless of case. A record applies only to user-agent
// lines above it (see [robotstxt.Group.Records]), so in
//
//	User-agent: GPTBot
//	Content-Usage: train-ai=n
//	User-agent: *
//	Allow: /
//
// the preference is for GPTBot only, and the rule is for all crawlers.
//
//   - Content-Usage (draft-ietf-aipref-attach-05, section 3, and
//     draft-ietf-aipref-vocab-08): an optional path pattern, and a dictionary of structured
//     fields (RFC 9651) with the keys train-ai, ai-use and search. The values are y and n;
//     any other value is unknown. Of the records whose pattern matches the URL, only those
//     with the longest pattern in octets count; a missing pattern has length 0. If several
//     records remain, the most restrictive value holds. If a dictionary has a syntax error,
//     all its values are unknown, and records with a shorter pattern do not replace them. A
//     record does not apply to a URL that may not be fetched.
//   - The HTTP header Content-Usage (draft-ietf-aipref-attach-05, section 2): the
//     same dictionary, for the content of one response. See [ParseUsageHeader].
//   - Content-Signal (contentsignals.org): an optional path pattern, the keys ai-train,
//     search and ai-input with the values yes and no, and the key use, all regardless of
//     case. For each key, the record with the longest matching pattern in octets decides, so
//     a record with a path can make an exception. If several are equally long, or if a record
//     repeats the key, the most restrictive value holds.
//   - The HTTP header Content-Signal: the same without a path. See
//     [ParseSignalHeader].
//   - AllowAITraining and DisallowAITraining (draft-canel-robots-ai-control, which
//     has expired): each has a path pattern. The longest pattern in octets decides, and
//     at a tie AllowAITraining wins, just as allow wins among rules about fetching.
//   - A group for the policy token [TrainingToken]
//     (draft-kelley-aipref-training-preference-signal-00). Its rules are not about fetching:
//     if a disallow rule of the group decides about a URL, training is disallowed, if an allow
//     rule decides, it is allowed, and if none decides, nothing is said. The group is for all
//     agents, and only a group for exactly this token counts.
//   - License (RSL 1.0): the URL of a license. It holds for the whole file, wherever the
//     record is. See [Answer.Licenses].
//
// If mechanisms disagree, the most restrictive one holds: disallow beats allow, and allow
// beats unknown. If several agree, the answer names the first of them in this list, with
// its first line.
//
// Other keys in Content-Usage and Content-Signal are reported under their own names, in
// [Preferences.Other]. Among them are the labels of older drafts: "tdm", "ai", "genai" and
// "inference" (vocab-01), "all" and "train-genai" (vocab-02), "bots" (vocab-03) and
// "ai-output" (vocab-04). These labels had other meanings, and vocab-08 ignores them, so
// they say nothing about training, search or input.
//
// Inside a search application, the key search of Content-Usage also decides about training and input
// (draft-ietf-aipref-vocab-08, section 4.3). The package does not judge search applications.
//
// # Stability
//
// The package follows drafts, which change. So its names and its answers may change with any release,
// also after version 1 of the module.
package aipref

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// A Value is a site's answer to whether a page may be used in a certain way. The greater of two
// values is the more restrictive one.
type Value uint8

// The values of a [Value].
const (
	Unknown Value = iota // the site says nothing: it neither grants nor restricts the use
	Allow
	Disallow
)

// String returns "unknown", "allow" or "disallow".
func (v Value) String() string { return valueNames[min(int(v), len(valueNames)-1)] }

var valueNames = [...]string{"unknown", "allow", "disallow"}

// A Mechanism is a kind of record or header that states preferences about AI.
type Mechanism string

// The mechanisms. The package documentation says what each means.
const (
	ContentUsage        Mechanism = "Content-Usage"
	ContentUsageHeader  Mechanism = "Content-Usage header"
	ContentSignal       Mechanism = "Content-Signal"
	ContentSignalHeader Mechanism = "Content-Signal header"
	AllowAITraining     Mechanism = "AllowAITraining"
	DisallowAITraining  Mechanism = "DisallowAITraining"
	TrainingGroup       Mechanism = TrainingToken + ", provisional"
)

// TrainingToken is the policy token of draft-kelley-aipref-training-preference-signal-00. It stands on
// user-agent lines, but no crawler has this name. It is provisional: the draft is of 2026-10-30, the
// day on which Google announced that it intends to support a shared signal of this kind. We could
// read only the draft's abstract, and two third parties spell the token in this way.
const TrainingToken = "__usage_ai-training"

// A Preference is a site's preference about one way of using a page, and its source.
type Preference struct {
	Value     Value
	Mechanism Mechanism // empty if the value is Unknown
	Line      int       // line number in robots.txt, counted from 1; 0 if a header states the preference, or if the value is Unknown
}

// String returns the preference in words, such as "allowed by line 3 (Content-Usage)". The
// wording may change.
func (p Preference) String() string {
	switch {
	case p.Value == Unknown:
		return "nothing is said"
	case p.Line == 0:
		return fmt.Sprintf("%sed by the %s", p.Value, p.Mechanism)
	}
	return fmt.Sprintf("%sed by line %d (%s)", p.Value, p.Line, p.Mechanism)
}

// A Use is the value that a site gives for the key "use" of Content-Signal. It says how much of
// a page may be shown elsewhere.
type Use struct {
	// Level is "immediate" (store nothing), "reference" (index it, with excerpts
	// and a link) or "full", from the most restrictive to the least. It is empty
	// if the site says nothing.
	Level string
	Line  int // line number in robots.txt, counted from 1; 0 for a header or an empty Level
}

// Preferences are a site's preferences about the uses of a page. The zero value says nothing
// about any use.
type Preferences struct {
	Training Preference // training models (keys train-ai, ai-train, AllowAITraining, DisallowAITraining, and the group for TrainingToken)
	Search   Preference // search results that link to the page, with excerpts (key search)
	AIInput  Preference // input to a model, for example to answer a question (keys ai-use, ai-input)
	Use      Use

	// Other contains the preferences for all other keys. The keys are in lower case. A key
	// of Content-Usage is omitted if its value is neither y nor n. A key of Content-Signal
	// is omitted if its value is neither yes nor no.
	Other map[string]Preference
}

// Combine returns the result of two statements about one page, such as its robots.txt and a
// header. For each use, it takes the more restrictive preference. If both are equally
// restrictive, it takes the preference from p (draft-ietf-aipref-vocab-08, section 5.1). It
// changes neither p nor q.
func (p Preferences) Combine(q Preferences) Preferences {
	p.Other = maps.Clone(p.Other)
	p.add(q)
	return p
}

// add is like Combine but changes p.
func (p *Preferences) add(q Preferences) {
	p.Training = stricter(p.Training, q.Training)
	p.Search = stricter(p.Search, q.Search)
	p.AIInput = stricter(p.AIInput, q.AIInput)
	if levelRank(q.Use.Level) > levelRank(p.Use.Level) {
		p.Use = q.Use
	}
	if p.Other == nil && q.Other != nil {
		p.Other = map[string]Preference{}
	}
	for key, pref := range q.Other {
		p.Other[key] = stricter(p.Other[key], pref)
	}
}

// stricter returns the more restrictive preference, or p if both are equally restrictive.
func stricter(p, q Preference) Preference {
	if q.Value > p.Value {
		return q
	}
	return p
}

// A Signal is a record about AI in a robots.txt file, whether its value is valid or not.
type Signal struct {
	Line      int // counted from 1
	Mechanism Mechanism
	Path      string // the pattern, as written; empty if there is none
	Value     string // the text after the pattern, as written
}

// String returns the signal as a line of a robots.txt file.
func (s Signal) String() string {
	return string(s.Mechanism) + ": " + strings.TrimSpace(s.Path+" "+s.Value)
}

// A License is a record that names a license for the site's content.
type License struct {
	Line int    // counted from 1
	URL  string // as written; RSL 1.0 requires an absolute URL
}

// An Answer says whether a robots.txt file lets an agent fetch a URL, and how the page at
// the URL may be used for AI. Changing an Answer does not affect other Answers. Any number
// of goroutines may read an Answer at once.
type Answer struct {
	Access robotstxt.Decision // whether the URL may be fetched at all
	Preferences

	// Signals are all signals of the agent's group, in file order, including those
	// for other URLs.
	Signals []Signal

	// FileSignals are the signals above the first user-agent line, in file order. They
	// are not in a group, so they apply to no agent.
	FileSignals []Signal

	file *robotstxt.File
}

// For returns what the file says about an agent and the page at a URL: whether the agent may
// fetch the page, and how the page may be used for AI. An agent can have several names:
// For reads them as [robotstxt.File.Group] does, and the function Names of package
// [github.com/robotstxt-go/robotstxt/crawlers] returns those of well-known crawlers. For accepts
// any strings. The caller has to make sure that the file applies to the URL; see
// [robotstxt.Covers]. A file that was unavailable or unreachable says nothing about AI.
//
// For takes time at most proportional to the size of the agent's group and of the group for
// [TrainingToken], times the length of the URL. Any number of goroutines may call it at once.
func For(file *robotstxt.File, names []string, url string) Answer {
	group := file.Group(names...)
	a := Answer{
		Access:      group.Decide(url),
		Signals:     signals(group.Records()),
		FileSignals: signals(file.Records()),
		file:        file,
	}
	if a.Access.Allowed {
		a.sayUsage(url)
	}
	a.saySignals(url)
	a.sayTrainingRules(url)
	a.sayTrainingGroup(url)
	return a
}

// maxRecords limits how many records Licenses searches, because thousands of Groups in a
// hostile file can share thousands of records.
const maxRecords = robotstxt.SizeLimit

// Licenses returns the licenses that the file names for any agent, in file order (RSL 1.0).
// All Answers for a file return the same licenses. A license in a group counts only if a
// user-agent line above it has a token. Licenses searches the records of one Group after
// another, and stops after [robotstxt.SizeLimit] records. A record that applies to three
// Groups is searched three times.
func (a Answer) Licenses() (licenses []License) {
	if a.file == nil {
		return nil
	}
	records := a.file.Records()
	for _, g := range a.file.Groups() {
		if records = append(records, g.Records()...); len(records) > maxRecords {
			break
		}
	}
	for _, r := range records {
		if r.Value != "" && r.Is("License") {
			licenses = append(licenses, License{r.Line, r.Value})
		}
	}
	slices.SortFunc(licenses, func(x, y License) int { return cmp.Compare(x.Line, y.Line) })
	return slices.Compact(licenses) // if several Groups share a record, each of them has added it
}
