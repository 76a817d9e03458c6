package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/robotstxt-go/robotstxt"
)

var checkCommand = command{
	name:  "check",
	about: "say whether URLs may be fetched, and which line decides",
	usage: `Check says whether an agent may fetch URLs, and which line of the robots.txt
file decides.

Usage:

  robotstxt check [-agent NAME] [-robots FILE|URL|-] [-json] URL...

Flags:

  -agent NAME     the crawler: a product token such as FooBot, or a whole
                  User-Agent header (default "*", a crawler that no file names)
  -robots FILE    the robots.txt file to ask, or its URL; "-" is standard input
  -json           print a JSON object a line, with url, agent, token, allowed,
                  reason, line and rule

Of a URL only path and query count, so /private/x will do for
https://example.com/private/x.

The exit status is 0 if all URLs are allowed, 1 if some are not, and 2 if the
question could not be answered.

Examples:

  robotstxt check -agent FooBot -robots robots.txt https://example.com/private/x
  robotstxt check -robots - / /search?q=tea < robots.txt
`,
	run: runCheck,
}

func runCheck(e env, args []string) (status int, err error) {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	agent := flags.String("agent", "*", "")
	robots := flags.String("robots", "", "")
	asJSON := flags.Bool("json", false, "")
	urls, err := parseFlags(flags, args)
	switch {
	case err != nil:
		return 0, err
	case len(urls) == 0:
		return 0, errors.New("no URL given (try: robotstxt help check)")
	case *robots == "":
		return 0, errors.New("no robots.txt given; name one with -robots FILE")
	}
	data, err := readRobots(e, *robots)
	if err != nil {
		return 0, err
	}
	file := robotstxt.Parse(data)
	print := printVerdict
	if *asJSON {
		print = printVerdictJSON
	}
	for _, url := range urls {
		d := file.Decide(*agent, url)
		if !d.Allowed {
			status = exitNo
		}
		if err := print(e.stdout, *agent, url, d); err != nil {
			return 0, err
		}
	}
	return status, nil
}

// readRobots reads a robots.txt file, one on the web for a URL, or standard input
// for "-", as far as Parse will look at it.
func readRobots(e env, name string) ([]byte, error) {
	r, err := openRobots(e, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// In UTF-16 it takes up to two bytes for one of UTF-8, and a byte-order mark.
	const enough = 2 + 2*(robotstxt.SizeLimit+1)
	return io.ReadAll(io.LimitReader(r, enough))
}

func openRobots(e env, name string) (io.ReadCloser, error) {
	switch {
	case name == "-":
		return io.NopCloser(e.stdin), nil
	case isURL(name):
		return fetch(name)
	}
	return os.Open(name)
}

func printVerdict(w io.Writer, _, url string, d robotstxt.Decision) error {
	verdict := "disallowed"
	if d.Allowed {
		verdict = "allowed"
	}
	_, err := fmt.Fprintf(w, "%-10s  %s  %s\n", verdict, printable(url), explain(d))
	return err
}

// explain says why, in few words.
func explain(d robotstxt.Decision) string {
	group := "group " + printable(d.Token)
	switch d.Reason {
	case robotstxt.RuleMatched:
		return fmt.Sprintf("line %d: %s (%s)", d.Rule.Line, printable(d.Rule.String()), group)
	case robotstxt.NoRuleMatched:
		return fmt.Sprintf("no rule matches (%s)", group)
	case robotstxt.NoGroup:
		return "no group for this agent"
	case robotstxt.RobotsTxt:
		return "robots.txt itself is always allowed"
	}
	return string(d.Reason)
}

// printable quotes a string that could upset a terminal or the form of a line.
func printable(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func printVerdictJSON(w io.Writer, agent, url string, d robotstxt.Decision) error {
	verdict := struct {
		URL     string           `json:"url"`
		Agent   string           `json:"agent"`
		Token   string           `json:"token"`
		Allowed bool             `json:"allowed"`
		Reason  robotstxt.Reason `json:"reason"`
		Line    int              `json:"line"`
		Rule    string           `json:"rule"`
	}{URL: url, Agent: agent, Token: d.Token, Allowed: d.Allowed, Reason: d.Reason, Line: d.Rule.Line}
	if d.Reason == robotstxt.RuleMatched {
		verdict.Rule = d.Rule.String()
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(verdict)
}
