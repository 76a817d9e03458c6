package accesslog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// FormatsAndServers returns the names of the formats that a Parser can read, and of servers that write
// them.
func FormatsAndServers() string {
	var servers []string
	for _, f := range jsonFormats {
		servers = append(servers, f.server)
	}
	return "Common and Combined (Apache, nginx), W3C with its #Fields line (CloudFront, IIS), ALB (AWS), and JSON (" + strings.Join(servers, ", ") + ")"
}

// The fields that contain the parts of an Entry. The query and the date may also be parts of the
// fields request and time.
const (
	requestField = iota // a request line, a URL, or a path
	queryField
	hostField
	agentField
	dateField
	timeField
	addressField
	statusField
)

// fieldNames are the names that --fields uses.
var fieldNames = [...]string{requestField: "request", queryField: "query", hostField: "host", agentField: "agent", dateField: "date", timeField: "time", addressField: "address", statusField: "status"}

// Fields are the names of the fields in a log, such as "cs-uri-stem" for requestField. In JSON, a name is
// a key, or several keys joined by dots, such as "request.uri".
type Fields [len(fieldNames)]string

// A format is a kind of log whose fields have names.
type format struct {
	server         string
	Fields              // a field that can have several names has all of them, separated by "|"
	escapesPercent bool // whether "%25" means "%" in a URL
}

// w3c has the fields of CloudFront and IIS in the W3C Extended Log File Format
// (https://www.w3.org/TR/WD-logfile.html). CloudFront writes the name of the client's host in
// x-host-header, and its own name in cs(Host).
//
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
// https://learn.microsoft.com/en-us/windows/win32/http/w3c-logging
var w3c = Fields{
	requestField: "cs-uri-stem", queryField: "cs-uri-query", hostField: "x-host-header|cs-host|cs(Host)", agentField: "cs(User-Agent)",
	dateField: "date", timeField: "time", addressField: "c-ip", statusField: "sc-status",
}

// albColumns are the columns of an Application Load Balancer that matter. More columns follow.
//
// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
var albColumns = Fields{
	requestField: "request", agentField: "user_agent", timeField: "time", addressField: "client:port", statusField: "elb_status_code",
}.columns("type time elb client:port target:port request_processing_time target_processing_time response_processing_time elb_status_code target_status_code received_bytes sent_bytes request user_agent")

// jsonFormats are the formats of lines in JSON.
var jsonFormats = []format{
	{server: "Caddy", Fields: Fields{ // https://caddyserver.com/docs/logging
		requestField: "request.uri", hostField: "request.host", agentField: "request.headers.User-Agent.0", timeField: "ts", addressField: "request.remote_ip", statusField: "status",
	}},
	{server: "Cloudflare", Fields: Fields{ // https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/
		requestField: "ClientRequestURI", hostField: "ClientRequestHost", agentField: "ClientRequestUserAgent", timeField: "EdgeStartTimestamp|EdgeEndTimestamp", addressField: "ClientIP", statusField: "EdgeResponseStatus",
	}},
	{server: "CloudFront", Fields: w3c, escapesPercent: true},
	{server: "Azure Application Gateway", Fields: Fields{ // https://learn.microsoft.com/en-us/azure/application-gateway/monitor-application-gateway-reference
		requestField: "properties.requestUri", queryField: "properties.requestQuery", hostField: "properties.originalHost|properties.host", agentField: "properties.userAgent", timeField: "timeStamp", addressField: "properties.clientIP", statusField: "properties.httpStatus",
	}},
	{server: "Azure Front Door", Fields: Fields{ // https://learn.microsoft.com/en-us/azure/frontdoor/monitor-front-door-reference
		requestField: "properties.requestUri", hostField: "properties.hostName", agentField: "properties.userAgent", timeField: "time", addressField: "properties.clientIp", statusField: "properties.httpStatusCode",
	}},
	{server: "Fastly", Fields: Fields{ // https://www.fastly.com/documentation/guides/integrations/logging/
		requestField: "url", hostField: "host", agentField: "request_user_agent", timeField: "timestamp", addressField: "client_ip", statusField: "response_status",
	}},
	{server: "Google Cloud", Fields: Fields{ // https://cloud.google.com/load-balancing/docs/https/https-logging-monitoring
		requestField: "httpRequest.requestUrl", agentField: "httpRequest.userAgent", timeField: "timestamp", addressField: "httpRequest.remoteIp", statusField: "httpRequest.status",
	}},
	{server: "Traefik", Fields: Fields{ // https://doc.traefik.io/traefik/observe/logs-and-access-logs/
		requestField: "RequestPath", hostField: "RequestHost", agentField: "request_User-Agent", timeField: "StartUTC", addressField: "ClientHost", statusField: "DownstreamStatus",
	}},
	{server: "nginx", Fields: Fields{ // its variables (https://nginx.org/en/docs/varindex.html), and other names that are common
		requestField: "request|request_uri", hostField: "host|http_host|server_name", agentField: "http_user_agent|user_agent|agent", timeField: "time_iso8601|time_local|msec|@timestamp|timestamp|time", addressField: "remote_addr", statusField: "status",
	}},
}

