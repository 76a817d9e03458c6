package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/rueidis"
)

// rest is how long a Redis that has failed is left alone.
const rest = time.Second

var (
	errClosed   = errors.New("the store is closed")
	errNonsense = errors.New("the answer makes no sense")
	errSlow     = errors.New("no answer in time")
)

// A command sends something to Redis.
type command func(context.Context, rueidis.Client) rueidis.RedisResult

// do runs a command and returns the reply. It waits until ctx ends, and no longer
// than Timeout. The command runs in its own goroutine, because the client cannot
// always be interrupted. It has its own context, because the client closes the
// connection, which others use, when the context of a command ends.
func (s *Store) do(ctx context.Context, run command) (rueidis.RedisMessage, error) {
	if err := ctx.Err(); err != nil {
		return rueidis.RedisMessage{}, err
	}
	slow := time.NewTimer(s.timeout())
	defer slow.Stop()
	client, err := s.connect(ctx, slow.C)
	if err != nil {
		return rueidis.RedisMessage{}, err
	}
	done := make(chan outcome, 1)
	go func() { done <- s.attempt(client, run) }()
	select {
	case o := <-done:
		return o.reply, o.err
	case <-ctx.Done():
		return rueidis.RedisMessage{}, ctx.Err()
	case <-slow.C:
		return rueidis.RedisMessage{}, errSlow
	}
}

// An outcome is the reply to a command, or why there is none.
type outcome struct {
	reply rueidis.RedisMessage
	err   error
}

// attempt runs a command. It gives up the client if it is useless.
func (s *Store) attempt(client rueidis.Client, run command) (o outcome) {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout())
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			o.err = fmt.Errorf("panic: %v", r)
		}
		if isBroken(o.err) {
			s.drop(client, o.err)
		}
	}()
	o.reply, o.err = run(ctx, client).ToMessage()
	return o
}

// isBroken reports whether an error shows that the client is useless. The errors
// that a server sends seldom do. But a client that takes a cluster for a single
// server, or the reverse, gets nothing else.
func isBroken(err error) bool {
	var reply *rueidis.RedisError
	if err == nil || !errors.As(err, &reply) {
		return err != nil
	}
	text := reply.Error() // IsMoved and IsAsk panic if there is no address
	return isRedirection(text) || strings.Contains(text, "cluster support disabled")
}

// connect returns the client, or why there is none. Callers wait for the first
// attempt to connect only. Calls fail during later ones.
func (s *Store) connect(ctx context.Context, slow <-chan time.Time) (rueidis.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil && s.connecting == nil && !s.closed && time.Now().After(s.retry) {
		s.connecting = make(chan struct{})
		go s.dial()
	}
	for s.client == nil && s.err == nil {
		if err := s.wait(ctx, slow); err != nil {
			return nil, err
		}
	}
	return s.client, s.err
}

// wait waits for the attempt to connect. It releases the mutex meanwhile.
func (s *Store) wait(ctx context.Context, slow <-chan time.Time) error {
	connecting := s.connecting
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-connecting:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-slow:
		return errSlow
	}
}

// dial connects.
func (s *Store) dial() {
	client, err := newClient(s.options())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && err == nil {
		go client.Close()
		client, err = nil, errClosed
	}
	s.client, s.err, s.retry = client, err, time.Now().Add(rest)
	close(s.connecting)
	s.connecting = nil
}

// newClient makes a client, which asks the server a few things.
func newClient(options rueidis.ClientOption) (client rueidis.Client, err error) {
	defer func() {
		if r := recover(); r != nil {
			client, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	return rueidis.NewClient(options)
}

// options returns the client's options.
func (s *Store) options() rueidis.ClientOption {
	o := s.Redis
	o.ConnWriteTimeout, o.Dialer.Timeout, o.Sentinel.Dialer.Timeout = s.timeout(), s.timeout(), s.timeout()
	o.DisableCache = true // A Cache has what it knows in memory anyway.
	o.DisableRetry = true // Fetching the file is better than waiting.
	o.DialCtxFn = guarded(o)
	return o
}

func (s *Store) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return time.Second / 2
}

// drop gives up a client because of an error, and lets Redis rest.
func (s *Store) drop(client rueidis.Client, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != client {
		return
	}
	s.client, s.err, s.retry = nil, err, time.Now().Add(rest)
	go client.Close() // It may wait for what is under way.
}

// Close closes the connections. Calls fail from then on.
func (s *Store) Close() {
	s.mu.Lock()
	client := s.client
	s.client, s.err, s.closed = nil, errClosed, true
	s.mu.Unlock()
	if client != nil {
		client.Close()
	}
}
