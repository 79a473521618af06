package main

import (
	"context"
	"os"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// Available          True     Available
	// Initialized        True     Initialized
	// RollingOut         False    NotRollingOut
	// Remediating        False    NotRemediating
	// ScalingDown        False    NotScalingDown
	// ScalingUp          True     ScalingUp
	//   Scaling up from 2 to 3 replicas
	// MachinesReady      False    NotReady
	//   * Machine rock-2:
	//   * NodeHealthy: Node is not ready
	// MachinesUpToDate   True     UpToDate
	// Paused             False    NotPaused
	// Deleting           False    NotDeleting
	// 2 of 3 servers, 1 ready
}
