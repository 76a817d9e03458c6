package redisstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// errNotInstalled means that the machine has no redis-server.
var errNotInstalled = errors.New("redis-server is not installed")

// A server is a redis-server on a free port of the loopback interface.
type server struct {
	Addr string
	Dir  string // working directory of the server

	path string
	args []string
	cmd  *exec.Cmd
	over chan struct{} // closed when the process has ended
}

// startServer starts a server that stores nothing on disk, with dir as its working directory. It
// puts args before its own arguments for the server, so args[0] can be a configuration file.
func startServer(dir string, args ...string) (*server, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errNotInstalled
	}
	s := &server{Dir: dir, path: path, args: args}
	for range 10 { // Restart fails if another process has taken the port in the meantime
		if s.Addr, err = freeAddr(); err != nil {
			return nil, err
		}
		if err = s.Restart(); err == nil {
			return s, nil
		}
	}
	return nil, err
}

// Restart starts the server again at the same address.
func (s *server) Restart() error {
	_, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return err
	}
	args := append(slices.Clone(s.args), "--port", port, "--bind", "127.0.0.1", "--dir", s.Dir,
		"--pidfile", s.pidFile(), "--save", "")
	s.cmd, s.over = exec.Command(s.path, args...), make(chan struct{})
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go func() {
		defer close(s.over)
		s.cmd.Wait()
	}()
	if err := s.wait(); err != nil {
		s.Kill()
		return err
	}
	return nil
}

// Kill ends the server at once, without saving anything.
func (s *server) Kill() {
	s.cmd.Process.Kill()
	<-s.over
}

// Pid returns the process ID of the server.
func (s *server) Pid() int { return s.cmd.Process.Pid }

func (s *server) wait() error {
	for range 500 {
		if s.started() {
			return nil
		}
		select {
		case <-s.over:
			return fmt.Errorf("redis-server at %s ended: %s", s.Addr, s.cmd.ProcessState)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return fmt.Errorf("redis-server at %s did not start within 10 seconds", s.Addr)
}

// started reports whether the server accepts connections. If another process uses the port,
// connecting succeeds although the server has not started. So started first checks that the
// server has written its process ID to a file.
func (s *server) started() bool {
	pid, err := os.ReadFile(s.pidFile())
	if err != nil || strings.TrimSpace(string(pid)) != strconv.Itoa(s.Pid()) {
		return false
	}
	conn, err := net.DialTimeout("tcp", s.Addr, time.Second)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

func (s *server) pidFile() string { return filepath.Join(s.Dir, "pid") }

// freeAddr returns a free address of the loopback interface. The port is below those that the
// system uses for outgoing connections.
func freeAddr() (string, error) {
	var err error
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(10000))
		var l net.Listener
		if l, err = net.Listen("tcp", addr); err == nil {
			return addr, l.Close()
		}
	}
	return "", err
}
