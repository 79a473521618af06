//! Why something could not be done.

use super::abi::{Made, cases, made, record};
use crate::Error;

enum Code {
    Invalid,
    Syntax,
    TooLarge,
    TooDeep,
    NotFound,
}

cases! {
    Code { Invalid Syntax TooLarge TooDeep NotFound }
}

record! {
    Error { error:
        code: Code = code(error),
        path: Option<&str> = error.path(),
        message: Made = made(error.to_string()),
    }
}

fn code(error: &Error) -> Code {
    match error {
        Error::Invalid { .. } => Code::Invalid,
        Error::Syntax { .. } => Code::Syntax,
        Error::TooLarge { .. } => Code::TooLarge,
        Error::TooDeep { .. } => Code::TooDeep,
        Error::NotFound { .. } => Code::NotFound,
    }
}
