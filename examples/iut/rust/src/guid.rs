//! GUIDs in the form in which packets carry them (MS-DTYP 2.3.4.2).

use std::fmt;
use std::fs::File;
use std::io::Read;

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(pub [u8; 16]);

/// Where each octet of the text stands in a packet: the first three numbers are little-endian there.
const PLACE: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

impl Guid {
    /// From the form 8-4-4-4-12, in either case.
    pub fn read(text: &str) -> Option<Guid> {
        let hyphens = [8, 13, 18, 23];
        let fits = text.len() == 36 && text.is_ascii() && hyphens.iter().all(|&at| text.as_bytes()[at] == b'-');
        let octets = fits.then(|| octets_of(&text.replace('-', ""))).flatten().filter(|it| it.len() == 16)?;
        let mut guid = Guid::default();
        for (octet, place) in octets.into_iter().zip(PLACE) {
            guid.0[place] = octet;
        }
        Some(guid)
    }

    pub fn from_octets(octets: &[u8]) -> Guid {
        let mut guid = Guid::default();
        guid.0.copy_from_slice(&octets[..16]);
        guid
    }

    /// One that nobody has had before: version 4 of RFC 4122.
    pub fn random() -> Guid {
        let mut guid = Guid::default();
        File::open("/dev/urandom")
            .and_then(|mut source| source.read_exact(&mut guid.0))
            .expect("a source of random octets");
        guid.0[7] = guid.0[7] & 0x0F | 0x40;
        guid.0[8] = guid.0[8] & 0x3F | 0x80;
        guid
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        for (at, place) in PLACE.into_iter().enumerate() {
            let hyphen = if [4, 6, 8, 10].contains(&at) { "-" } else { "" };
            write!(to, "{hyphen}{:02x}", self.0[place])?;
        }
        Ok(())
    }
}

/// Octets from hexadecimal text, two digits each.
pub fn octets_of(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|it| it.to_digit(16).map(|value| value as u8)).collect();
    let digits = digits.filter(|it| it.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

pub fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}
