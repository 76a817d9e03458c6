package lint

import "slices"

// A Code is a kind of finding. The package documentation lists them all.
type Code struct {
	Name     string // such as "crawl-delay-joins-groups"; never changes
	Severity Severity
	Meaning  string // a sentence
	Advice   string // what to write instead, a sentence; empty if that depends on the finding

	limit int // of findings in a file, if not perCode
}

// Codes returns all codes, in the order of the package documentation.
func Codes() []Code { return slices.Clone(codes) }

// codeOf finds a code by name.
var codeOf = func() map[string]Code {
	m := make(map[string]Code, len(codes))
	for _, c := range codes {
		m[c.Name] = c
	}
	return m
}()

var codes = []Code{
	// The file.
	{Name: "not-robots-txt", Severity: Error,
		Meaning: "The file is an HTML page, an error message or something else than a robots.txt file.",
		Advice:  "Serve a plain text file, or answer with status 404 if the site has no rules."},
	{Name: "utf-16", Severity: Warning,
		Meaning: "The file is in UTF-16, which many crawlers do not read.",
		Advice:  "Save the file as UTF-8."},
	{Name: "byte-order-mark", Severity: Warning,
		Meaning: "A byte-order mark makes some crawlers miss the first line.",
		Advice:  "Save the file as UTF-8 without a byte-order mark."},
	{Name: "file-too-large", Severity: Error,
		Meaning: "The file is larger than 500 KiB, and crawlers may ignore what lies beyond.",
		Advice:  "Join rules with wildcards, or drop those for pages that are gone."},
	{Name: "line-too-long", Severity: Warning,
		Meaning: "The line has more than 2,083 bytes, and some crawlers cut it.",
		Advice:  "Shorten the path with a wildcard."},

	// Lines and keys.
	{Name: "invisible-character", Severity: Warning,
		Meaning: "The line has a character that cannot be seen, which some crawlers take for a part of the key or the value.",
		Advice:  "Type the line anew."},
	{Name: "look-alike-letter", Severity: Error,
		Meaning: "The key has a letter of another alphabet that only looks right, so the line is not read.",
		Advice:  "Type the key anew in Latin letters."},
	{Name: "full-width-colon", Severity: Error,
		Meaning: "The colon is a full-width one, so the line is not read.",
		Advice:  `Write a plain ":".`},
	{Name: "misspelt-key", Severity: Error,
		Meaning: "The key is a misspelling that crawlers do not understand, so the line is not read."},
	{Name: "variant-key", Severity: Warning,
		Meaning: "The key is spelt in a way that only some crawlers understand."},
	{Name: "unknown-key", Severity: Warning,
		Meaning: "No crawler is known to read the key.",
		Advice:  "Drop the line, or make it a comment.", limit: 5},
	{Name: "dead-key", Severity: Error,
		Meaning: "The key once meant something, but nobody reads it now."},
	{Name: "extension-key", Severity: Info,
		Meaning: "The key is no part of the protocol, and the finding says who reads it; reported once for each key."},
	{Name: "missing-colon", Severity: Warning,
		Meaning: "The colon after the key is missing, and only some crawlers read the line all the same."},
	{Name: "junk-line", Severity: Error,
		Meaning: "The line is neither a comment nor a key with a value, so it is not read."},
	{Name: "glued-comment", Severity: Error,
		Meaning: `A "#" without a space before it cuts the value.`,
		Advice:  `Write "%23" if the "#" belongs to a path, or put a space before a comment.`},
	{Name: "several-keys", Severity: Error,
		Meaning: "The value has another key in it, because a line break is missing, and is read as one value.",
		Advice:  "Start a new line there."},
	{Name: "placeholder", Severity: Error,
		Meaning: "The value is one that a template or an example left to be filled in."},

	// User agents and groups.
	{Name: "rule-before-user-agent", Severity: Error,
		Meaning: "The line stands above the first user-agent line, so it holds for nobody.",
		Advice:  `Put it below the user-agent line that it is meant for, such as "User-agent: *".`},
	{Name: "empty-user-agent", Severity: Error,
		Meaning: "The user-agent line names nobody.",
		Advice:  `Write "User-agent: *" for all crawlers, or the name of one.`},
	{Name: "unusable-token", Severity: Error,
		Meaning: "The user-agent line has a value that no crawler can be named."},
	{Name: "user-agent-header", Severity: Error,
		Meaning: "The value is a whole User-Agent header, of which only the first word counts."},
	{Name: "token-with-version", Severity: Warning,
		Meaning: "The crawler's name has a version, with which some crawlers do not find themselves."},
	{Name: "token-with-star", Severity: Warning,
		Meaning: "The crawler's name has a star, which is no wildcard there."},
	{Name: "token-with-space", Severity: Warning,
		Meaning: "The crawler's name has a space, or another character where most crawlers end it.",
		Advice:  "Write the name as the crawler's documentation has it; it is one word."},
	{Name: "token-characters", Severity: Info,
		Meaning: `The name of a crawler that is not well known has characters other than letters, "-" and "_", which the RFC does not foresee; reported once.`,
		Advice:  "Leave it, if this is how the crawler calls itself.", limit: 1},
	{Name: "several-tokens", Severity: Warning,
		Meaning: "The line names several crawlers, where many expect one.",
		Advice:  "Give each crawler a user-agent line of its own, one below the other."},
	{Name: "repeated-token", Severity: Warning,
		Meaning: "Two groups are for the same crawler: some join them, some read only one."},
	{Name: "group-without-rules", Severity: Warning,
		Meaning: "The group has no rules, so its crawlers may fetch everything, whatever others may not.",
		Advice:  `Write the rules below, "Disallow:" if everything is allowed, or drop the group.`},
	{Name: "crawl-delay-joins-groups", Severity: Error,
		Meaning: "A crawl-delay line between user-agent lines does not end the group, so what follows holds for the crawlers above as well.",
		Advice:  `Give the crawlers above a rule of their own, such as "Disallow:" if everything is allowed.`},
	{Name: "record-joins-groups", Severity: Warning,
		Meaning: "A sitemap or another record between user-agent lines does not end the group, so what follows holds for the crawlers above as well.",
		Advice:  `Give the crawlers above a rule of their own, such as "Disallow:" if everything is allowed.`},
	{Name: "blank-line-joins-groups", Severity: Warning,
		Meaning: "A blank line between user-agent lines does not end the group, though older crawlers think so.",
		Advice:  `Drop the blank line, or give the crawlers above rules of their own.`},
	{Name: "all-disallowed", Severity: Info,
		Meaning: "All crawlers that the file does not name are shut out of the whole site.",
		Advice:  "Leave it, if the site is to stay out of search engines."},

	// Rules.
	{Name: "empty-allow", Severity: Error,
		Meaning: "An allow line without a path allows nothing.",
		Advice:  `Write "Allow: /", or "Disallow:" if everything is allowed.`},
	{Name: "path-without-slash", Severity: Warning,
		Meaning: `The path starts with neither "/" nor "*": some crawlers add the "/", some ignore the line.`},
	{Name: "url-as-path", Severity: Error,
		Meaning: "The value is a whole URL, and no path starts like that."},
	{Name: "several-paths", Severity: Error,
		Meaning: "The line has several paths, which are read as one."},
	{Name: "space-in-path", Severity: Warning,
		Meaning: "The path has a space: some crawlers escape it, some never match it.",
		Advice:  `Write "%20" for each space.`},
	{Name: "non-ascii-in-path", Severity: Warning,
		Meaning: "The path has characters outside ASCII: some crawlers escape them, some never match them."},
	{Name: "regexp-in-path", Severity: Error,
		Meaning: `The path is written as a regular expression, but only "*" and a final "$" are special.`,
		Advice:  `Write "*" for any characters, and plain characters for all others.`},
	{Name: "dollar-not-at-end", Severity: Warning,
		Meaning: `A "$" that is not at the end of the path stands for itself.`,
		Advice:  `Write "%24" if it is meant, or else end the path there.`},
	{Name: "double-star", Severity: Info,
		Meaning: "Two stars in a row match the same as one; reported once.",
		Advice:  "Write one, unless the rule is to count as longer than another.", limit: 1},
	{Name: "trailing-star", Severity: Info,
		Meaning: "The path matches the same without the star at its end; reported once.",
		Advice:  "Drop it, unless the rule is to count as longer than another.", limit: 1},
	{Name: "duplicate-rule", Severity: Info,
		Meaning: "Another rule of the group says the same.",
		Advice:  "Drop this line."},
	{Name: "allow-and-disallow", Severity: Error,
		Meaning: "The same path is allowed and disallowed, and the disallow line does nothing.",
		Advice:  "Drop the one of the two that is not meant."},
	{Name: "rule-never-wins", Severity: Error,
		Meaning: "A longer rule that says the opposite matches whatever this one matches, so this one does nothing.",
		Advice:  "Drop the one of the two that is not meant."},
	{Name: "robots-txt-disallowed", Severity: Error,
		Meaning: "The robots.txt file itself can always be fetched.",
		Advice:  "Drop the line."},

	// Records.
	{Name: "sitemap-not-absolute", Severity: Error,
		Meaning: "The sitemap is not one absolute URL, so crawlers may not find it."},
	{Name: "crawl-delay-invalid", Severity: Error,
		Meaning: "The crawl-delay is not a number of seconds, so it is not read."},
	{Name: "crawl-delay-huge", Severity: Warning,
		Meaning: "The crawl-delay is longer than 30 seconds, the most that some crawlers accept; those that obey will hardly see the site.",
		Advice:  "Write 30 or less."},
	{Name: "crawl-delay-repeated", Severity: Warning,
		Meaning: "The group has another crawl-delay that differs: some crawlers take the first, some the last.",
		Advice:  "Keep one of the two."},

	// Preferences about AI, and licenses.
	{Name: "content-usage-capitals", Severity: Error,
		Meaning: "A Content-Usage key has capitals, which makes the whole line unreadable."},
	{Name: "content-usage-value", Severity: Error,
		Meaning: "A Content-Usage value is neither y nor n, so it says nothing."},
	{Name: "content-usage-space", Severity: Error,
		Meaning: "The path of a Content-Usage line has a space, which ends it too early."},
	{Name: "content-signal-value", Severity: Error,
		Meaning: "A Content-Signal value is not one of those that are defined, so it says nothing."},
	{Name: "signal-before-group", Severity: Warning,
		Meaning: "A Content-Usage or Content-Signal line stands above the first group, so it may hold for nobody.",
		Advice:  `Put it below "User-agent: *", and into every other group.`},
	{Name: "signal-only-in-star", Severity: Warning,
		Meaning: `A Content-Usage or Content-Signal line stands only in the group for "*", which crawlers with a group of their own do not read.`,
		Advice:  "Repeat the line in the other groups."},
	{Name: "signal-conflict", Severity: Warning,
		Meaning: "Two Content-Usage or Content-Signal lines of a group contradict each other; the more restrictive holds.",
		Advice:  "Keep one of the two."},
	{Name: "license-not-absolute", Severity: Error,
		Meaning: "The license is not an absolute URL, so crawlers cannot find it.",
		Advice:  `Write the whole URL, such as "https://www.example.org/license.xml".`},
}
