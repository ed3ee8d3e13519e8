//! The parameters of one call of the IUT protocol, and how it fails.

use std::time::Duration;

use crate::guid::{octets_of, Guid};
use crate::json::{Json, Text};

pub const PARSE_ERROR: i64 = -32700;
pub const INVALID_REQUEST: i64 = -32600;
pub const METHOD_NOT_FOUND: i64 = -32601;
pub const INVALID_PARAMS: i64 = -32602;
pub const ROUTING_FAILED: i64 = -32010;

/// The longest time in one call: some ninety years.
const LONGEST: f64 = 3e9;
const LARGEST_DATAGRAM: usize = 65_535;

pub struct Failure {
    pub code: i64,
    pub message: String,
}

pub type Outcome = Result<Json, Failure>;

impl Failure {
    pub fn new(code: i64, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }
}

fn refuse<T>(name: &str, wanted: &str) -> Result<T, Failure> {
    Err(Failure::new(INVALID_PARAMS, format!("{name}: must be {wanted}")))
}

/// The parameters of a call, or an object among them. What is missing or of another type makes the call fail.
#[derive(Clone, Copy)]
pub struct Params<'a>(pub &'a Json);

impl<'a> Params<'a> {
    pub fn has(&self, name: &str) -> bool {
        self.0.member(name).is_some()
    }

    pub fn value(&self, name: &str) -> Result<&'a Json, Failure> {
        self.0.member(name).map_or_else(|| refuse(name, "there"), Ok)
    }

    /// Text as units of UTF-16, whatever it holds.
    pub fn units(&self, name: &str) -> Result<&'a Text, Failure> {
        match self.0.member(name) {
            Some(Json::Text(text)) => Ok(text),
            _ => refuse(name, "text"),
        }
    }

    pub fn text(&self, name: &str) -> Result<String, Failure> {
        self.units(name)?.plain().map_or_else(|| refuse(name, "text of whole characters"), Ok)
    }

    pub fn boolean(&self, name: &str) -> Result<bool, Failure> {
        match self.0.member(name) {
            Some(Json::Bool(value)) => Ok(*value),
            _ => refuse(name, "true or false"),
        }
    }

    pub fn natural(&self, name: &str, most: u64) -> Result<u64, Failure> {
        match self.0.member(name) {
            Some(Json::Natural(value)) if *value <= most => Ok(*value),
            _ => refuse(name, "an integer of 0 or more, and within the range of its field"),
        }
    }

    pub fn guid(&self, name: &str) -> Result<Guid, Failure> {
        match self.0.member(name).and_then(guid_in) {
            Some(guid) => Ok(guid),
            None => refuse(name, "a GUID, 8-4-4-4-12"),
        }
    }

    pub fn array(&self, name: &str) -> Result<&'a [Json], Failure> {
        match self.0.member(name) {
            Some(Json::Array(items)) => Ok(items),
            _ => refuse(name, "an array"),
        }
    }

    /// The objects of an array.
    pub fn objects(&self, name: &str) -> Result<impl Iterator<Item = Params<'a>>, Failure> {
        Ok(self.array(name)?.iter().map(Params))
    }

    pub fn guids(&self, name: &str) -> Result<Vec<Guid>, Failure> {
        let guids: Option<Vec<Guid>> = self.array(name)?.iter().map(guid_in).collect();
        guids.map_or_else(|| refuse(name, "an array of GUIDs, 8-4-4-4-12"), Ok)
    }

    /// GUIDs that may be missing: then there are none.
    pub fn optional_guids(&self, name: &str) -> Result<Vec<Guid>, Failure> {
        if self.has(name) {
            self.guids(name)
        } else {
            Ok(Vec::new())
        }
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        let text_in = |item: &Json| match item {
            Json::Text(text) => text.plain(),
            _ => None,
        };
        let texts: Option<Vec<String>> = self.array(name)?.iter().map(text_in).collect();
        texts.map_or_else(|| refuse(name, "an array of names"), Ok)
    }

    /// A name that is text or an integer.
    pub fn key(&self, name: &str) -> Result<Json, Failure> {
        match self.0.member(name) {
            Some(key @ (Json::Text(_) | Json::Natural(_))) => Ok(key.clone()),
            _ => refuse(name, "a name, text or an integer"),
        }
    }

    pub fn seconds(&self) -> Result<Duration, Failure> {
        match self.0.member("seconds") {
            Some(Json::Natural(whole)) if *whole as f64 <= LONGEST => Ok(Duration::from_secs(*whole)),
            Some(Json::Number(some)) if (0.0..=LONGEST).contains(some) => Ok(Duration::from_secs_f64(*some)),
            _ => refuse("seconds", "a number of 0 or more"),
        }
    }

    pub fn datagram(&self) -> Result<Vec<u8>, Failure> {
        let octets = octets_of(&self.text("datagram")?).filter(|it| it.len() <= LARGEST_DATAGRAM);
        octets.map_or_else(|| refuse("datagram", "octets in hexadecimal, 65,535 at most"), Ok)
    }
}

fn guid_in(value: &Json) -> Option<Guid> {
    match value {
        Json::Text(text) => Guid::read(&text.plain()?),
        _ => None,
    }
}
