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
	"testing/synctest"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// A fake is a server that answers commands with the function answer. If answer is nil, it
// answers like Redis. If answer returns "", the fake closes the connection.
type fake struct {
	answer  atomic.Pointer[func(command []string) string]
	hangsUp bool // close the connection after each reply that Redis would not send
}

// set makes the fake send the same reply to all commands or, if always is false, only to the
// commands GET, SET and EVAL.
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

// sane returns the reply that Redis would send.
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

// store returns a Store that connects to the fake.
func (f *fake) store(t testing.TB) *Store {
	return unchecked(Options{Redis: rueidis.ClientOption{
		InitAddress: []string{"fake:6379"},
		DialCtxFn: func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go f.serve(theirs)
			return ours, nil
		},
	}})
}

func (f *fake) serve(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute)) // the client forgets some connections
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

// readCommand reads a command: an array of strings, or a line of words.
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
		return 0, fmt.Errorf("the line %q does not start with %q", line, kind)
	}
	return strconv.Atoi(strings.TrimSpace(text))
}

// nonsense contains replies that Redis would not send to the Store.
var nonsense = map[string]string{
	"number":             "(OK\r\n",
	"closes":             "",
	"HTTP":               "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
	"negative length":    "$-7\r\n",
	"huge string":        "$99999999999\r\n",
	"string without end": "$3\r\nabc",
	"huge array":         "*16000000\r\n",
	"negative map":       "%-1\r\n",
	"deep array":         strings.Repeat("*1\r\n", 10000),
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

// tooLarge names replies that make the client allocate too much memory. The Store rejects a
// server that starts with such a reply, but trusts a server that has answered the PING.
var tooLarge = map[string]bool{"huge string": true, "huge array": true}

// If a server sends nonsense, the methods of the Store return errors. When the server answers
// like Redis, the Store works.
func TestNonsense(t *testing.T) {
	for name, answer := range nonsense {
		for _, always := range []bool{true, false} {
			if !always && tooLarge[name] {
				continue
			}
			t.Run(fmt.Sprintf("%s, always=%t", name, always), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					f := &fake{}
					f.set(always, answer)
					s := f.store(t)
					defer time.Sleep(time.Hour) // the client's goroutines end first
					defer s.Close()
					for range 3 {
						wantNothing(t, s, !always && strings.Contains(answer, "OK"))
					}
					f.answer.Store(nil)
					wantRecovery(t, s)
				})
			})
		}
	}
}

// If Redis refuses to lock, or holds the lock of another token, there is nothing to release, and the
// Store sends no further commands.
func TestRefusedLock(t *testing.T) {
	for _, test := range []struct {
		reply string // to the scripts that lock and release
		evals int64  // commands for 10 locks
	}{
		{"-OOM command not allowed when used memory > 'maxmemory'\r\n", 10},
		{":0\r\n", 10},
		{":1\r\n", 20}, // each lock is released once
	} {
		synctest.Test(t, func(t *testing.T) {
			var evals atomic.Int64
			f := &fake{}
			answer := func(command []string) string {
				if command[0] != "EVAL" {
					return sane(command)
				}
				evals.Add(1)
				return test.reply
			}
			f.answer.Store(&answer)
			s := f.store(t)
			for range 10 {
				if unlock, ok, _ := s.Lock(t.Context(), "key", time.Minute); ok {
					unlock()
				}
			}
			time.Sleep(30 * time.Second)
			if n := evals.Load(); n != test.evals {
				t.Errorf("reply %q: %d commands, want %d", test.reply, n, test.evals)
			}
			s.Close()
			time.Sleep(time.Hour) // the client's goroutines end first
		})
	}
}

// If Redis cannot be reached, no lock has been set, and the Store does not try to release it.
func TestLockWithoutRedis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int64
		s := new(fake).store(t)
		s.options.Redis.DialCtxFn = func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			dials.Add(1)
			return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
		}
		for range 10 {
			if _, ok, err := s.Lock(t.Context(), "key", time.Minute); ok || err == nil {
				t.Errorf("Lock = %t, error %v, want an error", ok, err)
			}
		}
		before := dials.Load()
		time.Sleep(time.Hour)
		if n := dials.Load(); n != before {
			t.Errorf("%d connections were tried after the last call, want 0", n-before)
		}
		s.Close()
	})
}

// wantRecovery waits until a Store works, after its server has begun to answer like Redis.
func wantRecovery(t *testing.T, s *Store) {
	t.Helper()
	var err error
	for range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err = s.Set(ctx, "key", nil, time.Hour); err == nil {
			return
		}
		time.Sleep(time.Second / 10)
	}
	t.Errorf("the Store does not work although the server answers like Redis: %v", err)
}

// wantNothing checks that the methods of a Store return errors. Set may succeed if the server
// says OK.
func wantNothing(t *testing.T, s *Store, saysOK bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/20)
	defer cancel()
	if value, ok, err := s.Get(ctx, "key"); ok && string(value) != "OK" && string(value) != "QUEUED" && string(value) != "x" {
		t.Errorf("Get = %q, %v, want no value", value, err) // only the Cache can reject a short text
	}
	if err := s.Set(ctx, "key", nil, time.Hour); err == nil && !saysOK {
		t.Error("Set: no error")
	}
	if unlock, ok, err := s.Lock(ctx, "key", time.Hour); ok || err == nil || unlock != nil {
		t.Errorf("Lock = %t, %v, want an error", ok, err)
	}
	if wait, err := s.Reserve(ctx, "key", time.Second); err == nil {
		t.Errorf("Reserve = %v, want an error", wait)
	}
	if err := s.Pause(ctx, "key", time.Second); err == nil {
		t.Error("Pause: no error")
	}
}

// okReply matches replies that the client accepts as OK. The client ignores the byte before a
// line feed.
var okReply = regexp.MustCompile(`(?s)\+OK.\n|\nOK`)

// FuzzAnswer sends an arbitrary reply to the Store. No goroutine may panic, a Cache must not
// use the reply as a value, and when the server answers like Redis, the Store must work.
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
		synctest.Test(t, func(t *testing.T) {
			server := &fake{hangsUp: true} // otherwise the client would wait a second for the rest of an incomplete reply
			server.set(always, answer)
			s := server.store(t)
			defer time.Sleep(time.Hour) // the client's goroutines end first
			defer s.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/100)
			defer cancel()
			isOK := okReply.MatchString(answer)
			if err := s.Set(ctx, "key", nil, time.Hour); err == nil && !isOK {
				t.Errorf("Set: no error after %q", answer)
			}
			c := robotshttp.Cache{Store: s, Client: unreachable(), Logger: slog.New(slog.DiscardHandler)}
			if d, err := c.Decide(t.Context(), "https://example.com/"); err != nil || d.Allowed {
				t.Errorf("decision %v, error %v, want disallowed", d, err)
			}
			server.answer.Store(nil)
			wantRecovery(t, s)
		})
	})
}

// claimsMuch reports whether a reply contains a number of more than six digits, which may be a
// length.
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
