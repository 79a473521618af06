;; Exports an interface by the right name with nothing in it.
(component
  (instance $empty)
  (export "capi:policy/json@0.1.0" (instance $empty)))
