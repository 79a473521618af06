;; Says that the snapshot goes beyond its memory.
(memory (export "memory") 1)
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0x7ffffff0))
(func (export "capi:policy/json@0.2.0#evaluate") (param i32 i32) (result i32) unreachable)
(func (export "capi:policy/evaluator@0.2.0#evaluate-machine") (param i32 i32) (result i32) unreachable)
