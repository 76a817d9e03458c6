// Package accesslog reads the access logs of web servers and counts which requests of
// crawlers a robots.txt file disallows, by crawler and line of that file.
//
// A log may contain any bytes. Memory is bounded whatever it contains, by the
// constants below. A Collector must be used by one goroutine only.
package accesslog

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/crawlers"
)

// Limits of what a Collector keeps.
const (
	mostCrawlers = 10_000  // further ones that nobody knows count as others
	longestName  = 64      // bytes of a crawler's name
	mostHeaders  = 2_048   // User-Agent headers whose crawler is remembered
	longestKept  = 512     // bytes of such a header
	mostBroken   = 12_000  // rules that crawlers broke; half of them are for known crawlers
	longestPath  = 120     // bytes of an example
	mostTimes    = 6 << 20 // bytes of the times of requests
)

// lenience is how long after a change a crawler may still use the previous file (RFC
// 9309, section 2.4).
const lenience = 24 * 60 * 60

// Always is the From of a version that was always in force.
const Always = -1 << 62

// A Version is a robots.txt file that took effect at a time and stayed in force until
// the next one.
type Version struct {
	From int64 // seconds since 1970
	File *robotstxt.File
}

// An Identity is the answer to whether a request came from the operator of the crawler
// that it names.
type Identity string

// The identities. Unknown is for crawlers without a list of addresses.
const (
	Unknown  Identity = "unknown"
	Verified Identity = "verified"
	Forged   Identity = "forged"
)

// Options say what to count.
type Options struct {
	Versions     []Version // by From; at least one
	Since, Until int64     // the first second that counts, and the first that no longer does; 0 for no limit
	Host         string    // count only requests to this host, in lower case, if not empty
	Identify     func(token, address string) Identity
}

// A Row sums up what a crawler did.
type Row struct {
	Token      string
	Known      bool             // to the table of crawlers
	Crawler    crawlers.Crawler // if it is known
	Identity   Identity
	Requests   int
	Disallowed int
	First      int64 // seconds since 1970, as Last is
	Last       int64
	RobotsTxt  RobotsTxt
	Rules      []*Broken // most requests first
	Unlisted   int       // disallowed requests whose rules did not fit into Rules
	Gaps       *Gaps     // nil if there are none, or too many to keep
	CrawlDelay time.Duration
	HasDelay   bool

	broken map[robotstxt.Rule]*Broken
	times  *roaring.Bitmap // seconds with requests
	timed  int             // requests in times
	last   uint32          // the last second that was added
}

// RobotsTxt counts requests for the robots.txt file itself.
type RobotsTxt struct {
	Requests int
	Refused  int   // answered with a status from 400 to 499 except 429: for crawlers, there is no file
	Last     int64 // seconds since 1970
}

// A Broken is a rule that a crawler broke.
type Broken struct {
	Rule     robotstxt.Rule
	Requests int
	Examples []string // at most two different targets, each cut at 120 bytes
}

// Gaps are whole seconds between a crawler's requests, except those for robots.txt. If
// the number of gaps is even, Median is the smaller of the two in the middle.
type Gaps struct{ Smallest, Median int }

// A Report sums up logs.
type Report struct {
	Lines    int // including those that could not be read
	Unread   int
	Failures []Failure // of the first lines that could not be read, at most three
	Requests int       // that count, by Options
	Unjudged int       // requests that cannot be judged, because the version in force is unknown
	First    int64     // seconds since 1970, as Last is; of requests that count
	Last     int64
	Rows     []*Row   // most disallowed requests first
	Others   Row      // browsers, clients without a name, and crawlers beyond the limit
	Hosts    []string // of the requests, at most four
	Hostless int      // requests whose lines do not say the host
}

// A Failure is a line that could not be read.
type Failure struct {
	Name string // of the log
	Line int
	Text string
	Err  error // what was expected
}

// A Collector counts the requests in logs.
type Collector struct {
	Options
	Parser
	report   Report
	byHeader map[string]*agent
	byName   map[string]*agent // by the token in lower case
	broken   int               // rules in all rows
	times    int               // an upper bound of the bytes in all rows' times
	version  int               // in force at the last request
}

