package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/web/engine"
)

// Options configures Handler.
type Options struct {
	// Host is the host and port in the address of the page, such as "localhost:8080". Handler
	// refuses requests for other hosts. This prevents DNS rebinding, in which the host name of
	// another site gets the IP address of this machine.
	Host string

	// ReadFile returns the robots.txt file that the page shows. While a browser shows the page,
	// Handler calls ReadFile every second to find changes. If there is no file, ReadFile is
	// nil.
	ReadFile func() ([]byte, error)

	// FileName is the name that the page shows for the file.
	FileName string

	// Reach is a sentence that says who can use the page. If only users of this machine can,
	// Reach is empty.
	Reach string

	// AllowFetch lets the page fetch the robots.txt files of other sites.
	AllowFetch bool

	// AllowPrivate lets the page also fetch from loopback, private and link-local
	// addresses.
	AllowPrivate bool
}

// MaxFile is the size in bytes of the largest file that the page shows. The page never shows
// only a part of a file, because a user could mistake the part for the whole file.
const MaxFile = 4 << 20

// maxRequest is the size in bytes of the largest request. This is enough for a robots.txt file,
// its old version and 100,000 URLs.
const maxRequest = 4*MaxFile + 16<<20

// policy is the Content-Security-Policy of the page: it allows only the page's own
// files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Handler returns a handler that serves the page and its engine over http. It answers only
// requests for o.Host. POST requests must come from the page itself.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("POST /api/answer", handleAnswer)
	mux.HandleFunc("POST /api/start", o.handleStart)
	if o.AllowFetch {
		mux.Handle("POST /api/fetch", newFetcher(o.AllowPrivate))
	}
	return guard(strings.TrimSuffix(strings.ToLower(o.Host), ":80"), mux) // for port 80, browsers send the host without the port
}

// A startAnswer contains the file and settings that the page requests when it starts. If there
// is a file, the page repeats the request every second, to find changes.
type startAnswer struct {
	Name     string `json:"name"`
	Version  string `json:"version"` // a hash of the file; empty if there is no file
	Text     string `json:"text"`    // empty if the request names the same version: then the page already has the text
	Note     string `json:"note"`    // how Text differs from the file; may be empty
	Reach    string `json:"reach"`
	CanFetch bool   `json:"canFetch"`
}

func (o Options) handleStart(w http.ResponseWriter, r *http.Request) {
	var has struct {
		Version string `json:"version"`
	}
	if err := json.NewDecoder(r.Body).Decode(&has); err != nil {
		http.Error(w, "The server does not understand the request.", http.StatusBadRequest)
		return
	}
	answer := startAnswer{Name: o.FileName, Reach: o.Reach, CanFetch: o.AllowFetch}
	if o.ReadFile != nil {
		data, err := o.ReadFile()
		if err != nil {
			http.Error(w, sentence(reply.ErrorText(err)), http.StatusInternalServerError)
			return
		}
		answer.Version = fmt.Sprintf("%x", sha256.Sum256(data))
		if answer.Version != has.Version {
			answer.Text, answer.Note = textOf(data)
		}
	}
	writeJSON(w, answer)
}

// guard returns a handler that refuses some requests (see checkRequest) and passes the others to
// next.
func guard(host string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		if err := checkRequest(host, r); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
		next.ServeHTTP(w, r)
	})
}

// checkRequest returns an error if the server must refuse a request. The server accepts a POST request
// only if its Origin header shows that the page itself sent the request.
func checkRequest(host string, r *http.Request) error {
	switch {
	case r.Host != host:
		return fmt.Errorf("this page is available only at http://%s/", host)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return nil
	case r.Header.Get("Origin") != "http://"+host:
		return fmt.Errorf("only the page at http://%s/ may send this request", host)
	case r.Header.Get("Content-Type") != "application/json":
		return fmt.Errorf("the Content-Type of a request must be application/json")
	}
	return nil
}

func handleAnswer(w http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "The request is too long.", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(engine.Answer(request, "")) // ignore an error: the browser has closed the connection
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // ignore an error: the browser has closed the connection
}
