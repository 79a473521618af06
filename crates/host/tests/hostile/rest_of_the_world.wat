;; The exports that a hostile policy needs to be taken for a policy, and that nobody calls.
(func
  (export "capi:policy/evaluator@0.1.0#evaluate-machine-deployment")
  (export "capi:policy/evaluator@0.1.0#evaluate-machine-set")
  (export "capi:policy/evaluator@0.1.0#evaluate-cluster")
  (export "capi:policy/evaluator@0.1.0#evaluate-kubeadm-control-plane")
  (export "capi:policy/evaluator@0.1.0#evaluate-machine-health-check")
  (param i32 i32) (result i32)
  unreachable)
(func
  (export "capi:policy/evaluator@0.1.0#forecast")
  (export "capi:policy/json@0.1.0#forecast")
  (param i32 i32 i32 i32) (result i32)
  unreachable)
(func
  (export "capi:policy/catalog@0.1.0#describe")
  (export "capi:policy/catalog@0.1.0#tables")
  (export "capi:policy/catalog@0.1.0#json")
  (result i32)
  unreachable)
