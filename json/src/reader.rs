//! The place in a text up to which it has been read.

use crate::fault::{Fault, Problem};
use crate::fields::{Fields, Read};
use crate::same::same;
use crate::str::Str;
use crate::string;
use std::borrow::Cow;

/// The deepest nesting accepted.
pub const MAX_DEPTH: usize = 100;

type Result<T> = std::result::Result<T, Fault>;

/// Reads one text from front to back.
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
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

    /// Reads the members of an object that it knows, and skips the others.
    pub fn object(&mut self, object: &mut dyn Fields<'a>) -> Result<()> {
        let start = self.place();
        self.open(b'{', "an object")?;
        let members = object.members();
        let mut next = 0;
        let mut first = true;
        loop {
            let plain = self.plain_member(&mut first).map(Str::from);
            let Some(name) = plain.map_or_else(|| self.next_member(&mut first), |name| Ok(Some(name)))? else { break };
            if self.null()? {
                continue;
            }
            let read = match find(members, next, &name) {
                Some((place, field)) => {
                    next = place + 1;
                    object.read_field(field, self)
                }
                None => self.skip().map(drop),
            };
            read.map_err(|fault| fault.in_member(&name))?;
        }
        match object.missing() {
            None => Ok(()),
            Some(name) => Err(self.fault(start, Problem::Missing(name))),
        }
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

    /// Reads the members of an object, each by a call with its name and the reader before its value.
    pub fn members(
        &mut self,
        expected: &'static str,
        member: &mut dyn FnMut(&Str<'a>, &mut Self) -> Result<()>,
    ) -> Result<()> {
        self.open(b'{', expected)?;
        let mut first = true;
        while let Some(name) = self.next_member(&mut first)? {
            member(&name, self).map_err(|fault| fault.in_member(&name))?;
        }
        Ok(())
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
    pub fn whole_number(&mut self, expected: &'static str) -> Result<i64> {
        let start = self.place();
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
            Some(b'"') => self.past_string(None)?,
            Some(b'{') => {
                self.open(b'{', "")?;
                let mut first = true;
                while self.skip_member_name(&mut first)? {
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
    fn unexpected(&mut self, start: usize, expected: impl Into<Cow<'static, str>>) -> Fault {
        self.at = start;
        match self.skip() {
            Ok(text) => self.fault(start, Problem::Unexpected { expected: expected.into(), found: description(text) }),
            Err(syntax) => syntax,
        }
    }

    /// Passes over `null`, if that comes next.
    #[inline(always)]
    fn null(&mut self) -> Result<bool> {
        self.place();
        let null = self.peek() == Some(b'n');
        if null {
            self.word("null")?;
        }
        Ok(null)
    }

    /// The name of the next member where it is written as servers do: without space and without escapes.
    #[inline(always)]
    fn plain_member(&mut self, first: &mut bool) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let quote = match self.peek() {
            Some(b'"') if *first => self.at,
            Some(b',') if !*first && bytes.get(self.at + 1) == Some(&b'"') => self.at + 1,
            _ => return None,
        };
        let end = string::plain_until(bytes, quote + 1);
        if bytes.get(end) != Some(&b'"') || bytes.get(end + 1) != Some(&b':') {
            return None;
        }
        self.at = end + 2;
        *first = false;
        self.text.get(quote + 1..end)
    }

    /// The name of the next member, with the reader before its value; nothing at the end of the object.
    #[cold]
    fn next_member(&mut self, first: &mut bool) -> Result<Option<Str<'a>>> {
        if !self.next(b'}', first, "`,` or `}`")? {
            return Ok(None);
        }
        if self.peek() != Some(b'"') {
            return Err(self.syntax("a name in quotes"));
        }
        let name = self.text()?;
        self.colon()?;
        Ok(Some(name))
    }

    fn skip_member_name(&mut self, first: &mut bool) -> Result<bool> {
        if !self.next(b'}', first, "`,` or `}`")? {
            return Ok(false);
        }
        if self.peek() != Some(b'"') {
            return Err(self.syntax("a name in quotes"));
        }
        self.past_string(None)?;
        self.colon()?;
        Ok(true)
    }

    fn next_item(&mut self, mut first: bool) -> Result<bool> {
        self.next(b']', &mut first, "`,` or `]`")
    }

    /// Whether one more member or item comes, with the reader before it.
    #[inline(always)]
    fn next(&mut self, close: u8, first: &mut bool, expected: &'static str) -> Result<bool> {
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

    fn open(&mut self, bracket: u8, expected: &'static str) -> Result<()> {
        let start = self.place();
        if self.peek() != Some(bracket) {
            return Err(self.unexpected(start, expected));
        }
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.fault(self.at, Problem::TooDeep)) } else { Ok(()) }
    }

    #[inline(always)]
    fn colon(&mut self) -> Result<()> {
        self.place();
        if self.peek() != Some(b':') {
            return Err(self.syntax("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// The string that starts here.
    #[inline(always)]
    fn text(&mut self) -> Result<Str<'a>> {
        let start = self.at + 1;
        let end = string::plain_until(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(self.text.get(start..end).unwrap_or_default().into());
        }
        let mut text = String::new();
        self.past_string(Some(&mut text))?;
        Ok(text.into())
    }

    /// Passes over the string that starts here, and writes down its text if somebody wants it.
    fn past_string(&mut self, text: Option<&mut String>) -> Result<()> {
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
    fn place(&mut self) -> usize {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.pass_space();
        }
        self.at
    }

    /// Servers write no space between values. And a policy with a deadline looks at the clock at the start of each loop,
    /// which is why there is none before the first byte that needs one, here and below.
    #[cold]
    fn pass_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    #[cold]
    fn syntax(&self, expected: &'static str) -> Fault {
        self.fault(self.at, Problem::Syntax(expected))
    }

    #[cold]
    fn fault(&self, at: usize, problem: Problem) -> Fault {
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

/// Where a member stands in the table, and the number of its field. Objects mostly have the order of the table, so the
/// search goes on where the last one ended.
fn find(members: &[(&str, usize)], next: usize, name: &str) -> Option<(usize, usize)> {
    if let Some((_, field)) = members.get(next).filter(|(member, _)| same(member, name)) {
        return Some((next, *field));
    }
    let place = members.iter().position(|(member, _)| same(member, name))?;
    members.get(place).map(|(_, field)| (place, *field))
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
