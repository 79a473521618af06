#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| capi_policy_fuzz::run("fleet", bytes));
