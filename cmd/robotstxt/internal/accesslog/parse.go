package accesslog

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// An Entry is a request that a log line describes.
type Entry struct {
	Time    int64  // seconds since 1970
	Target  string // the path and query, or a whole URL; empty if the request has none
	Host    string // in lower case, without a port; empty if the line does not contain it
	Agent   string // the User-Agent header; empty if there was none
	Address string // the address of the client, as written in the line
	Status  int    // the status of the response; 0 if the line does not contain it
}

// The formats of log lines.
const (
	Common   = "common"
	Combined = "combined"
	JSON     = "json"
)

// Formats lists the formats that a Parser can read.
var Formats = []string{Common, Combined, JSON}

// Fields say where the parts of an Entry are in a JSON object. Each field of the struct consists
// of keys joined by dots, such as "request.uri". At the place that Request names, the object can
// contain a request line, a URL, or the path of a URL.
type Fields struct{ Request, Host, Agent, Time, Address, Status string }

// Caddy contains the Fields for the logs of the web server Caddy.
var Caddy = Fields{"request.uri", "request.host", "request.headers.User-Agent.0", "ts", "request.remote_ip", "status"}

// ParseFields parses a list such as "request=req,agent=headers.ua".
func ParseFields(list string) (f Fields, err error) {
	fields := map[string]*string{"request": &f.Request, "host": &f.Host, "agent": &f.Agent, "time": &f.Time, "address": &f.Address, "status": &f.Status}
	for item := range strings.SplitSeq(list, ",") {
		name, path, ok := strings.Cut(item, "=")
		place := fields[strings.TrimSpace(name)]
		if place == nil || !ok || path == "" {
			return f, fmt.Errorf("%q is not a field such as agent=path.to.key (the fields are request, agent, time, host, address and status)", item)
		}
		*place = strings.TrimSpace(path)
	}
	if f.Request == "" || f.Agent == "" || f.Time == "" {
		return f, errors.New("the fields request, agent and time are required")
	}
	return f, nil
}

// A Parser reads lines of access logs. It remembers the date and hour of the last line, because
// the next line often has the same date and hour.
type Parser struct {
	Format string // the format of all lines; if empty, Parse recognizes the format of each line
	Fields Fields // where the parts of an Entry are in a line in JSON; the zero value means the same as Caddy

	hour, zone string
	seconds    int64 // when this hour starts in this time zone, in seconds since 1970
}

// Parse returns the request that a line describes. If Parse cannot read the line, the error
// says what Parse expected.
func (p *Parser) Parse(line string) (e Entry, err error) {
	isJSON := strings.HasPrefix(line, "{")
	switch {
	case p.Format == JSON && !isJSON:
		return e, errNotJSON
	case p.Format != JSON && p.Format != "" && isJSON:
		return e, errors.New("want a line in the format " + p.Format)
	case isJSON:
		return p.parseJSON(line)
	}
	return p.parseCommon(line)
}

var (
	errNotJSON = errors.New("want a JSON object")
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
	e.Address, who, ok = strings.Cut(who, " ")
	if next, _, found := strings.Cut(who, " "); found && strings.Count(who, " ") > 1 && isAddress(next) && !isAddress(e.Address) {
		e.Host, e.Address = hostName(e.Address), next
	}
	status, rest, ok2 := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	if e.Status, err = strconv.Atoi(status); err != nil || !ok || !ok2 {
		return e, errCommon
	}
	e.setRequest(request)
	_, rest, hasAgent := strings.Cut(rest, ` "`)
	switch {
	case p.Format == Common || !hasAgent && p.Format == "":
		return e, nil
	case !hasAgent:
		return e, errCommon
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

// isAddress reports whether a field looks like an IP address rather than a host name
// with a port.
func isAddress(field string) bool {
	return strings.Count(field, ":") > 1 || field != "" && strings.Trim(field, "0123456789.") == ""
}

// cutQuoted cuts s at the first quotation mark that is not escaped. It replaces the escapes in the
// text before the mark. If there is no such mark, it returns false.
func cutQuoted(s string) (text, rest string, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '"')
		if i < 0 {
			return "", "", false
		}
		i += from
		text = s[:i]
		if slashes := len(text) - len(strings.TrimRight(text, `\`)); slashes%2 == 0 {
			return unescape(text), s[i+1:], true
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

func (p *Parser) parseJSON(line string) (e Entry, err error) {
	f := p.Fields
	if f == (Fields{}) {
		f = Caddy
	}
	if !gjson.Valid(line) {
		return e, errNotJSON
	}
	text := func(path string) string {
		if path == "" {
			return ""
		}
		return gjson.Get(line, path).String()
	}
	request, when := gjson.Get(line, f.Request), gjson.Get(line, f.Time)
	var ok bool
	switch e.Time, ok = p.parseTime(when); {
	case request.Type != gjson.String:
		return e, fmt.Errorf("want a JSON object with a string at %q (see --fields)", f.Request)
	case !ok:
		return e, fmt.Errorf("want a JSON object with a time at %q (see --fields)", f.Time)
	}
	e.Host, e.Agent, e.Address = hostName(text(f.Host)), text(f.Agent), text(f.Address)
	e.Status, _ = strconv.Atoi(text(f.Status))
	e.setRequest(request.String())
	return e, nil
}

// timeLayouts are the layouts of time strings in JSON logs.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05", "2006/01/02 15:04:05", "02/Jan/2006:15:04:05 -0700"}

// parseTime parses a time: a number of seconds or milliseconds since 1970, or a string
// in one of timeLayouts. A time without a time zone is in UTC.
func (p *Parser) parseTime(v gjson.Result) (seconds int64, ok bool) {
	n, err := strconv.ParseFloat(v.String(), 64)
	if err == nil && v.Type != gjson.JSON {
		if n > 1e11 {
			n /= 1000
		}
		return int64(n), n >= 0 && n <= math.MaxUint32
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, v.String()); err == nil {
			return t.Unix(), true
		}
	}
	return 0, false
}

// setRequest sets the target from a request line, or from text that is only a target. If the
// target is a URL, setRequest also sets the host. If it is neither a path nor a URL, setRequest
// sets nothing.
func (e *Entry) setRequest(request string) {
	target := request
	if method, rest, ok := strings.Cut(request, " "); ok && strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == "" {
		target = rest
		if i := strings.LastIndex(rest, " HTTP/"); i >= 0 {
			target = rest[:i]
		}
	}
	switch scheme, rest, found := strings.Cut(target, "://"); {
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

// hostName returns a host in lower case, without a port or a final dot.
func hostName(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.Trim(host[i+1:], "0123456789") == "" {
		host = host[:i]
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
