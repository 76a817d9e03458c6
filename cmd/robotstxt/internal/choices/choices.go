// Package choices turns choices about AI, such as "training: no", into rules of a robots.txt file,
// and proves what they change.
package choices

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/crawlers"
)

// Choices say for purposes of AI crawlers whether they are wanted. A purpose without a choice stays
// as it is.
type Choices map[crawlers.Purpose]bool

// A purpose is a purpose that can be chosen.
type purpose struct {
	name          string
	purpose       crawlers.Purpose
	usage, signal string // the keys of Content-Usage and Content-Signal; empty if there are none
}

var purposes = []purpose{
	{"training", crawlers.Training, "train-ai", "ai-train"},
	{"search", crawlers.Search, "search", "search"},
	{"input", crawlers.Input, "ai-use", "ai-input"},
	{"user", crawlers.User, "", ""},
}

// Parse parses a list such as "training=no,search=yes". It returns an error if the list has two values
// for a purpose.
func Parse(list string) (Choices, error) {
	c := Choices{}
	for item := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		i := slices.IndexFunc(purposes, func(p purpose) bool { return p.name == name })
		if i < 0 || value != "yes" && value != "no" {
			return nil, fmt.Errorf("%q is not a choice such as training=no (the names are training, search, input and user, the values yes and no)", item)
		}
		if _, ok := c[purposes[i].purpose]; ok {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		c[purposes[i].purpose] = value == "yes"
	}
	return c, nil
}

// String returns the choices as Parse reads them.
func (c Choices) String() string {
	var items []string
	for _, p := range purposes {
		if wanted, ok := c[p.purpose]; ok {
			_, yes := yesNo(wanted)
			items = append(items, p.name+"="+yes)
		}
	}
	return strings.Join(items, ",")
}

// yesNo returns a choice as a value of Content-Usage and as one of Content-Signal.
func yesNo(wanted bool) (y, yes string) {
	if wanted {
		return "y", "yes"
	}
	return "n", "no"
}

// closed returns the crawlers whose main purpose is not wanted.
func (c Choices) closed() []crawlers.Crawler {
	return slices.DeleteFunc(ai(), func(crawler crawlers.Crawler) bool { return !c.closes(crawler) })
}

func (c Choices) closes(crawler crawlers.Crawler) bool { return c.refuses(crawler.Purposes[0]) }

// ai returns the AI crawlers that are in use and whose purpose is documented.
func ai() []crawlers.Crawler {
	set, _ := crawlers.Set("@ai")
	return slices.DeleteFunc(set, func(c crawlers.Crawler) bool { return len(c.Purposes) == 0 })
}

func (c Choices) refuses(p crawlers.Purpose) bool {
	wanted, ok := c[p]
	return ok && !wanted
}

// records returns the records that state the preferences.
func (c Choices) records() []string {
	var usage, signal []string
	for _, p := range purposes {
		if wanted, ok := c[p.purpose]; ok && p.usage != "" {
			y, yes := yesNo(wanted)
			usage = append(usage, p.usage+"="+y)
			signal = append(signal, p.signal+"="+yes)
		}
	}
	if usage == nil {
		return nil
	}
	return []string{"Content-Usage: " + strings.Join(usage, ", "), "Content-Signal: " + strings.Join(signal, ", ")}
}
