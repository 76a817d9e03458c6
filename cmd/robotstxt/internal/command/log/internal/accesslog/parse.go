package accesslog

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Entry is a request that a log line describes.
type Entry struct {
	Time    int64  // seconds since 1970
	Target  string // the path and query, or a whole URL; empty if the request has none
	Host    string // in lower case, without a port; empty if the line does not contain it
	Agent   string // the User-Agent header, with the escapes of CloudFront and IIS; empty if there was none
	Address string // the address of the client, as written in the line
	Status  int    // the status of the response; 0 if the line does not contain it
}

// A Parser reads lines of access logs. It remembers the date and hour of the last line, because
// the next line often has the same date and hour.
type Parser struct {
	Fields Fields // where the parts of an Entry are in a line in JSON; the zero value means that the line has the keys of a known server

	jsonFormat format     // the format of the last line in JSON, with one name for each field
	json       jsonReader // reads the fields of jsonFormat
	columns    columns    // the columns that the last #Fields line names

	hour, zone string
	seconds    int64 // when this hour starts in this time zone, in seconds since 1970
	date       string
	midnight   int64 // when this date starts in UTC, in seconds since 1970
}

// Parse returns the request that a line describes. If Parse cannot read the line, the error
// says what Parse expected.
func (p *Parser) Parse(line string) (e Entry, err error) {
	if inner, ok := cutDocker(line); ok {
		line = inner
	}
	_, second, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "{"):
		return p.parseJSON(line)
	case p.columns.total > 0:
		return p.parseW3C(line)
	case len(second) > 10 && second[4] == '-' && second[10] == 'T': // a time such as 2026-11-22T06:21:15Z
		return p.parseALB(line)
	}
	return p.parseCommon(line)
}

// cutDocker returns the line of a server that Docker has put into a JSON object, such as
// {"log":"192.0.2.1 - - [...\n","stream":"stdout","time":"2026-11-22T06:21:15Z"}.
//
// https://docs.docker.com/engine/logging/drivers/json-file/
func cutDocker(line string) (inner string, ok bool) {
	rest, ok := strings.CutPrefix(line, `{"log":`)
	rest, ok2 := strings.CutPrefix(strings.TrimLeft(rest, " "), `"`)
	end := endOfQuoted(rest)
	if !ok || !ok2 || end < 0 || !strings.Contains(rest[end:], `"stream":`) {
		return "", false
	}
	inner, ok = unquoteJSON(`"` + rest[:end] + `"`)
	return strings.TrimRight(inner, "\r\n"), ok
}

// Directive reports whether a line is a directive of the format W3C, such as "#Version: 1.0". A
// directive is not a request. The directive #Fields names the columns of the lines after it.
func (p *Parser) Directive(line string) bool {
	name, rest, ok := strings.Cut(line, ":")
	if !ok || !strings.HasPrefix(name, "#") || strings.Contains(name, " ") {
		return false
	}
	if name == "#Fields" {
		p.columns = w3c.columns(rest)
	}
	return true
}

var (
	errNotJSON = errors.New("want a JSON object")
	errW3C     = errors.New("want a #Fields line that names date, time and cs-uri-stem, and then lines with these columns")
	errALB     = errors.New(`want type 2026-11-22T06:21:15.012345Z load-balancer address:port ... "GET https://host:443/path HTTP/1.1" "user agent" and more`)
	errCommon  = errors.New(`want address - user [22/Nov/2026:06:21:15 +0000] "GET /path HTTP/1.1" 200 512 "referrer" "user agent"`)
)

