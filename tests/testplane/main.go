// Testplane is a throw-away Kubernetes control plane in one process: flags in,
// one line of JSON out when it is ready, gone when its standard input closes.
//
// main.go reads the flags and starts the parts in order.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// options are the flags; see README.md.
type options struct {
	dataDir   string
	port      int
	etcdPort  int
	users     list
	crdDirs   list
	crdGroups string
	logFile   string
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// ready is the first line on standard output.
type ready struct {
	Ready      bool              `json:"ready"`
	Kubeconfig string            `json:"kubeconfig"`
	Server     string            `json:"server"`
	Etcd       string            `json:"etcd"`
	Users      map[string]string `json:"users"`
}

func main() {
	var o options
	flag.StringVar(&o.dataDir, "data-dir", "", "keep etcd, certificates, tokens and kubeconfigs in `DIR` (default: a temporary folder, removed at the end)")
	flag.IntVar(&o.port, "port", 0, "port of the API server (default: a free one)")
	flag.IntVar(&o.etcdPort, "etcd-port", 0, "client port of etcd (default: a free one)")
	flag.Var(&o.users, "user", "a user with a token and a kubeconfig, `NAME[=GROUP,...]`; repeatable")
	flag.Var(&o.crdDirs, "crd-dir", "install the CRDs in `DIR`; repeatable")
	flag.StringVar(&o.crdGroups, "crd-groups", "", "of these, install only the API groups `GROUP,...` (default: all)")
	flag.StringVar(&o.logFile, "log-file", "", "write the log to `FILE` instead of standard error")
	flag.Parse()

	if err := redirectLog(o.logFile); err != nil {
		fail(err)
	}
	out := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // whatever a library prints must not mix with the protocol

	// The server must not outlive whoever started it, not even while it is still starting.
	cleanUp := func() {}
	if o.dataDir == "" {
		dir, err := os.MkdirTemp("", "testplane-")
		if err != nil {
			fail(err)
		}
		o.dataDir, cleanUp = dir, func() { os.RemoveAll(dir) }
	}
	lines := readLines(os.Stdin)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)

	type started struct {
		plane *plane
		err   error
	}
	starting := make(chan started, 1)
	go func() {
		p, err := start(o)
		starting <- started{p, err}
	}()

	var p *plane
	var early []string // commands that came before the plane was ready
	for {
		select {
		case s := <-starting:
			if s.err != nil {
				cleanUp()
				fail(s.err)
			}
			p = s.plane
			out.Encode(p.ready)
			for _, line := range early {
				out.Encode(p.answer(line))
			}
		case line, open := <-lines:
			switch {
			case !open:
				cleanUp()
				os.Exit(0)
			case p == nil:
				early = append(early, line)
			default:
				out.Encode(p.answer(line))
			}
		case <-signals:
			cleanUp()
			os.Exit(0)
		}
	}
}

func redirectLog(file string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return syscall.Dup3(int(f.Fd()), int(os.Stderr.Fd()), 0)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "testplane:", err)
	os.Exit(1)
}
