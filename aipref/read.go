package aipref

import (
	"maps"
	"slices"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/internal/signal"
)

// ParseHeader returns what the HTTP header Content-Usage says about the content of its
// response (draft-ietf-aipref-attach-05, section 2). The values are all lines of the
// header, such as http.Header.Values("Content-Usage"). They form one dictionary, so an
// error in any of them leaves everything unknown. Combine the result with the answer
// of robots.txt:
//
//	prefs := answer.Combine(aipref.ParseHeader(response.Header.Values("Content-Usage")))
func ParseHeader(values []string) Preferences {
	return parseUsage(values, Preference{Mechanism: ContentUsageHeader})
}

// ParseSignalHeader returns what the HTTP header Content-Signal says about the content
// of its response (contentsignals.org). The values are all lines of the header. It is
// read like a Content-Signal record without a path, and combined with the answer of
// robots.txt like the result of [ParseHeader].
func ParseSignalHeader(values []string) Preferences {
	var p Preferences
	for _, value := range values {
		p.add(parseSignal(value, Preference{Mechanism: ContentSignalHeader}))
	}
	return p.notUsage()
}

// parseUsage reads a dictionary of the preference vocabulary
// (draft-ietf-aipref-vocab-08, section 6.5). The preferences that it returns have the
// mechanism and the line of source.
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
		if pref.Value == Unknown {
			continue
		}
		label, _ := signal.Usage.Label(key)
		p.set(label.Use, key, pref)
		if label.Use == signal.Search {
			p.usageSearch = pref
		}
	}
	return p
}

// set makes pref the preference for a use, or for a key of another use, unless a stricter
// one is known.
func (p *Preferences) set(use signal.Use, key string, pref Preference) {
	switch use {
	case signal.Training:
		p.Training = stricter(p.Training, pref)
	case signal.Search:
		p.Search = stricter(p.Search, pref)
	case signal.Input:
		p.AIInput = stricter(p.AIInput, pref)
	default:
		p.addOther(key, pref)
	}
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

// useRank ranks a level of use, the most restrictive highest. It is 0 for other words.
func useRank(level string) int {
	use, _ := signal.Signal.Label("use")
	if i := slices.Index(use.Values, level); i >= 0 {
		return len(use.Values) - i
	}
	return 0
}

// parseSignal reads the value of a Content-Signal, without its path. The preferences
// that it returns have the mechanism and the line of source.
func parseSignal(value string, source Preference) Preferences {
	var p Preferences
	for _, cut := range signal.Signal.Cut(value) {
		key, value := signal.Signal.Fold(cut.Name), signal.Signal.Fold(cut.Value)
		label, _ := signal.Signal.Label(key)
		if label.Use == signal.Display {
			if useRank(value) > useRank(p.Use.Level) {
				p.Use = Use{value, source.Line}
			}
			continue
		}
		pref := source
		if pref.Value = signalValue(value); pref.Value != Unknown {
			p.set(label.Use, key, pref)
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

// notUsage returns preferences of mechanisms other than Content-Usage, so that
// [Preferences.InSearch] does not override them.
func (p Preferences) notUsage() Preferences {
	p.otherTraining, p.otherAIInput = p.Training, p.AIInput
	return p
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
	byOctets := map[int]*Preferences{}
	for _, s := range signals {
		if s.Mechanism != ContentSignal {
			continue
		}
		if octets, ok := s.match(url); ok {
			if byOctets[octets] == nil {
				byOctets[octets] = new(Preferences)
			}
			byOctets[octets].add(parseSignal(s.Value, s.source()))
		}
	}
	for _, octets := range slices.Backward(slices.Sorted(maps.Keys(byOctets))) {
		p.fill(*byOctets[octets])
	}
	return p.notUsage()
}

// fill takes from q what p does not say.
func (p *Preferences) fill(q Preferences) {
	p.Training = first(p.Training, q.Training)
	p.Search = first(p.Search, q.Search)
	p.AIInput = first(p.AIInput, q.AIInput)
	if p.Use.Level == "" {
		p.Use = q.Use
	}
	for key, pref := range q.Other {
		if _, known := p.Other[key]; !known {
			p.addOther(key, pref)
		}
	}
}

// first returns p, or q if p says nothing.
func first(p, q Preference) Preference {
	if p.Value == Unknown {
		return q
	}
	return p
}

// trainingRuleFor returns what the AllowAITraining and DisallowAITraining records
// say about the URL.
func trainingRuleFor(signals []Signal, url string) (p Preferences) {
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
		if ok && (octets > most || octets == most && rule.Value < p.Training.Value) {
			most, p.Training = octets, rule
		}
	}
	return p.notUsage()
}

// match reports whether the signal is for the URL, and returns the octets of its
// pattern. A signal without a pattern is for every URL and has no octets.
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
		if s, ok := newSignal(r); ok {
			signals = append(signals, s)
		}
	}
	return signals
}

// newSignal reads a record. It returns false if the record is not a signal.
func newSignal(r robotstxt.Record) (s Signal, ok bool) {
	s.Line = r.Line
	s.Mechanism, ok = mechanisms[lex.Letters(r.Key)]
	switch s.Mechanism {
	case ContentUsage, ContentSignal:
		s.Path, s.Value, _ = signal.CutPath(r.Value)
	case AllowAITraining, DisallowAITraining:
		s.Path = r.Value
	}
	return s, ok
}

// mechanisms has the mechanism of each record key, by the key's letters.
var mechanisms = map[string]Mechanism{
	"contentusage": ContentUsage, "contentsignal": ContentSignal,
	"allowaitraining": AllowAITraining, "disallowaitraining": DisallowAITraining,
}

func appendLicenses(licenses []License, records []robotstxt.Record) []License {
	for _, r := range records {
		if r.Value != "" && r.Is("License") {
			licenses = append(licenses, License{r.Line, r.Value})
		}
	}
	return licenses
}
