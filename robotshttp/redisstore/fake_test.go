package redisstore

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A fake is a server that answers commands as a function says, or closes the
// connection if that is nothing. Without one it answers as Redis does.
type fake struct {
	answer  atomic.Pointer[func(command []string) string]
	hangsUp bool // after each answer of the function
}

// set makes the fake give one answer to all commands, or only to those of the Store.
func (f *fake) set(always bool, answer string) {
	fn := func(command []string) string {
		switch command[0] {
		case "GET", "SET", "EVAL":
			return answer
		}
		if always {
			return answer
		}
		return sane(command)
	}
	f.answer.Store(&fn)
}

// sane answers as Redis does.
func sane(command []string) string {
	switch command[0] {
	case "HELLO":
		return "%2\r\n+version\r\n+7.0.0\r\n+proto\r\n:3\r\n"
	case "CLUSTER":
		return "-ERR This instance has cluster support disabled\r\n"
	case "GET":
		return "_\r\n"
	case "PING":
		return "+PONG\r\n"
	case "EVAL":
		return ":1\r\n"
	}
	return "+OK\r\n"
}

// store returns a Store on the fake.
func (f *fake) store(t testing.TB) *Store {
	s, err := New(t.Context(), Options{Lazy: true, Redis: rueidis.ClientOption{
		InitAddress: []string{"fake:6379"},
		DialCtxFn: func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go f.serve(theirs)
			return ours, nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (f *fake) serve(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		command, err := readCommand(r)
		if err != nil {
			return
		}
		answer := sane(command)
		if fn := f.answer.Load(); fn != nil {
			answer = (*fn)(command)
		}
		if answer == "" {
			return
		}
		if _, err := io.WriteString(conn, answer); err != nil || f.hangsUp && f.answer.Load() != nil && answer != sane(command) {
			return
		}
	}
}

// readCommand reads a command: an array of strings.
func readCommand(r *bufio.Reader) ([]string, error) {
	if first, err := r.Peek(1); err != nil || first[0] != '*' {
		line, err := r.ReadString('\n')
		return strings.Fields(line), err
	}
	n, err := readLength(r, "*")
	if err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		n, err := readLength(r, "$")
		if err != nil {
			return nil, err
		}
		word := make([]byte, n+2)
		if _, err := io.ReadFull(r, word); err != nil {
			return nil, err
		}
		words[i] = string(word[:n])
	}
	return words, nil
}

func readLength(r *bufio.Reader, kind string) (int, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	text, ok := strings.CutPrefix(line, kind)
	if !ok {
		return 0, fmt.Errorf("line %q", line)
	}
	return strconv.Atoi(strings.TrimSpace(text))
}

// nonsense has answers of a server that is not Redis, or is not well.
var nonsense = map[string]string{
	"number":             "(OK\r\n",
	"closes":             "",
	"HTTP":               "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
	"negative length":    "$-7\r\n",
	"huge string":        "$99999999999\r\n",
	"string without end": "$3\r\nabc",
	"huge array":         "*16000000\r\n",
	"negative map":       "%-1\r\n",
	"deep array":         strings.Repeat("*1\r\n", 200000),
	"endless line":       "+" + strings.Repeat("x", 1<<20),
	"twice":              "+OK\r\n+OK\r\n",
	"many times":         strings.Repeat("$1\r\nx\r\n", 1000),
	"subscribed":         ">3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n",
	"invalidated":        ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nx\r\n",
	"queued":             "+QUEUED\r\n",
	"moved":              "-MOVED 1 fake:1\r\n",
	"moved nowhere":      "-MOVED1 1\r\n",
	"moved at length":    "!7\r\nMOVED 1\r\n",
	"far future":         ":9000000000000000000\r\n",
	"past":               ":-5\r\n",
	"boolean":            "#t\r\n",
	"array":              "*1\r\n:0\r\n",
	"strange slots":      "*1\r\n*3\r\n:0\r\n:99999\r\n*2\r\n$4\r\nfake\r\n:6379\r\n",
	"map of maps":        "%1\r\n%0\r\n%0\r\n",
	"not RESP":           "\x00\xff\xfe\r\n\r\n",
}

// tooLarge are answers for which the client allocates what they claim. The Store does
// not believe a server that always answers so, but it believes Redis.
var tooLarge = map[string]bool{"huge string": true, "huge array": true}

// TestNonsense has a server that talks nonsense, always or only when the Store asks
// for something, and that is Redis later.
func TestNonsense(t *testing.T) {
	for name, answer := range nonsense {
		for _, always := range []bool{true, false} {
			if !always && tooLarge[name] {
				continue
			}
			t.Run(fmt.Sprintf("%s, always=%t", name, always), func(t *testing.T) {
				t.Parallel()
				f := &fake{}
				f.set(always, answer)
				s := f.store(t)
				defer s.Close()
				for range 3 {
					wantNothing(t, s, !always && strings.Contains(answer, "OK"))
				}
				f.answer.Store(nil)
				wantRecovery(t, s)
			})
		}
	}
}

// wantRecovery waits for a Store whose server is Redis by now.
func wantRecovery(t *testing.T, s *Store) {
	t.Helper()
	var err error
	for range 1000 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err = s.Set(ctx, "key", nil, time.Hour); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the server is not used although it is Redis by now: %v", err)
}

// wantNothing calls a Store whose server does not know what it says.
func wantNothing(t *testing.T, s *Store, saysOK bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/20)
	defer cancel()
	if value, ok, err := s.Get(ctx, "key"); ok && string(value) != "OK" && string(value) != "QUEUED" && string(value) != "x" {
		t.Errorf("Get = %q, %v", value, err) // Only the Cache can see that a short text is wrong.
	}
	if err := s.Set(ctx, "key", nil, time.Hour); err == nil && !saysOK {
		t.Error("Set: no error")
	}
	if unlock, ok, err := s.Lock(ctx, "key", time.Hour); ok || err == nil || unlock != nil {
		t.Errorf("Lock = %t, %v", ok, err)
	}
	if wait, err := s.Reserve(ctx, "key", time.Second); err == nil {
		t.Errorf("Reserve = %v", wait)
	}
	if err := s.Pause(ctx, "key", time.Second); err == nil {
		t.Error("Pause: no error")
	}
}

// okReply matches what the client takes for OK. It does not look at the octet before a LF.
var okReply = regexp.MustCompile(`(?s)\+OK.\n|\nOK`)

// FuzzAnswer has a server that answers anything. Nothing panics, not even in the
// goroutines of the client, a Cache takes nothing for a record, and when the server
// is Redis it is used.
func FuzzAnswer(f *testing.F) {
	for _, answer := range nonsense {
		if len(answer) < 1000 {
			f.Add(answer, true)
			f.Add(answer, false)
		}
	}
	f.Add("+OK\a\n", false)
	f.Fuzz(func(t *testing.T, answer string, always bool) {
		if !always && claimsMuch(answer) {
			t.Skip()
		}
		server := &fake{hangsUp: true} // or half an answer would take a second
		server.set(always, answer)
		s := server.store(t)
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/100)
		defer cancel()
		isOK := okReply.MatchString(answer)
		if err := s.Set(ctx, "key", nil, time.Hour); err == nil && !isOK {
			t.Errorf("Set: no error after %q", answer)
		}
		c := robotshttp.Cache{Store: s, Client: unreachable(), Logger: slog.New(slog.DiscardHandler)}
		if d, err := c.Allowed(t.Context(), "https://example.com/"); err != nil || d.Allowed {
			t.Errorf("%v, %v", d, err)
		}
		server.answer.Store(nil)
		wantRecovery(t, s)
	})
}

// claimsMuch reports whether an answer may have a length of more than six digits.
func claimsMuch(answer string) bool {
	digits := 0
	for _, c := range answer {
		if digits++; c < '0' || c > '9' {
			digits = 0
		}
		if digits > 6 {
			return true
		}
	}
	return false
}

// unreachable returns a client that reaches no server.
func unreachable() *http.Client {
	return &http.Client{Transport: noServer{}}
}

type noServer struct{}

func (noServer) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no server")
}
