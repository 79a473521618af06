package wasmtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

// compile takes compiled code from the cache or, where it is not there, is
// damaged, or is of another version or processor, compiles and puts it there.
func compile(engine *wasmtime.Engine, wasm []byte, limits sandbox.Limits) (*wasmtime.Module, []byte, error) {
	if limits.CacheDir == "" {
		return compileNow(engine, wasm)
	}
	digest := sha256.Sum256(wasm)
	name := fmt.Sprintf("wasmtime-%s-%t.cwasm", hex.EncodeToString(digest[:]), limits.Interruptible)
	path := filepath.Join(limits.CacheDir, name)
	if serialized, ok := read(path); ok {
		if code, err := wasmtime.NewModuleDeserialize(engine, serialized); err == nil {
			return code, serialized, nil
		}
	}
	code, serialized, err := compileNow(engine, wasm)
	if err != nil {
		return nil, nil, err
	}
	if err := write(path, serialized); err != nil {
		code.Close()
		return nil, nil, fmt.Errorf("cache of compiled code: %w", err)
	}
	return code, serialized, nil
}

func compileNow(engine *wasmtime.Engine, wasm []byte) (*wasmtime.Module, []byte, error) {
	code, err := wasmtime.NewModule(engine, wasm)
	if err != nil {
		return nil, nil, err
	}
	serialized, err := code.Serialize()
	if err != nil {
		code.Close()
		return nil, nil, err
	}
	return code, serialized, nil
}

// read gives the code of an entry whose checksum is right.
func read(path string) ([]byte, bool) {
	entry, err := os.ReadFile(path)
	if err != nil || len(entry) < sha256.Size {
		return nil, false
	}
	checksum := sha256.Sum256(entry[sha256.Size:])
	return entry[sha256.Size:], bytes.Equal(checksum[:], entry[:sha256.Size])
}

// write makes an entry appear complete or not at all.
func write(path string, serialized []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".cwasm-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	checksum := sha256.Sum256(serialized)
	for _, part := range [][]byte{checksum[:], serialized} {
		if _, err := file.Write(part); err != nil {
			file.Close()
			return err
		}
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
