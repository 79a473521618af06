//! Values as the component model's canonical ABI lays them out in memory.
//!
//! Each type has one function that writes it, whichever functions answer with it. What is generated from `wit/` writes the whole
//! answer once for each exported function and frees it once more, which was an eighth of the artifact. Texts stay where they
//! are: an answer points to the value that it was made of, and keeps it until the host has read it.

use std::any::Any;
use std::cell::{Cell, RefCell};

/// Something that can be written where a host reads it.
pub trait Lower {
    /// How many bytes it takes.
    const SIZE: usize;
    /// What its address is a multiple of.
    const ALIGN: usize;

    /// Writes it to a place of that size, which is zero.
    fn lower(&self, answer: &mut Answer, at: Place);
}

/// What a host has been told, until it has read it.
#[derive(Default)]
pub struct Answer {
    texts: Vec<String>,
    blocks: Vec<Vec<u64>>,
    /// The value that is told; texts are read from it.
    _value: Option<Box<dyn Any>>,
}

thread_local! {
    static ANSWER: RefCell<Option<Answer>> = const { RefCell::new(None) };
}

/// Tells the host a value: where it lies.
pub fn tell<T: Lower + 'static>(value: T) -> *const u8 {
    let value = Box::new(value);
    let mut answer = Answer::default();
    let place = answer.block(T::SIZE);
    value.lower(&mut answer, place);
    answer._value = Some(value);
    keep(Some(answer));
    place.0
}

/// The host has read what it was told.
pub fn forget() {
    keep(None);
}

#[inline(never)]
fn keep(answer: Option<Answer>) {
    ANSWER.set(answer);
}

impl Answer {
    /// A place for so many bytes, all zero.
    #[inline(never)]
    fn block(&mut self, bytes: usize) -> Place {
        let mut block = vec![0_u64; bytes.div_ceil(size_of::<u64>())];
        let place = Place(block.as_mut_ptr().cast());
        self.blocks.push(block);
        place
    }
}

/// A place in a block of an answer.
#[derive(Clone, Copy)]
pub struct Place(*mut u8);

impl Place {
    /// The place so many bytes further.
    pub fn plus(self, bytes: usize) -> Self {
        Self(self.0.wrapping_add(bytes))
    }

    fn write<T>(self, value: T) {
        // SAFETY: `tell` and lists make blocks as large as what is written to them; each value is written where its own type and
        // those before it say, which `SIZE` and `ALIGN` are sums of.
        unsafe { self.0.cast::<T>().write(value) }
    }

    fn list(self, address: *const u8, length: usize) {
        self.write(number(address.addr()));
        self.plus(4).write(number(length));
    }
}

/// Addresses have 32 bits where this runs.
fn number(address: usize) -> u32 {
    u32::try_from(address).unwrap_or(u32::MAX)
}

/// The next multiple of an alignment.
pub const fn aligned(offset: usize, align: usize) -> usize {
    offset.next_multiple_of(align)
}

/// The largest of some sizes or alignments.
pub const fn largest(numbers: &[usize]) -> usize {
    let mut largest = 1;
    let mut rest = numbers;
    while let [number, others @ ..] = rest {
        if *number > largest {
            largest = *number;
        }
        rest = others;
    }
    largest
}

macro_rules! numbers {
    ($($type:ty: $width:literal,)*) => {$(
        impl Lower for $type {
            const SIZE: usize = $width;
            const ALIGN: usize = $width;

            fn lower(&self, _answer: &mut Answer, at: Place) {
                at.write(*self);
            }
        }
    )*};
}

numbers! {
    bool: 1,
    u8: 1,
    u32: 4,
    u64: 8,
    i64: 8,
}

impl Lower for () {
    const SIZE: usize = 0;
    const ALIGN: usize = 1;

    fn lower(&self, _answer: &mut Answer, _at: Place) {}
}

impl Lower for str {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn lower(&self, _answer: &mut Answer, at: Place) {
        at.list(self.as_ptr(), self.len());
    }
}

impl Lower for String {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn lower(&self, answer: &mut Answer, at: Place) {
        self.as_str().lower(answer, at);
    }
}

/// A text that is made to be told.
pub struct Made(Cell<String>);

/// Keeps a text until the host has read it.
pub fn made(text: String) -> Made {
    Made(Cell::new(text))
}

impl Lower for Made {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn lower(&self, answer: &mut Answer, at: Place) {
        let text = self.0.take();
        text.lower(answer, at);
        answer.texts.push(text);
    }
}

impl<T: Lower + ?Sized> Lower for &T {
    const SIZE: usize = T::SIZE;
    const ALIGN: usize = T::ALIGN;

    fn lower(&self, answer: &mut Answer, at: Place) {
        (**self).lower(answer, at);
    }
}

impl<T: Lower> Lower for Option<T> {
    const SIZE: usize = aligned(T::ALIGN + T::SIZE, T::ALIGN);
    const ALIGN: usize = T::ALIGN;

