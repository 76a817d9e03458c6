package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/reading"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// readings are the lines of a file that others read differently. The zero value has no such lines.
type readings struct {
	file    reading.Note
	hasStar bool                     // whether the file has a group for "*"
	rules   map[int]reading.Note     // by line number
	names   map[string][]nameReading // by folded token, in the order of the file
	plain   map[string]bool          // the folded tokens that a user-agent line has in a form that all crawlers read
}

// A nameReading is how others read a token in a section, because no user-agent line of the section has the token
// in a form that all crawlers read.
type nameReading struct {
	first, last int // the lines of the section
	note        reading.Note
}

func newReadings(data []byte) readings {
	r := readings{file: reading.OfFile(data), rules: map[int]reading.Note{}, names: map[string][]nameReading{}, plain: map[string]bool{}}
	for _, s := range section.Cut(data) {
		for i := range s.Lines {
			l := &s.Lines[i]
			if n := reading.OfRule(l); section.IsRule(l) && n.Text != "" {
				r.rules[l.Number] = n
			}
		}
		if len(s.Agents) > 0 {
			r.addNames(s)
		}
	}
	return r
}

func (r *readings) addNames(s section.Section) {
	first, last := s.Agents[0].Line, s.Lines[len(s.Lines)-1].Number
	notes := map[string]reading.Note{} // by folded token
	for _, a := range s.Agents {
		note := reading.OfName(&s.Lines[a.Line-s.Lines[0].Number], a)
		if _, isKnown := notes[a.Folded]; !isKnown || note.Text == "" {
			notes[a.Folded] = note
		}
	}
	for token, note := range notes {
		if note.Text == "" {
			r.plain[token] = true
		} else {
			r.names[token] = append(r.names[token], nameReading{first, last, note})
		}
		r.hasStar = r.hasStar || token == "*"
	}
}

// ofName returns how others read the user-agent lines of the group that decides, if they read them differently.
func (r *readings) ofName(d robotstxt.Decision) (n reading.Note) {
	token := lex.Fold(d.Token)
	for _, name := range r.names[token] {
		isDeciding := name.first <= d.Rule.Line && d.Rule.Line <= name.last
		if isDeciding || d.Rule.Line == 0 && !r.plain[token] {
			return name.note
		}
	}
	return n
}

// OfRule returns how others read the rule on a line, or the zero Note if all read it alike.
func (f File) OfRule(line int) reading.Note { return f.readings.rules[line] }

// OfFile returns how others read the whole file, or the zero Note if all read it alike.
func (f File) OfFile() reading.Note { return f.readings.file }

// OfTokens returns how others read the user-agent lines that have the tokens.
func (f File) OfTokens(tokens []string) (notes []reading.Note) {
	for _, token := range tokens {
		for _, name := range f.readings.names[lex.Fold(token)] {
			if !slices.Contains(notes, name.note) {
				notes = append(notes, name.note)
			}
		}
		if strings.EqualFold(token, aipref.TrainingToken) {
			notes = append(notes, note(PolicyToken, "%s is no crawler: these rules say which pages may be used for training (provisional)", token))
		}
	}
	return notes
}

// indexNote explains why "Allow: /news/index.html" allows /news/, which it does not match. RFC 9309 says nothing
// about such files, but Google's parser does so.
func indexNote(r robotstxt.Rule, url string) (n reading.Note) {
	if !r.Allow || !strings.Contains(r.Pattern, "ndex.htm") || robotstxt.NewPattern(r.Pattern).Matches(url) {
		return n
	}
	folder := r.Pattern[:strings.LastIndexByte(r.Pattern, '/')+1]
	return note(IndexPage, "Google takes %s for %s; other crawlers may not", lex.Printable(cmp.Or(folder, "/")), lex.Printable(r.Pattern))
}

// isPlain reports whether all read the file alike.
func (r *readings) isPlain() bool { return len(r.rules) == 0 && len(r.names) == 0 && r.file.Text == "" }
