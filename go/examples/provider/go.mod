module github.com/capi-policy/capi-policy/go/examples/provider

go 1.25.0

require github.com/capi-policy/capi-policy/go v0.1.0

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace github.com/capi-policy/capi-policy/go => ../..
