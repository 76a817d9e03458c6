package aipref

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// ParseUsageHeader returns what the HTTP header Content-Usage says about the content of
// its response (draft-ietf-aipref-attach-05, section 2). The values are those that
// http.Header.Values("Content-Usage") returns. Together they form one dictionary, so
// after an error in one value, all preferences are unknown. Combine the result with the
// answer for robots.txt:
//
//	prefs := answer.Combine(aipref.ParseUsageHeader(response.Header.Values("Content-Usage")))
func ParseUsageHeader(values []string) (p Preferences) {
	for _, s := range usageStatements(values, Preference{Mechanism: ContentUsageHeader}) {
		p.say(s)
	}
	return p
}

// ParseSignalHeader returns what the HTTP header Content-Signal says about the content of
// its response (contentsignals.org). The values are those that
// http.Header.Values("Content-Signal") returns. Each is read like a Content-Signal record
// without a path. Combine the result with the answer for robots.txt, as with
// [ParseUsageHeader].
func ParseSignalHeader(values []string) (p Preferences) {
	for _, value := range values {
		for _, s := range signalStatements(value, Preference{Mechanism: ContentSignalHeader}) {
			p.say(s)
		}
	}
	return p
}

// A statement is a preference that a record or a header states: one key, and the meaning of its value.
type statement struct {
	key   string
	use   use
	level string     // the value if the use is display; empty for other uses
	pref  Preference // if the use is display, pref.Value is Unknown
}

// usageStatements reads a Content-Usage dictionary (draft-ietf-aipref-vocab-08, section 6.5).
// It copies the mechanism and the line from source into each statement. If the dictionary has
// a syntax error, usageStatements returns no statements.
func usageStatements(values []string, source Preference) (said []statement) {
	dictionary, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return nil
	}
	for _, key := range dictionary.Names() {
		member, _ := dictionary.Get(key)
		item, _ := member.(httpsfv.Item)
		value, _ := item.Value.(httpsfv.Token)
		source.Value = map[httpsfv.Token]Value{"y": Allow, "n": Disallow}[value]
		said = append(said, statement{key: key, use: usageKeys[key], pref: source})
	}
	return said
}

// signalStatements reads the value of a Content-Signal record or header. If a record has a path,
// the caller must remove it from the value. signalStatements copies the
// mechanism and the line from source into each statement.
func signalStatements(value string, source Preference) (said []statement) {
	for preference := range strings.SplitSeq(value, ",") {
		key, value := cutSignal(preference)
		if key == "" {
			continue
		}
		s := statement{key: key, use: signalKeys[key], pref: source}
		if s.use == display {
			s.level = value
		} else {
			s.pref.Value = map[string]Value{"yes": Allow, "no": Disallow}[value]
		}
		said = append(said, s)
	}
	return said
}

// valid reports whether the statement allows or disallows a use, or has a known level.
func (s statement) valid() bool { return s.pref.Value != Unknown || levelRank(s.level) > 0 }

// levelRank ranks the levels of a [Use]: the more restrictive a level, the higher its rank. A string
// that is not a level has rank 0.
func levelRank(level string) int { return 1 + slices.Index(levels, level) }

// say adds the preference of s to p, or does nothing if s is not valid. If p already has a
// preference about the same use, the stricter of the two wins. If both are equally strict, the
// one in p wins.
func (p *Preferences) say(s statement) {
	if !s.valid() {
		return
	}
	var said Preferences
	switch s.use {
	case training:
		said.Training = s.pref
	case search:
		said.Search = s.pref
	case input:
		said.AIInput = s.pref
	case display:
		said.Use = Use{s.level, s.pref.Line}
	default:
		said.Other = map[string]Preference{s.key: s.pref}
	}
	p.add(said)
}

// A match is a signal that applies to a URL.
type match struct {
	Signal
	octets int // the length of the signal's pattern; 0 for a signal without a pattern
}

// matching returns the signals of the given mechanisms that apply to a URL, those with the
// longest pattern first.
func matching(signals []Signal, url string, mechanisms ...Mechanism) (found []match) {
	for _, s := range signals {
		if !slices.Contains(mechanisms, s.Mechanism) {
			continue
		}
		if s.Path == "" {
			found = append(found, match{s, 0})
		} else if pattern := robotstxt.NewPattern(s.Path); pattern.Matches(url) {
			found = append(found, match{s, pattern.Octets()})
		}
	}
	slices.SortStableFunc(found, func(x, y match) int { return y.octets - x.octets })
	return found
}

// sayUsage adds the preferences from Content-Usage records to the answer about a URL. Only
// the records with the longest matching pattern count.
func (a *Answer) sayUsage(url string) {
	found := matching(a.Signals, url, ContentUsage)
	for _, m := range found {
		if m.octets < found[0].octets {
			return
		}
		a.add(m.Preferences())
	}
}

