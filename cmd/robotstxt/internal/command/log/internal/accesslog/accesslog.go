// Package accesslog reads the access logs of web servers and counts, by crawler and by rule,
// the requests that a robots.txt file disallows.
//
// A log may contain anything, so a Collector limits its memory use. A Collector must be used by
// one goroutine only.
package accesslog

import (
	"cmp"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/robotstxt-go/robotstxt/internal/known"
	"github.com/robotstxt-go/robotstxt/internal/reading"
)

// Limits of what a Collector stores.
const (
	maxCrawlers = 10_000 // after this many crawlers, only well-known crawlers get new rows
	maxName     = 64     // bytes of a crawler's name; a crawler with a longer name is treated as one without a name
	maxHeaders  = 2_048  // entries in the map byHeader; when the map is full, all entries are deleted
	maxText     = 512    // bytes of a stored header
	maxPath     = 120    // bytes of an example path

	// Each row stores at most this much. The gaps of a row are those between the first requests that were read.
	maxTimes = 50_000
	maxDays  = 2_000
	maxRules = 200

	// There are few well-known crawlers, but a log can name any number of others. So the rows of the others share
	// this many bytes. A row without room for another rule still has one, and counts the requests.
	maxUnknown = 8 << 20
)

// What an entry of a row takes, in bytes, about.
const (
	timeSize = 8
	daySize  = 48
	ruleSize = 512 // with the examples
)

// grace is how long a crawler may still use the previous version of a robots.txt file after the
// file has changed, in seconds (RFC 9309, section 2.4).
const grace = 24 * 60 * 60

// Always is the Version.From of a file that was in force from the start.
const Always = -1 << 62

// A Version is a robots.txt file that was in force from the time From until the next Version.
type Version struct {
	From int64 // seconds since 1970
	File verdict.File
}

// An Identity says whether a request that names a crawler came from the crawler's operator.
type Identity string

// The identities. A request is Unknown if there is no list of addresses for the crawler, if the
// client's address is not an IP address, or if the address is private and not in the list.
const (
	Unknown  Identity = "unknown"
	Verified Identity = "verified"
	Forged   Identity = "forged"
)

// Options contain the versions of the robots.txt file, and say which requests to count.
type Options struct {
	Versions     []Version                            // in the order of From; there must be at least one
	Since, Until int64                                // seconds since 1970: count only requests at or after Since and before Until; 0 means no limit
	Host         string                               // if not empty, count only requests to this host, given in lower case
	Identify     func(token, address string) Identity // returns whether the client at an IP address is the crawler with the token; may be nil
}

// A Time is a number of seconds since 1970, or 0 for no time. In JSON, 0 is null, and any
// other Time is a string in UTC.
type Time int64

func (t Time) String() string { return time.Unix(int64(t), 0).UTC().Format(time.RFC3339) }

// Date returns the day in UTC.
func (t Time) Date() Date { return Date(t / (24 * 60 * 60)) }

// Clock returns the hour and minute in UTC, such as "15:04".
func (t Time) Clock() string { return time.Unix(int64(t), 0).UTC().Format("15:04") }

func (t Time) MarshalJSON() ([]byte, error) {
	if t == 0 {
		return []byte("null"), nil
	}
	return []byte(strconv.Quote(t.String())), nil
}

// A Date is a number of days since 1970, in UTC. In JSON, it is a string such as "2026-11-22".
type Date int64

func (d Date) String() string { return Time(d * 24 * 60 * 60).String()[:len(time.DateOnly)] }

func (d Date) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(d.String())), nil }

// A Report sums up logs. The command "robotstxt log --json" prints a Report as JSON.
type Report struct {
	Lines    int    `json:"lines"`
	Unread   int    `json:"unread"`
	Unjudged int    `json:"unjudged"`
	First    Time   `json:"first"`
	Last     Time   `json:"last"`
	Changes  []Time `json:"robots_changes"` // when versions of the robots.txt file took effect, on the days from First to Last
	Crawlers []*Row `json:"crawlers"`
	Others   struct {
		Counts
		Days []Day `json:"days"`
	} `json:"others"`

	Requests int       `json:"-"` // the number of requests that match the Options
	Failures []Failure `json:"-"` // the first lines that could not be read, at most three
	Hosts    []string  `json:"-"` // the first four hosts in the logs, including hosts of requests that do not match the Options
	Hostless int       `json:"-"` // the number of requests whose lines do not name the host
}