// parseCommon reads a line in the Common or Combined Log Format, as Apache and nginx
// write it. The line may start with the name of the virtual host.
func (p *Parser) parseCommon(line string) (e Entry, err error) {
	who, rest, ok := strings.Cut(line, " [")
	when, rest, ok2 := strings.Cut(rest, `] "`)
	request, rest, ok3 := cutQuoted(rest)
	if !ok || !ok2 || !ok3 {
		return e, errCommon
	}
	if e.Time, ok = p.parseClock(when); !ok {
		return e, errCommon
	}
	e.Address, who, ok = cutClient(who)
	if next, _, found := strings.Cut(who, " "); found && strings.Count(who, " ") > 1 && isAddress(next) && !isAddress(e.Address) {
		e.Host, e.Address = hostName(e.Address), next
	}
	status, rest, ok2 := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	if e.Status, err = strconv.Atoi(status); err != nil || !ok || !ok2 {
		return e, errCommon
	}
	e.setRequest(request)
	_, rest, hasAgent := strings.Cut(rest, ` "`)
	if !hasAgent {
		return e, nil
	}
	if _, rest, ok = cutQuoted(rest); ok {
		e.Agent, _, ok = cutQuoted(strings.TrimPrefix(rest, ` "`))
	}
	if !ok {
		return e, errCommon
	}
	if e.Agent == "-" {
		e.Agent = ""
	}
	return e, nil
}

// cutClient returns the first field of a line, and the rest of the line. The field can be a header X-Forwarded-For,
// such as 203.0.113.7, 10.0.0.1. Then the client is the first address. The field may have quotation marks.
func cutClient(line string) (client, rest string, ok bool) {
	client, rest, ok = strings.Cut(line, " ")
	for last := client; ok && strings.HasSuffix(last, ","); {
		last, rest, ok = strings.Cut(rest, " ")
	}
	client, _, _ = strings.Cut(client, ",")
	return strings.Trim(client, `"`), rest, ok
}

// isAddress reports whether a field looks like an IP address rather than a host name
// with a port.
func isAddress(field string) bool {
	return strings.Count(field, ":") > 1 || field != "" && consistsOf(field, "0123456789.")
}

// cutQuoted cuts s at the first quotation mark that is not escaped. It replaces the escapes in the
// text before the mark. If there is no such mark, it returns false.
func cutQuoted(s string) (text, rest string, ok bool) {
	end := endOfQuoted(s)
	if end < 0 {
		return "", "", false
	}
	return unescape(s[:end]), s[end+1:], true
}

