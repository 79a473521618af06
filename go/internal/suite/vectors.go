// Package suite holds the tests that every runtime has to pass.
package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// Vector is a question and the answer of the Rust library.
type Vector struct {
	ID         string          `json:"id"`
	Snapshot   json.RawMessage `json:"snapshot"`
	Evaluation json.RawMessage `json:"evaluation"`
	Error      string          `json:"error"`
}

var readVectors = sync.OnceValues(func() ([]Vector, error) { return readLines[Vector]("target/vectors.jsonl") })

// readLines reads a file of the repository with JSON on each line.
func readLines[T any](name string) ([]T, error) {
	path, err := inRepository(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	var values []T
	for lines.Scan() {
		var value T
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, lines.Err()
}

// Vectors are every case of tests/cases and tests/conformance.
func Vectors(t testing.TB) []Vector {
	t.Helper()
	vectors, err := readVectors()
	if err != nil {
		t.Fatalf("%v; `cargo xtask vectors` writes it", err)
	}
	if len(vectors) < 1000 {
		t.Fatalf("only %d questions", len(vectors))
	}
	return vectors
}

// rawObjects compares every decision about the objects of the repository's
// example fleet, of which some were not read, with the Rust library's.
func rawObjects(t *testing.T, open Open) {
	type asked struct {
		ID          string             `json:"id"`
		Now         time.Time          `json:"now"`
		Profile     capipolicy.Profile `json:"profile"`
		Objects     []json.RawMessage  `json:"objects"`
		Evaluations []json.RawMessage  `json:"evaluations"`
	}
	fleets, err := readLines[asked]("target/fleets.jsonl")
	check(t, err)
	if len(fleets) != 10 {
		t.Fatalf("%d questions", len(fleets))
	}
	engine := open(t, capipolicy.Options{})
	for _, asked := range fleets {
		fleet := capipolicy.NewFleet(engine, capipolicy.FleetOptions{Profile: asked.Profile})
		check(t, fleet.Assume(t.Context(), capipolicy.AssumePresentKindsAreComplete))
		for _, object := range asked.Objects {
			check(t, fleet.Upsert(t.Context(), object))
		}
		subjects, err := fleet.Decidable(t.Context())
		check(t, err)
		if len(subjects) != len(asked.Evaluations) {
			t.Fatalf("%s: %d can be decided, not %d", asked.ID, len(subjects), len(asked.Evaluations))
		}
		for i, subject := range subjects {
			got, err := fleet.EvaluateJSON(t.Context(), subject, asked.Now)
			check(t, err)
			if !bytes.Equal(got, asked.Evaluations[i]) {
				t.Errorf("%s: %v\nlibrary: %s\nhere: %s", asked.ID, subject, asked.Evaluations[i], got)
			}
		}
		fleet.Close()
	}
}

// IsRecorded says whether a question is one of tests/conformance: these are
// called by the release and the case, as v1.14 Machine-s101-00000.
func IsRecorded(id string) bool { return strings.HasPrefix(id, "v1.") }

// everyRecordedFamilyIsAsked fails when a file of recorded answers does not reach
// the runtimes.
func everyRecordedFamilyIsAsked(t *testing.T, _ Open) {
	folder, err := inRepository("tests/conformance")
	check(t, err)
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl.gz"))
	check(t, err)
	if len(files) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, file := range files {
		family := filepath.Base(filepath.Dir(file)) + " " + strings.TrimSuffix(filepath.Base(file), ".jsonl.gz") + "-"
		if !slices.ContainsFunc(Vectors(t), func(v Vector) bool { return strings.HasPrefix(v.ID, family) }) {
			t.Errorf("no question of %s", family)
		}
	}
}

// EveryMemberHasAField fails when this package's types lack something that the
// policy decides.
func EveryMemberHasAField(t *testing.T) {
	for _, v := range Vectors(t) {
		if v.Error != "" {
			continue
		}
		strict := json.NewDecoder(bytes.NewReader(v.Evaluation))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&capipolicy.Evaluation{}); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
	}
}

// inRepository is the path of a file, wherever below the repository the test
// runs.
func inRepository(name string) (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "Cargo.lock")); err == nil {
			return filepath.Join(folder, name), nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("not in the repository, which has " + name)
		}
		folder = parent
	}
}

// sameBytes wants the bytes that the Rust library gives.
func sameBytes(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{})
	for _, v := range Vectors(t) {
		checkVector(t, engine, v)
	}
}

func sameBytesFromManyGoroutines(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{Instances: 4})
	questions := make(chan Vector)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for v := range questions {
				checkVector(t, engine, v)
			}
		})
	}
	for _, v := range Vectors(t) {
		questions <- v
	}
	close(questions)
	group.Wait()
}

func checkVector(t *testing.T, engine *capipolicy.Engine, v Vector) {
	answer, err := engine.EvaluateJSON(t.Context(), v.Snapshot)
	if v.Error != "" {
		var refused *capipolicy.SnapshotError
		if !errors.As(err, &refused) || refused.Message != v.Error {
			t.Errorf("%s: got error %v, want %s", v.ID, err, v.Error)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", v.ID, err)
		return
	}
	if !bytes.Equal(answer, v.Evaluation) {
		t.Errorf("%s: the answer differs\nRust: %s\nGo:   %s", v.ID, v.Evaluation, answer)
	}
}
