//! A JSON reader (RFC 8259) for lines that somebody else wrote.

const DEEPEST: usize = 64;

pub enum Json<'a> {
    Array(Vec<Json<'a>>),
    Object(Vec<(Vec<u16>, Json<'a>)>),
    /// Units of UTF-16, as MSMQ itself has them: a name may hold a surrogate without its partner.
    Text(Vec<u16>),
    /// A number, `true`, `false` or `null` as it is written.
    Plain(&'a str),
}

impl<'a> Json<'a> {
    /// The value that a line holds, if it holds one and nothing else.
    pub fn read(line: &'a str) -> Option<Json<'a>> {
        let mut reader = Reader { rest: line };
        let value = reader.value(0)?;
        reader.skip_space();
        reader.rest.is_empty().then_some(value)
    }

    pub fn member(&self, name: &str) -> Option<&Json<'a>> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(known, _)| known.iter().copied().eq(name.encode_utf16())).map(|(_, value)| value)
    }

    pub fn elements(&self) -> Option<&[Json<'a>]> {
        if let Json::Array(elements) = self {
            Some(elements)
        } else {
            None
        }
    }

    pub fn units(&self) -> Option<&[u16]> {
        if let Json::Text(units) = self {
            Some(units)
        } else {
            None
        }
    }

    pub fn text(&self) -> Option<String> {
        String::from_utf16(self.units()?).ok()
    }

    pub fn truth(&self) -> Option<bool> {
        if let Json::Plain(word) = self {
            word.parse().ok()
        } else {
            None
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        self.skip_space();
        match self.rest.chars().next().filter(|_| depth < DEEPEST)? {
            '"' => Some(Json::Text(self.text()?)),
            '[' => Some(Json::Array(self.items(']', |reader| reader.value(depth + 1))?)),
            '{' => Some(Json::Object(self.items('}', |reader| {
                reader.skip_space();
                let name = reader.text()?;
                reader.take(':')?;
                Some((name, reader.value(depth + 1)?))
            })?)),
            _ => self.plain(),
        }
    }

    fn items<T>(&mut self, close: char, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        self.rest = &self.rest[1..];
        if self.take(close).is_some() {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close).is_some() {
                return Some(items);
            }
            self.take(',')?;
        }
    }

    fn text(&mut self) -> Option<Vec<u16>> {
        let mut units = Vec::new();
        self.take('"')?;
        loop {
            match self.next()? {
                '"' => return Some(units),
                '\\' => units.push(self.escape()?),
                character if character < ' ' => return None,
                character => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Option<u16> {
        match self.next()? {
            'u' => (0..4).try_fold(0, |unit, _| Some(unit * 16 + self.next()?.to_digit(16)? as u16)),
            'b' => Some(8),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            itself @ ('"' | '\\' | '/') => Some(itself as u16),
            _ => None,
        }
    }

    fn plain(&mut self) -> Option<Json<'a>> {
        let end = self.rest.find(|it: char| !it.is_ascii_alphanumeric() && !"+-.".contains(it));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        // More than JSON calls a number, such as 01: none is needed here but ids.
        let number = word.starts_with(|it: char| it == '-' || it.is_ascii_digit()) && word.parse::<f64>().is_ok();
        (number || ["true", "false", "null"].contains(&word)).then_some(Json::Plain(word))
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        self.skip_space();
        self.rest = self.rest.strip_prefix(wanted)?;
        Some(())
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }
}