// Counts contains the numbers of requests of one Row or of Report.Others.
type Counts struct {
	Requests   int `json:"requests"`
	Disallowed int `json:"disallowed"`
	Unjudged   int `json:"unjudged"`
	Refused    int `json:"refused"` // answered with a 4xx status except 404, 410 and 429, as a firewall answers
}

// A Day contains the numbers of requests of one day.
type Day struct {
	Date Date `json:"date"`
	Counts
	RobotsTxt int `json:"robots_txt"` // requests for the robots.txt file itself
}

// A Row sums up the requests that have the same crawler and the same Identity.
type Row struct {
	Name     string             `json:"name"`
	Operator string             `json:"operator"`
	Purposes []crawlers.Purpose `json:"purposes"`
	ByPerson bool               `json:"by_person"`
	Identity Identity           `json:"identity,omitempty"`
	Counts
	RobotsTxt   RobotsTxt     `json:"robots_txt"`
	SmallestGap *int          `json:"smallest_gap"`
	MedianGap   *int          `json:"median_gap"`
	CrawlDelay  *float64      `json:"crawl_delay"`
	First       Time          `json:"first"`
	Last        Time          `json:"last"`
	Note        string        `json:"note,omitempty"`             // says if it is not documented that the crawler reads the group that disallows its requests, or if other crawlers read its user-agent lines differently
	OtherForms  int           `json:"other_forms,omitempty"`      // allowed requests for which servers may answer with a disallowed page
	FormsNote   string        `json:"other_forms_note,omitempty"` // about the first of them
	Rules       []*BrokenRule `json:"rules"`
	Unlisted    int           `json:"unlisted"`
	Days        []Day         `json:"days"` // the days with requests, in order; see maxDays

	Crawler crawlers.Crawler `json:"-"` // the zero value if the crawler is not well known

	broken map[robotstxt.Rule]*BrokenRule
	times  []int64 // the times of the first requests that were read, in seconds since 1970
}

// RobotsTxt counts requests for the robots.txt file itself.
type RobotsTxt struct {
	Requests int  `json:"requests"`
	Missing  int  `json:"missing"` // answered with 404 or 410: there is no file
	Refused  int  `json:"refused"` // answered with another 4xx status except 429; the crawler may then assume that there is no file
	Last     Time `json:"last"`
}

// A BrokenRule is a rule that a crawler broke.
type BrokenRule struct {
	Line     int            `json:"line"`
	Rule     string         `json:"rule"`
	Requests int            `json:"requests"`
	Examples []string       `json:"examples"`
	Notes    []reading.Note `json:"notes,omitempty"` // of the verdict about the first request
}

// A Failure is a line that could not be read.
type Failure struct {
	Name string // the name of the log
	Line int
	Err  error
}

// A Collector counts the requests in logs.
type Collector struct {
	Options
	Parser
	report   Report
	others   Row
	byHeader map[string]*agent // by the whole User-Agent header, so that a repeated header need not be parsed again
	byName   map[string]*agent // by the token in lower case
	unknown  int               // what the rows of crawlers that are not well known store, in bytes
}

// An agent is the crawler that a User-Agent header names.
type agent struct {
	token   string
	crawler crawlers.Crawler // the zero value if the crawler is not well known
	isOther bool             // whether its requests count in Report.Others
	rows    map[Identity]*Row
	group   verdict.Group // for the token in Versions[version]
	version int
}

// NewCollector returns an empty Collector, which parses the lines of logs with p.
func NewCollector(o Options, p Parser) *Collector {
	return &Collector{Options: o, Parser: p, byHeader: map[string]*agent{}, byName: map[string]*agent{}}
}