    fn lower(&self, answer: &mut Answer, at: Place) {
        if let Some(value) = self {
            at.write(1_u8);
            value.lower(answer, at.plus(T::ALIGN));
        }
    }
}

impl<T: Lower, E: Lower> Lower for Result<T, E> {
    const ALIGN: usize = largest(&[T::ALIGN, E::ALIGN]);
    const SIZE: usize = aligned(Self::ALIGN + largest(&[T::SIZE, E::SIZE]), Self::ALIGN);

    fn lower(&self, answer: &mut Answer, at: Place) {
        match self {
            Ok(value) => value.lower(answer, at.plus(Self::ALIGN)),
            Err(error) => {
                at.write(1_u8);
                error.lower(answer, at.plus(Self::ALIGN));
            }
        }
    }
}

impl<T: Lower> Lower for Vec<T> {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn lower(&self, answer: &mut Answer, at: Place) {
        let block = answer.block(self.len().saturating_mul(T::SIZE));
        at.list(block.0, self.len());
        let mut item = block;
        for value in self {
            value.lower(answer, item);
            item = item.plus(T::SIZE);
        }
    }
}

/// A record: the types and values of its fields, in the order in which `wit/` has them.
macro_rules! record {
    ($($type:ty { $value:ident: $($name:ident: $field:ty = $from:expr,)+ })+) => {$(
        impl $crate::bindings::component::abi::Lower for $type {
            const ALIGN: usize = $crate::bindings::component::abi::largest(&[
                $(<$field as $crate::bindings::component::abi::Lower>::ALIGN),+
            ]);
            const SIZE: usize = {
                let mut size = 0;
                $(
                    size = $crate::bindings::component::abi::aligned(
                        size,
                        <$field as $crate::bindings::component::abi::Lower>::ALIGN,
                    );
                    size += <$field as $crate::bindings::component::abi::Lower>::SIZE;
                )+
                $crate::bindings::component::abi::aligned(size, Self::ALIGN)
            };

            fn lower(
                &self,
                answer: &mut $crate::bindings::component::abi::Answer,
                at: $crate::bindings::component::abi::Place,
            ) {
                let $value = self;
                let mut before = 0;
                $(
                    let $name: $field = $from;
                    let offset = $crate::bindings::component::abi::aligned(
                        before,
                        <$field as $crate::bindings::component::abi::Lower>::ALIGN,
                    );
                    before = offset + <$field as $crate::bindings::component::abi::Lower>::SIZE;
                    $crate::bindings::component::abi::Lower::lower(&$name, answer, at.plus(offset));
                )+
                let _ = before;
            }
        }
    )+};
}
pub(super) use record;

/// An enum: its cases in the order in which `wit/` has them.
macro_rules! cases {
    ($($type:ty { $($case:ident)+ })+) => {$(
        impl $crate::bindings::component::abi::Lower for $type {
            const SIZE: usize = 1;
            const ALIGN: usize = 1;

            fn lower(
                &self,
                answer: &mut $crate::bindings::component::abi::Answer,
                at: $crate::bindings::component::abi::Place,
            ) {
                enum Number { $($case),+ }
                let number = match self { $(Self::$case => Number::$case),+ };
                $crate::bindings::component::abi::Lower::lower(&(number as u8), answer, at);
            }
        }
    )+};
}
pub(super) use cases;

/// A variant: the types that its cases may hold, and what it holds in each case, told with the number of the case in `wit/`.
macro_rules! variant {
    ($($type:ty { $value:ident, $case:ident: [$($payload:ty),+ $(,)?] $tell:expr })+) => {$(
        impl $crate::bindings::component::abi::Lower for $type {
            const ALIGN: usize = $crate::bindings::component::abi::largest(&[
                $(<$payload as $crate::bindings::component::abi::Lower>::ALIGN),+
            ]);
            const SIZE: usize = $crate::bindings::component::abi::aligned(
                Self::ALIGN
                    + $crate::bindings::component::abi::largest(&[
                        $(<$payload as $crate::bindings::component::abi::Lower>::SIZE),+
                    ]),
                Self::ALIGN,
            );

            fn lower(
                &self,
                answer: &mut $crate::bindings::component::abi::Answer,
                at: $crate::bindings::component::abi::Place,
            ) {
                let ($value, $case) =
                    (self, $crate::bindings::component::abi::Case { answer, at, payload: at.plus(Self::ALIGN) });
                $tell
            }
        }
    )+};
}
pub(super) use variant;

/// Where a case of a variant is told.
pub struct Case<'a> {
    pub answer: &'a mut Answer,
    pub at: Place,
    pub payload: Place,
}

