package survey

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A Summary adds up records. Its size does not grow with the number of records. It can be
// written as JSON and read back.
//
// Each record counts in exactly one of the fields from Files to OtherURLs. Findings covers the
// records counted in Files, HTML, Other and Empty. Bytes, Groups, Rules, Agents,
// ContentSignal, ContentUsage and Keys cover only the records counted in Files.
type Summary struct {
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

	Bytes  int64 `json:"bytes"`
	Groups int   `json:"groups"`
	Rules  int   `json:"rules"`

	Agents        []AgentSummary    `json:"agents"`
	ContentSignal map[string]*Times `json:"content_signal"` // by label and value, such as "ai-train=no"
	ContentUsage  map[string]*Times `json:"content_usage"`

	Findings map[string]*Times `json:"findings"` // by code
	Keys     map[string]*Times `json:"keys"`     // by the key of the line, in lower case

	Skipped map[string]int   `json:"skipped"`  // records that are not captures, by type
	Damaged map[string]int   `json:"damaged"`  // damaged places in archives, by kind of damage
	CutAt   map[string]int64 `json:"cut_at"`   // for each archive whose end is missing: the Offset of its last Fault; at most 1000 archives
	LeftOut int              `json:"left_out"` // files that were not read: in folders, only .txt and WARC files are read

	// MoreKeys is the number of lines whose keys are missing from Keys, because Keys was full.
	MoreKeys int `json:"more_keys"`
}

// maxCuts is the largest number of offsets in CutAt.
const maxCuts = 1000

// maxKeys is the largest number of different keys in Keys.
const maxKeys = 1 << 15

