package capipolicy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// The canonical ABI returns a string as a pointer and a length in a result
// area, and a result<string, string> as a tag in front of the two.
const (
	stringBytes = 8
	resultBytes = 4 + stringBytes
)

// liftString reads an answer that is a string.
func (e export) liftString(memory []byte, area uint32) ([]byte, error) {
	text, err := liftString(memory, area)
	if err != nil {
		return nil, &AnswerError{Call: e.name, Detail: err.Error()}
	}
	return text, nil
}

// liftResult reads an answer that is a result<string, string>.
func (e export) liftResult(memory []byte, area uint32) ([]byte, error) {
	text, isErr, err := liftResult(memory, area, true)
	return e.result(text, isErr, err)
}

// liftDone reads an answer that is a result<_, string>.
func (e export) liftDone(memory []byte, area uint32) ([]byte, error) {
	text, isErr, err := liftResult(memory, area, false)
	return e.result(text, isErr, err)
}

func (e export) result(text []byte, isErr bool, err error) ([]byte, error) {
	if err != nil {
		return nil, &AnswerError{Call: e.name, Detail: err.Error()}
	}
	if isErr {
		return nil, snapshotError(text)
	}
	return text, nil
}

// liftResult copies a result out of memory. Only an error has a text unless
// okHasText.
func liftResult(memory []byte, area uint32, okHasText bool) (text []byte, isErr bool, err error) {
	result, err := slice(memory, area, resultBytes)
	if err != nil {
		return nil, false, fmt.Errorf("result area: %w", err)
	}
	if area%4 != 0 {
		return nil, false, fmt.Errorf("result area at %#x is not aligned", area)
	}
	tag := result[0]
	if tag > 1 {
		return nil, false, fmt.Errorf("result has case %d", tag)
	}
	if tag == 0 && !okHasText {
		return nil, false, nil
	}
	text, err = liftString(memory, area+4)
	return text, tag == 1, err
}

// liftString copies a string out of memory.
func liftString(memory []byte, area uint32) ([]byte, error) {
	header, err := slice(memory, area, stringBytes)
	if err != nil {
		return nil, fmt.Errorf("string: %w", err)
	}
	text, err := slice(memory, binary.LittleEndian.Uint32(header), binary.LittleEndian.Uint32(header[4:]))
	if err != nil {
		return nil, fmt.Errorf("string: %w", err)
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("string of %d bytes is not UTF-8", len(text))
	}
	return bytes.Clone(text), nil
}

// slice is a piece of memory, if it is inside.
func slice(memory []byte, pointer, length uint32) ([]byte, error) {
	end := uint64(pointer) + uint64(length)
	if end > uint64(len(memory)) {
		return nil, fmt.Errorf("%d bytes at %#x are outside of a memory of %d bytes", length, pointer, len(memory))
	}
	return memory[pointer:end], nil
}
