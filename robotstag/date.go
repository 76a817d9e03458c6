package robotstag

import (
	"cmp"
	"strings"
	"time"
)

const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// The layouts of days, times of day, and zones, for time.Parse. No layout needs the full name
// of a month, because parseDate cuts such names to three letters.
var (
	dayLayouts   = [...]string{"2 Jan 2006", "2006 1 2", "2 Jan 06", "Jan 2 2006", "2006 Jan 2", "20060102"}
	clockLayouts = [...]string{"15:04:05", "15:04", "150405", "1504", "3:04PM", "3:04:05PM"}
	zoneLayouts  = [...]string{"-0700", "-07:00", "-07"}
)

// zones maps the North American zones of RFC 822, section 5.1, to their offsets in hours.
var zones = map[string]int{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// parseDate reads a date in the formats of RFC 822, RFC 850, RFC 1123, ISO 8601 and C's
// asctime. It also reads other formats, unless it is unclear which number is the day. The date
// need not have a time of day, a zone or a day of the week.
func parseDate(s string) (t time.Time, ok bool) {
	var day, clock, zone string
	if s, _, _ = strings.Cut(plain(s), "("); len(s) > 100 { // "(" starts a comment, such as the name of the zone
		return time.Time{}, false
	}
	for isTime := false; s != ""; {
		n := 1
		switch c := s[0]; {
		case isDigit(c):
			n = len(s) - len(strings.TrimLeft(s, digits+":."))
			if number := strings.TrimRight(s[:n], "."); clock == "" && (isTime || strings.Contains(number, ":")) {
				clock = number
			} else {
				day += " " + number
			}
		case isLetter(c):
			n = len(s) - len(strings.TrimLeft(s, letters))
			switch name := strings.ToUpper(s[:min(n, 3)]); {
			case clock != "" && (name == "AM" || name == "PM"):
				clock += name
			case clock != "":
				zone += s[:n]
			case name == "T":
				isTime = true
			case len(name) < 3 || !strings.Contains("MON TUE WED THU FRI SAT SUN", name):
				day += " " + name
			}
		case clock != "" && (c == '+' || c == '-'):
			n = len(s) - len(strings.TrimLeft(s[1:], digits+":"))
			zone += s[:n]
		case !isBlank(c) && c != ',' && c != '.' && c != '-':
			return time.Time{}, false
		}
		s = s[n:]
	}
	return joinDate(strings.TrimPrefix(day, " "), clock, strings.ToUpper(zone))
}

func joinDate(day, clock, zone string) (t time.Time, ok bool) {
	t, isDay := parseAny(day, dayLayouts[:])
	timeOfDay, isTime := parseAny(cmp.Or(clock, "00:00"), clockLayouts[:])
	offset, isZone := zoneOffset(zone)
	t = t.Add(timeOfDay.Sub(timeOfDay.Truncate(24*time.Hour)) - offset)
	return t, isDay && isTime && isZone && t.Year() >= 1900 // RFC 5322, section 3.3
}

// zoneOffset returns how far a zone is ahead of UTC. The zone must be in upper case.
func zoneOffset(zone string) (offset time.Duration, ok bool) {
	if i := strings.IndexAny(zone, "+-"); i >= 0 {
		t, ok := parseAny(zone[i:], zoneLayouts[:])
		_, seconds := t.Zone()
		return time.Duration(seconds) * time.Second, ok && (i == 0 || zone[:i] == "GMT" || zone[:i] == "UTC")
	}
	// RFC 5322, section 4.3: treat an unknown zone as UTC.
	return time.Duration(zones[zone]) * time.Hour, len(zone) <= 5
}

func parseAny(s string, layouts []string) (t time.Time, ok bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