// An AgentSummary counts files by what one agent may fetch.
type AgentSummary struct {
	Agent string `json:"agent"`
	Verdicts
	Named Verdicts `json:"named"` // counts the files that name the agent
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

// Counts reports whether the record describes a complete robots.txt file. Compute percentages
// only from such records.
func (r *Record) Counts() bool {
	return r.Place != OtherURL && r.Access == File && r.Content == RobotsTxt && !r.Truncated
}

// counter returns the field that counts a record.
func (s *Summary) counter(r *Record) *int {
	switch {
	case r.Place == OtherURL:
		return &s.OtherURLs
	case r.Access == Unavailable:
		return &s.Unavailable
	case r.Access == Unreachable:
		return &s.Unreachable
	case r.Access == Redirected:
		return &s.Redirects
	case r.Access == NotModified:
		return &s.NotModified
	case r.Content == Undecoded:
		return &s.Undecoded
	case r.Truncated:
		return &s.Truncated
	case r.Content == HTML:
		return &s.HTML
	case r.Content == OtherContent:
		return &s.Other
	case r.Content == Empty:
		return &s.Empty
	}
	return &s.Files
}

// Add adds a record. All records of a summary must be answers to the same [Questions].
func (s *Summary) Add(r *Record) {
	s.init()
	counter := s.counter(r)
	*counter++
	switch counter {
	case &s.Files:
		s.Bytes += int64(r.Bytes)
		s.Groups += r.Groups
		s.Rules += r.Rules
		for _, a := range r.Agents {
			s.summaryOf(a.Agent).add(a)
		}
		addCounts(r.ContentSignal, func(label string, t Times) { addLabel(s.ContentSignal, label, t) })
		addCounts(r.ContentUsage, func(label string, t Times) { addLabel(s.ContentUsage, label, t) })
	case &s.HTML, &s.Other, &s.Empty:
	default:
		return
	}
	addCounts(r.Findings, s.finding)
	addCounts(r.Keys, s.key)
	addCounts(r.UnknownKeys, s.key)
}

// AddCapture adds the record of a capture. It is faster than Answer and Add together, because
// it does not compute the hash of the body.
func (s *Summary) AddCapture(q Questions, c Capture) {
	r := q.answer(c)
	s.Add(&r)
}

// skip counts a record that is not a capture. The parameter kind is the type of the record.
func (s *Summary) skip(kind string) {
	s.init()
	s.Skipped[kind]++
}

// damage counts a damaged place in an archive.
func (s *Summary) damage(kind string) {
	s.init()
	s.Damaged[kind]++
}

// cut records in CutAt the offset at which an archive breaks off, unless CutAt is full.
func (s *Summary) cut(archive string, offset int64) {
	s.init()
	if len(s.CutAt) < maxCuts {
		s.CutAt[archive] = offset
	}
}

func (s *Summary) init() {
	for _, m := range []*map[string]int{&s.Skipped, &s.Damaged} {
		if *m == nil {
			*m = map[string]int{}
		}
	}
	for _, m := range []*map[string]*Times{&s.Findings, &s.Keys, &s.ContentSignal, &s.ContentUsage} {
		if *m == nil {
			*m = map[string]*Times{}
		}
	}
	if s.CutAt == nil {
		s.CutAt = map[string]int64{}
	}
	if s.Agents == nil {
		s.Agents = []AgentSummary{}
	}
}

func addAll(all, other map[string]int) {
	for name, n := range other {
		all[name] += n
	}
}

func addCounts(all []Count, add func(string, Times)) {
	for _, c := range all {
		add(c.Name, Times{1, c.Count})
	}
}

// summaryOf returns the summary of an agent. If there is none yet, summaryOf adds an empty one.
func (s *Summary) summaryOf(name string) *AgentSummary {
	i := slices.IndexFunc(s.Agents, func(a AgentSummary) bool { return a.Agent == name })
	if i < 0 {
		i = len(s.Agents)
		s.Agents = append(s.Agents, AgentSummary{Agent: name})
	}
	return &s.Agents[i]
}

func (s *AgentSummary) add(a AgentRecord) {
	s.Verdicts.add(a)
	switch a.Token {
	case "":
	case "*":
		s.Star.add(a)
	default:
		s.Named.add(a)
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

func (s *Summary) finding(code string, t Times) { addTimes(s.Findings, code, t) }

func (s *Summary) key(name string, t Times) {
	if s.Keys[name] == nil && len(s.Keys) >= maxKeys {
		s.MoreKeys += t.Times
		return
	}
	addTimes(s.Keys, name, t)
}

// maxLabels is the largest number of labels in ContentSignal and in ContentUsage. Further
// labels count as "other".
const maxLabels = 1000

func addLabel(all map[string]*Times, label string, t Times) {
	if all[label] == nil && len(all) >= maxLabels {
		label = "other"
	}
	addTimes(all, label, t)
}

func addTimes(all map[string]*Times, name string, t Times) {
	have := all[name]
	if have == nil {
		have = new(Times)
		all[strings.Clone(name)] = have // clone name, because it may share the memory of a whole file
	}
	have.Files += t.Files
	have.Times += t.Times
}

// Merge adds the numbers of another summary to s. All records in the two summaries must answer the
// same Questions.
func (s *Summary) Merge(other *Summary) {
	s.init()
	for i, field := range s.numbers() {
		*field += *other.numbers()[i]
	}
	s.Bytes += other.Bytes
	addAll(s.Skipped, other.Skipped)
	addAll(s.Damaged, other.Damaged)
	for _, archive := range slices.Sorted(maps.Keys(other.CutAt)) {
		s.cut(archive, other.CutAt[archive])
	}
	for _, a := range other.Agents {
		mine := s.summaryOf(a.Agent)
		mine.Verdicts.merge(a.Verdicts)
		mine.Named.merge(a.Named)
		mine.Star.merge(a.Star)
	}
	mergeTimes(other.ContentSignal, func(label string, t Times) { addLabel(s.ContentSignal, label, t) })
	mergeTimes(other.ContentUsage, func(label string, t Times) { addLabel(s.ContentUsage, label, t) })
	mergeTimes(other.Findings, s.finding)
	mergeTimes(other.Keys, s.key)
}

// numbers returns pointers to all fields of type int.
func (s *Summary) numbers() []*int {
	return []*int{
		&s.Files, &s.HTML, &s.Other, &s.Empty, &s.Truncated, &s.Undecoded, &s.Unavailable, &s.Unreachable,
		&s.Redirects, &s.NotModified, &s.OtherURLs, &s.Groups, &s.Rules, &s.LeftOut, &s.MoreKeys,
	}
}

// mergeTimes calls add for each entry of a map, in the order of the names.
func mergeTimes(other map[string]*Times, add func(string, Times)) {
	for _, name := range slices.Sorted(maps.Keys(other)) {
		add(name, *other[name])
	}
}

// MarshalJSON encodes a Summary with empty objects and lists instead of null.
func (s *Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	c := plain(*s)
	(*Summary)(&c).init()
	return json.Marshal(c)
}

// Print writes the summary as text for people. The layout may change.
func (s *Summary) Print(w io.Writer) error {
	var text strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-12s%s\n", name, fmt.Sprintf(format, args...))
	}
	row("files", "%d", s.Files)
	row("size", "%d kB", (s.Bytes+999)/1000)
	row("groups", "%d", s.Groups)
	row("rules", "%d", s.Rules)
	row("not counted", "%s", s.notCounted())
	s.printArchives(row)
	for _, a := range s.Agents {
		agent := printable(a.Agent)
		row("allowed", "%s %s fetch /", files(a.Allowed, "lets", "let"), agent)
		row("disallowed", "%s not", files(a.Disallowed, "does", "do"))
		row("coverage", "%s it fetch all URLs, %d some, %d none", files(a.All, "lets", "let"), a.Some, a.None)
		row("named", "%s %s; / is disallowed in %d of these", files(a.Named.Allowed+a.Named.Disallowed, "names", "name"), agent, a.Named.Disallowed)
		row("group *", "%s a group for * that applies to %s; / is disallowed in %d of these", files(a.Star.Allowed+a.Star.Disallowed, "has", "have"), agent, a.Star.Disallowed)
	}
	printMost(&text, "values of Content-Signal", s.ContentSignal)
	printMost(&text, "values of Content-Usage", s.ContentUsage)
	printMost(&text, "findings", s.Findings)
	printMost(&text, "keys", s.Keys)
	_, err := io.WriteString(w, text.String())
	return err
}

// files returns a phrase such as "1 file lets" or "2 files let".
func files(n int, one, many string) string {
	if n == 1 {
		return "1 file " + one
	}
	return fmt.Sprintf("%d files %s", n, many)
}

// notCounted lists the numbers of files that are not complete robots.txt files, such as "2
// HTML, 1 empty".
func (s *Summary) notCounted() string {
	var parts []string
	for _, kind := range []struct {
		n    int
		name string
	}{{s.HTML, "HTML"}, {s.Other, "other text"}, {s.Empty, "empty"}, {s.Truncated, "truncated"}, {s.Undecoded, "undecoded"}} {
		if kind.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.name))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "0")
}