// An agent is the crawler that a User-Agent header names.
type agent struct {
	token   string
	known   bool // in the table of crawlers, with:
	crawler crawlers.Crawler
	isOther bool
	rows    map[Identity]*Row
	group   *robotstxt.Group // for the token, in version
	version int
}

// NewCollector returns a Collector that has counted nothing.
func NewCollector(o Options, p Parser) *Collector {
	return &Collector{Options: o, Parser: p, byHeader: map[string]*agent{}, byName: map[string]*agent{}}
}

// Read counts the requests of a log, which may be compressed with gzip or zstd. After
// an error, the lines read before it still count.
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

// add counts a request.
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
	extend(&c.report.First, &c.report.Last, e.Time, c.report.Requests)
	a := c.agent(e.Agent)
	row := &c.report.Others
	if !a.isOther {
		row = c.row(a, e.Address)
	}
	row.Requests++
	extend(&row.First, &row.Last, e.Time, row.Requests)
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

// extend widens a span of time to include a time. If count is 1, the span begins
// there.
func extend(first, last *int64, t int64, count int) {
	if count == 1 || t < *first {
		*first = t
	}
	if count == 1 || t > *last {
		*last = t
	}
}

// isRobotsTxt reports whether a target is the robots.txt file, with any query.
func isRobotsTxt(target string) bool {
	if _, rest, ok := strings.Cut(target, "://"); ok && target[0] != '/' {
		target = rest[max(0, strings.IndexByte(rest, '/')):]
	}
	rest, ok := strings.CutPrefix(target, "/robots.txt")
	return ok && (rest == "" || rest[0] == '?')
}

func (r *RobotsTxt) add(e *Entry) {
	r.Requests++
	r.Last = max(r.Last, e.Time)
	if e.Status >= 400 && e.Status < 500 && e.Status != 429 {
		r.Refused++
	}
}

