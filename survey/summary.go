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

// A Summary adds records up. Its size does not grow with their number. It can be
// written as JSON and read back.
type Summary struct {
	Files       int   `json:"files"` // robots.txt files, which all counts below are about
	Bytes       int64 `json:"bytes"`
	Groups      int   `json:"groups"`
	Rules       int   `json:"rules"`
	Unavailable int   `json:"unavailable"` // captures without a file
	Unreachable int   `json:"unreachable"`
	Redirects   int   `json:"redirects"`
	OtherURLs   int   `json:"other_urls"` // captures of other URLs, such as a redirect's target

	Contents map[string]int    `json:"contents"` // files by their content
	Agents   []AgentSummary    `json:"agents"`
	Findings map[string]*Times `json:"findings"` // by code
	Keys     map[string]*Times `json:"keys"`

	Skipped map[string]int `json:"skipped"` // records of archives that are not captures, by type
	Damaged map[string]int `json:"damaged"` // places in archives, by kind of damage

	// MoreKeys is the number of lines with keys that are not in Keys, because it is
	// full. Keys that come later are then not counted one by one.
	MoreKeys int `json:"more_keys"`
}

// maxKeys is how many keys a Summary counts one by one.
const maxKeys = 1 << 15

// An AgentSummary is in how many files an agent is told what.
type AgentSummary struct {
	Agent      string `json:"agent"`
	Allowed    int    `json:"allowed"` // to fetch "/"
	Disallowed int    `json:"disallowed"`
	All        int    `json:"all"` // all URLs may be fetched
	None       int    `json:"none"`
	Some       int    `json:"some"`
	Undecided  int    `json:"undecided"`
}

// Times is how often something is, and in how many files.
type Times struct {
	Files int `json:"files"`
	Times int `json:"times"`
}

// Add adds a record. All records must be answers to the same questions.
func (s *Summary) Add(r *Record) {
	s.init()
	switch {
	case r.Place == "other":
		s.OtherURLs++
		return
	case r.Access == "unavailable":
		s.Unavailable++
		return
	case r.Access == "unreachable":
		s.Unreachable++
		return
	case r.Access == "redirect":
		s.Redirects++
		return
	}
	s.Files++
	s.Bytes += int64(r.Bytes)
	s.Groups += r.Groups
	s.Rules += r.Rules
	s.Contents[r.Content]++
	for _, a := range r.Agents {
		s.agent(a.Agent).add(a)
	}
	addCounts(r.Findings, s.finding)
	addCounts(r.Keys, s.key)
	addCounts(r.UnknownKeys, s.key)
}

// Skip counts a record of an archive that is not a capture.
func (s *Summary) Skip(kind string) {
	s.init()
	s.Skipped[kind]++
}

// Damage counts a damaged place in an archive.
func (s *Summary) Damage(kind string) {
	s.init()
	s.Damaged[kind]++
}

func (s *Summary) init() {
	if s.Contents == nil {
		s.Contents, s.Skipped, s.Damaged = map[string]int{}, map[string]int{}, map[string]int{}
		s.Findings, s.Keys = map[string]*Times{}, map[string]*Times{}
	}
}

// addAll adds the numbers in other to the numbers in all.
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

// agent returns the summary of an agent.
func (s *Summary) agent(name string) *AgentSummary {
	i := slices.IndexFunc(s.Agents, func(a AgentSummary) bool { return a.Agent == name })
	if i < 0 {
		i = len(s.Agents)
		s.Agents = append(s.Agents, AgentSummary{Agent: name})
	}
	return &s.Agents[i]
}

func (s *AgentSummary) add(a Agent) {
	if a.Allowed {
		s.Allowed++
	} else {
		s.Disallowed++
	}
	switch a.Coverage {
	case "all":
		s.All++
	case "none":
		s.None++
	case "some":
		s.Some++
	default:
		s.Undecided++
	}
}

func (s *Summary) finding(code string, t Times) { addTimes(s.Findings, code, t) }

func (s *Summary) key(name string, t Times) {
	if s.Keys[name] == nil && len(s.Keys) >= maxKeys {
		s.MoreKeys += t.Times
		return
	}
	addTimes(s.Keys, name, t)
}

func addTimes(all map[string]*Times, name string, t Times) {
	have := all[name]
	if have == nil {
		have = new(Times)
		all[strings.Clone(name)] = have // the name may be a piece of a whole file
	}
	have.Files += t.Files
	have.Times += t.Times
}

// Merge adds another summary of answers to the same questions.
func (s *Summary) Merge(other *Summary) {
	s.init()
	s.Files += other.Files
	s.Bytes += other.Bytes
	s.Groups += other.Groups
	s.Rules += other.Rules
	s.Unavailable += other.Unavailable
	s.Unreachable += other.Unreachable
	s.Redirects += other.Redirects
	s.OtherURLs += other.OtherURLs
	s.MoreKeys += other.MoreKeys
	addAll(s.Contents, other.Contents)
	addAll(s.Skipped, other.Skipped)
	addAll(s.Damaged, other.Damaged)
	for _, a := range other.Agents {
		mine := s.agent(a.Agent)
		mine.Allowed += a.Allowed
		mine.Disallowed += a.Disallowed
		mine.All += a.All
		mine.None += a.None
		mine.Some += a.Some
		mine.Undecided += a.Undecided
	}
	for _, code := range slices.Sorted(maps.Keys(other.Findings)) {
		s.finding(code, *other.Findings[code])
	}
	for _, key := range slices.Sorted(maps.Keys(other.Keys)) {
		s.key(key, *other.Keys[key])
	}
}

// MarshalJSON writes empty fields as such, not as null.
func (s *Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	c := plain(*s)
	(*Summary)(&c).init()
	if c.Agents == nil {
		c.Agents = []AgentSummary{}
	}
	return json.Marshal(c)
}

// Print writes the summary for people. The layout may change.
func (s *Summary) Print(w io.Writer) error {
	var text strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-12s%s\n", name, fmt.Sprintf(format, args...))
	}
	row("files", "%d", s.Files)
	row("size", "%.1f MB", float64(s.Bytes)/1e6)
	row("groups", "%d", s.Groups)
	row("rules", "%d", s.Rules)
	s.printArchives(row)
	for _, a := range s.Agents {
		row("allowed", "%d files let %s fetch /", a.Allowed, printable(a.Agent))
		row("disallowed", "%d files do not", a.Disallowed)
		row("coverage", "%d files let it fetch all URLs, %d some, %d none", a.All, a.Some, a.None)
	}
	printMost(&text, "findings", s.Findings)
	printMost(&text, "keys", s.Keys)
	_, err := io.WriteString(w, text.String())
	return err
}

// printArchives prints the rows that only archives have.
func (s *Summary) printArchives(row func(name, format string, args ...any)) {
	if s.Unavailable+s.Unreachable+s.Redirects > 0 {
		row("no file", "%d unavailable, %d unreachable, %d redirects", s.Unavailable, s.Unreachable, s.Redirects)
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
}

// list returns the names with their numbers, by name.
func list(all map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	return strings.Join(parts, ", ")
}

// printMost prints the names that are in the most files.
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

// printable returns a string fit for a terminal.
func printable(s string) string {
	quoted := fmt.Sprintf("%q", s)
	return quoted[1 : len(quoted)-1]
}
