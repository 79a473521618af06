//! Why a text can't be read: what is wrong, and where.

use std::borrow::Cow;
use std::fmt;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It is not JSON: what should have come next.
    Syntax(&'static str),
    /// A value is not what the field wants.
    Unexpected {
        /// What it wants.
        expected: Cow<'static, str>,
        /// What is there.
        found: String,
    },
    /// An object lacks a member.
    Missing(&'static str),
    /// It nests deeper than [`crate::MAX_DEPTH`].
    TooDeep,
}

/// One level on the way from the document to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

/// A problem and its place. One pointer, so that results stay small where nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Place>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    problem: Problem,
    at: usize,
    line: usize,
    column: usize,
    /// From the value out to the document.
    steps: Vec<Step>,
}

impl Fault {
    /// A problem at a byte of the text.
    pub(crate) fn new(text: &str, at: usize, problem: Problem) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        Self(Box::new(Place { problem, at, line, column, steps: Vec::new() }))
    }

    /// The same, seen from the object around.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn in_member(mut self, name: &str) -> Self {
        self.0.steps.push(Step::Member(name.to_owned()));
        self
    }

    /// The same, seen from the list around.
    pub(crate) fn in_item(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Item(index));
        self
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The byte where.
    pub fn at(&self) -> usize {
        self.0.at
    }

    /// The line and the column in bytes, both from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        (self.0.line, self.0.column)
    }

    /// Where the value stands, as in `machines[2].metadata.name`; empty for the document itself.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.steps.iter().rev() {
            match step {
                Step::Member(name) if path.is_empty() => path.push_str(name),
                Step::Member(name) => path.extend([".", name]),
                Step::Item(index) => path.extend(["[", &index.to_string(), "]"]),
            }
        }
        path
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(expected) => write!(f, "expected {expected}"),
            Self::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Missing(member) => write!(f, "missing field `{member}`"),
            Self::TooDeep => write!(f, "more than {} levels of nesting", crate::MAX_DEPTH),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        let separator = if path.is_empty() { "" } else { ": " };
        let Place { problem, line, column, .. } = &*self.0;
        write!(f, "{path}{separator}{problem} (line {line} column {column})")
    }
}

impl std::error::Error for Fault {}
