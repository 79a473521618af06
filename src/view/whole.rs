//! A part of an object that is read in part and passed on whole.

use capi_policy_json::{Fault, Raw, Read, Reader};
use std::ops::Deref;

/// What decisions read of a value, and its whole text.
#[derive(Clone, Debug, Default)]
pub struct Whole<'a, View> {
    /// What decisions read.
    pub view: View,
    /// Everything.
    pub text: Raw<'a>,
}

impl<View> Deref for Whole<'_, View> {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl<View> std::ops::DerefMut for Whole<'_, View> {
    fn deref_mut(&mut self) -> &mut View {
        &mut self.view
    }
}

impl<'a, View: Read<'a>> Read<'a> for Whole<'a, View> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.text = reader.with_text(&mut self.view)?;
        Ok(())
    }
}