// endOfQuoted returns the index of the first quotation mark that is not escaped, or -1.
func endOfQuoted(s string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '"')
		if i < 0 {
			return -1
		}
		i += from
		if i == 0 || s[i-1] != '\\' {
			return i
		}
		if slashes := i - len(strings.TrimRight(s[:i], `\`)); slashes%2 == 0 {
			return i
		}
		from = i + 1
	}
}

// unescape replaces the escapes that Apache and nginx write, such as \" and \x22, with the
// bytes that they stand for.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		switch {
		case s[0] != '\\' || len(s) < 2:
			b, s = append(b, s[0]), s[1:]
		case s[1] == 'x':
			if c, err := strconv.ParseUint(s[2:min(4, len(s))], 16, 8); err == nil && len(s) >= 4 {
				b, s = append(b, byte(c)), s[4:]
			} else {
				b, s = append(b, s[:2]...), s[2:]
			}
		default:
			c := s[1]
			if i := strings.IndexByte("bnrtvf", c); i >= 0 {
				c = "\b\n\r\t\v\f"[i]
			}
			b, s = append(b, c), s[2:]
		}
	}
	return string(b)
}

// parseClock parses a time such as "22/Nov/2026:06:21:15 +0000".
func (p *Parser) parseClock(s string) (seconds int64, ok bool) {
	const layout = "02/Jan/2006:15:04:05 -0700"
	if len(s) != len(layout) {
		return 0, false
	}
	hour, clock, zone := s[:14], s[14:20], s[20:]
	if hour != p.hour || zone != p.zone {
		t, err := time.Parse(layout, hour+":00:00"+zone)
		if err != nil {
			return 0, false
		}
		p.hour, p.zone, p.seconds = strings.Clone(hour), strings.Clone(zone), t.Unix()
	}
	minutes, ok := parseSixtieths(clock[:3])
	rest, ok2 := parseSixtieths(clock[3:])
	return p.seconds + 60*minutes + rest, ok && ok2 && p.seconds >= 0
}

// parseSixtieths parses minutes or seconds such as ":59". It also accepts ":60", because logs
// can contain leap seconds.
func parseSixtieths(s string) (n int64, ok bool) {
	tens, ones := s[1]-'0', s[2]-'0'
	n = int64(tens)*10 + int64(ones)
	return n, s[0] == ':' && ones <= 9 && n <= 60
}

// parseJSON reads a line that is a JSON object.
func (p *Parser) parseJSON(line string) (e Entry, err error) {
	hasFields := p.Fields != (Fields{})
	if hasFields && p.jsonFormat.Fields != p.Fields {
		p.setJSONFormat(format{Fields: p.Fields})
	}
	ok := p.json.readLine(line)
	if !ok {
		return e, errNotJSON
	}
	v := p.json.values
	if !hasFields && (len(v) == 0 || v[requestField] == "" || v[timeField] == "") {
		f, ok := findJSONFormat(line)
		if !ok {
			return e, errKeys()
		}
		p.setJSONFormat(f)
		p.json.readLine(line)
		v = p.json.values
	}
	if v[requestField] == "" {
		return e, fmt.Errorf("want a JSON object with a string at %q (see --fields)", p.Fields[requestField])
	}
	switch request := v[requestField]; {
	case !hasFields:
	case request == "-" && p.Fields[queryField] != "": // the path of the home page
		v[requestField] = "/"
	case isBarePath(request):
		v[requestField] = "/" + request
	}
	if e, ok = p.entry(values(v)); !ok {
		return e, fmt.Errorf("want a JSON object with a time at %q (see --fields)", p.jsonFormat.Fields[timeField])
	}
	if p.jsonFormat.escapesPercent {
		e.unescapePercent()
	}
	return e, nil
}

// isBarePath reports whether a request may be a path without its first slash, as Akamai can write it. Junk that
// came in place of a request usually has control characters.
func isBarePath(request string) bool {
	return request != "-" && request[0] != '/' && !strings.ContainsFunc(request, func(r rune) bool { return r <= ' ' || r == ':' || r == '*' })
}

// setJSONFormat sets the format of the following lines in JSON.
func (p *Parser) setJSONFormat(f format) {
	p.jsonFormat, p.json = f, newJSONReader(f.Fields[:])
}

// parseW3C reads a line of CloudFront, whose cells are separated by tabs, or of IIS, whose cells
// are separated by blanks.
func (p *Parser) parseW3C(line string) (Entry, error) {
	separator := byte(' ')
	isCloudFront := strings.IndexByte(line, '\t') >= 0
	if isCloudFront {
		separator = '\t'
	}
	v, ok := p.columns.values(line, separator)
	if !ok || strings.Count(line, string(separator))+1 != p.columns.total || v[requestField] == "" {
		return Entry{}, errW3C
	}
	e, ok := p.entry(v)
	if !ok {
		return e, errW3C
	}
	if isCloudFront {
		e.unescapePercent()
	}
	return e, nil
}

// parseALB reads a line of an Application Load Balancer of AWS.
func (p *Parser) parseALB(line string) (Entry, error) {
	v, ok := albColumns.values(line, ' ')
	if !ok {
		return Entry{}, errALB
	}
	if client, err := netip.ParseAddrPort(v[addressField]); err == nil {
		v[addressField] = client.Addr().String()
	}
	e, ok := p.entry(v)
	if !ok {
		return e, errALB
	}
	return e, nil
}

// entry returns the request that the values of the fields describe. It returns false if there is no
// time.
func (p *Parser) entry(v values) (e Entry, ok bool) {
	for i := range v {
		if v[i] == "-" {
			v[i] = ""
		}
	}
	if e.Time, ok = p.parseTime(v[dateField], v[timeField]); !ok {
		return e, false
	}
	e.Host, e.Agent, e.Address = hostName(v[hostField]), v[agentField], v[addressField]
	e.Status, _ = strconv.Atoi(v[statusField])
	target := v[requestField]
	if v[queryField] != "" {
		target += "?" + v[queryField]
	}
	e.setRequest(target)
	return e, true
}

// timeLayouts are the layouts of times that are not numbers.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006/01/02 15:04:05", "02/Jan/2006:15:04:05 -0700"}

// parseTime parses a time: a number of seconds, milliseconds, microseconds or nanoseconds since
// 1970, or text in one of timeLayouts. The date may be separate. A time without a time zone is in
// UTC.
func (p *Parser) parseTime(date, clock string) (seconds int64, ok bool) {
	if date == "" && len(clock) > len(time.DateOnly) && clock[4] == '-' {
		date, clock = clock[:len(time.DateOnly)], clock[len(time.DateOnly)+1:]
	}
	if date != "" {
		if seconds, ok = p.parseUTC(date, clock); ok {
			return seconds, true
		}
		clock = date + "T" + clock
	}
	whole, fraction, _ := strings.Cut(clock, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
		for n > 1e11 {
			n /= 1000
		}
		return n, n >= 0 && n <= math.MaxUint32 && consistsOf(fraction, "0123456789")
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, clock); err == nil {
			return t.Unix(), t.Unix() >= 0
		}
	}
	return 0, false
}

// parseUTC parses a date such as "2026-11-22" and a clock such as "06:21:15" or "06:21:15.012345Z".
func (p *Parser) parseUTC(date, clock string) (seconds int64, ok bool) {
	const length = len("06:21:15")
	if len(clock) < length || !consistsOf(clock[length:], ".0123456789Z") {
		return 0, false
	}
	if date != p.date {
		t, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return 0, false
		}
		p.date, p.midnight = strings.Clone(date), t.Unix()
	}
	hours, err := strconv.Atoi(clock[:2])
	minutes, ok := parseSixtieths(clock[2:5])
	rest, ok2 := parseSixtieths(clock[5:length])
	return p.midnight + 3600*int64(hours) + 60*minutes + rest, err == nil && hours < 24 && ok && ok2 && p.midnight >= 0
}

// setRequest sets the target from a request line, or from text that is only a target. If the
// target is a URL, setRequest also sets the host. If it is neither a path nor a URL, setRequest
// sets nothing.
func (e *Entry) setRequest(request string) {
	target := request
	if method, rest, ok := strings.Cut(request, " "); ok && consistsOf(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") {
		target = rest
		if i := strings.LastIndex(rest, " HTTP/"); i >= 0 {
			target = rest[:i]
		}
	}
	switch scheme, rest, found := strings.Cut(target, "://"); {
	case strings.HasPrefix(request, "- "): // ALB could not read the request
	case strings.HasPrefix(target, "/"):
		e.Target = target
	case found && slices.Contains([]string{"http", "https"}, strings.ToLower(scheme)):
		e.Target = target
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			rest = rest[:i]
		}
		e.Host = hostName(rest)
	}
}

// hostName returns a host in lower case, without a port or a final dot. It returns "" for an IP address, which
// may be a visitor's.
func hostName(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && consistsOf(host[i+1:], "0123456789") {
		host = host[:i]
	}
	if strings.Contains(host, ":") || isAddress(host) || host == "-" {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// unescapePercent replaces "%25" in a target. CloudFront writes it for each "%" of a URL.
func (e *Entry) unescapePercent() { e.Target = strings.ReplaceAll(e.Target, "%25", "%") }

// consistsOf reports whether s contains only bytes of a set. It is faster than strings.Trim.
func consistsOf(s, set string) bool {
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) < 0 {
			return false
		}
	}
	return true
}
