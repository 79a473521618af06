package capipolicy

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"sync"
)

// The policy of this release; `cargo xtask go-embed` writes it.
//
//go:embed capi_policy.core.wasm.gz
var compressed []byte

// embedded is the policy and its digest.
var embedded = sync.OnceValues(func() ([]byte, [sha256.Size]byte) {
	wasm, err := unzip(compressed)
	if err != nil {
		panic("capipolicy: the embedded policy is damaged: " + err.Error())
	}
	return wasm, sha256.Sum256(wasm)
})

// Digest is the SHA-256 of the embedded policy, in hexadecimal, as it stands in
// the release's SHA256SUMS for capi_policy.core.wasm.
func Digest() string {
	_, digest := embedded()
	return hex.EncodeToString(digest[:])
}

func unzip(compressed []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
