// Package aipref reads what a site says about AI: whether its pages may train
// models, show up in search, or be put before a model as input. A robots.txt
// says that beside the rules about fetching, in records such as these:
//
//	User-agent: *
//	Allow: /
//	Content-Usage: train-ai=n
//	Content-Usage: /press/ train-ai=y
//	Content-Signal: search=yes, ai-input=no
//
// [For] gives the answer for an agent and a URL, with the line that says so.
// Nothing that is read here changes what may be fetched; for that, the answer has
// the [robotstxt.Decision] as it is.
//
// # Mechanisms
//
// An agent follows the records of one group, the one that [robotstxt.File.Allowed]
// asks. A group with a name takes over nothing from that of "*". Keys of records
// are told apart by their ASCII letters alone, in any case.
//
//   - Content-Usage (draft-ietf-aipref-attach-05, section 3, and
//     draft-ietf-aipref-vocab-07): a path pattern, which may be left out, and a
//     dictionary of structured fields (RFC 9651) with the keys train-ai and search
//     and the values y and n. Of the patterns that match the URL those with the
//     most octets count, and one that is left out has none. If there are several
//     of them, the most restrictive of what they say holds. Any other value of a
//     key is unknown, and so is everything in a dictionary with a syntax error; a
//     shorter pattern does not make up for that. For a URL that may not be fetched
//     the record means nothing.
//   - The HTTP header Content-Usage (draft-ietf-aipref-attach-05, section 2): the
//     same dictionary, for the content of one response. See [ParseHeader].
//   - Content-Signal (contentsignals.org): the keys ai-train, search and ai-input
//     with the values yes and no, and the key use, in any case. Of several
//     records, and of a key that is repeated, the most restrictive value holds. A
//     record that starts with a path pattern is for the paths that match.
//   - AllowAITraining and DisallowAITraining (draft-canel-robots-ai-control, which
//     has expired): a path pattern each. That with the most octets decides, and
//     at a tie AllowAITraining, as among the rules about fetching.
//   - License (RSL 1.0): the URL of a license, for the whole file wherever it
//     stands. See [Answer.Licenses].
//
// Where mechanisms disagree, the most restrictive one holds: to disallow beats to
// allow, and to say anything beats to say nothing. Among those that say the same,
// the first in the order of this list is named, and the first of its lines.
//
// Of other keys in Content-Usage and Content-Signal, among them those of older
// drafts (ai, genai, bots, train-genai, tdm), only the value is read. What they
// mean for training, search or input is not guessed.
package aipref

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
)

// A Value is what is said about one way of using a page. The higher of two values
// is the more restrictive.
type Value uint8

// The values.
const (
	Unknown Value = iota // nothing is said: neither granted nor restricted
	Allow
	Disallow
)

// String returns "unknown", "allow" or "disallow".
func (v Value) String() string {
	switch v {
	case Allow:
		return "allow"
	case Disallow:
		return "disallow"
	}
	return "unknown"
}

// A Mechanism is a way in which a site can say something about AI.
type Mechanism string

// The mechanisms. The package documentation says what each means.
const (
	ContentUsage       Mechanism = "Content-Usage"
	ContentUsageHeader Mechanism = "Content-Usage header"
	ContentSignal      Mechanism = "Content-Signal"
	AllowAITraining    Mechanism = "AllowAITraining"
	DisallowAITraining Mechanism = "DisallowAITraining"
)

// A Preference is what a site says about one way of using a page, and where.
type Preference struct {
	Value     Value
	Mechanism Mechanism // by which it is said; empty if the value is Unknown
	Line      int       // of robots.txt, counted from 1; 0 if none says so
}

// String returns the preference as the end of a sentence about it. Its wording may
// change.
func (p Preference) String() string {
	switch {
	case p.Value == Unknown:
		return "nothing is said"
	case p.Line == 0:
		return fmt.Sprintf("%sed by the %s", p.Value, p.Mechanism)
	}
	return fmt.Sprintf("%sed by line %d (%s)", p.Value, p.Line, p.Mechanism)
}

// A Use says how much of a page may be shown again, the key use of Content-Signal.
type Use struct {
	// Level is "immediate" (store nothing), "reference" (index it, with excerpts
	// and a link) or "full", from the most restrictive to the least. It is empty
	// if nothing is said.
	Level string
	Line  int // of robots.txt, counted from 1; 0 if nothing is said
}

// Preferences are what a site says about the uses of a page. The zero value says
// nothing.
type Preferences struct {
	Training Preference // training models: train-ai, ai-train, AllowAITraining, DisallowAITraining
	Search   Preference // a search that leads to the page, with excerpts: search
	AIInput  Preference // input of a model, as for an answer about the page: ai-input
	Use      Use

	// Other has the further keys, in lower case, that have the value y or n in
	// Content-Usage, or yes or no in Content-Signal.
	Other map[string]Preference
}

// Combine returns what holds if both p and q are said of one page, as by its
// robots.txt and by a header: of each preference the more restrictive, and p's if
// they are alike (draft-ietf-aipref-vocab-07, section 5.1). It changes
// neither.
func (p Preferences) Combine(q Preferences) Preferences {
	p.Other = maps.Clone(p.Other)
	p.add(q)
	return p
}

