;; Answers with more conditions than its memory could hold.
(memory (export "memory") 1)
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
(func (export "capi:policy/evaluator@0.2.0#evaluate-machine") (param i32 i32) (result i32)
  (memory.fill (i32.const 64) (i32.const 0) (i32.const 2048))
  ;; Past the case and five texts: the list's length.
  (i32.store (i32.const 116) (i32.const 0x0fffffff))
  (i32.const 64))
(func (export "capi:policy/json@0.2.0#evaluate") (param i32 i32) (result i32) unreachable)
