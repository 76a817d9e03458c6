// Package redisserver starts and stops a redis-server for tests.
package redisserver

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

// ErrNotInstalled means that the machine has no redis-server.
var ErrNotInstalled = errors.New("redis-server is not installed")

// A Server is a redis-server on a free port of the loopback interface.
type Server struct {
	Addr string
	Dir  string // working directory of the server

	path string
	args []string
	cmd  *exec.Cmd
	over chan struct{} // closed when the process has ended
}

// Start starts a server that stores nothing on disk, with dir as its working directory. Start
// puts args before its own arguments for the server, so args[0] can be a configuration file.
func Start(dir string, args ...string) (*Server, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, ErrNotInstalled
	}
	s := &Server{Dir: dir, path: path, args: args}
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
func (s *Server) Restart() error {
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
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.over
}

// Pid returns the process ID of the server.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

func (s *Server) wait() error {
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
func (s *Server) started() bool {
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

func (s *Server) pidFile() string { return filepath.Join(s.Dir, "pid") }

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
