// Package recorded reads the objects that `cargo xtask test integrations` prepares, and counts what checks report about them.
package recorded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"
)

// Folder is where objects are read from and counts are written to, seen from a module below tests/integrations.
const Folder = "../../../target/gitops"

// UnavailableCluster has everything but a control plane that serves.
const UnavailableCluster = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {}
status:
  phase: Provisioned
  conditions:
  - {type: Available, status: "False", reason: NotAvailable, message: "* ControlPlaneAvailable: etcd lost its quorum"}
  - {type: ControlPlaneInitialized, status: "True", reason: Initialized, message: ""}
  - {type: ControlPlaneAvailable, status: "False", reason: NotAvailable, message: etcd lost its quorum}
`

// Record is one recorded object and what its conditions mean.
type Record struct {
	Case   string          `json:"case"`
	Health string          `json:"health"`
	Object json.RawMessage `json:"object"`
}

// Each calls visit for every recorded object, for several at a time; an error ends the visits of its worker.
func Each(visit func(Record) error) error {
	file, err := os.Open(filepath.Join(Folder, "objects.jsonl"))
	if err != nil {
		return err
	}
	defer file.Close()
	lines, failures := make(chan []byte, 64), make(chan error, runtime.GOMAXPROCS(0))
	var visitors sync.WaitGroup
	for range cap(failures) {
		visitors.Go(func() { failures <- visitAll(lines, visit) })
	}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		lines <- bytes.Clone(scanner.Bytes())
	}
	close(lines)
	visitors.Wait()
	close(failures)
	err = scanner.Err()
	for failure := range failures {
		err = errors.Join(err, failure)
	}
	return err
}

// visitAll goes on reading after an error, so that nobody waits for it.
func visitAll(lines <-chan []byte, visit func(Record) error) error {
	var failure error
	for line := range lines {
		var record Record
		if failure == nil {
			failure = json.Unmarshal(line, &record)
		}
		if failure == nil {
			failure = visit(record)
		}
	}
	return failure
}

// Count says how many objects of a kind a check reported in this way.
type Count struct {
	Check    string `json:"check"`
	Kind     string `json:"kind"`
	Meant    string `json:"meant"`
	Reported string `json:"reported"`
	Objects  int    `json:"objects"`
}

// Counts are counts by everything but their number.
type Counts struct {
	lock   sync.Mutex
	counts map[Count]int
}

// Add counts one object.
func (c *Counts) Add(check, kind, meant, reported string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.counts == nil {
		c.counts = map[Count]int{}
	}
	c.counts[Count{Check: check, Kind: kind, Meant: meant, Reported: reported}]++
}

// Meant says how many objects were counted whose conditions mean this.
func (c *Counts) Meant(health string) (objects int) {
	for count, number := range c.counts {
		if count.Meant == health {
			objects += number
		}
	}
	return objects
}

// Write puts the counts into a file, in an order that does not change.
func (c *Counts) Write(name string) error {
	list := []Count{}
	for count, objects := range c.counts {
		count.Objects = objects
		list = append(list, count)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Check != b.Check {
			return a.Check < b.Check
		}
		if a.Kind != b.Kind {
			return a.Kind < b.Kind
		}
		return a.Meant+a.Reported < b.Meant+b.Reported
	})
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(Folder, name), append(text, '\n'), 0o644)
}
