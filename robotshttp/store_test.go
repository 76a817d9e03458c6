package robotshttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotstxt-go/robotstxt/robotshttp"
)

// stored returns a value for a Store with a valid checksum. It consists of JSON and a
// compressed body.
func stored(meta, body string) []byte {
	rest := []byte(meta + "\n" + body)
	return fmt.Appendf(nil, "robotshttp 3 %08x\n%s", crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli)), rest)
}

// An impossible state counts as an error of the Store, even if its checksum is valid. The
// Cache then asks the server.
func TestStoredNonsense(t *testing.T) {
	const ( // in synctest, the time is the start of the year 2000
		month, hour, minute = "1999-12-01T00:00:00Z", "1999-12-31T23:00:00Z", "1999-12-31T23:59:00Z"
		later, year, zero   = "2000-01-01T12:00:00Z", "2001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"
		ages                = "1600-01-01T00:00:00Z"
	)
	failure := func(since, last, retry string, count int) string {
		return fmt.Sprintf(`{"URL":%q,"Failure":{"Since":%q,"Last":%q,"Retry":%q,"Count":%d,"Status":503,"Error":"x"}}`, location, since, last, retry, count)
	}
	for name, test := range map[string]struct {
		meta string
		ok   bool
	}{
		"sane":                 {failure(month, minute, later, 7), true},
		"no failure":           {failure(month, minute, later, 0), false},
		"too many":             {failure(month, minute, later, 8), false},
		"retry in the past":    {failure(month, minute, hour, 1), false},
		"retry in a year":      {failure(month, minute, year, 1), false},
		"no retry":             {failure(month, minute, zero, 1), false},
		"ends before it began": {failure(minute, month, later, 1), false},
		"in the year 1600":     {failure(ages, ages, ages, 1), false},
		"an old answer":        {`{"URL":"https://example.com/robots.txt","Answer":{"Status":200,"Time":"1600-01-01T00:00:00Z"}}`, false},
		"an answer, no time":   {`{"URL":"https://example.com/robots.txt","Answer":{"Status":404}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{answer: responds(200, file)}
				c := withStore(s, forgetfulStore{&faultyStore{value: stored(test.meta, "")}})
				c.Logger = slog.New(slog.DiscardHandler)
				r := get(t, c, page)
				errs := c.Stats().StoreErrors
				if asked := s.requests.Load() > 0; asked == test.ok || (errs == 0) != test.ok || time.Until(r.Expires) > 27*time.Hour {
					t.Errorf("%v until %v; server asked: %t; %d errors of the Store", r, r.Expires, asked, errs)
				}
				s.answer = down // so that the Cache adds a failure to a valid state
				time.Sleep(27 * time.Hour)
				get(t, c, page)
			})
		})
	}
}

// An ETag or Last-Modified value that cannot be sent is left out of the next request. Such a
// value can come from a server or a Store.
func TestUnsendableValidator(t *testing.T) {
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.WriteString(w, file)
	}))
	defer s.Close()
	for _, tag := range []string{"a\x00b", "a\nb", "a\x7fb", "\x01"} {
		answer := map[string]any{"Status": 200, "Header": map[string][]string{"Etag": {tag}, "Last-Modified": {tag}},
			"From": s.URL + "/robots.txt", "Time": time.Now().Add(-48 * time.Hour)}
		meta, err := json.Marshal(map[string]any{"URL": s.URL + "/robots.txt", "Answer": answer})
		if err != nil {
			t.Fatal(err)
		}
		c := &robotshttp.Cache{UserAgent: "FooBot", Store: &faultyStore{value: stored(string(meta), "")}}
		if r := get(t, c, s.URL); r.Outcome != robotshttp.Fetched || c.Stats().StoreErrors != 0 {
			t.Errorf("Etag %q: %v, error %v", tag, r, r.Err)
		}
	}
}

// withStore returns a Cache that fetches files from s and shares them in a store.
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
			t.Errorf("Result %+v, want the file that the first Cache fetched", r)
		}
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		if n := c.Stats(); n.StoreHits != 1 || n.Fetches != 0 {
			t.Errorf("Stats %+v, want 1 hit in the Store and no fetch", n)
		}

		// An expired file can be revalidated, and the result is shared again.
		s.answer = responds(304, "")
		time.Sleep(24 * time.Hour)
		wantOutcome(t, withStore(s, dir), robotshttp.Fetched, false)
		if got := s.last.Header.Get("If-None-Match"); got != `"1"` {
			t.Errorf("If-None-Match: %s, want \"1\"", got)
		}
		wantOutcome(t, withStore(s, dir), robotshttp.Cached, false)

		// A long-running process uses the file that another process has fetched.
		time.Sleep(24 * time.Hour)
		s.answer = responds(200, "")
		wantOutcome(t, withStore(s, dir), robotshttp.Fetched, true)
		before := s.requests.Load()
		wantOutcome(t, c, robotshttp.Cached, true)
		if n := s.requests.Load(); n != before {
			t.Error("the long-running process fetched the file again")
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
			t.Errorf("Result %+v, want the stored file and failure", r)
		}
		if n := s.requests.Load(); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		time.Sleep(2 * time.Hour)
		r = wantOutcome(t, withStore(s, dir), robotshttp.Stale, false)
		if n := s.requests.Load(); n != 3 || !r.Since.Equal(start) {
			t.Errorf("%d requests, want 3; failing since %v, want %v", n, r.Since, start)
		}
	})
}

// The days of failure add up even if the process is restarted every day.
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

// A faultyStore contains one value for all keys, and can fail.
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
		{"both hang", faultyStore{hangs: true}, 1}, // after Get, Set is not tried anymore
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
				time.Sleep(time.Second) // Set may still be running
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
	// The value without faults is used.
	wantOutcome(t, withStore(&server{answer: down}, good), robotshttp.Cached, true)
}

// A stored value with any wrong byte is ignored, so a disallow cannot become an allow.
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
				t.Errorf("byte %d ^ %x: %d errors of the Store, want 1", i, flip, n)
			}
		}
	}
}

// If the Store loses a file and the server fails, a process with the file in memory keeps it,
// even if a process without the file has stored the failure.
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
			t.Errorf("Result %+v, want a stale file since %v", r, start)
		}
		// The next attempt of this process puts the file into the Store again.
		time.Sleep(time.Hour)
		wantOutcome(t, c, robotshttp.Stale, false)
		wantOutcome(t, withStore(s, store), robotshttp.Stale, false)
	})
}

// If the Store and the server fail at the same time, the file stays in the Store.
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

// storedAhead returns a Store with a value from a machine whose clock is ahead.
func storedAhead(t *testing.T, ahead time.Duration, answer func(*http.Request) (*http.Response, error)) *faultyStore {
	store := &faultyStore{}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(ahead)
		get(t, withStore(&server{answer: answer}, store), page)
	})
	return store
}

// A value from more than five minutes in the future counts as expired, and as older than any
// other. Otherwise no process would ask the server before that date.
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
					t.Errorf("%s from %v ahead: outcome %q, want %q", name, test.ahead, r.Outcome, test.want)
				}
			})
		}
	}
}

// If the server fails, even a file from the future is used.
func TestStoreFromTheFutureWithoutServer(t *testing.T) {
	store := storedAhead(t, 1000*time.Hour, responds(200, "User-agent: *\nDisallow: /other\n"))
	synctest.Test(t, func(t *testing.T) {
		wantOutcome(t, withStore(&server{answer: down}, store), robotshttp.Stale, true)
	})
}

// A value from the future that stays in the Store does not replace newer rules.
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

// A forgetfulStore is a Store whose Set does nothing.
type forgetfulStore struct{ robotshttp.Store }

func (forgetfulStore) Set(context.Context, string, []byte, time.Duration) error { return nil }

// A file in memory is not replaced by an older one from the Store.
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
			t.Errorf("If-None-Match: %s, want \"2\"", got)
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
				t.Errorf("Get(%.9q) = %t, error %v before Set, want false", key, ok, err)
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
			t.Errorf("the root contains %v, error %v, want only the directory", entries, err)
		}
		time.Sleep(time.Hour)
		for _, key := range keys {
			if _, ok, err := d.Get(t.Context(), key); ok || err != nil {
				t.Errorf("Get(%.9q) = %t, error %v after the value has expired, want false", key, ok, err)
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
		t.Error("Set: no error for a Dir that is a file")
	}
	var pathError *fs.PathError
	if _, ok, err := d.Get(t.Context(), "key"); !errors.As(err, &pathError) || ok {
		t.Errorf("Get from a Dir that is a file: %t, error %v, want a PathError", ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d = robotshttp.Dir(t.TempDir())
	if err := d.Set(ctx, "key", nil, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("Set after a cancellation: error %v", err)
	}
	if _, _, err := d.Get(ctx, "key"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after a cancellation: error %v", err)
	}
	c := withStore(&server{answer: responds(200, file)}, robotshttp.Dir(notDir))
	c.Logger = slog.New(slog.DiscardHandler)
	wantOutcome(t, c, robotshttp.Fetched, false)
}

// A reader gets the complete value of one writer, never a mixture or a part, and no temporary
// files are left.
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
					t.Errorf("got %d bytes, %t, error %v, want %d equal bytes", len(got), ok, err, len(value))
				}
			}
		})
	}
	group.Wait()
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("files %v, error %v, want one file", files, err)
	}
}

// Only the owner may read a Dir.
func TestDirMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: Windows has no such file modes")
	}
	root := filepath.Join(t.TempDir(), "dir")
	if err := robotshttp.Dir(root).Set(t.Context(), "key", nil, time.Hour); err != nil {
		t.Fatal(err)
	}
	for path, mode := range walk(t, root) {
		if mode.Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v, want one for the owner only", path, mode)
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

// regularFiles returns the number of files in a Dir.
func regularFiles(t *testing.T, root string) (n int) {
	t.Helper()
	for _, mode := range walk(t, root) {
		if mode.IsRegular() {
			n++
		}
	}
	return n
}

// onlyFile returns the name of the only file in a Dir.
func onlyFile(t *testing.T, root string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, error %v, want one file", files, err)
	}
	return files[0]
}

// A Set that fails to rename its temporary file removes that file.
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
		t.Error("Set: no error for a folder in place of the file")
	}
	if path := onlyFile(t, root); filepath.Base(path)[0] == 'n' {
		t.Errorf("the temporary file %s is left", path)
	}
}

// Calls of Set remove expired values and old temporary files, but no other files.
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
	sets, before := 0, regularFiles(t, root)
	for ; regularFiles(t, root) == before && sets < 20_000; sets += 100 {
		for range 100 {
			if err := d.Set(t.Context(), "kept", []byte("value"), time.Hour); err != nil {
				t.Fatal(err)
			}
		}
	}
	if sets == 20_000 {
		t.Errorf("Set has removed nothing in %d calls", sets)
	}
	for i := range 256 {
		d.Sweep(fmt.Sprintf("%02x", i))
	}
	if value, ok, err := d.Get(t.Context(), "kept"); err != nil || !ok || string(value) != "value" {
		t.Errorf("the value that has not expired is %q, %t, error %v", value, ok, err)
	}
	for _, path := range append(notOurs, young) {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if n := regularFiles(t, root); n != 4 {
		t.Errorf("%d files are left, want 4", n)
	}
}

// A sender is the handler of a log that sends each warning with a Transport.
type sender struct {
	transport *robotshttp.Transport
	sent      atomic.Int64
}

func (*sender) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (s *sender) WithAttrs([]slog.Attr) slog.Handler             { return s }
func (s *sender) WithGroup(string) slog.Handler                  { return s }
func (s *sender) Handle(_ context.Context, r slog.Record) error {
	defer s.sent.Add(1)
	req := httptest.NewRequest("POST", "https://logs.example/", strings.NewReader(r.Message))
	_, err := s.transport.RoundTrip(req)
	return err
}

// The handler of the log may use the Cache, because the Cache holds no mutex while it calls the handler.
// There are two warnings: the crawler has no name, and the Store fails.
func TestLogHandlerUsesCache(t *testing.T) {
	store := newFleetStore()
	store.fail(errDown, 0)
	tr := robotshttp.NewTransport("Mozilla/5.0", roundTripper(responds(200, file)))
	handler := &sender{transport: tr}
	tr.Cache.Store, tr.Cache.Logger = store, slog.New(handler)
	done := make(chan error)
	go func() {
		_, err := tr.RoundTrip(httptest.NewRequest("GET", "https://example.com/", nil))
		for handler.sent.Load() < 2 {
			time.Sleep(time.Millisecond)
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("a request waits for itself")
	}
}
