// Package lint finds what is wrong in a robots.txt file, line by line, and puts a
// file into a normal form.
//
// A robots.txt file cannot have syntax errors, because crawlers skip what they do
// not understand. So nobody is told that a line does nothing, or something else
// than it seems to. [Check] tells:
//
//	for _, f := range lint.Check(data) {
//		fmt.Printf("robots.txt:%s\n", f)
//	}
//
// prints, for a file with a crawl-delay where it does not belong,
//
//	robots.txt:2:1: error: The crawl-delay line does not end the group of line 1, ...
//
// What a line means is taken from package robotstxt, which follows RFC 9309. What
// other crawlers make of it is known from their documentation.
//
// All functions may be called by several goroutines at once.
//
// Below are the codes of all findings, with their severity and meaning. Codes
// returns them as values.
//
// # The file
//
//   - not-robots-txt (error): The file is an HTML page, an error message or
//     something else than a robots.txt file.
//   - utf-16 (warning): The file is in UTF-16, which many crawlers do not read.
//   - byte-order-mark (warning): A byte-order mark makes some crawlers miss the
//     first line.
//   - file-too-large (error): The file is larger than 500 KiB, and crawlers may
//     ignore what lies beyond.
//   - line-too-long (warning): The line has more than 2,083 bytes, and some
//     crawlers cut it.
//
// # Lines and keys
//
//   - invisible-character (warning): The line has a character that cannot be
//     seen, which some crawlers take for a part of the key or the value.
//   - look-alike-letter (error): The key has a letter of another alphabet that
//     only looks right, so the line is not read.
//   - full-width-colon (error): The colon is a full-width one, so the line is
//     not read.
//   - misspelt-key (error): The key is a misspelling that crawlers do not
//     understand, so the line is not read.
//   - variant-key (warning): The key is spelt in a way that only some crawlers
//     understand.
//   - unknown-key (warning): No crawler is known to read the key.
//   - dead-key (error): The key once meant something, but nobody reads it now.
//   - extension-key (info): The key is no part of the protocol, and the finding
//     says who reads it; reported once for each key.
//   - missing-colon (warning): The colon after the key is missing, and only some
//     crawlers read the line all the same.
//   - junk-line (error): The line is neither a comment nor a key with a value,
//     so it is not read.
//   - glued-comment (error): A "#" without a space before it cuts the value.
//   - several-keys (error): The value has another key in it, because a line
//     break is missing, and is read as one value.
//   - placeholder (error): The value is one that a template or an example left
//     to be filled in.
//
// # Crawlers and groups
//
//   - rule-before-user-agent (error): The line stands above the first user-agent
//     line, so it holds for nobody.
//   - empty-user-agent (error): The user-agent line names nobody.
//   - unusable-token (error): The user-agent line has a value that no crawler
//     can be named.
//   - user-agent-header (error): The value is a whole User-Agent header, of
//     which only the first word counts.
//   - token-with-version (warning): The crawler's name has a version, with which
//     some crawlers do not find themselves.
//   - token-with-star (warning): The crawler's name has a star, which is no
//     wildcard there.
//   - token-with-space (warning): The crawler's name has a space, or another
//     character where most crawlers end it.
//   - token-characters (info): The name of a crawler that is not well known has
//     characters other than letters, "-" and "_", which the RFC does not foresee;
//     reported once.
//   - several-tokens (warning): The line names several crawlers, where many
//     expect one.
//   - repeated-token (warning): Two groups are for the same crawler: some join
//     them, some read only one.
//   - group-without-rules (warning): The group has no rules, so its crawlers may
//     fetch everything, whatever others may not.
//   - crawl-delay-joins-groups (error): A crawl-delay line between user-agent
//     lines does not end the group, so what follows holds for the crawlers above
//     as well.
//   - record-joins-groups (warning): A sitemap or another record between
//     user-agent lines does not end the group, so what follows holds for the
//     crawlers above as well.
//   - blank-line-joins-groups (warning): A blank line between user-agent lines
//     does not end the group, though older crawlers think so.
//   - all-disallowed (info): All crawlers that the file does not name are shut
//     out of the whole site.
//
// # Rules
//
//   - empty-allow (error): An allow line without a path allows nothing.
//   - path-without-slash (warning): The path starts with neither "/" nor "*":
//     some crawlers add the "/", some ignore the line.
//   - url-as-path (error): The value is a whole URL, and no path starts like
//     that.
//   - several-paths (error): The line has several paths, which are read as one.
//   - space-in-path (warning): The path has a space: some crawlers escape it,
//     some never match it.
//   - non-ascii-in-path (warning): The path has characters outside ASCII: some
//     crawlers escape them, some never match them.
//   - regexp-in-path (error): The path is written as a regular expression, but
//     only "*" and a final "$" are special.
//   - dollar-not-at-end (warning): A "$" that is not at the end of the path
//     stands for itself.
//   - double-star (info): Two stars in a row match the same as one; reported
//     once.
//   - trailing-star (info): The path matches the same without the star at its
//     end; reported once.
//   - duplicate-rule (info): Another rule of the group says the same.
//   - allow-and-disallow (error): The same path is allowed and disallowed, and
//     the disallow line does nothing.
//   - rule-never-wins (error): A longer rule that says the opposite matches
//     whatever this one matches, so this one does nothing.
//   - robots-txt-disallowed (error): The robots.txt file itself can always be
//     fetched.
//
// # Sitemaps and crawl-delays
//
//   - sitemap-not-absolute (error): The sitemap is not one absolute URL, so
//     crawlers may not find it.
//   - crawl-delay-invalid (error): The crawl-delay is not a number of seconds,
//     so it is not read.
//   - crawl-delay-huge (warning): The crawl-delay is longer than 30 seconds, the
//     most that some crawlers accept; those that obey will hardly see the site.
//   - crawl-delay-repeated (warning): The group has another crawl-delay that
//     differs: some crawlers take the first, some the last.
//
// # AI preferences and licenses
//
//   - content-usage-capitals (error): A Content-Usage key has capitals, which
//     makes the whole line unreadable.
//   - content-usage-value (error): A Content-Usage value is neither y nor n, so
//     it says nothing.
//   - content-usage-space (error): The path of a Content-Usage line has a space,
//     which ends it too early.
//   - content-signal-value (error): A Content-Signal value is not one of those
//     that are defined, so it says nothing.
//   - signal-before-group (warning): A Content-Usage or Content-Signal line
//     stands above the first group, so it may hold for nobody.
//   - signal-only-in-star (warning): A Content-Usage or Content-Signal line
//     stands only in the group for "*", which crawlers with a group of their own
//     do not read.
//   - signal-conflict (warning): Two Content-Usage or Content-Signal lines of a
//     group contradict each other; the more restrictive holds.
//   - license-not-absolute (error): The license is not an absolute URL, so
//     crawlers cannot find it.
package lint
