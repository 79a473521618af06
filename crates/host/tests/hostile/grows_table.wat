;; Grows a table without end.
(memory (export "memory") 1)
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
(table $table 1 funcref)
(func (export "capi:policy/json@0.2.0#evaluate") (param i32 i32) (result i32)
  (loop $more
    (drop (table.grow $table (ref.null func) (i32.const 1000)))
    (br $more))
  unreachable)
(func (export "capi:policy/evaluator@0.2.0#evaluate-machine") (param i32 i32) (result i32) unreachable)
