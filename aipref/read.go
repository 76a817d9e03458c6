package aipref

import (
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// ParseHeader returns what the HTTP header Content-Usage says about the content of
// the response that has it (draft-ietf-aipref-attach-05, section 2). The values are
// those of all its lines, such as http.Header.Values("Content-Usage"). The lines of
// one header are one dictionary, and so an error in any of them leaves everything
// unknown. Combine the result with that of robots.txt:
//
//	prefs := answer.Combine(aipref.ParseHeader(response.Header.Values("Content-Usage")))
func ParseHeader(values []string) Preferences {
	return parseUsage(values, Preference{Mechanism: ContentUsageHeader})
}

// parseUsage reads a dictionary of the preference vocabulary
// (draft-ietf-aipref-vocab-07). In what it returns, the mechanism and the line are
// those of source.
func parseUsage(values []string, source Preference) Preferences {
	var p Preferences
	dictionary, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return p
	}
	for _, key := range dictionary.Names() {
		member, _ := dictionary.Get(key)
		pref := source
		pref.Value = usageValue(member)
		switch {
		case pref.Value == Unknown:
		case key == "train-ai":
			p.Training = pref
		case key == "search":
			p.Search = pref
		default:
			p.addOther(key, pref)
		}
	}
	return p
}

func usageValue(member httpsfv.Member) Value {
	item, _ := member.(httpsfv.Item)
	switch item.Value {
	case httpsfv.Token("y"):
		return Allow
	case httpsfv.Token("n"):
		return Disallow
	}
	return Unknown
}

// useRank orders the levels of use, the most restrictive last.
var useRank = map[string]int{"full": 1, "reference": 2, "immediate": 3}

// parseSignal reads the value of a Content-Signal record, without its path. In what
// it returns, the mechanism and the line are those of source.
func parseSignal(value string, source Preference) Preferences {
	var p Preferences
	for part := range strings.SplitSeq(value, ",") {
		key, value, _ := strings.Cut(lower(part), "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		pref := source
		pref.Value = signalValue(value)
		switch {
		case key == "use":
			if useRank[value] > useRank[p.Use.Level] {
				p.Use = Use{value, source.Line}
			}
		case pref.Value == Unknown || key == "":
		case key == "ai-train":
			p.Training = stricter(p.Training, pref)
		case key == "search":
			p.Search = stricter(p.Search, pref)
		case key == "ai-input":
			p.AIInput = stricter(p.AIInput, pref)
		default:
			p.addOther(key, pref)
		}
	}
	return p
}

func signalValue(s string) Value {
	switch s {
	case "yes":
		return Allow
	case "no":
		return Disallow
	}
	return Unknown
}

// lower returns s with its ASCII letters in lower case, and all else as it is.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// usageFor returns what the Content-Usage records say about the URL.
func usageFor(signals []Signal, url string) (p Preferences) {
	most := 0
	for _, s := range signals {
		if s.Mechanism != ContentUsage {
			continue
		}
		octets, ok := s.match(url)
		if !ok || octets < most {
			continue
		}
		if octets > most {
			most, p = octets, Preferences{}
		}
		p.add(parseUsage([]string{s.Value}, s.source()))
	}
	return p
}

// signalledFor returns what the Content-Signal records say about the URL.
func signalledFor(signals []Signal, url string) (p Preferences) {
	for _, s := range signals {
		if s.Mechanism != ContentSignal {
			continue
		}
		if _, ok := s.match(url); ok {
			p.add(parseSignal(s.Value, s.source()))
		}
	}
	return p
}

// trainingRuleFor returns what the AllowAITraining and DisallowAITraining records
// say about the URL.
func trainingRuleFor(signals []Signal, url string) (p Preference) {
	most := 0
	for _, s := range signals {
		rule := s.source()
		switch s.Mechanism {
		case AllowAITraining:
			rule.Value = Allow
		case DisallowAITraining:
			rule.Value = Disallow
		default:
			continue
		}
		// A rule without a pattern has no octets, and so it never decides.
		octets, ok := s.match(url)
		if ok && (octets > most || octets == most && rule.Value < p.Value) {
			most, p = octets, rule
		}
	}
	return p
}

// match reports whether the signal is for the URL, and the octets of its pattern: all
// signals without one are, with none.
func (s Signal) match(url string) (octets int, ok bool) {
	if s.Path == "" {
		return 0, true
	}
	pattern := robotstxt.NewPattern(s.Path)
	return pattern.Octets(), pattern.Matches(url)
}

// source returns a preference of the signal that says nothing yet.
func (s Signal) source() Preference {
	return Preference{Mechanism: s.Mechanism, Line: s.Line}
}

// signals returns the records that are signals.
func signals(records []robotstxt.Record) (signals []Signal) {
	for _, r := range records {
		s := Signal{Line: r.Line}
		switch lex.Letters(r.Key) {
		case "contentusage":
			s.Mechanism = ContentUsage
			s.Path, s.Value = cutPath(r.Value)
		case "contentsignal":
			s.Mechanism = ContentSignal
			s.Path, s.Value = cutPath(r.Value)
		case "allowaitraining":
			s.Mechanism, s.Path = AllowAITraining, r.Value
		case "disallowaitraining":
			s.Mechanism, s.Path = DisallowAITraining, r.Value
		default:
			continue
		}
		signals = append(signals, s)
	}
	return signals
}

// cutPath parts the path that a value may start with from the rest
// (draft-ietf-aipref-attach-05, section 3.2).
func cutPath(value string) (path, rest string) {
	if !strings.HasPrefix(value, "/") {
		return "", value
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		return value, ""
	}
	return value[:end], strings.TrimLeft(value[end:], " \t")
}

func appendLicenses(licenses []License, records []robotstxt.Record) []License {
	for _, r := range records {
		if lex.Letters(r.Key) == "license" && r.Value != "" {
			licenses = append(licenses, License{r.Line, r.Value})
		}
	}
	return licenses
}
