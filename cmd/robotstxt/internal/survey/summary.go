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

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
)

// A Summary adds up records. Its size does not grow with the number of records. It can be
// written as JSON and read back.
//
// Each record counts in exactly one of the fields from Files to OtherURLs. Findings covers the
// records counted in Files, HTML, Other and Empty. Bytes, Groups, Rules, Agents,
// ContentSignal, ContentUsage and Keys cover only the records counted in Files.
type Summary struct {
	Made   made       `json:"made"`
	Inputs inputid.ID `json:"inputs"`

	Files       int `json:"files"`       // complete robots.txt files
	HTML        int `json:"html"`        // HTML pages instead of a robots.txt
	Other       int `json:"other"`       // other text, in which no line has a known key
	Empty       int `json:"empty"`       // files that contain only comments and blank lines, or nothing
	Truncated   int `json:"truncated"`   // files whose end is missing
	Undecoded   int `json:"undecoded"`   // files that could not be decoded
	Unavailable int `json:"unavailable"` // captures with a status that allows everything
	Unreachable int `json:"unreachable"` // captures with a status that disallows everything
	Redirects   int `json:"redirects"`
	NotModified int `json:"not_modified"` // captures with status 304
	OtherURLs   int `json:"other_urls"`   // captures of other URLs, such as the targets of redirects

	// Statuses counts captures by HTTP status. It leaves out captures whose status is unknown, and
	// captures of other URLs.
	Statuses map[int]int `json:"statuses"`

	Bytes  int64 `json:"bytes"`
	Groups int   `json:"groups"`
	Rules  int   `json:"rules"`

	Agents        []AgentSummary   `json:"agents"`         // in the order of the questions
	ContentSignal map[string]Times `json:"content_signal"` // by label and value, such as "ai-train=no"
	ContentUsage  map[string]Times `json:"content_usage"`

	Findings map[string]Times `json:"findings"` // by code
	Keys     map[string]Times `json:"keys"`     // by the key of the line, in lower case

	Skipped map[string]int   `json:"skipped"`  // records that are not captures, by type
	Damaged map[string]int   `json:"damaged"`  // damaged places in archives, by kind of damage
	CutAt   map[string]int64 `json:"cut_at"`   // for each archive whose end is missing: the Offset of its last Fault; at most 1000 archives
	LeftOut int              `json:"left_out"` // files that were not read: in folders, only .txt and WARC files are read

	// MoreKeys is the number of lines whose keys are missing from Keys, because Keys was full.
	MoreKeys int `json:"more_keys"`
}

const (
	maxCuts   = 1000    // the largest number of offsets in CutAt
	maxKeys   = 1 << 15 // the largest number of different keys in Keys
	maxLabels = 1000    // the largest number of labels in ContentSignal and in ContentUsage; further labels count as "other"
)

