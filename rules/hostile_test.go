package rules_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/rules"
)

// numbered repeats a text up to a size, and replaces "#" with 0, 1, 2, and so on.
func numbered(text string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-len(text)-20; i++ {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// hostile returns files of about the given size that cause as much work as possible.
func hostile(size int) map[string]string {
	star := "User-agent: *\n"
	return map[string]string{
		"literals": star + numbered("Disallow: /a#\n", size),
		"allows":   star + numbered("Allow: /a#\n", size),
		"same":     star + numbered("Disallow: /*a\nAllow: /*a*\n", size),
		"wild":     star + numbered("Disallow: /*a#*b\nAllow: /*b#*a\n", size),
		"stars":    star + numbered("Disallow: /*a*b*c*d*e*f*#\nAllow: /*f*e*d*c*b*a*#\n", size),
		"ends":     star + numbered("Disallow: /*a*b#$\nAllow: /*b*a#$\n", size),
		"dead":     star + "Disallow: /*$\nDisallow: " + strings.Repeat("*", 100) + "\n" + numbered("Disallow: /*a#*b\n", size),
		"queries":  star + numbered("Disallow: /*?*a/#:*b\nAllow: /*?b:*#/a\nAllow: /*a/#\n", size),
		"escapes":  star + numbered("Disallow: /*%%*2*F*#\nAllow: /*?*/*#\n", size),
		"dollars":  star + numbered("Disallow: /%24#\nAllow: /*%24#*x\n", size),
		"cyrillic": star + numbered("Disallow: /%D0%BA#?page=\n", size),
		"long":     star + "Allow: /" + strings.Repeat("a*", size/5) + "\nDisallow: /" + strings.Repeat("a", size/2) + "\n",
		"groups":   numbered("User-agent: a#\nDisallow: /#\n", size),
		"overlaps": numbered("User-agent: *\nUser-agent: a#\nDisallow: /#\n", size),
		"names":    numbered("User-agent: name#\n", size) + "Disallow: /\n",
		"hyphens":  numbered("User-agent: "+strings.Repeat("a-", 25)+"#\n", size) + "Disallow: /\n",
		"shared":   numbered("User-agent: a#\n", size/2) + numbered("Disallow: /#\n", size/4) + numbered("User-agent: a#\nDisallow: /x#\n", size/4),
	}
}

// TestHostile analyzes files that can exceed the budgets. It logs times, but does not judge
// them. Without -full, the files are small.
func TestHostile(t *testing.T) {
	size := 1 << 10
	if *full {
		size = robotstxt.SizeLimit
	}
	files := hostile(size)
	names := slices.Sorted(maps.Keys(files))
	for i, name := range names {
		f := robotstxt.Parse([]byte(files[name]))
		g := f.Groups()[0]
		start := time.Now()
		dead, undecided := rules.DeadRules(g)
		t.Logf("%s: %d of %d rules dead, %d undecided, %s URLs allowed, %v", name, len(dead), len(g.Rules()), len(undecided), rules.CoverageOf(g), time.Since(start))
		for j := range names {
			if j == i || j == i+1 || *full && j%3 == i%3 {
				testHostilePair(t, name, names[j], f, robotstxt.Parse([]byte(files[names[j]])))
			}
		}
	}
}

func testHostilePair(t *testing.T, oldName, newName string, old, new *robotstxt.File) {
	start := time.Now()
	changes := rules.Diff(old, new, rules.Options{})
	duration := time.Since(start)
	differences, undecided, incomplete := 0, 0, false
	for _, c := range changes {
		differences += len(c.Differences)
		undecided += len(c.UndecidedOld) + len(c.UndecidedNew)
		incomplete = incomplete || c.Incomplete
	}
	t.Logf("%s, %s: %d differences, %d undecided, incomplete: %v, %v", oldName, newName, differences, undecided, incomplete, duration)
	if oldName == newName && len(changes) > 0 && !incomplete {
		t.Errorf("%s differs from itself", oldName)
	}
}
