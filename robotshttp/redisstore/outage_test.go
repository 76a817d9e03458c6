//go:build unix

package redisstore_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/robotstxt-go/robotstxt/robotshttp"
	"github.com/robotstxt-go/robotstxt/robotshttp/redisstore"
)

// The error of New explains what is wrong with Redis.
func TestNew(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	locked := startRedis(t, "--requirepass", "secret")
	command(t, redis.Addr, "ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-set")
	command(t, redis.Addr, "ACL", "SETUSER", "scriptless", "on", ">secret", "~*", "+@all", "-@scripting")
	command(t, redis.Addr, "ACL", "SETUSER", "stranger", "on", ">secret", "~others:*", "+@all")
	full := startRedis(t)
	command(t, full.Addr, "CONFIG", "SET", "maxmemory", "1")
	frozen := startRedis(t)
	signal(t, frozen, syscall.SIGSTOP)
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	user := func(name, password string) func(*rueidis.ClientOption) {
		return func(o *rueidis.ClientOption) { o.Username, o.Password = name, password }
	}
	for _, test := range []struct {
		name   string
		addr   string
		change func(*rueidis.ClientOption)
		want   string // part of the error; empty if there is none
	}{
		{"right", redis.Addr, nil, ""},
		{"right password", locked.Addr, user("", "secret"), ""},
		{"nobody there", "127.0.0.1:1", nil, "Redis at 127.0.0.1:1 cannot be reached"},
		{"no such host", "no.such.host.invalid:1", nil, "cannot be reached"},
		{"no password", locked.Addr, nil, "refuses the user name or the password"},
		{"wrong password", locked.Addr, user("", "guessed"), "refuses the user name or the password"},
		{"wrong user", redis.Addr, user("nobody", "guessed"), "refuses the user name or the password"},
		{"no right to set", redis.Addr, user("reader", "secret"), "refuses a command that the Store needs: redisstore: "},
		{"no right to run scripts", redis.Addr, user("scriptless", "secret"), "refuses a command that the Store needs: redisstore: "},
		{"no right to the keys", redis.Addr, user("stranger", "secret"), "refuses a command that the Store needs: redisstore: "},
		{"full", full.Addr, nil, "refuses a command that the Store needs"},
		{"frozen", frozen.Addr, nil, "does not answer in time"},
		{"a web server", strings.TrimPrefix(web.URL, "http://"), nil, "does not answer like a Redis server"},
		{"no TLS", redis.Addr, func(o *rueidis.ClientOption) { o.TLSConfig = &tls.Config{} }, "Redis at " + redis.Addr},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := redisstore.Options{Redis: optionsFor(test.addr)}
			if test.change != nil {
				test.change(&o.Redis)
			}
			s, err := redisstore.New(t.Context(), o)
			if s != nil {
				defer s.Close()
			}
			if (err == nil) != (test.want == "") || (s == nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if err != nil && (strings.Contains(err.Error(), "guessed") || strings.Contains(err.Error(), "secret")) {
				t.Errorf("the error contains the password: %v", err)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := redisstore.New(ctx, redisstore.Options{Redis: optionsFor(frozen.Addr)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("New with a short deadline: error %v, want %v", err, context.DeadlineExceeded)
	}
}

// The first call after an outage succeeds, even if many connections broke and calls failed
// during the outage.
func TestFirstCallAfterOutage(t *testing.T) {
	t.Parallel()
	for _, callsMeanwhile := range []bool{false, true} {
		redis := startRedis(t)
		s := newStore(t, redis.Addr)
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() { awaitWorking(t, s) })
		}
		group.Wait()
		redis.Kill()
		if callsMeanwhile {
			wantErrors(t, s)
		}
		if err := redis.Restart(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Lease(t.Context(), location, robotshttp.LeaseRequest{Holder: "a", For: time.Second}); err != nil {
			t.Errorf("calls during the outage %t: error %v after it", callsMeanwhile, err)
		}
	}
}

// If a node of a cluster is down or stopped, calls to the other nodes succeed.
func TestNodeDown(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t)
	s := newStore(t, nodes[0].Addr)
	var keys []string // on the first two nodes
	var lost string   // on the third node
	for i := 0; len(keys) < 50; i++ {
		key := fmt.Sprintf("https://%d.example/robots.txt", i)
		slot, err := command(t, nodes[0].Addr, "CLUSTER", "KEYSLOT", "{"+key+"}").ToInt64()
		if err != nil {
			t.Fatal(err)
		}
		if slot < 10923 {
			keys = append(keys, key)
		} else if err := s.Set(t.Context(), key, nil, time.Hour); err != nil { // connects to the third node
			t.Fatal(err)
		} else {
			lost = key
		}
	}
	for _, end := range []func(){func() { signal(t, nodes[2], syscall.SIGSTOP) }, nodes[2].Kill} {
		end()
		for _, key := range keys {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			if err := s.Set(ctx, lost, nil, time.Hour); err == nil {
				t.Error("no error from the third node")
			}
			cancel()
			if err := s.Set(t.Context(), key, nil, time.Hour); err != nil {
				t.Errorf("Set(%s), on a node that works: error %v", key, err)
			}
			if _, err := s.Lease(t.Context(), key, robotshttp.LeaseRequest{Holder: "a", For: time.Second}); err != nil {
				t.Errorf("Lease(%s), on a node that works: error %v", key, err)
			}
		}
	}
}

// With TLS, New succeeds only if the client trusts the certificate of Redis.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	pool := writeCertificate(t, dir)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	startRedis(t, "--tls-port", port, "--tls-cert-file", filepath.Join(dir, "cert"), "--tls-key-file", filepath.Join(dir, "key"),
		"--tls-ca-cert-file", filepath.Join(dir, "cert"), "--tls-auth-clients", "no")
	for _, known := range []bool{true, false} {
		o := redisstore.Options{Redis: optionsFor(addr)}
		o.Redis.TLSConfig = &tls.Config{}
		if known {
			o.Redis.TLSConfig.RootCAs = pool
		}
		s, err := redisstore.New(t.Context(), o)
		if known != (err == nil) {
			t.Errorf("certificate trusted %t: error %v", known, err)
		}
		if err == nil {
			testValues(t, s)
			s.Close()
		}
	}
}

// writeCertificate writes a certificate for this machine and its private key to the files
// cert and key. It returns a pool with the certificate.
func writeCertificate(t *testing.T, dir string) *x509.CertPool {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: cert}, "key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return pool
}

// startCluster starts a cluster of three nodes. Each serves its slots even if another node is
// down.
func startCluster(t *testing.T) []*server {
	var nodes []*server
	for range 3 {
		nodes = append(nodes, startRedis(t, "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"))
	}
	for i, slots := range [][2]string{{"0", "5460"}, {"5461", "10922"}, {"10923", "16383"}} {
		command(t, nodes[i].Addr, "CLUSTER", "ADDSLOTSRANGE", slots[0], slots[1])
		host, port, _ := net.SplitHostPort(nodes[i].Addr)
		command(t, nodes[0].Addr, "CLUSTER", "MEET", host, port)
	}
	for _, n := range nodes {
		await(t, "the cluster is up", func() bool {
			info, _ := command(t, n.Addr, "CLUSTER", "INFO").ToString()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3") && strings.Contains(info, "cluster_slots_assigned:16384")
		})
	}
	return nodes
}