// saySignals adds the preferences from Content-Signal records to the answer about a URL. For
// each key, only the records with the longest matching pattern count.
func (a *Answer) saySignals(url string) {
	octets := map[string]int{} // by key: the length of the longest pattern
	for _, m := range matching(a.Signals, url, ContentSignal) {
		for _, s := range signalStatements(m.Value, m.source()) {
			if longest, known := octets[s.key]; s.valid() && (!known || longest == m.octets) {
				octets[s.key] = m.octets
				a.say(s)
			}
		}
	}
}

// sayTrainingRules adds the preference from AllowAITraining and DisallowAITraining records
// to the answer about a URL. Only the record with the longest matching pattern counts. If
// records of both kinds have the longest pattern, AllowAITraining wins. A record without a
// pattern has no effect.
func (a *Answer) sayTrainingRules(url string) {
	found := matching(a.Signals, url, AllowAITraining, DisallowAITraining)
	slices.SortStableFunc(found, func(x, y match) int {
		return cmp.Or(y.octets-x.octets, int(trainingRules[x.Mechanism])-int(trainingRules[y.Mechanism]))
	})
	if len(found) > 0 {
		a.add(found[0].Preferences())
	}
}

var trainingRules = map[Mechanism]Value{AllowAITraining: Allow, DisallowAITraining: Disallow}

// sayTrainingGroup adds the preference from the group for the policy token to the answer about a URL.
func (a *Answer) sayTrainingGroup(url string) {
	d := a.file.Group(TrainingToken).Decide(url)
	if lex.Fold(d.Token) != TrainingToken || d.Reason != robotstxt.RuleMatched {
		return
	}
	pref := Preference{Value: Disallow, Mechanism: TrainingGroup, Line: d.Rule.Line}
	if d.Allowed {
		pref.Value = Allow
	}
	a.say(statement{use: training, pref: pref})
}

func (s Signal) source() Preference { return Preference{Mechanism: s.Mechanism, Line: s.Line} }

// mechanismOf contains the mechanisms of robots.txt records, by the letters of the record's key.
var mechanismOf = map[string]Mechanism{
	lex.Letters("Content-Usage"):      ContentUsage,
	lex.Letters("Content-Signal"):     ContentSignal,
	lex.Letters("AllowAITraining"):    AllowAITraining,
	lex.Letters("DisallowAITraining"): DisallowAITraining,
}

// ReadSignal returns the signal that a record states, or false if the record is not about AI. It
// takes the path and the value apart, but does not judge them; see [Signal.Unknown].
func ReadSignal(r robotstxt.Record) (Signal, bool) {
	mechanism, ok := mechanismOf[lex.Letters(r.Key)]
	if !ok {
		return Signal{}, false
	}
	s := Signal{Line: r.Line, Mechanism: mechanism}
	switch s.Mechanism {
	case ContentUsage, ContentSignal:
		s.Path, s.Value = cutPath(r.Value)
	default:
		s.Path = r.Value
	}
	return s, true
}

// Unknown returns the keys in the signal's value that say nothing about the uses of [Preferences]:
// keys that the vocabulary does not have, and keys with a value that it does not have. For a
// Content-Usage signal with a syntax error, which says nothing at all, Unknown returns the whole
// value.
func (s Signal) Unknown() (unknown []string) {
	var said []statement
	switch s.Mechanism {
	case ContentSignal:
		said = signalStatements(s.Value, Preference{})
	case ContentUsage:
		if _, err := httpsfv.UnmarshalDictionary([]string{s.Value}); err != nil {
			return []string{s.Value}
		}
		said = usageStatements([]string{s.Value}, Preference{})
	}
	for _, statement := range said {
		if statement.use == 0 || !statement.valid() {
			unknown = append(unknown, statement.key)
		}
	}
	return unknown
}

// Preferences returns what the signal states about the pages that its path matches, as if the file had
// no other signals.
func (s Signal) Preferences() (p Preferences) {
	switch s.Mechanism {
	case ContentUsage:
		for _, said := range usageStatements([]string{s.Value}, s.source()) {
			p.say(said)
		}
	case ContentSignal:
		for _, said := range signalStatements(s.Value, s.source()) {
			p.say(said)
		}
	default:
		pref := s.source()
		pref.Value = trainingRules[s.Mechanism]
		if s.Path != "" { // otherwise, it matches no page
			p.say(statement{use: training, pref: pref})
		}
	}
	return p
}

// signals returns the signals among the records.
func signals(records []robotstxt.Record) (signals []Signal) {
	for _, r := range records {
		if s, ok := ReadSignal(r); ok {
			signals = append(signals, s)
		}
	}
	return signals
}