// Read counts the requests of a log, which may be compressed with gzip or zstd. If
// reading fails, the lines before the failure still count.
func (c *Collector) Read(name string, r io.Reader) error {
	c.columns = columns{} // a #Fields line applies only to its own log
	number := 0
	return readLines(r, func(line string) {
		number++
		if line == "" || c.Directive(line) {
			return
		}
		c.report.Lines++
		e, err := c.Parse(line)
		if err == nil {
			c.add(&e)
			return
		}
		c.report.Unread++
		if len(c.report.Failures) < 3 {
			c.report.Failures = append(c.report.Failures, Failure{name, number, err})
		}
	})
}

func (c *Collector) add(e *Entry) {
	if e.Host == "" {
		c.report.Hostless++
	} else if hosts := c.report.Hosts; len(hosts) < 4 && !slices.Contains(hosts, e.Host) {
		c.report.Hosts = append(hosts, strings.Clone(e.Host))
	}
	if e.Time < c.Since || c.Until != 0 && e.Time >= c.Until || c.Host != "" && c.Host != e.Host {
		return
	}
	c.report.Requests++
	extend(&c.report.First, &c.report.Last, e.Time)
	a := c.agent(e.Agent)
	row := &c.others
	if !a.isOther {
		row = c.row(a, e.Address)
	}
	before, fetches := row.Counts, row.RobotsTxt.Requests
	row.Requests++
	if e.isRefused() {
		row.Refused++
	}
	extend(&row.First, &row.Last, e.Time)
	switch {
	case e.Target == "":
	case isRobotsTxt(e.Target):
		row.RobotsTxt.add(e)
	default:
		if !a.isOther && len(row.times) < maxTimes && c.hasRoom(row, timeSize) {
			row.times = append(row.times, e.Time)
		}
		c.judge(a, row, e)
	}
	if day := c.day(row, Time(e.Time).Date()); day != nil {
		day.Requests++
		day.Disallowed += row.Disallowed - before.Disallowed
		day.Unjudged += row.Unjudged - before.Unjudged
		day.Refused += row.Refused - before.Refused
		day.RobotsTxt += row.RobotsTxt.Requests - fetches
	}
}

// day returns the counts of a day, or nil if there are already too many days.
func (c *Collector) day(row *Row, date Date) *Day {
	i, found := slices.BinarySearchFunc(row.Days, date, func(d Day, date Date) int { return cmp.Compare(d.Date, date) })
	if found {
		return &row.Days[i]
	}
	if len(row.Days) >= maxDays || !c.hasRoom(row, daySize) {
		return nil
	}
	row.Days = slices.Insert(row.Days, i, Day{Date: date})
	return &row.Days[i]
}

// hasRoom reports whether a row may store another entry of a size in bytes, and counts it.
func (c *Collector) hasRoom(row *Row, size int) bool {
	if row == &c.others || row.isKnown() {
		return true
	}
	if c.unknown+size > maxUnknown {
		return false
	}
	c.unknown += size
	return true
}

// extend widens the span from first to last so that it includes the time t. If first is 0, the
// span is empty.
func extend(first, last *Time, t int64) {
	if *first == 0 || Time(t) < *first {
		*first = Time(t)
	}
	*last = max(*last, Time(t))
}

// isRobotsTxt reports whether a target is the robots.txt file, with or without a query.
func isRobotsTxt(target string) bool {
	if _, rest, ok := strings.Cut(target, "://"); ok && target[0] != '/' {
		target = rest[max(0, strings.IndexByte(rest, '/')):]
	}
	rest, ok := strings.CutPrefix(target, "/robots.txt")
	return ok && (rest == "" || rest[0] == '?')
}

func (r *RobotsTxt) add(e *Entry) {
	r.Requests++
	r.Last = max(r.Last, Time(e.Time))
	switch {
	case e.Status == 404 || e.Status == 410:
		r.Missing++
	case e.isRefused():
		r.Refused++
	}
}