// errKeys says which keys a line in JSON must have.
func errKeys() error {
	var known []string
	for _, f := range jsonFormats {
		first := f.choose(func(string) bool { return false })
		known = append(known, fmt.Sprintf("%s (%s, %s)", f.server, first[requestField], first[timeField]))
	}
	return fmt.Errorf("want a JSON object with the keys of %s; for other keys, see --fields", strings.Join(known, " or "))
}

// ParseFields parses a list such as "request=req,agent=headers.ua".
func ParseFields(list string) (f Fields, err error) {
	for item := range strings.SplitSeq(list, ",") {
		name, path, ok := strings.Cut(item, "=")
		field := slices.Index(fieldNames[:], strings.TrimSpace(name))
		if field < 0 || !ok || path == "" {
			return f, fmt.Errorf("%q is not a field such as agent=path.to.key (the fields are %s)", item, strings.Join(fieldNames[:], ", "))
		}
		f[field] = strings.TrimSpace(path)
	}
	if f[requestField] == "" || f[agentField] == "" || f[timeField] == "" {
		return f, errors.New("the fields request, agent and time are required")
	}
	return f, nil
}

// choose returns f with one name for each field: the first name for which exists returns true, or
// the first name if there is none.
func (f Fields) choose(exists func(name string) bool) Fields {
	for i, all := range f {
		names := strings.Split(all, "|")
		f[i] = names[max(0, slices.IndexFunc(names, exists))]
	}
	return f
}

// findJSONFormat returns the format of a line in JSON, with one name for each field. It returns false
// if the line does not have the keys of a known server.
func findJSONFormat(line string) (format, bool) {
	var names []string
	for _, f := range jsonFormats {
		for _, name := range f.Fields {
			names = append(names, strings.Split(name, "|")...)
		}
	}
	known := newJSONReader(names)
	known.readLine(line)
	exists := func(name string) bool { return known.values[slices.Index(names, name)] != "" }
	for _, f := range jsonFormats {
		f.Fields = f.choose(exists)
		if exists(f.Fields[requestField]) && exists(f.Fields[timeField]) {
			return f, true
		}
	}
	return format{}, false
}

// values are the values of the fields of a line. A field that is missing is empty. A field that the
// line leaves empty may also be "-".
type values [len(fieldNames)]string

// columns say which columns of a line contain fields.
type columns struct {
	fields []int // for each column up to the last one that contains a field: the field, or -1
	total  int   // the number of columns
}

// columns finds fields in the names of columns.
func (f Fields) columns(names string) columns {
	list := strings.Fields(names)
	f = f.choose(func(name string) bool { return slices.Contains(list, name) })
	var fields []int
	last := 0 // how many columns there are up to the last field
	for i, name := range list {
		fields = append(fields, slices.Index(f[:], name))
		if fields[i] >= 0 {
			last = i + 1
		}
	}
	return columns{fields[:last], len(list)}
}

// values returns the cells of a line that contain fields. It returns false if the line has too few
// cells.
func (c columns) values(line string, separator byte) (v values, ok bool) {
	more := true
	for _, field := range c.fields {
		if !more {
			return v, false
		}
		var cell string
		if cell, line, more = cutCell(line, separator); field >= 0 {
			v[field] = cell
		}
	}
	return v, true
}

// cutCell returns the first cell of a line, and the cells after it if there are more. A cell in
// quotation marks may contain the separator.
func cutCell(line string, separator byte) (cell, rest string, more bool) {
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		if cell, rest, ok = cutQuoted(quoted); ok {
			return cell, strings.TrimPrefix(rest, string(separator)), rest != ""
		}
	}
	end := strings.IndexByte(line, separator)
	if end < 0 {
		return line, "", false
	}
	return line[:end], line[end+1:], true
}
