// Package reading says how other crawlers read lines that package robotstxt reads in the way in which they
// are meant. Package lint reports such lines, and the command mentions them with a verdict, even if a comment
// in the file silences lint.
//
// To add such a line, add a code with its effect, and a case to [OfRule] or [OfName]. Package lint needs a row
// with the same code, and docs/deviations.md a row for the line.
package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/section"
)

// The codes, which are those of package lint.
const (
	UTF16            = "utf-16"
	MisspelledKey    = "misspelled-key"
	MissingColon     = "missing-colon"
	PathWithoutSlash = "path-without-slash"
	SeveralNames     = "several-names"
	UnusableToken    = "unusable-token"
	UserAgentHeader  = "user-agent-header"
)

// Effect returns what other crawlers do with a line, or with a file for UTF16.
func Effect(code string) string { return effects[code] }

var effects = map[string]string{
	UTF16:            "many crawlers cannot read it",
	MisspelledKey:    "most crawlers ignore the line",
	MissingColon:     "many crawlers ignore the line",
	PathWithoutSlash: "some crawlers ignore the line",
	SeveralNames:     "Google and others read only the first",
	UnusableToken:    "no crawler can have this name",
	UserAgentHeader:  "most crawlers read only its first word",
}

// A Note is a remark about a verdict.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"` // such as `line 2 is written "Disalow": most crawlers ignore the line`
}

func note(code, format string, args ...any) Note {
	return Note{code, fmt.Sprintf(format, args...) + ": " + Effect(code)}
}

// OfFile returns how others read a whole file, or the zero Note if all read it alike.
func OfFile(data []byte) (n Note) {
	if IsUTF16(data) {
		n = note(UTF16, "the file is in UTF-16")
	}
	return n
}

// OfRule returns how others read an allow or disallow line, or the zero Note if all read it alike. If a line
// differs in several ways, OfRule names the one that most crawlers mind.
func OfRule(l *robotstxt.Line) (n Note) {
	switch {
	case IsMisspelled(l):
		n = note(MisspelledKey, "line %d is written %q", l.Number, l.Key)
	case !l.Colon:
		n = note(MissingColon, "line %d is written without a colon", l.Number)
	case LacksSlash(l):
		n = note(PathWithoutSlash, `line %d is written without "/"`, l.Number)
	}
	return n
}

// OfName returns how others read a name on a user-agent line, or the zero Note if all read it alike.
func OfName(l *robotstxt.Line, a section.Agent) (n Note) {
	switch {
	case IsUnusable(a.Name):
		n = note(UnusableToken, "line %d has the name %q", l.Number, a.Name)
	case isLater(l.Value, a.Offset):
		n = note(SeveralNames, "line %d has several names", l.Number)
	case IsMisspelled(l):
		n = note(MisspelledKey, "line %d is written %q", l.Number, l.Key)
	case !l.Colon:
		n = note(MissingColon, "line %d is written without a colon", l.Number)
	case IsHeader(a.Name) && a.Folded != "mozilla":
		n = note(UserAgentHeader, "line %d is a whole User-Agent header", l.Number)
	}
	return n
}

// IsUTF16 reports whether a file is in UTF-16, with or without a byte-order mark.
func IsUTF16(data []byte) bool { return lex.IsUTF16(data) || section.IsUnmarkedUTF16(data) }

// IsMisspelled reports whether package robotstxt knows the key of a line although it is misspelled.
func IsMisspelled(l *robotstxt.Line) bool {
	isKnown := l.Kind != robotstxt.NoKind && l.Kind != robotstxt.OtherKind
	return isKnown && !strings.EqualFold(l.Key, l.Kind.String())
}

// LacksSlash reports whether the value of a rule is a path that does not start with "/".
func LacksSlash(l *robotstxt.Line) bool {
	return l.Value != "" && l.Value[0] != '/' && l.Value[0] != '*'
}

// IsUnusable reports whether no crawler can have a name that is written on a user-agent line. An empty name,
// as after the comma of "FooBot,", does no harm.
func IsUnusable(name string) bool {
	token, _ := lex.NameToken(name)
	return name != "" && token == "" || known.IsWordForAll(name)
}

// IsHeader reports whether a name on a user-agent line is a whole User-Agent header.
func IsHeader(name string) bool { return strings.EqualFold(name[:lex.TokenLen(name)], "Mozilla") }

// isLater reports whether the value of a user-agent line has another name before the one at an offset.
func isLater(value string, offset int) bool { return strings.Trim(value[:offset], ", \t") != "" }

// Names returns the names in the value of a user-agent line, or nil if the value is probably not a list of
// names, as "FooBot [NC,OR]", which is for a web server.
func Names(value string) (names []string) {
	if strings.Contains(value, " ") && !strings.Contains(value, ", ") {
		return nil
	}
	for _, name := range lex.Names(value) {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// HasSeveralNames reports whether the value of a user-agent line names several crawlers: in a list, or
// because its first word and a later one are tokens of well-known crawlers, as in "GPTBot; CCBot" and
// "GPTBot and CCBot".
func HasSeveralNames(value string) bool {
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ;|/", r) })
	isToken := func(word string) bool {
		_, ok := crawlers.Lookup(word[:lex.TokenLen(word)])
		return ok
	}
	isSentence := len(words) > 1 && isToken(words[0]) && slices.ContainsFunc(words[1:], isToken)
	return isSentence || len(Names(value)) > 1
}
