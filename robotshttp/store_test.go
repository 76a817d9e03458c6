package robotshttp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// withStore returns a Cache that gets its files from s and shares them by a store.
func withStore(s *server, store robotshttp.Store) *robotshttp.Cache {
	c := s.cache()
	c.Store = store
	return c
}

func TestStoreIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file, "Etag", `"1"`)}
		dir := robotshttp.Dir(t.TempDir())
		first := wantOutcome(t, withStore(s, dir), robotshttp.Fetched, false)
		time.Sleep(time.Hour)

		c := withStore(s, dir)
		r := wantOutcome(t, c, robotshttp.Cached, false)
		if !r.Since.Equal(first.Since) || r.FinalURL != location || r.Status != 200 {
			t.Errorf("%+v", r)
		}
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		if n := c.Stats(); n.StoreHits != 1 || n.Fetches != 0 {
			t.Errorf("%+v", n)
		}

		// What has expired is still good for asking whether it has changed, and
		// the answer to that is shared again.
		s.answer = responds(304, "")
		time.Sleep(24 * time.Hour)
		wantOutcome(t, withStore(s, dir), robotshttp.Fetched, false)
		if got := s.last.Header.Get("If-None-Match"); got != `"1"` {
			t.Errorf("If-None-Match: %q", got)
		}
		wantOutcome(t, withStore(s, dir), robotshttp.Cached, false)

		// A long-running process profits from what another has learnt.
		time.Sleep(24 * time.Hour)
		s.answer = responds(200, "")
		wantOutcome(t, withStore(s, dir), robotshttp.Fetched, true)
		before := s.requests.Load()
		wantOutcome(t, c, robotshttp.Cached, true)
		if n := s.requests.Load(); n != before {
			t.Error("the long-running process asked again")
		}
	})
}

func TestStoreKeepsFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: responds(200, file)}
		dir := robotshttp.Dir(t.TempDir())
		wantOutcome(t, withStore(s, dir), robotshttp.Fetched, false)
		time.Sleep(24 * time.Hour)
		s.answer = responds(503, "", "Retry-After", "3600")
		start := time.Now()
		wantOutcome(t, withStore(s, dir), robotshttp.Stale, false)
		time.Sleep(time.Hour - 1)
		r := wantOutcome(t, withStore(s, dir), robotshttp.Stale, false)
		if !r.Since.Equal(start) || r.Status != 503 || r.Err == nil || r.FinalURL != location {
			t.Errorf("%+v", r)
		}
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		time.Sleep(2 * time.Hour)
		r = wantOutcome(t, withStore(s, dir), robotshttp.Stale, false)
		if n := s.requests.Load(); n != 3 || !r.Since.Equal(start) {
			t.Errorf("%d requests, since %v", n, r.Since)
		}
	})
}

// A process that is restarted all the time must count the days of failure, too.
func TestStoreCountsDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: down}
		dir := robotshttp.Dir(t.TempDir())
		for range 30 {
			wantOutcome(t, withStore(s, dir), robotshttp.Unreachable, false)
			time.Sleep(24 * time.Hour)
		}
		wantOutcome(t, withStore(s, dir), robotshttp.Unavailable, true)
	})
}

// A faultyStore fails as told.
type faultyStore struct {
	value  []byte
	err    error
	hangs  bool
	setErr error
}

func (s *faultyStore) Get(ctx context.Context, _ string) ([]byte, bool, error) {
	if s.hangs {
		<-ctx.Done()
		return nil, false, ctx.Err()
	}
	return s.value, s.value != nil, s.err
}

func (s *faultyStore) Set(ctx context.Context, _ string, value []byte, ttl time.Duration) error {
	if s.hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	s.value = bytes.Clone(value)
	return s.setErr
}

