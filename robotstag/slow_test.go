package robotstag_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/internal/lex"
	"github.com/robotstxt-go/robotstxt/robotstag"
)

// This file implements testdata/RULES.md as plainly as possible. The numbers in the
// comments refer to the rules.

func slowBlank(r rune) bool {
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf) || strings.ContainsRune("“”‘’", r)
}

func slowMargin(r rune) bool { return slowBlank(r) || r == '"' || r == '\'' }

// slowTrim implements rule 2.2.
func slowTrim(s string) string { return strings.TrimFunc(s, slowMargin) }

// A slowPiece is a piece with the separator after it.
type slowPiece struct{ text, separator string }

// slowPieces implements rule 2.1.
func slowPieces(value string) (pieces []slowPiece) {
	for value != "" {
		text, separator := value, ""
		for i, c := range value {
			if c == ',' || c == ';' {
				text, separator = value[:i], string(c)
				break
			}
		}
		pieces = append(pieces, slowPiece{text, separator})
		value = value[len(text)+len(separator):]
	}
	return pieces
}

var (
	slowFlags  = strings.Fields("noindex nofollow none nosnippet indexifembedded notranslate noimageindex all noarchive nocache index follow archive noai noimageai noodp noydir noyaca nositelinkssearchbox")
	slowValued = strings.Fields("max-snippet max-image-preview max-video-preview unavailable_after")
)

// slowName implements rule 3.1.
func slowName(s string) (token string, ok bool) {
	s = slowTrim(s)
	token = s[:lex.TokenLen(s)]
	if s == "*" || strings.HasPrefix(s, "*/") {
		token = "*"
	}
	version := s[len(token):]
	if token == "" || strings.ContainsFunc(s, slowBlank) || version != "" && version[0] != '/' && version[0] != '*' {
		return "", false
	}
	if token == "*" || strings.EqualFold(token, "robots") {
		token = ""
	}
	return token, true
}

// slowRead returns the directives of a value (sections 3 and 4). All directives of a meta
// element are for the token.
func slowRead(value, token string, isMeta bool) (list []robotstag.Directive) {
	pieces := slowPieces(value)
	member, atStart := false, true
	for i := 0; i < len(pieces); i++ {
		if atStart && member {
			token, member = "", false
		}
		text := slowTrim(pieces[i].text)
		word, rest := slowWord(text)
		name, isName := slowName(word)
		isName = isName && !slices.Contains(slices.Concat(slowFlags, slowValued), strings.ToLower(word))
		after, hasColon := strings.CutPrefix(rest, ":")
		after = slowTrim(after)
		switch {
		case isMeta || member || !isName:
		case hasColon && (after == "" || unicode.IsLetter(rune(after[0])) && after[0] < 0x80): // rule 3.2
			token, text = name, after
		case rest == "" && atStart && pieces[i].separator == ";": // rule 3.3
			token, text, member = name, "", true
		}
		for text != "" { // section 4
			d, rest := slowDirective(text)
			if d.Name == "unavailable_after" {
				margin := pieces[i].text[len(strings.TrimRightFunc(pieces[i].text, slowMargin)):]
				d.Value, d.Text = d.Value+margin, d.Text+margin
				for range slowDateEnd(pieces[i:], d.Value) {
					i++
					d.Value += "," + pieces[i].text
					d.Text += "," + pieces[i].text
				}
				d.Value, d.Text = slowTrim(d.Value), slowTrim(d.Text)
			}
			d.Token = token
			list = append(list, d)
			text = rest
		}
		atStart = pieces[i].separator == ","
	}
	return list
}

// slowDateEnd returns how many more pieces belong to a date (rule 5.4).
func slowDateEnd(pieces []slowPiece, value string) (more int) {
	for i := 1; i <= 3 && i < len(pieces) && pieces[i-1].separator == ","; i++ {
		text := slowTrim(pieces[i].text)
		if text == "" || text[0] < '0' || text[0] > '9' {
			break
		}
		value += "," + pieces[i].text
		if _, ok := slowDate(slowTrim(value)); ok {
			more = i
		}
	}
	return more
}

// slowWord implements rule 4.1.
func slowWord(text string) (word, rest string) {
	word = text
	if i := strings.IndexFunc(text, func(r rune) bool { return slowBlank(r) || r == ':' || r == '=' }); i >= 0 {
		word = text[:i]
	}
	rest = strings.TrimLeftFunc(text[len(word):], slowMargin)
	if rest == "=?1" {
		rest = ""
	}
	return slowTrim(word), rest
}