// printArchives prints the rows about archives and folders. It omits a row if all numbers in
// the row are 0.
func (s *Summary) printArchives(row func(name, format string, args ...any)) {
	if s.Unavailable+s.Unreachable+s.Redirects+s.NotModified > 0 {
		row("no file", "%d unavailable, %d unreachable, %d redirects, %d not modified", s.Unavailable, s.Unreachable, s.Redirects, s.NotModified)
	}
	if s.OtherURLs > 0 {
		row("other URLs", "%d", s.OtherURLs)
	}
	if len(s.Skipped) > 0 {
		row("skipped", "%s", list(s.Skipped))
	}
	if len(s.Damaged) > 0 {
		row("damaged", "%s", list(s.Damaged))
	}
	if len(s.CutAt) > 0 {
		row("cut off", "%s", s.cuts())
	}
	if s.LeftOut > 0 {
		row("left out", "%s neither .txt nor WARC", files(s.LeftOut, "is", "are"))
	}
}

// cuts lists the archives that break off, as in "a.warc at offset 120, 2 more". It names three
// archives at most.
func (s *Summary) cuts() string {
	const most = 3
	names := slices.Sorted(maps.Keys(s.CutAt))
	var parts []string
	for _, name := range names[:min(len(names), most)] {
		parts = append(parts, fmt.Sprintf("%s at offset %d", printable(name), s.CutAt[name]))
	}
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// list returns a list such as "2 metadata, 3 request", sorted by name.
func list(all map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	return strings.Join(parts, ", ")
}

// printMost prints the names that occur in the most files.
func printMost(w io.Writer, title string, all map[string]*Times) {
	const most = 15
	names := slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(cmp.Compare(all[y].Files, all[x].Files), strings.Compare(x, y))
	})
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(w, "\nmost common %s\n%9s %9s\n", title, "files", "times")
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%9d %9d  %s\n", all[name].Files, all[name].Times, name)
	}
}

// printable escapes a string as in Go source, so that a terminal shows the escapes instead of
// interpreting control characters.
func printable(s string) string {
	quoted := fmt.Sprintf("%q", s)
	return quoted[1 : len(quoted)-1]
}
