package capipolicy

import "encoding/binary"

const (
	headerBytes   = 8
	importSection = 2
)

// firstImport is the name of the first thing that a valid module imports. The
// runtimes list functions and memories only, and a module may import more.
func firstImport(wasm []byte) (name string, ok bool) {
	for rest := wasm[min(headerBytes, len(wasm)):]; len(rest) > 0; {
		id := rest[0]
		content, after := sized(rest[1:])
		if id != importSection {
			rest = after
			continue
		}
		count, n := binary.Uvarint(content)
		if count == 0 {
			return "", false
		}
		module, content := sized(content[n:])
		field, _ := sized(content)
		return string(module) + "." + string(field), true
	}
	return "", false
}

// sized parts bytes that their length stands before from what follows.
func sized(bytes []byte) (content, rest []byte) {
	size, n := binary.Uvarint(bytes)
	bytes = bytes[max(n, 0):]
	end := min(size, uint64(len(bytes)))
	return bytes[:end], bytes[end:]
}