// slowDirective returns the directive at the start of a piece, and the rest of the piece.
func slowDirective(text string) (d robotstag.Directive, rest string) {
	word, rest := slowWord(text)
	name := strings.ToLower(word)
	sign := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "=")
	switch {
	case slices.Contains(slowFlags, name) && !sign: // rule 4.3
		return robotstag.Directive{Text: word, Name: name}, rest
	case slices.Contains(slowValued, name) && sign: // rule 4.4
		return robotstag.Directive{Text: text, Name: name, Value: slowTrim(rest[1:])}, ""
	}
	return robotstag.Directive{Text: text}, "" // rule 4.5
}

var (
	slowParts = regexp.MustCompile(`^(?:[0-9][0-9:.]*|[A-Za-z]+|[ ,.-]|\+)`)
	slowClock = regexp.MustCompile(`^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?$|^([0-9]{2})([0-9]{2})(?:([0-9]{2})(?:\.([0-9]+))?)?$`)
	slowDays  = []*regexp.Regexp{
		regexp.MustCompile(`^(?P<d>[0-9]{1,2}) (?P<m>[A-Z]{3}) (?P<y>[0-9]{4}|[0-9]{2})$`),
		regexp.MustCompile(`^(?P<m>[A-Z]{3}) (?P<d>[0-9]{1,2}) (?P<y>[0-9]{4})$`),
		regexp.MustCompile(`^(?P<y>[0-9]{4}) (?P<m>[A-Z]{3}) (?P<d>[0-9]{1,2})$`),
		regexp.MustCompile(`^(?P<y>[0-9]{4}) (?P<m>[0-9]{1,2}) (?P<d>[0-9]{1,2})$`),
		regexp.MustCompile(`^(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})$`),
	}
	slowOffset = regexp.MustCompile(`^(?:GMT|UTC)?([+-])([0-9]{2})(?::?([0-9]{2}))?$`)
)

const slowMonths = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"

// slowDate implements rule 5.3.
func slowDate(s string) (time.Time, bool) {
	s, _, _ = strings.Cut(s, "(")
	if len(s) > 100 {
		return time.Time{}, false
	}
	s = strings.Map(func(r rune) rune {
		if slowBlank(r) {
			return ' '
		}
		return r
	}, s)
	var day []string
	clock, half, zone, afterT := "", "", "", false
	for s != "" {
		part := slowParts.FindString(s)
		if clock != "" && (s[0] == '+' || s[0] == '-') {
			part = s[:1+len(regexp.MustCompile(`^[0-9:]*`).FindString(s[1:]))]
		}
		s = strings.TrimPrefix(s, part)
		word := strings.ToUpper(part)
		switch {
		case part == "" || part == "+" && clock == "":
			return time.Time{}, false
		case '0' <= part[0] && part[0] <= '9':
			part = strings.TrimRight(part, ".")
			if clock == "" && (afterT || strings.Contains(part, ":")) {
				clock = part
			} else {
				day = append(day, part)
			}
		case 'A' <= word[0] && word[0] <= 'Z':
			switch {
			case clock != "" && (word == "AM" || word == "PM"):
				if half += word; half != word {
					return time.Time{}, false
				}
			case clock != "":
				zone += word
			case word == "T":
				afterT = true
			case len(word) < 3 || !slices.Contains(strings.Fields("MON TUE WED THU FRI SAT SUN"), word[:3]):
				day = append(day, word[:min(3, len(word))])
			}
		case clock != "" && (part[0] == '+' || part[0] == '-'):
			zone += part
		}
	}
	midnight, ok := slowDay(strings.Join(day, " "))
	since, okClock := slowTimeOfDay(clock, half)
	east, okZone := slowZone(zone)
	t := midnight.Add(since - east)
	return t, ok && okClock && okZone && t.Year() >= 1900
}

func slowDay(s string) (time.Time, bool) {
	for _, form := range slowDays {
		parts := form.FindStringSubmatch(s)
		if parts == nil {
			continue
		}
		part := func(name string) string { return parts[form.SubexpIndex(name)] }
		year, _ := strconv.Atoi(part("y"))
		if len(part("y")) == 2 {
			year += 1900
			if year < 1969 {
				year += 100
			}
		}
		month, err := strconv.Atoi(part("m"))
		if err != nil {
			month = strings.Index(slowMonths, part("m"))/3 + 1
			if slowMonths[(month-1)*3:][:3] != part("m") {
				month = 0
			}
		}
		day, _ := strconv.Atoi(part("d"))
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		return t, t.Month() == time.Month(month) && t.Day() == day
	}
	return time.Time{}, false
}

