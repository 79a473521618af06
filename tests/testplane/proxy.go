// proxy.go is a TCP proxy on loopback that can stall and that can drop every
// connection: the faults that the tests ask for.
package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

type proxy struct {
	listener net.Listener
	target   string

	mu         sync.Mutex
	resumed    *sync.Cond // signalled when the stall ends or a connection is dropped
	stallUntil time.Time
	closed     bool // refuse what comes
	conns      map[net.Conn]struct{}
}

func startProxy(port int, target string) (*proxy, error) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, target: target, conns: map[net.Conn]struct{}{}}
	p.resumed = sync.NewCond(&p.mu)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// stall holds back every byte, both ways, for d.
func (p *proxy) stall(d time.Duration) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stallUntil = time.Now().Add(d)
	time.AfterFunc(d, p.resumed.Broadcast)
	return p.stallUntil
}

// cut drops every connection and says how many clients that were.
func (p *proxy) cut() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.conns)
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
	return n / 2
}

// refuse drops every connection and every new one, until called with false.
func (p *proxy) refuse(on bool) {
	p.mu.Lock()
	p.closed = on
	p.mu.Unlock()
	if on {
		p.cut()
	}
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		client.Close()
		server.Close()
		return
	}
	p.conns[client], p.conns[server] = struct{}{}, struct{}{}
	p.mu.Unlock()
	go p.copy(client, server)
	p.copy(server, client)
}

// copy ends both connections when one of them ends.
func (p *proxy) copy(to, from net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		p.awaitResumed()
		if n > 0 {
			if _, writeErr := to.Write(buffer[:n]); writeErr != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	to.Close()
	from.Close()
	p.mu.Lock()
	delete(p.conns, to)
	delete(p.conns, from)
	p.mu.Unlock()
}

func (p *proxy) awaitResumed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for time.Now().Before(p.stallUntil) {
		p.resumed.Wait()
	}
}