func TestBrokenStore(t *testing.T) {
	good := &faultyStore{}
	get(t, withStore(&server{answer: responds(200, "")}, good), page)
	elsewhere := &faultyStore{}
	get(t, withStore(&server{answer: responds(200, "")}, elsewhere), "https://other.example/")
	flipped := bytes.Clone(good.value)
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name   string
		store  faultyStore
		errors int64
	}{
		{"get", faultyStore{err: errDown}, 1},
		{"get with a value", faultyStore{err: errDown, value: good.value}, 1},
		{"set", faultyStore{setErr: errDown}, 1},
		{"both hang", faultyStore{hangs: true}, 1}, // Set is not tried any more
		{"empty", faultyStore{value: []byte{}}, 1},
		{"junk", faultyStore{value: []byte("<html>")}, 1},
		{"cut short", faultyStore{value: good.value[:len(good.value)-1]}, 1},
		{"one bit wrong", faultyStore{value: flipped}, 1},
		{"too long", faultyStore{value: append(bytes.Clone(good.value), "User-agent: *"...)}, 1},
		{"another version", faultyStore{value: bytes.Replace(good.value, []byte(" 3 "), []byte(" 2 "), 1)}, 1},
		{"of another site", faultyStore{value: elsewhere.value}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var logged bytes.Buffer
				c := withStore(&server{answer: responds(200, file)}, &test.store)
				c.Logger = slog.New(slog.NewTextHandler(&logged, nil))
				wantOutcome(t, c, robotshttp.Fetched, false)
				wantOutcome(t, c, robotshttp.Cached, false)
				time.Sleep(time.Second) // Set may still be under way
				synctest.Wait()
				if n := c.Stats(); n.StoreErrors != test.errors {
					t.Errorf("%+v, want %d errors", n, test.errors)
				}
				op := ` fails" op=decode`
				if test.store.err != nil || test.store.hangs {
					op = ` fails" op=get`
				} else if test.store.setErr != nil {
					op = ` fails" op=set`
				}
				want := `level=WARN msg="robots.txt store` + op + " key=" + location + " error="
				if strings.Count(logged.String(), "level=WARN") != int(test.errors) || !strings.Contains(logged.String(), want) {
					t.Errorf("want %d lines with %q, logged:\n%s", test.errors, want, &logged)
				}
			})
		})
	}
	// The value of which the others are spoilt copies would have been believed.
	wantOutcome(t, withStore(&server{answer: down}, good), robotshttp.Cached, true)
}

// Whichever byte of a stored value is wrong, it counts for nothing, and a disallow does
// not become an allow.
func TestEveryByteFlipped(t *testing.T) {
	good := &faultyStore{}
	wantOutcome(t, withStore(&server{answer: responds(200, file, "Etag", `"1"`)}, good), robotshttp.Fetched, false)
	for i := range good.value {
		for _, flip := range []byte{1 << (i % 8), 0xFF} {
			value := bytes.Clone(good.value)
			value[i] ^= flip
			c := withStore(&server{answer: down}, forgetfulStore{&faultyStore{value: value}})
			c.Logger = slog.New(slog.DiscardHandler)
			wantOutcome(t, c, robotshttp.Unreachable, false)
			if n := c.Stats().StoreErrors; n != 1 {
				t.Errorf("byte %d ^ %x: %d errors", i, flip, n)
			}
		}
	}
}

// A Store that loses a file cannot make those lose it who have it in memory: what
// another process without it makes of a server that fails is not for them.
func TestStoreLosesFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, file)}, &faultyStore{}
		c := withStore(s, store)
		wantOutcome(t, c, robotshttp.Fetched, false)
		store.value = nil
		s.answer = down
		time.Sleep(24*time.Hour - time.Second)
		start := time.Now()
		wantOutcome(t, withStore(s, store), robotshttp.Unreachable, false)
		time.Sleep(time.Second)
		if r := get(t, c, page); r.Outcome != robotshttp.Stale || !r.Since.Equal(start) {
			t.Errorf("%+v", r)
		}
		// By that the others have it again.
		time.Sleep(time.Hour)
		wantOutcome(t, c, robotshttp.Stale, false)
		wantOutcome(t, withStore(s, store), robotshttp.Stale, false)
	})
}

