;; A policy of a version yet to come.
(component
  (instance $empty)
  (export "capi:policy/evaluator@1.0.0" (instance $empty))
  (export "capi:policy/json@1.0.0" (instance $empty)))
