// Package migrating compares this module with the libraries that MIGRATING.md is about. The
// code in that file is from the examples here. Examples whose names end in Before use the
// other library, and those with the same names without Before do the same with this module.
package migrating

const text = `User-agent: FooBot
Crawl-delay: 2.5
Disallow: /private/
Allow: /private/press
Disallow: /private/press?print

User-agent: BarBot
Disallow: /images/

User-agent: *
Disallow: /search

Sitemap: https://example.com/sitemap.xml
Host: www.example.com
`

var body = []byte(text)
