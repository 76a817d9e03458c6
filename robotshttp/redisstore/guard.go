package redisstore

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/redis/rueidis"
)

const (
	maxLine     = 64 << 10     // bytes of a line, such as an error message
	maxMessage  = 2 * maxValue // bytes of a message
	maxElements = 64 << 10     // elements of a message, including arrays in arrays
)

// A dialer connects as the client wants it.
type dialer func(ctx context.Context, address string, d *net.Dialer, t *tls.Config) (net.Conn, error)

// guarded returns a dialer that connects as the options say and checks what the
// server sends. The client trusts the server: it allocates as much memory as an
// answer claims to need. If an answer comes that nobody asked for, it panics, in a
// goroutine where nobody can recover.
func guarded(o rueidis.ClientOption) dialer {
	dial := dialerOf(o)
	// Sentinels report events without being asked.
	counts := o.Sentinel.MasterSet == ""
	return func(ctx context.Context, address string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
		conn, err := dial(ctx, address, d, t)
		if err != nil {
			return nil, err
		}
		return &guard{Conn: conn, counts: counts}, nil
	}
}

// dialerOf returns the dialer that the client would use without the guard.
func dialerOf(o rueidis.ClientOption) dialer {
	if o.DialCtxFn != nil {
		return o.DialCtxFn
	}
	return func(ctx context.Context, address string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
		switch {
		case o.DialFn != nil:
			return o.DialFn(address, d, t)
		case t != nil:
			return (&tls.Dialer{NetDialer: d, Config: t}).DialContext(ctx, "tcp", address)
		default:
			return d.DialContext(ctx, "tcp", address)
		}
	}
}

// A guard is a connection to Redis that fails at the first thing that is not RESP
// or is too large and, if it counts, at an answer to no question.
type guard struct {
	net.Conn
	counts   bool
	asked    frames
	answered frames
	pending  atomic.Int64 // questions without an answer
	err      error        // of reading
}

// Write counts the questions before they are sent.
func (g *guard) Write(p []byte) (int, error) {
	n, err := g.asked.scan(p)
	if err != nil {
		return 0, err
	}
	g.pending.Add(int64(n))
	return g.Conn.Write(p)
}

// Read checks what has been read before anybody else sees it.
func (g *guard) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.Conn.Read(p)
	answers, bad := g.answered.scan(p[:n])
	if g.counts && bad == nil && (g.pending.Add(int64(-answers)) < 0 || g.answered.pushed) {
		bad = errors.New("an answer to no question")
	}
	if bad != nil {
		g.err = fmt.Errorf("redis sent nonsense: %w", bad)
		return 0, g.err
	}
	return n, err
}

// A frames finds the ends of the messages in a stream of RESP, the protocol of
// Redis. It knows versions 2 and 3, without streamed types and attributes, which
// servers do not send unless asked to.
type frames struct {
	line     []byte // the first line of an element, as far as it has come
	skip     int    // bytes of the current element that follow its line
	open     int    // elements of the current message that have not begun
	size     int    // bytes of the current message
	elements int    // elements of the current message
	pushed   bool   // a push message has come
}

// scan reads the next piece of the stream and returns how many messages end in it.
func (f *frames) scan(p []byte) (messages int, err error) {
	for len(p) > 0 {
		if f.open == 0 && f.skip == 0 {
			f.open, f.size, f.elements = 1, 0, 0
		}
		n := min(f.skip, len(p))
		f.skip -= n
		if n == 0 {
			n, err = f.readLine(p)
		}
		if f.size += n; f.size+f.skip > maxMessage || f.elements+f.open > maxElements {
			err = errors.New("a message that is too long")
		}
		if err != nil {
			return messages, err
		}
		if f.open == 0 && f.skip == 0 {
			messages++
		}
		p = p[n:]
	}
	return messages, nil
}

// readLine reads the line at the start of p, even if its end is missing, and returns
// its length.
func (f *frames) readLine(p []byte) (n int, err error) {
	n = bytes.IndexByte(p, '\n') + 1
	if n == 0 {
		n = len(p)
	}
	f.line = append(f.line, p[:n]...)
	switch {
	case len(f.line) > maxLine:
		return n, errors.New("a line that is too long")
	case !possible(string(f.line[:min(len(f.line), 4)])):
		return n, fmt.Errorf("the line %.40q", f.line)
	case p[n-1] != '\n':
		return n, nil
	}
	err = f.begin(f.line)
	f.line = f.line[:0]
	return n, err
}

// possible reports whether a line can begin with the first four bytes that have
// come of it. The client takes nulls and booleans for complete by their length, even
// before their line ends.
func possible(start string) bool {
	switch start[0] {
	case '_', '#':
		return strings.HasPrefix("_\r\n", start) || strings.HasPrefix("#t\r\n", start) || strings.HasPrefix("#f\r\n", start)
	}
	return strings.IndexByte("+-,(:$!=*~>%", start[0]) >= 0
}

// begin reads the line that begins an element.
func (f *frames) begin(line []byte) error {
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok || len(text) == 0 {
		return fmt.Errorf("the line %.40q", line)
	}
	f.open--
	f.elements++
	var err error
	switch kind, text := text[0], string(text[1:]); kind {
	case ':': // integer
		_, err = strconv.ParseInt(text, 10, 64)
	case '$', '*', '!', '=', '~', '>', '%':
		err = f.beginLong(kind, text)
	case '-':
		if isRedirection(text) && strings.Count(text, " ") < 2 {
			err = errors.New("no address")
		}
	} // else text, a float, a big number, a null, or a boolean
	if err != nil {
		return fmt.Errorf("the line %.40q: %w", line, err)
	}
	return nil
}

// beginLong begins an element of several parts: a string of bytes, or an array, a
// set, a push message or a map of elements.
func (f *frames) beginLong(kind byte, length string) error {
	if length == "-1" && (kind == '$' || kind == '*') { // the nulls of version 2
		return nil
	}
	n, err := strconv.ParseUint(length, 10, 24)
	switch kind {
	case '$', '!', '=': // string, error, string with a format
		f.skip = int(n) + len("\r\n")
	case '%':
		f.open += 2 * int(n)
	default:
		f.open += int(n)
	}
	f.pushed = f.pushed || kind == '>'
	return err
}

// isRedirection reports whether the client takes the third word of an error for the
// address of another server.
func isRedirection(text string) bool {
	return strings.HasPrefix(text, "MOVED") || strings.HasPrefix(text, "ASK")
}