// A Store that cannot be read for a while keeps its last copy of a file, although
// the server fails, too.
func TestStoreFailsWithServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := &server{answer: responds(200, "User-agent: *\nDisallow: /other\n")}, &faultyStore{}
		wantOutcome(t, withStore(s, store), robotshttp.Fetched, true)
		time.Sleep(24 * time.Hour)
		s.answer, store.err = down, errDown
		c := withStore(s, store)
		c.Logger = slog.New(slog.DiscardHandler)
		wantOutcome(t, c, robotshttp.Unreachable, false)
		store.err = nil
		time.Sleep(time.Hour)
		wantOutcome(t, c, robotshttp.Stale, true)
		wantOutcome(t, withStore(s, store), robotshttp.Stale, true)
	})
}

// storedAhead returns a Store with a file from a machine whose clock is ahead.
func storedAhead(t *testing.T, ahead time.Duration, answer func(*http.Request) (*http.Response, error)) *faultyStore {
	store := &faultyStore{}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(ahead)
		get(t, withStore(&server{answer: answer}, store), page)
	})
	return store
}

// What is dated in the future has expired and is older than anything, or no process
// would ask the server before that date. A few minutes are forgiven.
func TestStoreFromTheFuture(t *testing.T) {
	for _, test := range []struct {
		ahead time.Duration
		want  robotshttp.Outcome
	}{
		{4 * time.Minute, robotshttp.Cached},
		{6 * time.Minute, robotshttp.Fetched},
		{1000 * time.Hour, robotshttp.Fetched},
	} {
		for name, answer := range map[string]func(*http.Request) (*http.Response, error){"answer": responds(200, ""), "failure": down} {
			store := storedAhead(t, test.ahead, answer)
			synctest.Test(t, func(t *testing.T) {
				r := get(t, withStore(&server{answer: responds(200, file)}, store), page)
				if asked := r.Outcome == robotshttp.Fetched; asked != (test.want == robotshttp.Fetched) {
					t.Errorf("%s from %v ahead: %q", name, test.ahead, r.Outcome)
				}
			})
		}
	}
}

// A file from the future is better than nothing.
func TestStoreFromTheFutureWithoutServer(t *testing.T) {
	store := storedAhead(t, 1000*time.Hour, responds(200, "User-agent: *\nDisallow: /other\n"))
	synctest.Test(t, func(t *testing.T) {
		wantOutcome(t, withStore(&server{answer: down}, store), robotshttp.Stale, true)
	})
}

// A Store that keeps a value from the future for ever does not bring back old rules.
func TestLossyStoreFromTheFuture(t *testing.T) {
	store := storedAhead(t, 1000*time.Hour, responds(200, ""))
	synctest.Test(t, func(t *testing.T) {
		c := withStore(&server{answer: responds(200, file)}, forgetfulStore{store})
		for range 5 {
			wantOutcome(t, c, robotshttp.Fetched, false)
			time.Sleep(24 * time.Hour)
		}
	})
}

// A forgetfulStore takes nothing in.
type forgetfulStore struct{ robotshttp.Store }

func (forgetfulStore) Set(context.Context, string, []byte, time.Duration) error { return nil }

// What memory knows is not given up for something older.
func TestStoreLagsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := robotshttp.Dir(t.TempDir())
		s := &server{answer: responds(200, "", "Etag", `"1"`)}
		get(t, withStore(s, dir), page)
		c := withStore(s, forgetfulStore{dir})
		s.answer = responds(200, file, "Etag", `"2"`)
		time.Sleep(24 * time.Hour)
		wantOutcome(t, c, robotshttp.Fetched, false)
		s.answer = responds(304, "")
		time.Sleep(24 * time.Hour)
		wantOutcome(t, c, robotshttp.Fetched, false)
		if got := s.last.Header.Get("If-None-Match"); got != `"2"` {
			t.Errorf("If-None-Match: %s", got)
		}
	})
}

