//! The place in a text up to which it has been read.

use crate::fault::{Fault, Problem};
use crate::fields::Read;
use crate::raw::Raw;
use crate::str::Str;
use crate::{space, string};

/// The deepest nesting accepted.
pub const MAX_DEPTH: usize = 100;

pub type Result<T> = std::result::Result<T, Fault>;

/// Reads one text from front to back.
pub struct Reader<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) depth: usize,
}

impl<'a> Reader<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// Reads a value in place; `null` leaves it as it is.
    pub fn value(&mut self, value: &mut impl Read<'a>) -> Result<()> {
        if self.null()? { Ok(()) } else { value.read(self) }
    }

    /// Reads a value in place; the answer is its text.
    pub fn with_text(&mut self, value: &mut impl Read<'a>) -> Result<Raw<'a>> {
        let start = self.place();
        value.read(self)?;
        Ok(Raw::checked(self.text.get(start..self.at).unwrap_or_default()))
    }

    /// Reads the items of a list, each by a call with the reader before it.
    pub fn list(&mut self, item: &mut dyn FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.open(b'[', "a list")?;
        let mut index = 0;
        while self.next_item(index == 0)? {
            item(self).map_err(|fault| fault.in_item(index))?;
            index += 1;
        }
        Ok(())
    }

    /// Reads a string where it is written without escapes, which is nearly always.
    #[inline(always)]
    pub fn plain_string(&mut self) -> Option<&'a str> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let start = self.at + 1;
        let end = string::plain_until(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        self.between(start, end)
    }

    /// A part of the text. What the standard library has for this is a call.
    #[inline(always)]
    pub(crate) fn between(&self, start: usize, end: usize) -> Option<&'a str> {
        self.text.split_at_checked(end)?.0.split_at_checked(start).map(|(_, part)| part)
    }

    /// Reads a string of just so many bytes, if what is between the quotes can be made something of.
    #[inline(always)]
    pub fn string_of<const N: usize, T>(&mut self, make: impl FnOnce(&'a [u8; N]) -> Option<T>) -> Option<T> {
        let [b'"', rest @ ..] = self.text.as_bytes().get(self.at..)? else { return None };
        let (bytes, rest) = rest.split_first_chunk()?;
        if rest.first() != Some(&b'"') {
            return None;
        }
        let value = make(bytes)?;
        self.at += N + 2;
        Some(value)
    }

    /// Reads a string and makes something of it; `expected` says what, for the error when it can't be done.
    pub fn string<T>(&mut self, expected: &'static str, make: impl FnOnce(Str<'a>) -> Option<T>) -> Result<T> {
        let start = self.place();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(start, expected));
        }
        let text = self.text()?;
        make(text).ok_or_else(|| self.unexpected(start, expected))
    }

    /// Reads a whole number.
    #[inline(always)]
    pub fn whole_number(&mut self, expected: &'static str) -> Result<i64> {
        let start = self.place();
        // Most have one digit.
        if let Some([digit @ b'0'..=b'9', b',' | b'}', ..]) = self.text.as_bytes().get(start..) {
            self.at = start + 1;
            return Ok(i64::from(digit - b'0'));
        }
        self.any_whole_number(start, expected)
    }

    fn any_whole_number(&mut self, start: usize, expected: &'static str) -> Result<i64> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.unexpected(start, expected));
        }
        self.number()?;
        let number = self.since(start);
        short_number(number).or_else(|| number.parse().ok()).ok_or_else(|| self.unexpected(start, expected))
    }

    /// Reads `true` or `false`.
    pub fn flag(&mut self) -> Result<bool> {
        let start = self.place();
        let flag = match self.peek() {
            Some(b't') => true,
            Some(b'f') => false,
            _ => return Err(self.unexpected(start, "true or false")),
        };
        self.skip()?;
        Ok(flag)
    }

    /// Whether a string comes next.
    pub fn string_is_next(&mut self) -> bool {
        self.place();
        self.peek() == Some(b'"')
    }

    /// Passes over a value, which has to be one, and gives its text.
    pub fn skip(&mut self) -> Result<&'a str> {
        let start = self.place();
        match self.peek() {
            Some(b'"') => {
                if self.plain_string().is_none() {
                    self.past_string(None)?;
                }
            }
            Some(b'{') => {
                self.open(b'{', "")?;
                let mut first = true;
                while self.plain_member(&mut first).is_some() || self.skip_member_name(&mut first)? {
                    self.skip()?;
                }
            }
            Some(b'[') => {
                self.open(b'[', "")?;
                let mut first = true;
                while self.next_item(first)? {
                    first = false;
                    self.skip()?;
                }
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            _ => return Err(self.syntax("a value")),
        }
        Ok(self.since(start))
    }

    /// Nothing but space may follow.
    pub fn end(&mut self) -> Result<()> {
        self.place();
        if self.at == self.text.len() { Ok(()) } else { Err(self.syntax("the end")) }
    }

    /// A value that is not what was expected, at the byte where it starts.
    #[cold]
    #[inline(never)]
    fn unexpected(&mut self, start: usize, expected: &'static str) -> Fault {
        self.at = start;
        match self.skip() {
            Ok(text) => self.fault(start, Problem::Unexpected { expected: expected.into(), found: description(text) }),
            Err(syntax) => syntax,
        }
    }

    /// Passes over `null`, if that comes next.
    #[inline(always)]
    pub(crate) fn null(&mut self) -> Result<bool> {
        self.place();
        let null = self.peek() == Some(b'n');
        if null {
            self.word("null")?;
        }
        Ok(null)
    }

    #[inline(always)]
    fn next_item(&mut self, mut first: bool) -> Result<bool> {
        self.next(b']', &mut first, "`,` or `]`")
    }

    /// Whether one more member or item comes, with the reader before it.
    #[inline(always)]
    pub(crate) fn next(&mut self, close: u8, first: &mut bool, expected: &'static str) -> Result<bool> {
        self.place();
        let next = self.peek();
        if next == Some(close) {
            self.at += 1;
            self.depth -= 1;
            return Ok(false);
        }
        if !std::mem::take(first) {
            if next != Some(b',') {
                return Err(self.syntax(expected));
            }
            self.at += 1;
            self.place();
        }
        Ok(true)
    }

    #[inline(always)]
    pub(crate) fn open(&mut self, bracket: u8, expected: &'static str) -> Result<()> {
        let start = self.place();
        if self.peek() != Some(bracket) {
            return Err(self.unexpected(start, expected));
        }
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.fault(self.at, Problem::TooDeep)) } else { Ok(()) }
    }

    #[inline(always)]
    pub(crate) fn colon(&mut self) -> Result<()> {
        self.place();
        if self.peek() != Some(b':') {
            return Err(self.syntax("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// The string that starts here.
    #[inline(always)]
    pub(crate) fn text(&mut self) -> Result<Str<'a>> {
        if let Some(text) = self.plain_string() {
            return Ok(text.into());
        }
        let mut text = String::new();
        self.past_string(Some(&mut text))?;
        Ok(text.into())
    }

    /// Passes over the string that starts here, and writes down its text if somebody wants it.
    pub(crate) fn past_string(&mut self, text: Option<&mut String>) -> Result<()> {
        let start = self.at + 1;
        let length = string::length(self.text.get(start..).unwrap_or_default(), text);
        let length = length.map_err(|at| self.fault(start + at, Problem::Syntax("the rest of a string")))?;
        self.at = start + length;
        Ok(())
    }

    /// Passes over a number.
    fn number(&mut self) -> Result<()> {
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(())
    }

    /// Passes over at least one digit.
    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.syntax("a digit")) } else { Ok(()) }
    }

    fn word(&mut self, word: &'static str) -> Result<()> {
        if !self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.syntax(word));
        }
        self.at += word.len();
        Ok(())
    }

    /// Passes over space; where the reader is then.
    #[inline(always)]
    pub(crate) fn place(&mut self) -> usize {
        self.at = space::past(self.text.as_bytes(), self.at);
        self.at
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn since(&self, start: usize) -> &'a str {
        self.between(start, self.at).unwrap_or_default()
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn syntax(&self, expected: &'static str) -> Fault {
        self.fault(self.at, Problem::Syntax(expected))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&self, at: usize, problem: Problem) -> Fault {
        Fault::new(self.text, at, problem)
    }
}

/// A number without a sign that has too few digits to overflow.
fn short_number(text: &str) -> Option<i64> {
    if text.len() > 18 {
        return None;
    }
    text.bytes().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))
}

/// A value in words, for people who look for it.
fn description(text: &str) -> String {
    match text.as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "a list".to_owned(),
        Some(b'-' | b'0'..=b'9') => format!("number {text}"),
        _ => text.to_owned(),
    }
}
