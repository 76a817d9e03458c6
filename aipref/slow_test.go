package aipref_test

// This file implements the package documentation slowly, to compare the package with it.
// Both use the matcher of the root package, and share no other code. For each question, the
// slow code collects all statements, and then applies one rule after the other.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/aipref"
)

// A statement is a key with its value, and the length of the pattern that it applies to.
type statement struct {
	key    string
	octets int
	pref   aipref.Preference
}

// slowFor returns the preferences about the URL, by the keys that flatten uses. The value
// of the key "use" is 1 for full, 2 for reference and 3 for immediate.
func slowFor(file *robotstxt.File, agent, url string) map[string]aipref.Preference {
	var said []statement
	for _, r := range file.Group(agent).Records() {
		said = append(said, slowRecord(r, url)...)
	}
	said = slices.DeleteFunc(said, func(s statement) bool {
		return s.pref.Mechanism == aipref.ContentUsage && !file.Allowed(agent, url)
	})
	said = slowMostOctets(said, aipref.ContentUsage)
	said = slowMostOctets(said, aipref.AllowAITraining, aipref.DisallowAITraining)
	said = slowMostOctetsByKey(said, aipref.ContentSignal)

	// If an AllowAITraining and a DisallowAITraining record are equally long,
	// AllowAITraining wins.
	isRule := func(v aipref.Value, m aipref.Mechanism) func(statement) bool {
		return func(s statement) bool { return s.pref.Mechanism == m && s.pref.Value == v }
	}
	if slices.ContainsFunc(said, isRule(aipref.Allow, aipref.AllowAITraining)) {
		said = slices.DeleteFunc(said, isRule(aipref.Disallow, aipref.DisallowAITraining))
	}

	for _, g := range file.Groups() {
		isToken := func(token string) bool { return strings.EqualFold(token, "__usage_ai-training") }
		if d := g.Decide(url); slices.ContainsFunc(g.Tokens(), isToken) && d.Rule.Line > 0 {
			value := aipref.Disallow
			if d.Allowed {
				value = aipref.Allow
			}
			said = append(said, statement{"training", 0, aipref.Preference{Value: value, Mechanism: aipref.TrainingGroup, Line: d.Rule.Line}})
		}
	}

	// Sort the most restrictive first, then by mechanism and line.
	order := []aipref.Mechanism{aipref.ContentUsage, aipref.ContentSignal, aipref.AllowAITraining, aipref.DisallowAITraining, aipref.TrainingGroup}
	slices.SortStableFunc(said, func(x, y statement) int {
		return cmp.Or(
			cmp.Compare(y.pref.Value, x.pref.Value),
			cmp.Compare(slices.Index(order, x.pref.Mechanism), slices.Index(order, y.pref.Mechanism)),
			cmp.Compare(x.pref.Line, y.pref.Line),
		)
	})
	answer := map[string]aipref.Preference{}
	for _, s := range said {
		if _, ok := answer[s.key]; !ok && s.pref.Value != aipref.Unknown {
			answer[s.key] = s.pref
		}
	}
	return answer
}

// slowMostOctets drops a statement of the mechanisms if another one of them has a longer pattern.
func slowMostOctets(said []statement, mechanisms ...aipref.Mechanism) []statement {
	most := 0
	for _, s := range said {
		if slices.Contains(mechanisms, s.pref.Mechanism) {
			most = max(most, s.octets)
		}
	}
	return slices.DeleteFunc(said, func(s statement) bool {
		return slices.Contains(mechanisms, s.pref.Mechanism) && s.octets < most
	})
}

// slowMostOctetsByKey finds, for each key, the longest pattern with which the mechanism gives
// the key a known value. It drops the key's statements with shorter patterns.
func slowMostOctetsByKey(said []statement, mechanism aipref.Mechanism) []statement {
	most := map[string]int{}
	for _, s := range said {
		if s.pref.Mechanism == mechanism && s.pref.Value != aipref.Unknown {
			most[s.key] = max(most[s.key], s.octets)
		}
	}
	return slices.DeleteFunc(said, func(s statement) bool {
		return s.pref.Mechanism == mechanism && s.octets < most[s.key]
	})
}

var notLetter = regexp.MustCompile(`[^A-Za-z]`)

