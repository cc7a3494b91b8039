package lsp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// ErrNotLoopback is why an address is refused.
var ErrNotLoopback = errors.New("not a loopback address; anyone who can reach it could read the workspace")

// Listen opens the socket for sessions over TCP. Unless anywhere is set, the
// address must be a loopback one, and must name its host: an empty one means
// every interface.
func Listen(addr string, anywhere bool) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen address: %w", err)
	}
	if !anywhere {
		if host == "localhost" {
			host = "127.0.0.1" // what the name means is not asked of the network
		}
		if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
			return nil, fmt.Errorf("listen address %s: %w", addr, ErrNotLoopback)
		}
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// ServeListener carries a session on every connection, until ctx ends; then it
// closes the listener and waits for the sessions.
func ServeListener(ctx context.Context, l net.Listener, opts Options) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept: %w", err)
		}
		sessions.Add(1)
		go func() {
			defer sessions.Done()
			Serve(ctx, conn, opts)
		}()
	}
}
