;; A component that would like to know the time.
(component
  (import "wasi:clocks/wall-clock@0.2.0" (instance))
  (instance $empty)
  (export "capi:policy/json@0.2.0" (instance $empty)))
