//! A JSON reader and writer (RFC 8259) with limits, for lines that somebody else wrote.

use std::fmt::{self, Write};

const DEPTH: usize = 64;
const VALUES: usize = 1_000_000;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// A number without sign, fraction and exponent that 64 bits hold.
    Natural(u64),
    Number(f64),
    Text(Text),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Units of UTF-16, as MSMQ itself has them: names in packets may hold a surrogate without its partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub Vec<u16>);

impl Text {
    /// The same as a string, unless it holds what no string can.
    pub fn plain(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(Text(text.encode_utf16().collect()))
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        text.as_str().into()
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Natural(value)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Json {
        Json::Array(items.into_iter().map(Into::into).collect())
    }
}

/// An object with these members.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.map(|(name, value)| (name.to_string(), value)).into())
}

impl Json {
    pub fn member(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value that a line holds, or why it holds none.
    pub fn read(line: &[u8]) -> Result<Json, &'static str> {
        let text = std::str::from_utf8(line).map_err(|_| "no UTF-8")?;
        let mut reader = Reader { text, at: 0, depth: 0, values: 0 };
        let value = reader.value()?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err("something follows the value");
        }
        Ok(value)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => to.write_str("null"),
            Json::Bool(value) => write!(to, "{value}"),
            Json::Natural(value) => write!(to, "{value}"),
            Json::Number(value) => write!(to, "{value}"),
            Json::Text(text) => write_units(to, &text.0),
            Json::Array(items) => {
                to.write_char('[')?;
                for (place, item) in items.iter().enumerate() {
                    write!(to, "{}{item}", if place > 0 { "," } else { "" })?;
                }
                to.write_char(']')
            }
            Json::Object(members) => {
                to.write_char('{')?;
                for (place, (name, value)) in members.iter().enumerate() {
                    to.write_str(if place > 0 { "," } else { "" })?;
                    write_units(to, &name.encode_utf16().collect::<Vec<u16>>())?;
                    write!(to, ":{value}")?;
                }
                to.write_char('}')
            }
        }
    }
}

fn write_units(to: &mut fmt::Formatter, units: &[u16]) -> fmt::Result {
    to.write_char('"')?;
    for &unit in units {
        match u8::try_from(unit) {
            Ok(plain @ b' '..=b'~') if plain != b'"' && plain != b'\\' => to.write_char(plain.into())?,
            _ => write!(to, "\\u{unit:04x}")?,
        }
    }
    to.write_char('"')
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    values: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while matches!(self.next(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// Whether this comes next, after which it is behind us.
    fn skip(&mut self, expected: u8) -> bool {
        self.skip_space();
        let found = self.next() == expected;
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<Json, &'static str> {
        self.values += 1;
        if self.values > VALUES {
            return Err("too many values");
        }
        self.skip_space();
        match self.next() {
            b'{' => self.nested(Self::members),
            b'[' => self.nested(Self::items),
            b'"' => Ok(Json::Text(Text(self.string()?))),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, &'static str>) -> Result<Json, &'static str> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("nested too deeply");
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn items(&mut self) -> Result<Json, &'static str> {
        let mut items = Vec::new();
        while !self.skip(b']') {
            if !items.is_empty() && !self.skip(b',') {
                return Err("an array does not end");
            }
            items.push(self.value()?);
        }
        Ok(Json::Array(items))
    }

    fn members(&mut self) -> Result<Json, &'static str> {
        let mut members = Vec::new();
        while !self.skip(b'}') {
            if !members.is_empty() && !self.skip(b',') {
                return Err("an object does not end");
            }
            self.skip_space();
            let name = String::from_utf16_lossy(&self.string()?);
            if !self.skip(b':') {
                return Err("an object has no colon after a name");
            }
            members.push((name, self.value()?));
        }
        Ok(Json::Object(members))
    }

    fn string(&mut self) -> Result<Vec<u16>, &'static str> {
        if self.next() != b'"' {
            return Err("a string is missing");
        }
        self.at += 1;
        let mut units = Vec::new();
        loop {
            let character = self.rest().chars().next().ok_or("a string does not end")?;
            self.at += character.len_utf8();
            match character {
                '"' => return Ok(units),
                '\\' => units.push(self.escape()?),
                '\0'..='\x1f' => return Err("a string holds a control character"),
                _ => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, &'static str> {
        let letter = self.next();
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter.into(),
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'u' => {
                let digits =
                    self.text.get(self.at..self.at + 4).filter(|it| it.bytes().all(|one| one.is_ascii_hexdigit()));
                self.at += 4;
                u16::from_str_radix(digits.ok_or("four digits are missing after \\u")?, 16).unwrap_or(0)
            }
            _ => return Err("a string holds an escape that is none"),
        })
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, &'static str> {
        if !self.rest().starts_with(word) {
            return Err("a word that is no value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Json, &'static str> {
        let length = self.rest().bytes().take_while(|it| b"+-.0123456789eE".contains(it)).count();
        let number = &self.text[self.at..self.at + length];
        self.at += length;
        if !is_number(number) {
            return Err("neither a value nor a number");
        }
        if let Ok(natural) = number.parse() {
            return Ok(Json::Natural(natural));
        }
        number.parse().map(Json::Number).map_err(|_| "neither a value nor a number")
    }
}

/// Whether text follows the grammar of numbers: Rust's own is wider.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(one, other)| (one, Some(other)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(one, other)| (one, Some(other)));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|it| digits(it.strip_prefix(['+', '-']).unwrap_or(it)))
}