// isRefused reports whether the server refused the request.
func (e *Entry) isRefused() bool {
	return e.Status/100 == 4 && e.Status != 404 && e.Status != 410 && e.Status != 429
}

// agent returns the crawler that a User-Agent header names.
func (c *Collector) agent(header string) *agent {
	if a := c.byHeader[header]; a != nil {
		return a
	}
	token := strings.Clone(productToken(header))
	name := strings.ToLower(token)
	a := c.byName[name]
	if a == nil {
		a = &agent{token: token, rows: map[Identity]*Row{}, version: -1}
		known := false
		if a.crawler, known = crawlers.Lookup(token); known {
			a.token = a.crawler.Token
		}
		a.isOther = isBrowser(name) || len(c.byName) >= maxCrawlers && !known
		if !a.isOther {
			c.byName[name] = a
		}
	}
	if len(header) <= maxText {
		if len(c.byHeader) >= maxHeaders {
			clear(c.byHeader)
		}
		c.byHeader[strings.Clone(header)] = a
	}
	return a
}

// productToken returns the name of the crawler in a User-Agent header. It returns "" if
// there is no name, or if the name is "-" or longer than maxName.
func productToken(header string) string {
	token := known.Token(withBlanks(header))
	if token == "-" || len(token) > maxName {
		return ""
	}
	return token
}

// withBlanks returns a User-Agent header with blanks where CloudFront writes "%20" or, in some
// logs, "%2520", and IIS writes "+".
func withBlanks(header string) string {
	if strings.Contains(header, " ") {
		return header
	}
	if strings.Contains(header, "%") {
		if plain, err := url.PathUnescape(strings.ReplaceAll(header, "%25", "%")); err == nil {
			return plain
		}
	}
	return strings.ReplaceAll(header, "+", " ")
}

// isBrowser reports whether a token, in lower case, names a browser or nothing, such as "$". Old versions of
// Internet Explorer have the token "msie", the apps of Android "dalvik", and headers that were pasted with
// their name or their quotation marks "user-agent" or "'mozilla".
func isBrowser(name string) bool {
	switch strings.Trim(name, "'$`~!.-_+") {
	case "", "mozilla", "msie", "opera", "dalvik", "http", "https", "user-agent":
		return true
	}
	return false
}

// row returns the row for a crawler's requests from an address. Addresses with the same Identity
// share a row. If there is no row yet, row adds one to the report.
func (c *Collector) row(a *agent, address string) *Row {
	var identity Identity
	if c.Identify != nil {
		identity = c.Identify(a.token, address)
	}
	row := a.rows[identity]
	if row == nil {
		row = &Row{
			Name: a.token, Operator: a.crawler.Operator, Purposes: append([]crawlers.Purpose{}, a.crawler.Purposes...),
			ByPerson: isByPerson(a.crawler), Identity: identity, Crawler: a.crawler,
			broken: map[robotstxt.Rule]*BrokenRule{},
		}
		if delay, ok := c.Versions[len(c.Versions)-1].File.Group(a.token).CrawlDelay(); ok {
			row.CrawlDelay = new(delay.Seconds())
		}
		a.rows[identity] = row
		c.report.Crawlers = append(c.report.Crawlers, row)
	}
	return row
}

// isByPerson reports whether a crawler fetches pages mainly because a person asks for them.
func isByPerson(c crawlers.Crawler) bool {
	return len(c.Purposes) > 0 && c.Purposes[0] == crawlers.User
}

func (r *Row) isKnown() bool { return r.Crawler.Token != "" }

