package redisstore

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/redis/rueidis"
)

func TestFrames(t *testing.T) {
	if _, err := new(frames).scan([]byte("HTTP/1.1 400 Bad Request\r\n")); err == nil || err.Error() != `the line "HTTP/1.1 400 Bad Request\r\n"` {
		t.Errorf("of a web server: %v", err)
	}
	for _, test := range []struct {
		stream string
		want   int // messages, or -1 if the stream is refused
	}{
		{"", 0},
		{"+OK\r\n", 1},
		{"+O", 0},
		{"-ERR no\r\n:12\r\n:-3\r\n_\r\n#t\r\n#f\r\n,1.5\r\n(123\r\n", 8},
		{"$3\r\na\r\n\r\n+OK\r\n", 2},
		{"$3\r\nabc", 0},
		{"$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n%0\r\n", 5},
		{"=7\r\ntxt:abc\r\n!3\r\nERR\r\n", 2},
		{"*2\r\n*2\r\n+a\r\n+b\r\n$1\r\nc\r\n+OK\r\n", 2},
		{"%1\r\n+a\r\n*1\r\n:1\r\n~1\r\n+x\r\n", 2},
		{"%1\r\n+a\r\n", 0},
		{"*1\r\n$1\r\n", 0},
		{">2\r\n+message\r\n+x\r\n", 1},

		// Lengths that cannot be, or that would take too much memory.
		{"$-2\r\n", -1},
		{"%-1\r\n", -1},
		{"~-1\r\n", -1},
		{"$99999999999999999999\r\n", -1},
		{"$9000000\r\n", -1},
		{"*9000000\r\n", -1},
		{"%40000\r\n", -1},
		{strings.Repeat("*2\r\n+x\r\n", 40000), -1},
		{"*2\r\n$8000000\r\n" + strings.Repeat("x", 8000000) + "\r\n$8000000\r\n", -1},
		{strings.Repeat("*1\r\n", 70000), -1},
		{"+" + strings.Repeat("x", 70000), -1},

		// Not the protocol.
		{"\r\n", -1},
		{"\n", -1},
		{"+OK\n", -1},
		{"$x\r\n", -1},
		{"-MOVED 1\r\n", -1},
		{"-ASK1 1\r\n", -1},
		{"$\r\n", -1},
		{"$+1\r\n", -1},
		{":\r\n", -1},
		{":1x\r\n", -1},
		{"_x", -1}, // what the client takes for complete
		{"#txx", -1},
		{".", -1},
		{"#x\r\n", -1},
		{"$?\r\n", -1},
		{"|1\r\n", -1},
		{"HTTP/1.1 400 Bad Request\r\n", -1},
	} {
		whole, err := new(frames).scan([]byte(test.stream))
		if err != nil {
			whole = -1
		}
		if whole != test.want {
			t.Errorf("%.30q: %d messages, %v, want %d", test.stream, whole, err, test.want)
		}
		if got := scanBytes(test.stream); got != test.want {
			t.Errorf("%.30q, byte by byte: %d messages, want %d", test.stream, got, test.want)
		}
	}
}

// scanBytes scans a stream of which one byte comes at a time.
func scanBytes(stream string) (messages int) {
	var f frames
	for i := range len(stream) {
		n, err := f.scan([]byte(stream[i : i+1]))
		if err != nil {
			return -1
		}
		messages += n
	}
	return messages
}

// A connection lets as many answers through as there were questions, and events
// only if there is a Sentinel to send them.
func TestGuard(t *testing.T) {
	const ask, push = "*1\r\n$4\r\nPING\r\n", ">2\r\n+message\r\n+x\r\n"
	for _, test := range []struct {
		name             string
		sentinel         string
		question, answer string
		want             bool
	}{
		{"an answer", "", ask, "+PONG\r\n", true},
		{"two answers", "", ask + ask, "+PONG\r\n+PONG\r\n", true},
		{"an answer too many", "", ask, "+PONG\r\n+PONG\r\n", false},
		{"an event", "", "", push, false},
		{"an event in place of an answer", "", ask, push, false},
		{"an event of a Sentinel", "fleet", "", push, true},
		{"nonsense of a Sentinel", "fleet", ask, "PONG\r\n", false},
	} {
		client, server := net.Pipe()
		o := rueidis.ClientOption{Sentinel: rueidis.SentinelOption{MasterSet: test.sentinel}}
		o.DialCtxFn = func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) { return client, nil }
		conn, err := guarded(o)(t.Context(), "", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			io.ReadFull(server, make([]byte, len(test.question)))
			io.WriteString(server, test.answer)
			server.Close()
		}()
		if test.question != "" { // A pipe would wait even for that to be read.
			if _, err := io.WriteString(conn, test.question); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := io.ReadAll(conn); (err == nil) != test.want || err == nil && string(got) != test.answer {
			t.Errorf("%s: read %q, %v", test.name, got, err)
		}
		conn.Close()
	}
}
