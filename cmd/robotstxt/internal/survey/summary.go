package survey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
)

// A Summary adds up records. Its size does not grow with the number of records. It can be
// written as JSON and read back.
//
// Bytes, Groups, Rules, Agents, Any,
// ContentSignal, ContentUsage and Keys cover only complete robots.txt files.
type Summary struct {
	Made   made       `json:"made"`
	Inputs inputid.ID `json:"inputs"`

	Captures map[string]int `json:"captures"` // by class

	// Statuses counts captures by HTTP status. It leaves out captures whose status is unknown, and
	// targets of redirects.
	Statuses map[int]int `json:"statuses"`

	Bytes  int64 `json:"bytes"`
	Groups int   `json:"groups"`
	Rules  int   `json:"rules"`

	UnreadAgents int `json:"unread_agents"` // files with user-agent lines after the first 500 KiB, which crawlers need not read

	Agents        []AgentSummary   `json:"agents"`         // in the order of the questions
	Any           AgentSummary     `json:"any"`            // counts a file if it has a verdict for at least one of the agents
	ContentSignal map[string]Times `json:"content_signal"` // by label and value, such as "ai-train=no"
	ContentUsage  map[string]Times `json:"content_usage"`

	Findings map[string]Times `json:"findings"` // by code
	Keys     map[string]Times `json:"keys"`     // by the key of the line, in lower case

	Skipped map[string]int `json:"skipped"`  // records that are not captures, by type
	Damaged map[string]int `json:"damaged"`  // damaged places in archives, by kind of damage
	LeftOut int            `json:"left_out"` // files that were not read: in folders, only .txt and WARC files are read
}

const (
	maxKeys   = 1 << 15 // the largest number of different keys in Keys; further keys are left out
	maxLabels = 1000    // the largest number of labels in ContentSignal and in ContentUsage; further labels count as "other"
)

// An AgentSummary counts files by what one agent may fetch.
type AgentSummary struct {
	Agent string `json:"agent"`
	Verdicts
	Named Verdicts `json:"named"` // counts the files with a group for the agent's whole product token
	Other Verdicts `json:"other"` // counts the files in which a group for another name applies, such as Googlebot for Applebot or Claude for Claude-User
	Star  Verdicts `json:"star"`  // counts the files whose group for "*" applies to the agent
}

// Verdicts count files by what an agent may fetch. Each file counts twice: in Allowed or
// Disallowed, and in one of the other fields.
type Verdicts struct {
	Allowed    int `json:"allowed"` // files that let the agent fetch "/"
	Disallowed int `json:"disallowed"`

	All       int `json:"all"`       // files that allow all URLs
	None      int `json:"none"`      // files that allow no URL
	Some      int `json:"some"`      // files that allow some URLs
	Undecided int `json:"undecided"` // files for which the search for the answer would take too long
}

// Times says in how many files a name occurs, and how often it occurs in all files together. The
// name is a label, a key, or the code of a finding.
type Times struct {
	Files int `json:"files"`
	Times int `json:"times"`
}

// classes are what captures can count as. Each counts as the first class that it fits.
var classes = []struct {
	name       string // as in Record.Class and Summary.Captures
	row, label string // where Print prints the number, and as what
	fits       func(*Record) bool
}{
	{"redirect_target", "other URLs", "targets of redirects", func(r *Record) bool { return r.Place == otherURL }},
	{"unavailable", "", "", func(r *Record) bool { return r.Access == unavailable }}, // noFile splits the number by status
	{"unreachable", noFileRow, "unreachable", func(r *Record) bool { return r.Access == unreachable }},
	{"redirect", noFileRow, "redirects", func(r *Record) bool { return r.Access == redirected }},
	{"not_modified", noFileRow, "not modified", func(r *Record) bool { return r.Access == notModified }},
	{"undecoded", notCountedRow, "undecoded", func(r *Record) bool { return r.Content == undecoded }},
	{"elsewhere", notCountedRow, "unknown revisits", func(r *Record) bool { return r.Content == elsewhere }},
	{"truncated", notCountedRow, "truncated", func(r *Record) bool { return r.Truncated }},
	{"html", notCountedRow, "HTML", func(r *Record) bool { return r.Content == html }},
	{"other", notCountedRow, "other text", func(r *Record) bool { return r.Content == otherContent }},
	{"empty", notCountedRow, "empty", func(r *Record) bool { return r.Content == empty }},
	{FileClass, "", "", func(r *Record) bool { return true }},
}

