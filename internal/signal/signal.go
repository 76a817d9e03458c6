// Package signal reads the records that say how pages may be used: Content-Usage
// (draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-08) and Content-Signal
// (contentsignals.org).
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

// A Label is a name that a record can contain, with its possible values.
type Label struct {
	Name   string
	Use    Use
	Values []string
}

// A Vocabulary is the set of labels that one kind of record can contain.
type Vocabulary struct {
	Key        string // the key of the record
	Example    string
	Labels     []Label
	Retired    map[string]string // labels from older drafts, each with its successor, or "" if it has none
	AnyCase    bool              // whether labels and values are compared without regard to case
	Parameters bool              // whether a value can have parameters after a ";"
}

// Usage is the vocabulary of Content-Usage. Its retired labels are from versions 01 to 04
// of the draft.
var Usage = &Vocabulary{
	Key: "Content-Usage", Example: "train-ai=n", Parameters: true,
	Labels: []Label{{"train-ai", Training, yn}, {"ai-use", Input, yn}, {"search", Search, yn}},
	Retired: map[string]string{
		"ai": "train-ai", "genai": "train-ai", "train-genai": "train-ai", "inference": "ai-use", "ai-output": "ai-use",
		"tdm": "", "all": "", "bots": "",
	},
}

// Signal is the vocabulary of Content-Signal. The values of the label "use" are ordered,
// the most restrictive first.
var Signal = &Vocabulary{
	Key: "Content-Signal", Example: "ai-train=no", AnyCase: true,
	Labels: []Label{
		{"search", Search, yesNo}, {"ai-input", Input, yesNo}, {"ai-train", Training, yesNo},
		{"use", Display, []string{"immediate", "reference", "full"}},
	},
}

var yn, yesNo = []string{"y", "n"}, []string{"yes", "no"}

// Of returns the vocabulary of records with the key, or nil for a key without a
// vocabulary. Keys are compared by their ASCII letters.
func Of(key string) *Vocabulary { return byKey[section.RecordKey(key)] }

var byKey = map[string]*Vocabulary{Usage.Key: Usage, Signal.Key: Signal}

// Label returns the label with a name.
func (v *Vocabulary) Label(name string) (Label, bool) {
	name = v.Fold(name)
	return v.find(func(l Label) bool { return l.Name == name })
}

// Meant returns the label that the author of a name most likely meant: the label that
// differs from it only by capitals or hyphens or, if the name is from the other
// vocabulary, the label for the same use.
func (v *Vocabulary) Meant(name string) (Label, bool) {
	letters := lex.Letters(name)
	if letters == "" {
		return Label{}, false
	}
	sameLetters := func(l Label) bool { return lex.Letters(l.Name) == letters }
	if l, ok := v.find(sameLetters); ok {
		return l, true
	}
	for _, other := range []*Vocabulary{Usage, Signal} {
		if l, ok := other.find(sameLetters); ok {
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

// Fold returns a name or a value in the form in which it is compared.
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

// CutPath splits a value into the path at its start, if there is one, and the rest. The
// offset is where the rest starts (draft-ietf-aipref-attach-05, section 3.2).
func CutPath(value string) (path, rest string, offset int) {
	if !strings.HasPrefix(value, "/") {
		return "", value, 0
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		end = len(value)
	}
	rest = strings.TrimLeft(value[end:], " \t")
	return value[:end], rest, len(value) - len(rest)
}

// A Preference is a name with its value in a record.
type Preference struct {
	Name, Value string // as written
	HasValue    bool   // whether there is a "="
	Offset      int    // of the name in the list, in bytes
}

// Cut splits a list of preferences at its commas. It leaves out preferences without a name.
// The list in rest is a record's value without its path.
func (v *Vocabulary) Cut(rest string) (prefs []Preference) {
	offset := 0
	for member := range strings.SplitSeq(rest, ",") {
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
