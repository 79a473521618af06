module github.com/capi-policy/capi-policy/go/wasmtime

go 1.25.0

require (
	github.com/bytecodealliance/wasmtime-go/v44 v44.0.0
	github.com/capi-policy/capi-policy/go v0.1.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace github.com/capi-policy/capi-policy/go => ../