// FileClass is the class of complete robots.txt files. Compute percentages only from these.
const FileClass = "file"

// classify sets the class of a record.
func (r *Record) classify() {
	for _, c := range classes {
		if c.fits(r) {
			r.Class = c.name
			return
		}
	}
}

// Files returns the number of complete robots.txt files.
func (s *Summary) Files() int { return s.Captures[FileClass] }

// Total returns the number of all captures.
func (s *Summary) Total() (n int) {
	for _, of := range s.Captures {
		n += of
	}
	return n
}

// NewSummary returns a summary without records.
func (q Questions) NewSummary() Summary {
	s := Summary{Made: q.made()}
	s.init()
	return s
}

// Add adds a record. All records of a summary must be answers to the same [Questions].
func (s *Summary) Add(r *Record) {
	s.init()
	s.Captures[r.Class]++
	if r.Status >= 100 && r.Status <= 999 && r.Place != otherURL {
		s.Statuses[r.Status]++
	}
	for _, c := range r.Findings {
		addTimes(s.Findings, c.Name, Times{1, c.Count})
	}
	if r.Class == FileClass {
		s.addFile(r)
	}
}

// addFile adds the numbers that are only counted for complete robots.txt files.
func (s *Summary) addFile(r *Record) {
	s.Bytes += int64(r.Bytes)
	s.Groups += r.Groups
	s.Rules += r.Rules
	if r.UnreadAgents > 0 {
		s.UnreadAgents++
	}
	var file AgentSummary
	for i, a := range r.Agents {
		s.agent(i, a.Agent).add(a)
		file.add(a)
	}
	s.Any.merge(AgentSummary{Verdicts: file.once(), Named: file.Named.once(), Other: file.Other.once(), Star: file.Star.once()})
	for _, c := range r.ContentSignal {
		addLabel(s.ContentSignal, c.Name, Times{1, c.Count})
	}
	for _, c := range r.ContentUsage {
		addLabel(s.ContentUsage, c.Name, Times{1, c.Count})
	}
	for _, c := range r.Keys {
		s.addKey(c.Name, Times{1, c.Count})
	}
	for _, c := range r.UnknownKeys {
		s.addKey(c.Name, Times{1, c.Count})
	}
}

// agent returns the summary of the agent with the index i. If there is none yet, agent adds one.
func (s *Summary) agent(i int, name string) *AgentSummary {
	if i == len(s.Agents) {
		s.Agents = append(s.Agents, AgentSummary{Agent: name})
	}
	return &s.Agents[i]
}

func (s *AgentSummary) add(a AgentRecord) {
	s.Verdicts.add(a)
	switch a.By {
	case "*":
		s.Star.add(a)
	case "name":
		s.Named.add(a)
	case "follows", "shorter":
		s.Other.add(a)
	}
}

func (s *AgentSummary) merge(other AgentSummary) {
	s.Verdicts.merge(other.Verdicts)
	s.Named.merge(other.Named)
	s.Other.merge(other.Other)
	s.Star.merge(other.Star)
}

func (v *Verdicts) add(a AgentRecord) {
	if a.Allowed {
		v.Allowed++
	} else {
		v.Disallowed++
	}
	switch a.Coverage {
	case "all":
		v.All++
	case "none":
		v.None++
	case "some":
		v.Some++
	default:
		v.Undecided++
	}
}

func (v *Verdicts) merge(other Verdicts) {
	v.Allowed += other.Allowed
	v.Disallowed += other.Disallowed
	v.All += other.All
	v.None += other.None
	v.Some += other.Some
	v.Undecided += other.Undecided
}

// once returns v with 1 in place of larger numbers.
func (v Verdicts) once() Verdicts {
	return Verdicts{min(v.Allowed, 1), min(v.Disallowed, 1), min(v.All, 1), min(v.None, 1), min(v.Some, 1), min(v.Undecided, 1)}
}

