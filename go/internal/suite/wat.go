package suite

import (
	"fmt"
	"strings"
)

// watPolicy is a module with every export of a policy. It answers each
// snapshot "boom" with the instructions in Evaluate, and every other one with
// the same text, so a test sees whether the engine survived.
type watPolicy struct {
	// Evaluate has locals $ptr and $len and leaves a pointer to a result area
	// on the stack. The area at 16 is free to use.
	Evaluate string
	// Realloc has locals $old, $old_len, $align, $len and leaves a pointer.
	Realloc string
	// Post has the local $area.
	Post string
	// Start runs when an instance is made.
	Start string
	// Memory are the limits of the memory, in pages.
	Memory string
	// Version is the one in the export names.
	Version string
	// Catalog is what catalog answers.
	Catalog string
	// Without leaves out the export of this name.
	Without string
	// Extra is put at the start of the module.
	Extra string
}

const bumpAllocate = `
	(global.set $bump (i32.const 65536))
	(if (i32.gt_u (i32.add (i32.const 65536) (local.get $len)) (i32.mul (memory.size) (i32.const 65536)))
		(then (if (i32.eq (memory.grow (i32.shr_u (i32.add (local.get $len) (i32.const 65535)) (i32.const 16))) (i32.const -1))
			(then (unreachable)))))
	(global.get $bump)`

// text is the module in WebAssembly's text format.
func (p watPolicy) text() string {
	def := func(value *string, otherwise string) {
		if *value == "" {
			*value = otherwise
		}
	}
	def(&p.Evaluate, "(call $echo (local.get $ptr) (local.get $len))")
	def(&p.Realloc, bumpAllocate)
	def(&p.Memory, "2")
	def(&p.Version, "0.2.0")
	def(&p.Catalog, fmt.Sprintf(`{"wit":"capi:policy@%s"}`, p.Version))
	start := ""
	if p.Start != "" {
		start = fmt.Sprintf("(func $start (local $x i32) %s) (start $start)", p.Start)
	}
	export := func(name string) string {
		if name == p.Without {
			return ""
		}
		return fmt.Sprintf("(export %q)", name)
	}
	json := "capi:policy/json@" + p.Version
	wat := fmt.Sprintf(`(module %s
		(memory %s %s)
		(global $bump (mut i32) (i32.const 65536))
		(data (i32.const 1024) %q)
		%s
		(func $echo (param $ptr i32) (param $len i32) (result i32)
			(i32.store (i32.const 16) (i32.const 0))
			(i32.store (i32.const 20) (local.get $ptr))
			(i32.store (i32.const 24) (local.get $len))
			(i32.const 16))
		(func $boom (param $ptr i32) (param $len i32) (result i32) (local $x i32) %s)
		(func %s (param $old i32) (param $old_len i32) (param $align i32) (param $len i32) (result i32) %s)
		(func %s (param $ptr i32) (param $len i32) (result i32)
			(if (result i32) (i32.eq (i32.load (local.get $ptr)) (i32.const 0x6d6f6f62))
				(then (call $boom (local.get $ptr) (local.get $len)))
				(else (call $echo (local.get $ptr) (local.get $len)))))
		(func %s (param $area i32) %s)
		(func %s (result i32)
			(i32.store (i32.const 16) (i32.const 1024))
			(i32.store (i32.const 20) (i32.const %d))
			(i32.const 16))
		(func %s (param i32))
		%s)`,
		p.Extra, export("memory"), p.Memory, p.Catalog, start, p.Evaluate,
		export("cabi_realloc"), p.Realloc,
		export(json+"#evaluate"), export("cabi_post_"+json+"#evaluate"), p.Post,
		export(json+"#catalog"), len(p.Catalog), export("cabi_post_"+json+"#catalog"), others(json))
	return strings.ReplaceAll(wat, `\"`, `\22`)
}

// others are the functions that no test calls.
func others(json string) string {
	parameters := map[string]int{
		"forecast": 4, "fleet-upsert": 5, "fleet-remove": 2, "fleet-replace": 4, "fleet-mark-complete": 2, "fleet-mark-incomplete": 2, "fleet-assume": 2,
		"fleet-observe": 4, "fleet-wanted": 0, "fleet-decidable": 0, "fleet-due": 2, "fleet-evaluate": 2, "fleet-update": 2,
		"fleet-forecast": 2, "fleet-snapshot": 2, "fleet-size": 0,
	}
	var text strings.Builder
	for name, count := range parameters {
		fmt.Fprintf(&text, "(func (export %q) (param %s) (result i32) (unreachable))\n", json+"#"+name, strings.Repeat("i32 ", count))
		fmt.Fprintf(&text, "(func (export %q) (param i32))\n", "cabi_post_"+json+"#"+name)
	}
	return text.String()
}