func TestDir(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		d := robotshttp.Dir(filepath.Join(root, "new", "directory"))
		keys := []string{"", "/", "..", "../../x", "a\x00b", strings.Repeat("long", 1000), location, "ほ"}
		for _, key := range keys {
			if _, ok, err := d.Get(t.Context(), key); ok || err != nil {
				t.Errorf("Get(%.9q) = %t, %v before Set", key, ok, err)
			}
			for _, value := range []string{"", "one\n\x00two", key} {
				if err := d.Set(t.Context(), key, []byte(value), time.Hour); err != nil {
					t.Fatal(err)
				}
				got, ok, err := d.Get(t.Context(), key)
				if err != nil || !ok || string(got) != value {
					t.Errorf("Get(%.9q) = %q, %t, %v, want %q", key, got, ok, err, value)
				}
			}
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
			t.Errorf("%v, %v", entries, err)
		}
		time.Sleep(time.Hour)
		for _, key := range keys {
			if _, ok, err := d.Get(t.Context(), key); ok || err != nil {
				t.Errorf("Get(%.9q) = %t, %v after its time", key, ok, err)
			}
		}
	})
}

func TestDirErrors(t *testing.T) {
	notDir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := robotshttp.Dir(notDir)
	if err := d.Set(t.Context(), "key", nil, time.Hour); err == nil {
		t.Error("Set: no error")
	}
	var pathError *fs.PathError
	if _, ok, err := d.Get(t.Context(), "key"); !errors.As(err, &pathError) || ok {
		t.Errorf("Get: %t, error %v", ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d = robotshttp.Dir(t.TempDir())
	if err := d.Set(ctx, "key", nil, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("Set: %v", err)
	}
	if _, _, err := d.Get(ctx, "key"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get: %v", err)
	}
	c := withStore(&server{answer: responds(200, file)}, robotshttp.Dir(notDir))
	c.Logger = slog.New(slog.DiscardHandler)
	wantOutcome(t, c, robotshttp.Fetched, false)
}

// A reader sees one writer's value or another's, never a mixture or a part, and
// nothing is left over.
func TestDirAtOnce(t *testing.T) {
	root := t.TempDir()
	d := robotshttp.Dir(root)
	var group sync.WaitGroup
	for i := range 8 {
		value := bytes.Repeat([]byte{byte('a' + i)}, 100_000)
		group.Go(func() {
			for range 20 {
				if err := d.Set(t.Context(), "key", value, time.Hour); err != nil {
					t.Error(err)
				}
				got, ok, err := d.Get(t.Context(), "key")
				if err != nil || !ok || len(got) != len(value) || bytes.Count(got, got[:1]) != len(got) {
					t.Errorf("%d bytes, %t, %v", len(got), ok, err)
				}
			}
		})
	}
	group.Wait()
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// Nobody but its owner may read a Dir.
func TestDirMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no such modes")
	}
	root := filepath.Join(t.TempDir(), "dir")
	if err := robotshttp.Dir(root).Set(t.Context(), "key", nil, time.Hour); err != nil {
		t.Fatal(err)
	}
	for path, mode := range walk(t, root) {
		if mode.Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v", path, mode)
		}
	}
}