func (s *Summary) addKey(name string, t Times) {
	if _, ok := s.Keys[name]; !ok && len(s.Keys) >= maxKeys {
		return
	}
	addTimes(s.Keys, name, t)
}

func addLabel(all map[string]Times, label string, t Times) {
	if _, ok := all[label]; !ok && len(all) >= maxLabels {
		label = "other"
	}
	addTimes(all, label, t)
}

func addTimes(all map[string]Times, name string, t Times) {
	have, ok := all[name]
	if !ok {
		name = strings.Clone(name) // it may share the memory of a whole file
	}
	all[name] = Times{have.Files + t.Files, have.Times + t.Times}
}

// init makes the maps and the list, so that numbers can be added, and JSON has no null.
func (s *Summary) init() {
	initMap(&s.Captures)
	for _, c := range classes {
		s.Captures[c.name] += 0
	}
	initMap(&s.Statuses)
	initMap(&s.ContentSignal)
	initMap(&s.ContentUsage)
	initMap(&s.Findings)
	initMap(&s.Keys)
	initMap(&s.Skipped)
	initMap(&s.Damaged)
	if s.Agents == nil {
		s.Agents = []AgentSummary{}
	}
}

func initMap[K comparable, V any](m *map[K]V) {
	if *m == nil {
		*m = map[K]V{}
	}
}

// Merge adds another summary to s. It changes nothing and returns an error if they were made with
// different questions, or by programs with a different format or different findings.
func (s *Summary) Merge(other *Summary) error {
	if difference := s.Made.difference(other.Made); difference != "" {
		return fmt.Errorf("they differ in %s", difference)
	}
	s.add(other)
	return nil
}

// add is like Merge, but does not compare Made.
func (s *Summary) add(other *Summary) {
	s.init()
	s.Inputs += other.Inputs
	addAll(s.Captures, other.Captures)
	addAll(s.Statuses, other.Statuses)
	s.Bytes += other.Bytes
	s.Groups += other.Groups
	s.Rules += other.Rules
	for i, a := range other.Agents {
		s.agent(i, a.Agent).merge(a)
	}
	s.Any.merge(other.Any)
	s.UnreadAgents += other.UnreadAgents
	for label, t := range inOrder(other.ContentSignal) {
		addLabel(s.ContentSignal, label, t)
	}
	for label, t := range inOrder(other.ContentUsage) {
		addLabel(s.ContentUsage, label, t)
	}
	for code, t := range other.Findings {
		addTimes(s.Findings, code, t)
	}
	for name, t := range inOrder(other.Keys) {
		s.addKey(name, t)
	}
	addAll(s.Skipped, other.Skipped)
	addAll(s.Damaged, other.Damaged)
	s.LeftOut += other.LeftOut
}

func addAll[K comparable](all, other map[K]int) {
	for name, n := range other {
		all[name] += n
	}
}

// inOrder returns the entries of a map in the order of the names. So it does not depend on chance
// which of them still find room in a summary.
func inOrder[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}

// MarshalJSON encodes a Summary with empty objects and lists instead of null.
func (s *Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	c := plain(*s)
	(*Summary)(&c).init()
	return json.Marshal(c)
}

// ParseSummary decodes the JSON of a summary. It returns an error if the text is not a summary, or
// one of another format.
func ParseSummary(text []byte) (*Summary, error) {
	var head struct{ Made struct{ Format int } }
	switch err := json.Unmarshal(text, &head); {
	case err != nil:
		return nil, fmt.Errorf("not a summary: %w", err)
	case head.Made.Format == 0:
		return nil, errors.New(`not a summary: its "made" has no "format"`)
	case head.Made.Format != format:
		return nil, fmt.Errorf("a summary of format %d, but this program reads format %d: read the inputs again", head.Made.Format, format)
	}
	s := new(Summary)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return nil, fmt.Errorf("not a summary: %w", err)
	}
	isAgent := func(a AgentSummary, name string) bool { return a.Agent == name }
	if len(s.Agents) > 0 && !slices.EqualFunc(s.Agents, s.Made.Questions.Agents, isAgent) {
		return nil, errors.New("not a summary: its agents are not those of its questions")
	}
	return s, nil
}