impl Case<'_> {
    /// It is the case of that number and holds this.
    pub fn is<T: Lower>(self, number: u8, payload: T) {
        self.at.write(number);
        payload.lower(self.answer, self.payload);
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {$(
        #[allow(non_snake_case, reason = "a field is called as its type")]
        impl<$($name: Lower),+> Lower for ($($name,)+) {
            const ALIGN: usize = largest(&[$($name::ALIGN),+]);
            const SIZE: usize = {
                let mut size = 0;
                $(size = aligned(size, $name::ALIGN) + $name::SIZE;)+
                aligned(size, Self::ALIGN)
            };

            fn lower(&self, answer: &mut Answer, at: Place) {
                let ($($name,)+) = self;
                let mut before = 0;
                $(
                    let offset = aligned(before, <$name as Lower>::ALIGN);
                    before = offset + <$name as Lower>::SIZE;
                    $name.lower(answer, at.plus(offset));
                )+
                let _ = before;
            }
        }
    )+};
}

// Records that have no type of their own.
tuples! {
    A B;
    A B C;
    A B C D;
    A B C D E F G;
}

/// What a host passes to a function, place by place.
pub struct Arguments<'a>(std::slice::Iter<'a, usize>);

impl<'a> Arguments<'a> {
    /// These.
    pub fn new(places: &'a [usize]) -> Self {
        Self(places.iter())
    }

    /// A number, or the number of a case.
    pub fn number(&mut self) -> usize {
        self.0.next().copied().unwrap_or_default()
    }

    /// Yes or no.
    pub fn flag(&mut self) -> bool {
        self.number() != 0
    }

    /// A text.
    #[inline(never)]
    pub fn text(&mut self) -> String {
        let (address, length) = (self.number(), self.number());
        text_at(address, length)
    }

    /// Something that takes so many places and may be missing.
    pub fn option<T>(&mut self, places: usize, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() {
            return Some(read(self));
        }
        self.pass(places);
        None
    }

    /// Passes over places that a shorter case does not need.
    pub fn pass(&mut self, places: usize) {
        for _ in 0..places {
            self.number();
        }
    }

    /// A text that may be missing.
    #[inline(never)]
    pub fn optional_text(&mut self) -> Option<String> {
        self.option(2, Self::text)
    }

    /// A list of texts.
    pub fn texts(&mut self) -> Vec<String> {
        let (address, length) = (self.number(), self.number());
        // SAFETY: the host got the memory of the list from `cabi_realloc` and hands it over.
        let pairs = unsafe {
            Vec::from_raw_parts(std::ptr::with_exposed_provenance_mut::<[usize; 2]>(address), length, length)
        };
        pairs.into_iter().map(|[address, length]| text_at(address, length)).collect()
    }
}

fn text_at(address: usize, length: usize) -> String {
    // SAFETY: the host got the memory from `cabi_realloc`, hands it over, and has to pass UTF-8.
    unsafe { String::from_raw_parts(std::ptr::with_exposed_provenance_mut(address), length, length) }
}

/// The memory into which a host writes what it passes.
#[cfg(target_arch = "wasm32")]
#[unsafe(export_name = "cabi_realloc")]
extern "C" fn realloc(old: *mut u8, old_length: usize, align: usize, length: usize) -> *mut u8 {
    use std::alloc::{Layout, alloc, handle_alloc_error, realloc};

    let layout = |length| Layout::from_size_align(length, align).unwrap_or(Layout::new::<u8>());
    if length == 0 {
        return std::ptr::without_provenance_mut(align);
    }
    // SAFETY: the size is not zero, and the host passes what it got here before.
    let address =
        unsafe { if old_length == 0 { alloc(layout(length)) } else { realloc(old, layout(old_length), length) } };
    if address.is_null() {
        handle_alloc_error(layout(length));
    }
    address
}

/// Functions of an interface that answer: the places that their arguments take, and what they do.
macro_rules! answers {
    ($interface:literal: $($function:literal ($($place:ident)*) $arguments:ident => $answer:expr,)+) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($interface, "#", $function))]
            extern "C" fn call($($place: usize),*) -> *const u8 {
                let places: &[usize] = &[$($place),*];
                #[allow(unused_mut, unused_variables, reason = "not every function has arguments")]
                let mut $arguments = $crate::bindings::component::abi::Arguments::new(places);
                $crate::bindings::component::abi::tell($answer)
            }

            #[unsafe(export_name = concat!("cabi_post_", $interface, "#", $function))]
            extern "C" fn after(_answer: *const u8) {
                $crate::bindings::component::abi::forget();
            }
        };
    )+};
}
pub(super) use answers;

/// Functions of an interface that answer nothing.
macro_rules! commands {
    ($interface:literal: $($function:literal ($($place:ident)*) $arguments:ident => $call:expr,)+) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($interface, "#", $function))]
            extern "C" fn call($($place: usize),*) {
                let places: &[usize] = &[$($place),*];
                #[allow(unused_mut, unused_variables, reason = "not every function has arguments")]
                let mut $arguments = $crate::bindings::component::abi::Arguments::new(places);
                $call;
            }
        };
    )+};
}
pub(super) use commands;