// walk returns the files and folders of a directory, and their modes.
func walk(t *testing.T, root string) map[string]fs.FileMode {
	t.Helper()
	modes := make(map[string]fs.FileMode)
	if err := filepath.Walk(root, func(path string, info fs.FileInfo, err error) error {
		if err == nil {
			modes[path] = info.Mode()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return modes
}

// onlyFile returns the name of the only file in a Dir.
func onlyFile(t *testing.T, root string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	return files[0]
}

// A value that cannot be put in its place leaves nothing behind.
func TestDirCleansUp(t *testing.T) {
	root := t.TempDir()
	d := robotshttp.Dir(root)
	if err := d.Set(t.Context(), "key", nil, time.Hour); err != nil {
		t.Fatal(err)
	}
	path := onlyFile(t, root)
	if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "in the way"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := d.Set(t.Context(), "key", nil, time.Hour); err == nil {
		t.Error("no error")
	}
	if path := onlyFile(t, root); filepath.Base(path)[0] == 'n' {
		t.Errorf("%s is left", path)
	}
}

// Values whose time is over and files that were never finished do not stay.
func TestDirSweeps(t *testing.T) {
	root := t.TempDir()
	d := robotshttp.Dir(root)
	for i := range 200 {
		if err := d.Set(t.Context(), fmt.Sprint(i), []byte("value"), -time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Set(t.Context(), "kept", []byte("value"), time.Hour); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "other"), 0o700); err != nil {
		t.Fatal(err)
	}
	young, old := filepath.Join(left[0], "new-1"), filepath.Join(left[0], "new-2")
	notOurs := []string{filepath.Join(left[0], "new-ideas.txt"), filepath.Join(root, "other", "new-3")}
	for _, path := range append(notOurs, young, old) {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if path == young {
			continue
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	var files []string
	for i := 0; i < 10_000 && len(files) != 4; i++ {
		if err := d.Set(t.Context(), "kept", []byte("value"), time.Hour); err != nil {
			t.Fatal(err)
		}
		files = files[:0]
		for path, mode := range walk(t, root) {
			if mode.IsRegular() {
				files = append(files, path)
			}
		}
	}
	if value, ok, err := d.Get(t.Context(), "kept"); err != nil || !ok || string(value) != "value" {
		t.Errorf("%q, %t, %v", value, ok, err)
	}
	for _, path := range append(notOurs, young) {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if len(files) != 4 {
		t.Errorf("files %v", files)
	}
}

// TestDirSweepsALittle wants a Set to look at a few files only, however many there are.
func TestDirSweepsALittle(t *testing.T) {
	const most = 32 // files that a Set looks at
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "00"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		name := filepath.Join(root, "00", fmt.Sprintf("%062x", i))
		if err := os.WriteFile(name, []byte("value"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	left := 100
	for range 100_000 {
		if err := robotshttp.Dir(root).Set(t.Context(), "key", nil, time.Hour); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(filepath.Join(root, "00"))
		if err != nil || left-len(files) > most {
			t.Fatalf("%d files are left of %d, %v", len(files), left, err)
		}
		if left = len(files); left == 0 {
			return
		}
	}
	t.Errorf("%d files are left", left)
}

// TestDirClosesFiles wants no file to stay open. The collector would close those that
// are forgotten, so it waits.
func TestDirClosesFiles(t *testing.T) {
	openFiles := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("SKIPPED: it needs /proc:", err)
		}
		return len(entries)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	d := robotshttp.Dir(t.TempDir())
	before := openFiles()
	for range 100 {
		for _, key := range []string{"a", "b"} {
			if err := d.Set(t.Context(), key, nil, time.Hour); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := d.Get(t.Context(), key); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
	}
	if after := openFiles(); after > before+5 { // others may open a few
		t.Errorf("%d files are open, %d were before", after, before)
	}
}

func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		s := &server{answer: func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return responds(200, file)(req)
		}}
		c := s.cache()
		c.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		}))
		get(t, c, page)
		get(t, c, page)
		s.answer = responds(503, "")
		time.Sleep(24 * time.Hour)
		get(t, c, page)
		const start = "level=DEBUG msg=robots.txt url=https://example.com/robots.txt "
		want := start + "outcome=fetched status=200 took=1s\n" +
			start + "outcome=cached status=200 took=0s\n" +
			start + "outcome=stale status=503 took=0s "
		if got := logged.String(); !strings.HasPrefix(got, want) {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}
