;; Exports an interface by the right name with nothing in it.
(component
  (instance $empty)
  (export "capi:policy/json@0.2.0" (instance $empty)))