// slowRecord returns the statements of one record about the URL. A Content-Usage record adds a
// statement without a key, so that its pattern counts even if its value cannot be read.
func slowRecord(r robotstxt.Record, url string) (said []statement) {
	m, ok := map[string]aipref.Mechanism{
		"contentusage":       aipref.ContentUsage,
		"contentsignal":      aipref.ContentSignal,
		"allowaitraining":    aipref.AllowAITraining,
		"disallowaitraining": aipref.DisallowAITraining,
	}[strings.ToLower(notLetter.ReplaceAllString(r.Key, ""))]
	if !ok {
		return nil
	}
	path, value := r.Value, ""
	switch m {
	case aipref.ContentUsage, aipref.ContentSignal:
		parts := regexp.MustCompile(`(?s)^(/[^ \t]*)?[ \t]*(.*)$`).FindStringSubmatch(r.Value)
		path, value = parts[1], parts[2]
	default:
		if path == "" {
			return nil
		}
	}
	pattern := robotstxt.NewPattern(path)
	if path != "" && !pattern.Matches(url) {
		return nil
	}
	say := func(key string, v aipref.Value) {
		said = append(said, statement{key, pattern.Octets(), aipref.Preference{Value: v, Mechanism: m, Line: r.Line}})
	}
	switch m {
	case aipref.AllowAITraining:
		say("training", aipref.Allow)
	case aipref.DisallowAITraining:
		say("training", aipref.Disallow)
	case aipref.ContentUsage:
		say("", aipref.Unknown)
		members, _ := slowDictionary(value)
		for key, token := range members {
			name, ok := map[string]string{"train-ai": "training", "search": "search", "ai-use": "input"}[key]
			if !ok {
				name = "other:" + key
			}
			say(name, map[string]aipref.Value{"=y": aipref.Allow, "=n": aipref.Disallow}[token])
		}
	case aipref.ContentSignal:
		for _, part := range strings.Split(value, ",") {
			slowSignal(part, say)
		}
	}
	return said
}

// blank matches white space and control and format characters.
const blank = `[\p{Z}\p{Cc}\p{Cf}]`

var (
	signalPart = regexp.MustCompile(strings.ReplaceAll(`(?s)^_*(.*?)_*=_*(.*?)_*$`, "_", blank))
	asciiUpper = regexp.MustCompile(`[A-Z]`)
)

func slowSignal(part string, say func(string, aipref.Value)) {
	part = asciiUpper.ReplaceAllStringFunc(part, strings.ToLower)
	pair := signalPart.FindStringSubmatch(part)
	switch {
	case pair == nil || pair[1] == "":
	case pair[1] == "use":
		say("use", map[string]aipref.Value{"full": 1, "reference": 2, "immediate": 3}[pair[2]])
	default:
		key, ok := map[string]string{"ai-train": "training", "search": "search", "ai-input": "input"}[pair[1]]
		if !ok {
			key = "other:" + pair[1]
		}
		say(key, map[string]aipref.Value{"yes": aipref.Allow, "no": aipref.Disallow}[pair[2]])
	}
}

// The grammar of RFC 9651, section 3, as regular expressions, from the leaves up.
const (
	sfKey    = `[a-z*][a-z0-9_.*-]*`
	sfBare   = `(?:-?[0-9]{1,12}\.[0-9]{1,3}|-?[0-9]{1,15}|"(?:[ !#-\[\]-~]|\\["\\])*"|[A-Za-z*][!#$%&'*+.^_|~0-9A-Za-z:/\x60-]*|\?[01])`
	sfParams = `(?:; *` + sfKey + `(?:=` + sfBare + `)?)*`
	sfItem   = sfBare + sfParams
	sfList   = `\( *(?:` + sfItem + `(?: +` + sfItem + `)* *)?\)` + sfParams
	sfMember = `(` + sfKey + `)((?:=(?:` + sfItem + `|` + sfList + `))|` + sfParams + `)`
)

var (
	sfDictionary = regexp.MustCompile(`^ *(?:` + sfMember + `(?:[ \t]*,[ \t]*` + sfMember + `)*)?[ \t]*$`)
	sfFirst      = regexp.MustCompile(`^[ \t]*` + sfMember + `[ \t]*(?:,|$)`)
	sfAllParams  = regexp.MustCompile(sfParams + `$`)
)

// slowDictionary returns the members of a dictionary by key, each as "=" and the value
// without parameters. Of several members with one key, the last counts.
func slowDictionary(s string) (members map[string]string, ok bool) {
	if !sfDictionary.MatchString(s) {
		return nil, false
	}
	members = map[string]string{}
	for {
		m := sfFirst.FindStringSubmatch(s)
		if m == nil {
			return members, true
		}
		members[m[1]] = sfAllParams.ReplaceAllString(m[2], "")
		s = s[len(m[0]):]
	}
}