// agent returns the crawler that a header names.
func (c *Collector) agent(header string) *agent {
	if a := c.byHeader[header]; a != nil {
		return a
	}
	token := strings.Clone(productToken(header))
	name := strings.ToLower(token)
	a := c.byName[name]
	if a == nil {
		a = &agent{token: token, rows: map[Identity]*Row{}, version: -1}
		if a.crawler, a.known = crawlers.Find(token); a.known {
			a.token = a.crawler.Token
		}
		a.isOther = isBrowser(name) || len(c.byName) >= mostCrawlers && !a.known
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

// productToken returns the name in a header, or nothing if it has none that a crawler
// could have.
func productToken(header string) string {
	token := robotstxt.ProductToken(header)
	if token == "-" || len(token) > longestName {
		return ""
	}
	return token
}

// isBrowser reports whether a token is not the name of a crawler. Old browsers name
// themselves as compatible.
func isBrowser(name string) bool {
	return name == "" || name == "mozilla" || name == "msie" || name == "opera"
}

// row returns the row of a crawler for requests from an address.
func (c *Collector) row(a *agent, address string) *Row {
	identity := Unknown
	if c.Identify != nil {
		identity = c.Identify(a.token, address)
	}
	row := a.rows[identity]
	if row == nil {
		row = &Row{Token: a.token, Known: a.known, Crawler: a.crawler, Identity: identity, broken: map[robotstxt.Rule]*Broken{}, times: roaring.New()}
		row.CrawlDelay, row.HasDelay = c.Versions[len(c.Versions)-1].File.Group(a.token).CrawlDelay()
		a.rows[identity] = row
		c.report.Rows = append(c.report.Rows, row)
	}
	return row
}

// judge counts a request that a rule disallows. It counts as disallowed only if every
// file that the crawler may have used disallows it.
func (c *Collector) judge(a *agent, row *Row, e *Entry) {
	v, ok := c.versionAt(e.Time)
	if !ok {
		c.report.Unjudged++
		return
	}
	if a.version != v {
		a.version, a.group = v, c.Versions[v].File.Group(a.token)
	}
	url := e.Target
	if strings.HasPrefix(url, "//") { // not a host
		url = "http://host" + url
	}
	d := a.group.Decide(url)
	if d.Allowed || d.Token == "*" && crawlers.IgnoresStar(a.token) {
		return
	}
	for ; c.Versions[v].From > e.Time-lenience; v-- {
		if v == 0 {
			c.report.Unjudged++ // the file before it is unknown
			return
		}
		if c.Versions[v-1].File.Allowed(a.token, url) {
			return
		}
	}
	row.Disallowed++
	if !a.isOther {
		c.addBroken(row, d.Rule, e.Target)
	}
}

// versionAt returns the index of the version in force at a time.
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

// addBroken counts a rule that disallows a target.
func (c *Collector) addBroken(row *Row, rule robotstxt.Rule, target string) {
	b := row.broken[rule]
	if b == nil {
		if c.broken >= mostBroken || c.broken >= mostBroken/2 && !row.Known {
			row.Unlisted++
			return
		}
		c.broken++
		b = &Broken{Rule: rule}
		row.broken[rule] = b
	}
	b.Requests++
	if target = target[:min(len(target), longestPath)]; len(b.Examples) < 2 && !slices.Contains(b.Examples, target) {
		b.Examples = append(b.Examples, strings.Clone(target))
	}
}

// The most bytes that a second takes in a bitmap: the first in a block of 2^16, and
// any other.
const (
	bytesOfFirst = 160
	bytesOfOther = 4
)

// addTime records when a crawler sent a request. If the times take too much memory,
// only those of known crawlers are kept; if even these take too much, none are.
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
	if c.times += bytesOfOther; second>>16 != row.last>>16 {
		c.times += bytesOfFirst
	}
	row.last = second
	row.times.Add(second)
	if c.times > mostTimes {
		if c.measureTimes(); c.times > mostTimes/2 {
			c.dropTimes(func(row *Row) bool { return !row.Known })
		}
		if c.measureTimes(); c.times > mostTimes/2 {
			c.dropTimes(func(*Row) bool { return true })
		}
	}
}

// measureTimes counts the bytes of all times.
func (c *Collector) measureTimes() {
	c.times = 0
	for _, row := range c.report.Rows {
		if row.times != nil {
			c.times += int(row.times.Stats().Containers)*bytesOfFirst + int(row.times.GetSizeInBytes())*2
		}
	}
}

func (c *Collector) dropTimes(drop func(*Row) bool) {
	for _, row := range c.report.Rows {
		if drop(row) {
			row.times = nil
		}
	}
}

// Report returns what was counted. The Collector cannot be used after that.
func (c *Collector) Report() *Report {
	for _, row := range c.report.Rows {
		row.finish()
	}
	slices.SortFunc(c.report.Rows, func(a, b *Row) int {
		return cmp.Or(b.Disallowed-a.Disallowed, b.Requests-a.Requests, strings.Compare(a.Token, b.Token), strings.Compare(string(a.Identity), string(b.Identity)))
	})
	return &c.report
}

// finish sorts the rules and counts the gaps.
func (r *Row) finish() {
	r.Rules = slices.SortedFunc(maps.Values(r.broken), func(a, b *Broken) int {
		return cmp.Or(b.Requests-a.Requests, a.Rule.Line-b.Rule.Line, strings.Compare(a.Rule.Pattern, b.Rule.Pattern))
	})
	if r.times != nil && r.timed > 1 {
		r.Gaps = gapsOf(r.times, r.timed)
	}
}

// gapsOf returns the gaps between requests, given the seconds with requests. A second
// can have several requests.
func gapsOf(seconds *roaring.Bitmap, requests int) *Gaps {
	counts := map[int]int{0: requests - int(seconds.GetCardinality())}
	previous := -1
	for second := range roaring.Values(seconds) {
		if previous >= 0 {
			counts[int(second)-previous]++
		}
		previous = int(second)
	}
	if counts[0] == 0 {
		delete(counts, 0)
	}
	gaps := slices.Sorted(maps.Keys(counts))
	left := requests / 2 // of requests-1 gaps, those up to the median
	for _, gap := range gaps {
		if left -= counts[gap]; left <= 0 {
			return &Gaps{gaps[0], gap}
		}
	}
	panic("the gaps do not add up")
}
