// commands.go answers the lines that arrive on standard input: each is a
// fault to cause, each answer one line of JSON.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
)

// answer is one line on standard output.
type answer struct {
	OK          bool   `json:"ok"`
	Command     string `json:"command"`
	Error       string `json:"error,omitempty"`
	Revision    int64  `json:"revision,omitempty"`    // compact: every older one is gone
	Until       string `json:"until,omitempty"`       // pause-etcd: when it ends
	Connections *int   `json:"connections,omitempty"` // cut-watches: how many were dropped
}

// readLines closes the channel at the end of the input.
func readLines(r io.Reader) <-chan string {
	lines := make(chan string, 16)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			if line := strings.TrimSpace(s.Text()); line != "" {
				lines <- line
			}
		}
	}()
	return lines
}

func (p *plane) answer(line string) answer {
	a := answer{OK: true, Command: line}
	var err error
	switch words := strings.Fields(line); {
	case words[0] == "compact" && len(words) == 1:
		a.Revision, err = p.compact()
	case words[0] == "pause-etcd" && len(words) == 2:
		var d time.Duration
		if d, err = time.ParseDuration(words[1]); err == nil {
			a.Until = p.toEtcd.stall(d).UTC().Format(time.RFC3339Nano)
		}
	case words[0] == "cut-watches" && len(words) == 1:
		n := p.toServer.cut()
		a.Connections = &n
	default:
		err = fmt.Errorf("unknown command; know: compact, pause-etcd DURATION, cut-watches")
	}
	if err != nil {
		a.OK, a.Error = false, err.Error()
	}
	return a
}

// compact makes etcd forget every revision before the current one, while the
// API server is cut off from it. Compaction alone would not reach a client: the
// API server answers watches from its own cache of recent events. Finding its
// place in etcd's history gone, it lists anew, ends every watch, and answers
// each that resumes from before with 410.
func (p *plane) compact() (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	p.toEtcd.refuse(true)
	defer p.toEtcd.refuse(false)
	var revision int64
	for range 2 {
		put, err := p.etcd.Server.Put(ctx, &etcdserverpb.PutRequest{Key: []byte("testplane/compact"), Value: []byte("x")})
		if err != nil {
			return 0, err
		}
		revision = put.Header.Revision
	}
	_, err := p.etcd.Server.Compact(ctx, &etcdserverpb.CompactionRequest{Revision: revision, Physical: true})
	return revision, err
}
