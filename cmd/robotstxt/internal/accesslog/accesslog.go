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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
)

// Limits of what a Collector stores.
const (
	mostCrawlers = 10_000  // after this many crawlers, only well-known crawlers get new rows
	longestName  = 64      // bytes of a crawler's name; a crawler with a longer name is treated as one without a name
	mostHeaders  = 2_048   // entries in the map byHeader; when the map is full, all entries are deleted
	longestKept  = 512     // bytes of a stored header, or of a stored line that could not be read
	mostBroken   = 12_000  // entries in the Rules of all rows together; the second half is only for well-known crawlers
	longestPath  = 120     // bytes of an example path
	mostTimes    = 6 << 20 // bytes of memory for the times of requests; if the times need more, addTime drops some or all
)

// lenience is how long a crawler may still use the previous version of a robots.txt file after the
// file has changed, in seconds (RFC 9309, section 2.4).
const lenience = 24 * 60 * 60

// Always is the Version.From of a file that was in force from the start.
const Always = -1 << 62

// A Version is a robots.txt file that was in force from the time From until the next Version.
type Version struct {
	From int64 // seconds since 1970
	File *robotstxt.File
	Keys map[int]string // for each rule of File with a misspelled key: the key, by line number
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

// Date returns the day in UTC, such as "2026-11-22".
func (t Time) Date() string { return t.String()[:len(time.DateOnly)] }

func (t Time) MarshalJSON() ([]byte, error) {
	if t == 0 {
		return []byte("null"), nil
	}
	return []byte(strconv.Quote(t.String())), nil
}

// A Report sums up logs. The command "robotstxt log --json" prints a Report as JSON.
type Report struct {
	Lines    int    `json:"lines" jsonschema:"the number of lines, including those that could not be read"`
	Unread   int    `json:"unread" jsonschema:"the number of lines that could not be read"`
	Unjudged int    `json:"unjudged" jsonschema:"requests that cannot be judged, because it is not known which robots.txt file was in force at the time of the request or in the 24 hours before it"`
	First    Time   `json:"first" jsonschema:"the time of the first request; null if there are none"`
	Last     Time   `json:"last" jsonschema:"the time of the last request; null if there are none"`
	Crawlers []*Row `json:"crawlers" jsonschema:"sorted by the number of disallowed requests, the largest number first"`
	Others   Counts `json:"others" jsonschema:"requests from browsers and from clients without a name; after the first 10,000 crawlers, also requests from further crawlers that are not well known"`

	Requests int       `json:"-"` // the number of requests that match the Options
	Failures []Failure `json:"-"` // the first lines that could not be read, at most three
	Hosts    []string  `json:"-"` // the first four hosts in the logs, including hosts of requests that do not match the Options
	Hostless int       `json:"-"` // the number of requests whose lines do not name the host
}

// Counts contains the numbers of requests of one Row or of Report.Others.
type Counts struct {
	Requests   int `json:"requests"`
	Disallowed int `json:"disallowed"`
	Unjudged   int `json:"unjudged" jsonschema:"requests that cannot be judged, because it is not known which robots.txt file was in force at the time of the request or in the 24 hours before it"`
}

// A Row sums up the requests that have the same crawler and the same Identity.
type Row struct {
	Name     string             `json:"name"`
	Operator string             `json:"operator" jsonschema:"empty if the crawler is not well known"`
	Purposes []crawlers.Purpose `json:"purposes"`
	ByPerson bool               `json:"by_person" jsonschema:"whether the crawler fetches a page only when a person asks for the page"`
	Identity Identity           `json:"identity,omitempty" jsonschema:"whether the requests came from addresses of the crawler's operator (see --ip-ranges)"`
	Counts
	RobotsTxt   RobotsTxt     `json:"robots_txt"`
	SmallestGap *int          `json:"smallest_gap" jsonschema:"the shortest time between successive requests, in seconds; null if it is not known"`
	MedianGap   *int          `json:"median_gap" jsonschema:"the median of the times between successive requests, in seconds; null if it is not known"`
	CrawlDelay  *float64      `json:"crawl_delay" jsonschema:"the delay that the latest robots.txt file asks for, in seconds; null if it asks for none"`
	First       Time          `json:"first" jsonschema:"the time of the first request"`
	Last        Time          `json:"last" jsonschema:"the time of the last request"`
	Rules       []*BrokenRule `json:"rules" jsonschema:"the rules that the crawler broke, starting with the rule that disallows the most requests"`
	Unlisted    int           `json:"unlisted" jsonschema:"the number of disallowed requests whose rules are left out of the list"`

	Crawler crawlers.Crawler `json:"-"` // the zero value if the crawler is not well known

	broken map[robotstxt.Rule]*BrokenRule
	times  *roaring.Bitmap // the times of requests, in seconds since 1970; nil after addTime has dropped them
	timed  int             // the number of requests whose times are in the bitmap; several requests can have the same time
	last   uint32          // the time that was last added to the bitmap
}

// RobotsTxt counts requests for the robots.txt file itself.
type RobotsTxt struct {
	Requests int  `json:"requests"`
	Refused  int  `json:"refused" jsonschema:"requests answered with a 4xx status except 429; the crawler may then assume that there is no file"`
	Last     Time `json:"last" jsonschema:"the time of the last request; null if there are none"`
}

// A BrokenRule is a rule that a crawler broke.
type BrokenRule struct {
	Line     int      `json:"line"`
	Rule     string   `json:"rule"`
	Requests int      `json:"requests"`
	Examples []string `json:"examples" jsonschema:"up to two paths, cut off after 120 bytes"`
	Key      string   `json:"key,omitempty" jsonschema:"the key as written in the robots.txt file, if it is misspelled; otherwise missing"`
}

// A Failure is a line that could not be read.
type Failure struct {
	Name string // the name of the log
	Line int
	Text string
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
	broken   int               // the number of BrokenRules in all rows
	times    int               // the times in all rows take at most this many bytes
	version  int               // the index that versionAt found last; usually the next request has the same version
}

// An agent is the crawler that a User-Agent header names.
type agent struct {
	token   string
	crawler crawlers.Crawler // the zero value if the crawler is not well known
	isOther bool             // whether its requests count in Report.Others
	rows    map[Identity]*Row
	group   *robotstxt.Group // the group for the token in Versions[version]
	version int
}

// NewCollector returns an empty Collector, which parses the lines of logs with p.
func NewCollector(o Options, p Parser) *Collector {
	return &Collector{Options: o, Parser: p, byHeader: map[string]*agent{}, byName: map[string]*agent{}}
}

// Read counts the requests of a log, which may be compressed with gzip or zstd. If
// reading fails, the lines before the failure still count.
func (c *Collector) Read(name string, r io.Reader) error {
	number := 0
	return readLines(r, func(line string) {
		number++
		if line == "" {
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
			c.report.Failures = append(c.report.Failures, Failure{name, number, strings.Clone(line[:min(len(line), longestKept)]), err})
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
	row.Requests++
	extend(&row.First, &row.Last, e.Time)
	switch {
	case e.Target == "":
	case isRobotsTxt(e.Target):
		row.RobotsTxt.add(e)
	default:
		if !a.isOther {
			c.addTime(row, e.Time)
		}
		c.judge(a, row, e)
	}
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
	if e.Status >= 400 && e.Status < 500 && e.Status != 429 {
		r.Refused++
	}
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
		if a.crawler, known = crawlers.Find(token); known {
			a.token = a.crawler.Token
		}
		a.isOther = isBrowser(name) || len(c.byName) >= mostCrawlers && !known
		if !a.isOther {
			c.byName[name] = a
		}
	}
	if len(header) <= longestKept {
		if len(c.byHeader) >= mostHeaders {
			clear(c.byHeader)
		}
		c.byHeader[strings.Clone(header)] = a
	}
	return a
}

// productToken returns the name of the crawler in a User-Agent header. It returns "" if
// there is no name, or if the name is "-" or longer than longestName.
func productToken(header string) string {
	token := robotstxt.ProductToken(header)
	if token == "-" || len(token) > longestName {
		return ""
	}
	return token
}

// isBrowser reports whether a token, in lower case, is empty or the name of a browser. Old
// versions of Internet Explorer have the token "msie".
func isBrowser(name string) bool {
	return name == "" || name == "mozilla" || name == "msie" || name == "opera"
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
			ByPerson: a.crawler.ByPerson(), Identity: identity, Crawler: a.crawler,
			broken: map[robotstxt.Rule]*BrokenRule{}, times: roaring.New(),
		}
		if delay, ok := c.Versions[len(c.Versions)-1].File.Group(a.token).CrawlDelay(); ok {
			row.CrawlDelay = new(delay.Seconds())
		}
		a.rows[identity] = row
		c.report.Crawlers = append(c.report.Crawlers, row)
	}
	return row
}

func (r *Row) isKnown() bool { return r.Crawler.Token != "" }

// judge counts a request as disallowed if it is disallowed by every version of robots.txt that was
// in force at any time in the 24 hours before it. If robots.txt is not known for a part of these 24
// hours, and none of the known versions allows the request, judge counts the request as unjudged.
func (c *Collector) judge(a *agent, row *Row, e *Entry) {
	v, ok := c.versionAt(e.Time)
	if !ok {
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
		return
	}
	disallowing := v
	for ; c.Versions[v].From > e.Time-lenience; v-- {
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
		c.addBroken(row, d.Rule, c.Versions[disallowing].Keys[d.Rule.Line], e.Target)
	}
}

// versionAt returns the index of the version in force at a time. It returns false if the time is
// before the first version.
func (c *Collector) versionAt(t int64) (v int, ok bool) {
	isIn := func(v int) bool {
		return c.Versions[v].From <= t && (v+1 == len(c.Versions) || t < c.Versions[v+1].From)
	}
	if !isIn(c.version) {
		after := slices.IndexFunc(c.Versions, func(v Version) bool { return v.From > t })
		switch after {
		case 0:
			return 0, false
		case -1:
			after = len(c.Versions)
		}
		c.version = after - 1
	}
	return c.version, true
}

// addBroken counts a request that a rule disallows. It keeps the first targets as examples. The
// parameter key is the misspelled key of the rule's line, or empty if the key is not misspelled.
func (c *Collector) addBroken(row *Row, rule robotstxt.Rule, key, target string) {
	b := row.broken[rule]
	if b == nil {
		if c.broken >= mostBroken || c.broken >= mostBroken/2 && !row.isKnown() {
			row.Unlisted++
			return
		}
		c.broken++
		b = &BrokenRule{Line: rule.Line, Rule: rule.String(), Key: key}
		row.broken[rule] = b
	}
	b.Requests++
	if target = target[:min(len(target), longestPath)]; len(b.Examples) < 2 && !slices.Contains(b.Examples, target) {
		b.Examples = append(b.Examples, strings.Clone(target))
	}
}

// Upper bounds for the size of a bitmap of times: bytesPerBlock for each block of 65,536 seconds
// that contains a time, plus bytesPerTime for each time.
const (
	bytesPerBlock = 160
	bytesPerTime  = 4
)

// addTime stores the time of a request. If the times of all rows take too much memory, it
// drops the times of crawlers that are not well known. If that is not enough, it drops all
// times.
func (c *Collector) addTime(row *Row, t int64) {
	second := uint32(t)
	if row.times == nil || second == 0 || t != int64(second) {
		row.times = nil
		return
	}
	row.timed++
	if second == row.last {
		return
	}
	if c.times += bytesPerTime; second>>16 != row.last>>16 {
		c.times += bytesPerBlock
	}
	row.last = second
	row.times.Add(second)
	if c.times > mostTimes {
		if c.measureTimes(); c.times > mostTimes/2 {
			c.dropTimes(func(row *Row) bool { return !row.isKnown() })
		}
		if c.measureTimes(); c.times > mostTimes/2 {
			c.dropTimes(func(*Row) bool { return true })
		}
	}
}

// measureTimes estimates how much memory the times in all rows take, and sets c.times to this number
// of bytes.
func (c *Collector) measureTimes() {
	c.times = 0
	for _, row := range c.report.Crawlers {
		if row.times != nil {
			c.times += int(row.times.Stats().Containers)*bytesPerBlock + int(row.times.GetSizeInBytes())*2
		}
	}
}

func (c *Collector) dropTimes(drop func(*Row) bool) {
	for _, row := range c.report.Crawlers {
		if drop(row) {
			row.times = nil
		}
	}
}

// Report returns what was counted. The Collector cannot be used after that.
func (c *Collector) Report() *Report {
	r := &c.report
	r.Others, r.Unjudged = c.others.Counts, c.others.Unjudged
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
// MedianGap only if the row still has the times of its requests, and has at least two.
func (r *Row) finish() {
	r.Rules = slices.AppendSeq([]*BrokenRule{}, maps.Values(r.broken))
	slices.SortFunc(r.Rules, func(a, b *BrokenRule) int {
		return cmp.Or(b.Requests-a.Requests, a.Line-b.Line, strings.Compare(a.Rule, b.Rule))
	})
	if r.times != nil && r.timed > 1 {
		smallest, median := gaps(r.times, r.timed)
		r.SmallestGap, r.MedianGap = &smallest, &median
	}
}

// gaps returns the smallest and the median gap between successive requests, in seconds. The
// parameter requests is the number of requests, and must be at least 2. The set times contains each
// second in which a request arrived. If the number of gaps is even, the median is the smaller of
// the two middle gaps.
func gaps(times *roaring.Bitmap, requests int) (smallest, median int) {
	counts := map[int]int{}
	if n := requests - int(times.GetCardinality()); n > 0 {
		counts[0] = n
	}
	previous := -1
	for second := range roaring.Values(times) {
		if previous >= 0 {
			counts[int(second)-previous]++
		}
		previous = int(second)
	}
	sorted := slices.Sorted(maps.Keys(counts))
	left := requests / 2 // count this many gaps, the smallest first; the last of them is the median
	for _, gap := range sorted {
		if left -= counts[gap]; left <= 0 {
			return sorted[0], gap
		}
	}
	panic("impossible: the number of gaps is less than half the number of requests")
}
