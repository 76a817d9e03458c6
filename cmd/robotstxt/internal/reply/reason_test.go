package reply

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestReason tests the words for errors that a test cannot provoke with a server.
func TestReason(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&net.DNSError{Err: "no such host", Name: "a.invalid", IsNotFound: true}, "there is no such host"},
		{&net.DNSError{Err: "server misbehaving", Name: "a.invalid"}, "the name of the host could not be looked up"},
		{&net.DNSError{Err: "i/o timeout", Name: "a.invalid", IsTimeout: true}, "it did not answer within 10 s"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "the certificate has expired"},
		{x509.CertificateInvalidError{Reason: x509.TooManyIntermediates}, "the certificate is not valid"},
		{x509.HostnameError{Certificate: new(x509.Certificate), Host: "a.example"}, "the certificate is for another name"},
		{tls.AlertError(40), "the server has no working HTTPS"},
		{context.Canceled, "it was interrupted"},
		{fmt.Errorf("a: %w", errPrivate), errPrivate.Error()},
		{errors.New("anything"), "the connection failed, or the answer is not one of a web server"},
	} {
		var certificate error = &url.Error{Op: "Get", URL: "https://a.example/", Err: c.err}
		if strings.Contains(c.want, "certificate") {
			certificate = &tls.CertificateVerificationError{Err: c.err}
		}
		if got := reason(certificate, 10*time.Second); got != c.want {
			t.Errorf("%v: got %q, want %q", c.err, got, c.want)
		}
	}
}

// TestOpen tests the errors about servers, and that each fetch ends.
func TestOpen(t *testing.T) {
	loops := 0
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok":
			io.WriteString(w, "tea "+r.UserAgent())
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/loop":
			loops++
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/nowhere":
			w.Header().Set("Location", "mailto:a@b.example")
			w.WriteHeader(http.StatusFound)
		case "/far": // a Location that takes an http.Client seconds to convert
			w.Header().Set("Location", "http://"+strings.Repeat("茶", 100_000)+".example/")
			w.WriteHeader(http.StatusFound)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "tea")
		case "/wall":
			w.Header().Set("Cf-Mitigated", "challenge")
		case "/closed":
			panic(http.ErrAbortHandler)
		case "/silent":
			<-r.Context().Done()
		case "/slow":
			for r.Context().Err() == nil {
				fmt.Fprintln(w)
				http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	defer secure.Close()
	down := httptest.NewServer(nil)
	down.Close()
	for _, c := range []struct{ address, want string }{
		{plain.URL + "/ok", ""},
		{plain.URL + "/moved", ""},
		{plain.URL + "/loop", "too many redirects"},
		{plain.URL + "/nowhere", "it redirects to something that is no web address"},
		{plain.URL + "/far", "it redirects to something that is no web address"},
		{plain.URL + "/cut", "the answer was cut off"},
		{plain.URL + "/wall", "the server refuses this tool (cf-mitigated: challenge), and crawlers may get another answer"},
		{plain.URL + "/closed", "the server closed the connection without an answer"},
		{plain.URL + "/none", "the server answers 404 Not Found"},
		{plain.URL + "/silent", "it did not answer within 0.1 s"},
		{plain.URL + "/slow", "it did not answer within 0.1 s"},
		{down.URL, "the server refuses connections"},
		{secure.URL, "the certificate is from nobody that browsers trust"},
		{strings.Replace(plain.URL, "http", "https", 1), "the server has no working HTTPS"},
	} {
		limit := time.Minute
		if strings.Contains(c.want, "0.1 s") {
			limit = 100 * time.Millisecond
		}
		resp, err := GuardFor(c.address).Open(t.Context(), c.address, limit)
		text := []byte("tea " + UserAgent)
		if err == nil {
			text, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if got := fmt.Sprint(err); c.want == "" && (err != nil || string(text) != "tea "+UserAgent) || c.want != "" && got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.address, text, err, c.want)
		}
	}
	if loops != 10 {
		t.Errorf("%d requests for a loop, want 10", loops)
	}
}
