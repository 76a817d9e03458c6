// Package signal reads Content-Usage records (draft-ietf-aipref-attach-05,
// draft-ietf-aipref-vocab-08) and Content-Signal records (contentsignals.org). In these
// records, a site states how its pages may be used.
package signal

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// A Use is a way of using a page.
type Use int

// The uses.
const (
	Training Use = iota + 1
	Search
	Input
	Display // how much of a page may be shown elsewhere
)

// A Label is the name of a preference in a record. It also says which Use of a page the
// preference is about, and which values the preference can have.
type Label struct {
	Name   string
	Use    Use
	Values []string
}

// A Vocabulary is the set of labels that one kind of record can contain.
type Vocabulary struct {
	Key        string // the key of the records
	Example    string
	Labels     []Label
	Retired    []string // labels from older drafts
	AnyCase    bool     // whether labels and values are compared regardless of case
	Parameters bool     // whether a value can have parameters after a ";"
}

// Usage is the vocabulary of Content-Usage. Its retired labels are from versions 01 to 04
// of the vocabulary draft.
var Usage = &Vocabulary{
	Key: "Content-Usage", Example: "train-ai=n", Parameters: true,
	Labels:  []Label{{"train-ai", Training, yn}, {"ai-use", Input, yn}, {"search", Search, yn}},
	Retired: []string{"ai", "genai", "train-genai", "inference", "ai-output", "tdm", "all", "bots"},
}

// Signal is the vocabulary of Content-Signal. The values of the label "use" are in order, from
// the most restrictive to the least.
var Signal = &Vocabulary{
	Key: "Content-Signal", Example: "ai-train=no", AnyCase: true,
	Labels: []Label{
		{"search", Search, yesNo}, {"ai-input", Input, yesNo}, {"ai-train", Training, yesNo},
		{"use", Display, []string{"immediate", "reference", "full"}},
	},
}

var yn, yesNo = []string{"y", "n"}, []string{"yes", "no"}

// Of returns the vocabulary for a key, such as "Content-Signal", or nil if there is none. Only
// the ASCII letters of the key count, regardless of case.
func Of(key string) *Vocabulary { return byKey[section.RecordKey(key)] }

var byKey = map[string]*Vocabulary{Usage.Key: Usage, Signal.Key: Signal}

// Label returns the label with the given name, and reports whether there is one.
func (v *Vocabulary) Label(name string) (Label, bool) {
	name = v.Fold(name)
	return v.find(func(l Label) bool { return l.Name == name })
}

// Meant guesses which label of v the author of a name meant. It looks in both vocabularies for a
// label with the same letters as the name, such as "ai-train" for "AI_Train", and returns the label
// of v that has the same Use. If there is no such label, Meant returns false.
func (v *Vocabulary) Meant(name string) (Label, bool) {
	letters := lex.Letters(name)
	for _, either := range []*Vocabulary{Usage, Signal} {
		if l, ok := either.find(func(l Label) bool { return lex.Letters(l.Name) == letters }); ok {
			return v.find(func(own Label) bool { return own.Use == l.Use })
		}
	}
	return Label{}, false
}

func (v *Vocabulary) find(is func(Label) bool) (Label, bool) {
	if i := slices.IndexFunc(v.Labels, is); i >= 0 {
		return v.Labels[i], true
	}
	return Label{}, false
}

// Fold returns a name or a value in the form in which v compares it: in lower case if v.AnyCase is
// true, and unchanged otherwise.
func (v *Vocabulary) Fold(s string) string {
	if !v.AnyCase {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// CutPath splits the value of a record into a path and a list of preferences
// (draft-ietf-aipref-attach-05, section 3.2). The path is empty if the value does not start
// with "/". The offset is where the list starts in the value, in bytes.
func CutPath(value string) (path, list string, offset int) {
	if !strings.HasPrefix(value, "/") {
		return "", value, 0
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		end = len(value)
	}
	list = strings.TrimLeft(value[end:], " \t")
	return value[:end], list, len(value) - len(list)
}

// A Preference is part of a record: the name of a label, and a value.
type Preference struct {
	Name, Value string // as in the file
	HasValue    bool   // whether the name is followed by "="
	Offset      int    // the offset of the name in the list, in bytes
}

// Cut splits a list of preferences at its commas. It leaves out preferences without a name.
func (v *Vocabulary) Cut(list string) (prefs []Preference) {
	offset := 0
	for member := range strings.SplitSeq(list, ",") {
		name, value, hasValue := strings.Cut(member, "=")
		if v.Parameters {
			value, _, _ = strings.Cut(value, ";")
		}
		lead := len(name) - len(lex.TrimLeft(name))
		if name = lex.Trim(name); name != "" {
			prefs = append(prefs, Preference{name, lex.Trim(value), hasValue, offset + lead})
		}
		offset += len(member) + len(",")
	}
	return prefs
}
