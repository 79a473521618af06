//! The core module, called as a host without components calls it: by the canonical ABI.

use std::path::Path;
use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc};

const EVALUATE: &str = "capi:policy/json@0.2.0#evaluate";
const FORECAST: &str = "capi:policy/json@0.2.0#forecast";

/// One instance.
pub struct CoreModule {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    realloc: TypedFunc<(u32, u32, u32, u32), u32>,
}

impl CoreModule {
    pub fn load() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/capi_policy.core.wasm");
        let engine = Engine::default();
        let module = Module::from_file(&engine, file).expect("run `cargo xtask artifact` first");
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &module, &[]).expect("an instance without imports");
        let memory = instance.get_memory(&mut store, "memory").expect("a memory");
        let realloc = instance.get_typed_func(&mut store, "cabi_realloc").expect("an allocator");
        Self { store, instance, memory, realloc }
    }

    pub fn memory_bytes(&self) -> usize {
        self.memory.data_size(&self.store)
    }

    pub fn evaluate(&mut self, snapshot: &str) -> Result<String, String> {
        let arguments = self.lower(snapshot);
        let function = self.instance.get_typed_func::<(u32, u32), u32>(&mut self.store, EVALUATE).expect(EVALUATE);
        let area = function.call(&mut self.store, arguments).expect("no trap");
        self.lift(EVALUATE, area)
    }

    pub fn forecast(&mut self, snapshot: &str, until: &str) -> Result<String, String> {
        let ((a, b), (c, d)) = (self.lower(snapshot), self.lower(until));
        let function =
            self.instance.get_typed_func::<(u32, u32, u32, u32), u32>(&mut self.store, FORECAST).expect(FORECAST);
        let area = function.call(&mut self.store, (a, b, c, d)).expect("no trap");
        self.lift(FORECAST, area)
    }

    /// Copies a text into memory that the policy allocates and frees.
    fn lower(&mut self, text: &str) -> (u32, u32) {
        let length = u32::try_from(text.len()).expect("a short text");
        let pointer = self.realloc.call(&mut self.store, (0, 0, 1, length)).expect("memory");
        self.memory.write(&mut self.store, pointer as usize, text.as_bytes()).expect("inside of the memory");
        (pointer, length)
    }

    /// Copies a `result<string, string>` out, and gives its memory back.
    fn lift(&mut self, function: &str, area: u32) -> Result<String, String> {
        let number = |at: u32| {
            let mut bytes = [0; 4];
            self.memory.read(&self.store, at as usize, &mut bytes).expect("inside of the memory");
            u32::from_le_bytes(bytes)
        };
        let (case, pointer, length) = (number(area) & 0xff, number(area + 4), number(area + 8));
        let mut text = vec![0; length as usize];
        self.memory.read(&self.store, pointer as usize, &mut text).expect("inside of the memory");
        let name = format!("cabi_post_{function}");
        let post = self.instance.get_typed_func::<u32, ()>(&mut self.store, &name).expect("a function to free it");
        post.call(&mut self.store, area).expect("no trap");
        let text = String::from_utf8(text).expect("UTF-8");
        if case == 0 { Ok(text) } else { Err(text) }
    }
}
