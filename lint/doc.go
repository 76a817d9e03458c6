// Package lint finds what is wrong in a robots.txt file, line by line, and puts a
// file into a normal form.
//
// A robots.txt file cannot have syntax errors, because crawlers skip what they do
// not understand. So nobody tells the site's owner that a line does nothing, or not
// what it seems to do. [Check] does:
//
//	for _, f := range lint.Check(data) {
//		fmt.Printf("robots.txt:%s\n", f)
//	}
//
// For a file with a crawl-delay in the wrong place, this prints
//
//	robots.txt:2:1: error: The crawl-delay line does not end the group of line 1, ...
//
// A finding that can be corrected without changing what the file means has an
// [Edit], and [Fix] applies all of them. [Format] writes a file in a normal form.
//
// The package takes the meaning of a line from package robotstxt, which follows RFC
// 9309. Findings about other crawlers rest on their documentation.
//
// All functions may be called by several goroutines at once.
//
// Below are the codes of all findings, with their severity and meaning. Codes
// returns them as values.
//
// # The file
//
//   - not-robots-txt (error): The file is an HTML page, an error message or
//     something else, not a robots.txt file.
//   - utf-16 (warning): The file is in UTF-16, which many crawlers do not
//     read.
//   - byte-order-mark (warning): A byte-order mark makes some crawlers miss
//     the first line.
//   - broken-byte-order-mark (error): The file starts with the remains of a
//     byte-order mark, and most crawlers do not read the line behind them.
//   - file-too-large (error): The file is larger than 500 KiB, and crawlers
//     may ignore the rest.
//   - line-too-long (warning): The line has more than 2,083 bytes, and some
//     crawlers cut it.
//   - ignored-code-unknown (warning): A comment asks to ignore a code that
//     does not exist.
//
// # Lines and keys
//
//   - invisible-character (warning): The line has a character that cannot be
//     seen, which some crawlers read as a part of the key or the value.
//   - look-alike-letter (error): The key has a letter of another alphabet
//     that only looks right, so crawlers do not read the line.
//   - full-width-colon (error): The colon is a full-width one, so crawlers do
//     not read the line.
//   - misspelt-key (error): The key is a misspelling that crawlers do not
//     know, so they ignore the line.
//   - variant-key (warning): The key is spelt in a way that only some
//     crawlers understand.
//   - unknown-key (warning): No crawler is known to read the key.
//   - dead-key (error): The key once meant something, but no crawler reads it
//     any more.
//   - extension-key (info): The key is not part of the protocol; the finding
//     says who reads it, once for each key.
//   - missing-colon (warning): The colon after the key is missing, and only
//     some crawlers read the line anyway.
//   - junk-line (error): The line is neither a comment nor a key with a
//     value, so crawlers skip it.
//   - glued-comment (error): A "#" without a space before it cuts the value.
//   - several-keys (error): The value has another key in it, because a line
//     break is missing, so crawlers read both as one value.
//   - placeholder (error): The value is left over from a template or an
//     example.
//
// # Crawlers and groups
//
//   - rule-before-user-agent (error): The line is above the first user-agent
//     line, so crawlers ignore it.
//   - empty-user-agent (error): The user-agent line names no crawler.
//   - unusable-token (error): The user-agent line has a value that cannot be
//     a crawler's name.
//   - user-agent-header (error): The value is a whole User-Agent header, of
//     which only the first word counts.
//   - token-with-version (warning): The crawler's name has a version, and
//     some crawlers do not find their name then.
//   - token-with-star (warning): The crawler's name has a star, which is not
//     a wildcard there.
//   - token-with-space (warning): The crawler's name has a space, or another
//     character where most crawlers end it.
//   - token-characters (info): The crawler's name has characters other than
//     letters, digits, "-", "_" and ".", where many crawlers end it.
//   - several-tokens (warning): The line names several crawlers, and some
//     crawlers expect one name per line.
//   - repeated-token (warning): Two groups are for the same crawler: some
//     join them, some read only one.
//   - group-without-rules (warning): The group has no rules, so its crawlers
//     may fetch everything, whatever the rules of other groups say.
//   - crawl-delay-joins-groups (error): A crawl-delay line between user-agent
//     lines does not end the group, so the rules below are for the crawlers
//     above as well.
//   - record-joins-groups (warning): A sitemap or another record between
//     user-agent lines does not end the group, so the rules below are for the
//     crawlers above as well.
//   - blank-line-joins-groups (warning): A blank line between user-agent
//     lines does not end the group, although older crawlers read it so.
//   - all-disallowed (info): Crawlers without a group of their own may fetch
//     nothing; the finding names the others.
//   - star-rules-dropped (info): A named crawler reads only its own group, so
//     rules of the group for all do not apply to it; the finding names them.
//   - retired-crawler (info): The operator of the crawler no longer uses this
//     name.
//   - misspelt-token (warning): The name is nearly the name of a well-known
//     crawler, which does not find itself in it.
//   - too-many-rules (info): The group has more than 2,048 rules, the most
//     that Yandex reads.
//
// # Rules
//
//   - empty-allow (error): An allow line without a path is not a rule.
//   - empty-disallow (info): A disallow line without a path does nothing in a
//     group with other rules.
//   - rule-too-long (warning): The path has more than 1,024 characters, the
//     most that Yandex reads.
//   - path-without-slash (warning): The path starts with neither "/" nor "*":
//     some crawlers add the "/", some ignore the line.
//   - url-as-path (error): The value is a whole URL, and no path starts like
//     that.
//   - several-paths (error): The line has several paths, which crawlers read
//     as one.
//   - space-in-path (warning): The path has a space: some crawlers escape it,
//     some never match it.
//   - non-ascii-in-path (warning): The path has characters outside ASCII:
//     some crawlers escape them, some never match them.
//   - bad-escape (warning): A "%" in the path does not start an escape, which
//     is a "%" with two hexadecimal digits.
//   - regexp-in-path (error): The path is written as a regular expression,
//     but only "*" and a final "$" are special.
//   - dollar-not-at-end (info): A "$" that is not at the end of the path is a
//     part of it; only the first is reported.
//   - double-star (info): Two stars in a row match the same as one.
//   - trailing-star (info): The path matches the same without the star at its
//     end.
//   - duplicate-rule (info): Other rules of the group say the same.
//   - allow-and-disallow (error): The same path is allowed and disallowed,
//     and the disallow line does nothing.
//   - rule-never-wins (error): Other rules win for every URL that this one
//     matches, so this one does nothing.
//   - robots-txt-disallowed (error): Crawlers may always fetch the robots.txt
//     file itself.
//
// # Sitemaps and crawl-delays
//
//   - sitemap-not-absolute (error): The sitemap is not one absolute URL, so
//     crawlers may not find it.
//   - duplicate-sitemap (info): The same sitemap is listed twice.
//   - sitemap-disallowed (warning): A rule keeps search engines from the
//     sitemap itself.
//   - crawl-delay-invalid (error): The crawl-delay is not a number of
//     seconds, so crawlers ignore it.
//   - crawl-delay-huge (warning): The crawl-delay is longer than 30 seconds,
//     the most that some crawlers accept; others then fetch only a few pages.
//   - crawl-delay-repeated (warning): The group has two different
//     crawl-delays: some crawlers take the first, some the last.
//   - crawl-delay-google (info): The crawl-delay is for crawlers of Google,
//     which do not read it.
//   - clean-param-form (error): The Clean-param line does not have the form
//     that Yandex documents.
//
// # AI preferences and licenses
//
//   - content-usage-capitals (error): A Content-Usage key has capitals, so
//     crawlers read nothing on the line.
//   - content-usage-value (error): A Content-Usage value is neither y nor n,
//     so it says nothing.
//   - content-usage-space (error): The path of a Content-Usage line has a
//     space, which ends it too early.
//   - content-usage-path (error): The path of a Content-Usage line does not
//     start with "/", so crawlers read nothing on the line.
//   - content-usage-syntax (error): The Content-Usage line has a syntax
//     error, so crawlers read nothing on it.
//   - content-usage-disallowed (warning): The Content-Usage line is about
//     pages that may not be fetched, so it means nothing.
//   - content-signal-value (error): A Content-Signal value is not a defined
//     one, so it says nothing.
//   - signal-separator (error): Preferences are separated by something other
//     than a comma, so crawlers do not read all of them.
//   - signal-vocabulary (error): A label of Content-Usage or Content-Signal
//     is misspelt or belongs to the other of the two, so it says nothing.
//   - signal-retired (warning): A label of a Content-Usage line is from an
//     older draft.
//   - signal-before-group (warning): A Content-Usage or Content-Signal line
//     is above the first group, so crawlers may not read it.
//   - signal-only-in-star (warning): A Content-Usage or Content-Signal line
//     is only in the group for "*", which crawlers with a group of their own
//     do not read.
//   - signal-only-in-last-group (warning): The only Content-Usage or
//     Content-Signal line is in the last group, which is for named crawlers.
//   - signal-conflict (warning): Two Content-Usage or Content-Signal lines of
//     a group contradict each other; the more restrictive holds.
//   - license-not-absolute (error): The license is not an absolute URL, so
//     crawlers cannot find it.
package lint
