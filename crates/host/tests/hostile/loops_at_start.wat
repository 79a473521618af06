;; Never gets as far as being asked.
(memory (export "memory") 1)
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
(func $begin (loop $forever (br $forever)))
(start $begin)
(func (export "capi:policy/json@0.2.0#evaluate") (param i32 i32) (result i32) unreachable)
(func (export "capi:policy/evaluator@0.2.0#evaluate-machine") (param i32 i32) (result i32) unreachable)