// judge counts a request as disallowed if it is disallowed by every version of robots.txt that was
// in force at any time in the 24 hours before it. If robots.txt is not known for a part of these 24
// hours, and none of the known versions allows the request, judge counts the request as unjudged.
func (c *Collector) judge(a *agent, row *Row, e *Entry) {
	v := c.versionAt(e.Time)
	if v < 0 {
		row.Unjudged++
		return
	}
	if a.version != v {
		a.version, a.group = v, c.Versions[v].File.Group(a.token)
	}
	url := e.Target
	if strings.HasPrefix(url, "//") { // the URL is a path, but Decide would read its first part as a host
		url = "http://host" + url
	}
	d := a.group.Decide(url)
	if d.Allowed {
		if note := d.Note(verdict.OtherForm); note != "" {
			row.OtherForms++
			row.FormsNote = cmp.Or(row.FormsNote, e.Target[:min(len(e.Target), maxPath)]+": "+note)
		}
		return
	}
	for ; c.Versions[v].From > e.Time-grace; v-- {
		if v == 0 {
			row.Unjudged++ // the file before the first version is not known
			return
		}
		if c.Versions[v-1].File.Allowed(a.token, url) {
			return
		}
	}
	row.Disallowed++
	if !a.isOther {
		c.addBroken(row, d, e.Target)
	}
}

// versionAt returns the index of the version in force at a time, or -1 if the time is before the first version.
func (c *Collector) versionAt(t int64) int {
	next, _ := slices.BinarySearchFunc(c.Versions, t+1, func(v Version, t int64) int { return cmp.Compare(v.From, t) })
	return next - 1
}

// addBroken counts a request that a rule disallows. It keeps the first targets as examples.
func (c *Collector) addBroken(row *Row, v verdict.Verdict, target string) {
	rule := v.Rule
	b := row.broken[rule]
	if b == nil {
		if len(row.broken) > 0 && (len(row.broken) >= maxRules || !c.hasRoom(row, ruleSize)) {
			row.Unlisted++
			return
		}
		b = &BrokenRule{Line: rule.Line, Rule: rule.String(), Notes: v.Notes}
		row.broken[rule] = b
	}
	b.Requests++
	if target = target[:min(len(target), maxPath)]; len(b.Examples) < 2 && !slices.Contains(b.Examples, target) {
		b.Examples = append(b.Examples, strings.Clone(target))
	}
}

// Report returns what was counted. The Collector cannot be used after that.
func (c *Collector) Report() *Report {
	r := &c.report
	r.Others.Counts, r.Others.Days, r.Unjudged = c.others.Counts, append([]Day{}, c.others.Days...), c.others.Unjudged
	r.Changes = []Time{}
	for _, v := range c.Versions {
		if t := Time(v.From); r.First.Date() <= t.Date() && t.Date() <= r.Last.Date() {
			r.Changes = append(r.Changes, t)
		}
	}
	r.Crawlers = append([]*Row{}, r.Crawlers...) // not nil, which would be null in JSON
	for _, row := range r.Crawlers {
		r.Unjudged += row.Unjudged
		row.finish()
	}
	slices.SortFunc(r.Crawlers, func(a, b *Row) int {
		return cmp.Or(b.Disallowed-a.Disallowed, b.Requests-a.Requests, strings.Compare(a.Name, b.Name), strings.Compare(string(a.Identity), string(b.Identity)))
	})
	return r
}

// finish sets Rules, starting with the rule that has the most requests. It sets SmallestGap and
// MedianGap if the row has the times of at least two requests.
func (r *Row) finish() {
	r.Days = append([]Day{}, r.Days...)
	r.Rules = slices.AppendSeq([]*BrokenRule{}, maps.Values(r.broken))
	slices.SortFunc(r.Rules, func(a, b *BrokenRule) int {
		return cmp.Or(b.Requests-a.Requests, a.Line-b.Line, strings.Compare(a.Rule, b.Rule))
	})
	if len(r.times) > 1 {
		smallest, median := gaps(r.times)
		r.SmallestGap, r.MedianGap = &smallest, &median
	}
}

// gaps returns the smallest and the median gap between successive times. It sorts the times, and
// there must be at least two times. If the number of gaps is even, the median is the smaller of
// the two middle gaps.
func gaps(times []int64) (smallest, median int) {
	slices.Sort(times)
	var sorted []int
	for i, t := range times[1:] {
		sorted = append(sorted, int(t-times[i]))
	}
	slices.Sort(sorted)
	return sorted[0], sorted[(len(sorted)-1)/2]
}