func slowTimeOfDay(clock, half string) (since time.Duration, ok bool) {
	if clock == "" {
		return 0, true
	}
	parts := slowClock.FindStringSubmatch(clock)
	if parts == nil || half != "" && parts[1] == "" {
		return 0, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(parts[i] + parts[i+4])
		return n
	}
	h, m, s := number(1), number(2), number(3)
	fraction, _ := strconv.Atoi((parts[4] + parts[8] + "000000000")[:9])
	limit := 23
	if half != "" {
		limit = 12
	}
	if h > limit || m > 59 || s > 59 {
		return 0, false
	}
	if half == "PM" && h < 12 {
		h += 12
	} else if half == "AM" && h == 12 {
		h = 0
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(fraction), true
}

func slowZone(zone string) (east time.Duration, ok bool) {
	if parts := slowOffset.FindStringSubmatch(zone); parts != nil {
		h, _ := strconv.Atoi(parts[2])
		m, _ := strconv.Atoi("0" + parts[3])
		east = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
		if parts[1] == "-" {
			east = -east
		}
		return east, h <= 24 && m <= 60 // the limits of package time
	}
	if strings.ContainsAny(zone, "+-") || len(zone) > 5 {
		return 0, false
	}
	hours := map[string]int{"EST": 5, "EDT": 4, "CST": 6, "CDT": 5, "MST": 7, "MDT": 6, "PST": 8, "PDT": 7}
	return time.Duration(-hours[zone]) * time.Hour, true
}

// slowHTML returns the directives of the meta elements of a page (rules 1.2, 1.3).
func slowHTML(page []byte) (list []robotstag.Directive) {
	z := html.NewTokenizer(bytes.NewReader(page[:min(len(page), robotstag.MaxHTML)]))
	for offset := 0; z.Next() != html.ErrorToken; {
		start := offset
		offset += len(z.Raw())
		token := z.Token()
		isTag := token.Type == html.StartTagToken || token.Type == html.SelfClosingTagToken
		if isTag && token.Data == "noscript" {
			z.NextIsNotRawText()
		}
		if !isTag || token.Data != "meta" {
			continue
		}
		attributes := map[string]string{}
		for _, a := range slices.Backward(token.Attr) {
			attributes[a.Key] = a.Val
		}
		name, ok := slowName(attributes["name"])
		if !ok {
			continue
		}
		for _, d := range slowRead(attributes["content"], name, true) {
			d.Source, d.Offset = robotstag.Meta, start
			list = append(list, d)
		}
	}
	return list
}

// slowFor returns the result of Directives.String for a crawler, and the unknown directives
// (section 6).
func slowFor(list []robotstag.Directive, agents ...string) (text string, unknown []string) {
	said := map[string]bool{}
	limits := map[string]int{}
	var images []string
	var after time.Time
	for _, d := range list {
		if !slices.ContainsFunc(append(agents, ""), func(agent string) bool { return slowIsFor(d.Token, agent) }) {
			continue
		}
		known := d.Name != ""
		switch d.Name {
		case "max-snippet", "max-video-preview":
			n, err := strconv.Atoi(d.Value)
			known = err == nil && n >= -1 && n < 1<<30
			if old, ok := limits[d.Name]; known && n >= 0 && (!ok || n < old) {
				limits[d.Name] = n
			}
		case "max-image-preview":
			known = slices.Contains([]string{"none", "standard", "large"}, strings.ToLower(d.Value))
			if known {
				images = append(images, strings.ToLower(d.Value))
			}
		case "unavailable_after":
			var t time.Time
			if t, known = slowDate(d.Value); known && (after.IsZero() || t.Before(after)) {
				after = t
			}
		default:
			said[d.Name] = true
		}
		if !known {
			unknown = append(unknown, d.Text)
		}
	}
	return slowString(said, limits, images, after), unknown
}

func slowString(said map[string]bool, limits map[string]int, images []string, after time.Time) string {
	if said["none"] { // rule 6.3
		said["noindex"], said["nofollow"] = true, true
	}
	if n, ok := limits["max-snippet"]; ok && n == 0 {
		said["nosnippet"] = true
	}
	if !said["noindex"] { // rule 6.4
		said["indexifembedded"] = false
	}
	var list []string
	for _, name := range strings.Fields("noindex indexifembedded nofollow nosnippet noarchive nocache notranslate noimageindex noai noimageai") {
		if said[name] {
			list = append(list, name)
		}
	}
	limit := func(name string) {
		if n, ok := limits[name]; ok && !said["nosnippet"] {
			list = append(list, fmt.Sprintf("%s: %d", name, n))
		}
	}
	limit("max-snippet")
	for _, size := range []string{"none", "standard", "large"} { // rule 6.2
		if slices.Contains(images, size) {
			list = append(list, "max-image-preview: "+size)
			break
		}
	}
	limit("max-video-preview")
	if !after.IsZero() {
		list = append(list, "unavailable_after: "+after.Format(time.RFC3339))
	}
	return strings.Join(list, ", ")
}

// slowIsFor implements rule 6.1.
func slowIsFor(name, agent string) bool {
	if name == "" {
		return true
	}
	parts := strings.Split(robotstxt.ProductToken(agent), "-")
	for n := range parts {
		if lex.Fold(strings.Join(parts[:n+1], "-")) == lex.Fold(name) {
			return true
		}
	}
	return false
}