// An AgentSummary counts files by what one agent may fetch.
type AgentSummary struct {
	Agent string `json:"agent"`
	Verdicts
	Named   Verdicts `json:"named"`   // counts the files with a group for the agent's whole product token
	Shorter Verdicts `json:"shorter"` // counts the files in which a group for a shorter name applies, such as Claude for Claude-User
	Star    Verdicts `json:"star"`    // counts the files whose group for "*" applies to the agent
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

// Counts reports whether the record describes a complete robots.txt file. Compute percentages
// only from such records.
func (r *Record) Counts() bool {
	return r.Place != OtherURL && r.Access == File && r.Content == RobotsTxt && !r.Truncated
}

// Captures returns the number of captures in a summary.
func (s *Summary) Captures() int {
	return s.Files + s.HTML + s.Other + s.Empty + s.Truncated + s.Undecoded + s.Unavailable + s.Unreachable +
		s.Redirects + s.NotModified + s.OtherURLs
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
	if r.Place == OtherURL {
		s.OtherURLs++
		return
	}
	if r.Status >= 100 && r.Status <= 999 {
		s.Statuses[r.Status]++
	}
	switch {
	case r.Access == Unavailable:
		s.Unavailable++
	case r.Access == Unreachable:
		s.Unreachable++
	case r.Access == Redirected:
		s.Redirects++
	case r.Access == NotModified:
		s.NotModified++
	case r.Content == Undecoded:
		s.Undecoded++
	case r.Truncated:
		s.Truncated++
	case r.Content == HTML:
		s.HTML++
		s.addFindings(r)
	case r.Content == OtherContent:
		s.Other++
		s.addFindings(r)
	case r.Content == Empty:
		s.Empty++
		s.addFindings(r)
	default:
		s.Files++
		s.addFindings(r)
		s.addFile(r)
	}
}

func (s *Summary) addFindings(r *Record) {
	for _, c := range r.Findings {
		addTimes(s.Findings, c.Name, Times{1, c.Count})
	}
}

// addFile adds the numbers that are only counted for complete robots.txt files.
func (s *Summary) addFile(r *Record) {
	s.Bytes += int64(r.Bytes)
	s.Groups += r.Groups
	s.Rules += r.Rules
	for i, a := range r.Agents {
		s.agent(i, a.Agent).add(a)
	}
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
	switch {
	case a.Token == "":
	case a.Token == "*":
		s.Star.add(a)
	case strings.EqualFold(a.Token, robotstxt.ProductToken(a.Agent)):
		s.Named.add(a)
	default:
		s.Shorter.add(a)
	}
}

func (v *Verdicts) add(a AgentRecord) {
	if a.Allowed {
		v.Allowed++
	} else {
		v.Disallowed++
	}
	switch a.Coverage {
	case All:
		v.All++
	case None:
		v.None++
	case Some:
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

func (s *Summary) addKey(name string, t Times) {
	if _, ok := s.Keys[name]; !ok && len(s.Keys) >= maxKeys {
		s.MoreKeys += t.Times
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

// cut records in CutAt the offset at which an archive breaks off, unless CutAt is full.
func (s *Summary) cut(archive string, offset int64) {
	s.init()
	if len(s.CutAt) < maxCuts {
		s.CutAt[archive] = offset
	}
}

// init makes the maps and the list, so that numbers can be added, and JSON has no null.
func (s *Summary) init() {
	initMap(&s.Statuses)
	initMap(&s.ContentSignal)
	initMap(&s.ContentUsage)
	initMap(&s.Findings)
	initMap(&s.Keys)
	initMap(&s.Skipped)
	initMap(&s.Damaged)
	initMap(&s.CutAt)
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
	if a, b := s.Made.difference(other.Made); a != "" {
		return fmt.Errorf("the first was made with %s, the second with %s", a, b)
	}
	s.add(other)
	return nil
}

// add is like Merge, but does not compare Made.
func (s *Summary) add(other *Summary) {
	s.init()
	s.Inputs += other.Inputs
	s.Files += other.Files
	s.HTML += other.HTML
	s.Other += other.Other
	s.Empty += other.Empty
	s.Truncated += other.Truncated
	s.Undecoded += other.Undecoded
	s.Unavailable += other.Unavailable
	s.Unreachable += other.Unreachable
	s.Redirects += other.Redirects
	s.NotModified += other.NotModified
	s.OtherURLs += other.OtherURLs
	addAll(s.Statuses, other.Statuses)
	s.Bytes += other.Bytes
	s.Groups += other.Groups
	s.Rules += other.Rules
	for i, a := range other.Agents {
		mine := s.agent(i, a.Agent)
		mine.Verdicts.merge(a.Verdicts)
		mine.Named.merge(a.Named)
		mine.Shorter.merge(a.Shorter)
		mine.Star.merge(a.Star)
	}
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
	for archive, offset := range inOrder(other.CutAt) {
		s.cut(archive, offset)
	}
	s.LeftOut += other.LeftOut
	s.MoreKeys += other.MoreKeys
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