// add is Combine in place.
func (p *Preferences) add(q Preferences) {
	p.Training = stricter(p.Training, q.Training)
	p.Search = stricter(p.Search, q.Search)
	p.AIInput = stricter(p.AIInput, q.AIInput)
	if useRank[q.Use.Level] > useRank[p.Use.Level] {
		p.Use = q.Use
	}
	for key, pref := range q.Other {
		p.addOther(key, pref)
	}
}

func (p *Preferences) addOther(key string, pref Preference) {
	if p.Other == nil {
		p.Other = map[string]Preference{}
	}
	p.Other[key] = stricter(p.Other[key], pref)
}

func stricter(p, q Preference) Preference {
	if q.Value > p.Value {
		return q
	}
	return p
}

// String returns the preferences as lines for the site's owner, one for each. Their
// wording may change.
func (p Preferences) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Training: %v.\nSearch: %v.\nAI input: %v.", p.Training, p.Search, p.AIInput)
	if p.Use.Level != "" {
		fmt.Fprintf(&b, "\nUse: %s, by line %d (%s).", p.Use.Level, p.Use.Line, ContentSignal)
	}
	for _, key := range slices.Sorted(maps.Keys(p.Other)) {
		fmt.Fprintf(&b, "\n%q: %v.", key, p.Other[key])
	}
	return b.String()
}

// A Signal is a record of a robots.txt file by which the site says something about
// AI, whether or not it can be understood.
type Signal struct {
	Line      int // counted from 1
	Mechanism Mechanism
	Path      string // the pattern, as written; empty if there is none
	Value     string // what follows the pattern, as written
}

// String returns the signal as a line of a robots.txt file.
func (s Signal) String() string {
	if s.Path != "" && s.Value != "" {
		return string(s.Mechanism) + ": " + s.Path + " " + s.Value
	}
	return string(s.Mechanism) + ": " + s.Path + s.Value
}

// A License is a record that names a license of the site's content.
type License struct {
	Line int    // counted from 1
	URL  string // as written; RSL 1.0 asks for an absolute URL
}

// An Answer is what a robots.txt file says about AI to one agent, for one URL. It
// has no ties to other answers, and if it is not changed, any number of goroutines
// may use it.
type Answer struct {
	Access robotstxt.Decision // whether the URL may be fetched at all
	Preferences

	// Signals are all those of the agent's group, in file order, also those that
	// are not for this URL.
	Signals []Signal

	// FileSignals are those above the first user-agent line, in file order. They
	// stand in no group, and so they are not for any agent and count for nothing;
	// but their author will have meant something by them.
	FileSignals []Signal

	file *robotstxt.File
}

// For returns what the file says about AI to the agent, for the URL. Agent and URL
// are read as by [robotstxt.File.Decide]; no string is an error. Whether the file
// covers the URL is for the caller to know, see [robotstxt.Covers]. A file that was
// not there, or could not be had, says nothing about AI.
//
// The time it takes is at most proportional to the size of the agent's group times
// the length of the URL. For may be called from several goroutines at once.
func For(file *robotstxt.File, agent, url string) Answer {
	group := file.Group(agent)
	a := Answer{
		Access:      group.Decide(url),
		Signals:     signals(group.Records()),
		FileSignals: signals(file.Records()),
		file:        file,
	}
	if a.Access.Allowed {
		a.add(usageFor(a.Signals, url))
	}
	a.add(signalledFor(a.Signals, url))
	a.add(Preferences{Training: trainingRuleFor(a.Signals, url)})
	return a
}

// maxRecords bounds the search for licenses. A record takes three bytes or more, so
// that a file has far fewer. But its groups can share them, and in one that was made
// to be slow, thousands of groups share thousands of records.
const maxRecords = robotstxt.SizeLimit

// Licenses returns the licenses that the file names, in file order, wherever in the
// file and for whichever agent they stand (RSL 1.0). They are the same for all answers
// of a file. The time it takes is proportional to the number of the file's groups and
// of their records. No group is searched after the first [robotstxt.SizeLimit]
// records. No file has as many, but its groups can share records, which then count for
// each.
func (a Answer) Licenses() []License {
	if a.file == nil {
		return nil
	}
	records := a.file.Records()
	licenses, searched := appendLicenses(nil, records), len(records)
	for _, g := range a.file.Groups() {
		if searched > maxRecords {
			break
		}
		records := g.Records()
		licenses, searched = appendLicenses(licenses, records), searched+len(records)
	}
	slices.SortFunc(licenses, func(x, y License) int { return cmp.Compare(x.Line, y.Line) })
	return slices.Compact(licenses) // groups may share a line
}

// String returns the answer as lines for the site's owner: whether the URL may be
// fetched, then the preferences, then what the file says to everybody. Their wording
// may change.
func (a Answer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n%v", a.Access, a.Preferences)
	isUsage := func(s Signal) bool { return s.Mechanism == ContentUsage }
	if !a.Access.Allowed && slices.ContainsFunc(a.Signals, isUsage) {
		fmt.Fprintf(&b, "\n%s means nothing for a URL that may not be fetched.", ContentUsage)
	}
	for _, s := range a.FileSignals {
		fmt.Fprintf(&b, "\nLine %d (%s) is for no crawler: it stands above the first user-agent line.", s.Line, s.Mechanism)
	}
	for _, l := range a.Licenses() {
		fmt.Fprintf(&b, "\nLicense: %q (line %d).", l.URL, l.Line)
	}
	return b.String()
}
