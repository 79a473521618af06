// Provider shows how the controller of a control plane kind of its own gets its
// conditions from the policy: see controlplane.go, and PROVIDERS.md for the
// steps.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// objects are what a controller has in its cache.
//
//go:embed objects.json
var objects []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "provider:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	var cache struct {
		ControlPlane RockControlPlane  `json:"controlPlane"`
		Cluster      json.RawMessage   `json:"cluster"`
		Machines     []json.RawMessage `json:"machines"`
	}
	if err := json.Unmarshal(objects, &cache); err != nil {
		return err
	}
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		return err
	}
	defer engine.Close()
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	decision, err := decide(ctx, engine, now, &cache.ControlPlane, cache.Cluster, cache.Machines)
	if err != nil {
		return err
	}
	for _, c := range decision.Conditions {
		fmt.Fprintf(out, "%-18s %-8s %s\n", c.Type, c.Status, c.Reason)
		if c.Message != "" {
			fmt.Fprintf(out, "  %s\n", c.Message)
		}
	}
	fmt.Fprintf(out, "%d of %d servers, %d ready\n", *decision.Status.Replicas.Replicas, cache.ControlPlane.Spec.Servers, *decision.Status.ReadyReplicas)
	return nil
}
