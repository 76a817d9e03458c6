// Package verdict reads robots.txt files for the commands and for the page of package web, which must all
// say the same about a verdict.
package verdict

import (
	"fmt"
	"slices"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A File is a robots.txt file, with what must be said about its verdicts.
type File struct {
	*robotstxt.File
	Format  string // what it is if it is not a robots.txt file, such as "an HTML page"; otherwise empty
	Fetched bool   // whether a server sent it
	caveats caveats
}

// Parse reads a robots.txt file.
func Parse(data []byte) File {
	return File{File: robotstxt.Parse(data), Format: formatOf(data), caveats: newCaveats(data)}
}

// A Verdict is a decision and all that must be said with it. A text that says nothing is empty.
type Verdict struct {
	robotstxt.Decision
	Fallback string   // whether the crawler reads the group is not documented
	Lines    []string // how other crawlers read the lines that decide
	Star     string   // why the group for "*" does not apply
	Form     string   // the URL is allowed, but package robotshttp refuses it
}

// Decide returns the verdict about a URL for an agent.
func (f File) Decide(agent, url string) Verdict { return f.Verdict(agent, f.Group(agent), url) }

// Verdict is like Decide, for callers that know the group of the agent.
func (f File) Verdict(agent string, group *robotstxt.Group, url string) Verdict {
	v := f.Explain(agent, url, group.Decide(url))
	if v.Allowed {
		v.Form = FormNote(group, url)
	}
	return v
}

// Explain returns the verdict for a decision, without the note about other forms.
func (f File) Explain(agent, url string, d robotstxt.Decision) Verdict {
	v := Verdict{Decision: d, Fallback: fallback(agent, d.Token)}
	add := func(text string) {
		if text != "" {
			v.Lines = append(v.Lines, text)
		}
	}
	add(f.FormatNote())
	switch token := robotstxt.ProductToken(agent); d.Reason {
	case robotstxt.RuleMatched, robotstxt.NoRuleMatched:
		if text := f.caveats.rules[d.Rule.Line]; text != "" {
			add(fmt.Sprintf("line %d is %s", d.Rule.Line, text))
		}
		add(f.caveats.ofName(d))
		add(indexNote(d.Rule, url))
		if f.caveats.isUTF16 {
			add("the file is in UTF-16, which many crawlers cannot read")
		}
	case robotstxt.NoGroup:
		if f.caveats.hasStar && known.IgnoresStar(token) {
			v.Star = token + " does not obey the group of *"
		}
	}
	return v
}

// Notes returns all texts but Fallback.
func (v Verdict) Notes() []string {
	return slices.DeleteFunc(append(slices.Clone(v.Lines), v.Star, v.Form), func(text string) bool { return text == "" })
}

// NameNote says which group decides, if others may not read this group for the crawler.
func (f File) NameNote(v Verdict) string {
	if note := f.caveats.ofName(v.Decision); note != "" {
		return "by the group " + v.Token + "; " + note
	}
	return v.Fallback
}

// Key returns the misspelled key of the rule on a line, or "" if its key is spelled correctly.
func (f File) Key(line int) string { return f.caveats.keys[line] }

// RuleNote returns how other crawlers read the rule on a line, if they read it differently.
func (f File) RuleNote(line int) string { return f.caveats.rules[line] }

// TokenNotes returns how other crawlers read the user-agent lines that have the tokens.
func (f File) TokenNotes(tokens []string) (notes []string) {
	for _, token := range tokens {
		for _, n := range f.caveats.names[lex.Fold(token)] {
			if !slices.Contains(notes, n.text) {
				notes = append(notes, n.text)
			}
		}
	}
	return notes
}

// fallback returns what tools say about a decision whose group was found by shortening the
// crawler's token, if the crawler's operator does not document that order, and about the group of a
// token that the crawler follows. For Claude-User and the group Claude, and for YandexBot and the group
// Yandex, this is
//
//	by the group Claude; whether Claude-User reads it is not documented
//	by the group Yandex, which its operator documents
//
// fallback returns "" if there is nothing to say: if the group is for the whole token or for
// "*", or if Google documents that its crawler reads the group, as Googlebot-Image does with
// Googlebot. The agent is a token or a User-Agent header. The group is the token of the group that
// decided, such as the Token of a [robotstxt.Decision].
func fallback(agent, group string) string {
	token := robotstxt.ProductToken(agent)
	isWholeToken := lex.Fold(token) == lex.Fold(group)
	crawler, _ := crawlers.Find(group)
	if slices.Contains(crawlers.Names(token)[1:], crawler.Token) {
		return fmt.Sprintf("by the group %s, which its operator documents", group)
	}
	isGoogles := crawler.Operator == "Google" // a token that starts with Googlebot- is Google's, too
	if group == "" || group == "*" || isWholeToken || isGoogles {
		return ""
	}
	return fmt.Sprintf("by the group %s; whether %s reads it is not documented", group, token)
}
