;; Wants 2 GiB before it is asked anything.
(memory (export "memory") 32768)
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
(func (export "capi:policy/json@0.2.0#evaluate") (param i32 i32) (result i32) unreachable)
(func (export "capi:policy/evaluator@0.2.0#evaluate-machine") (param i32 i32) (result i32) unreachable)
