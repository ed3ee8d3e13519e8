//! The two packets of MS-MQSD 13.0, section 2.2, as they travel over IP.

use crate::guid::Guid;

const CLIENT_REQUEST: u8 = 1;
const SERVER_REPLY: u8 = 2;
const REQUEST_SIZE: usize = 52;
const REPLY_HEADER_SIZE: usize = 32;
const GUID_SIZE: usize = 16;
const COMMA: u16 = b',' as u16;
const END: u16 = 0;

/// ConnectedNetworkCount is 1 to 32.
pub const CONNECTED_NETWORKS: std::ops::RangeInclusive<usize> = 1..=32;
/// The largest payload of a UDP datagram.
pub const LARGEST: usize = 65_507;

/// TopologyClientRequest (2.2.2)
pub struct TopologyClientRequest {
    pub enterprise_id: Guid,
    pub request_id: Guid,
    pub site_id: Guid,
}

impl TopologyClientRequest {
    pub fn write(&self) -> Vec<u8> {
        let header = [0, CLIENT_REQUEST, 0, 0];
        [&header[..], &self.enterprise_id.0, &self.request_id.0, &self.site_id.0].concat()
    }

    pub fn read(octets: &[u8]) -> Option<TopologyClientRequest> {
        let fits = octets.len() >= REQUEST_SIZE && octets[1] == CLIENT_REQUEST;
        fits.then(|| TopologyClientRequest {
            enterprise_id: Guid::from_octets(&octets[4..20]),
            request_id: Guid::from_octets(&octets[20..36]),
            site_id: Guid::from_octets(&octets[36..52]),
        })
    }
}

/// An entry of DirectoryServiceServerArray
#[derive(Clone)]
pub struct DirectoryServer {
    /// In units of UTF-16, without commas and zeros.
    pub name: Vec<u16>,
    pub ip: bool,
    pub ipx: bool,
}

/// TopologyServerReply (2.2.3)
#[derive(Clone)]
pub struct TopologyServerReply {
    pub correlation_id: Guid,
    pub connected_networks: Vec<Guid>,
    /// What only a server of another site than the client's says: its site, and the directory servers there.
    pub elsewhere: Option<(Guid, Vec<DirectoryServer>)>,
}

impl TopologyServerReply {
    pub fn write(&self) -> Vec<u8> {
        let array = self.elsewhere.as_ref().map_or_else(Vec::new, |(_, servers)| write_servers(servers));
        let mut octets = vec![0, SERVER_REPLY, 0, 0];
        octets.extend(self.correlation_id.0);
        octets.extend((self.connected_networks.len() as u32).to_le_bytes());
        octets.extend([0; 4]); // ConnectedNetworkMask, which is zero over IP
        octets.extend((array.len() as u32).to_le_bytes());
        octets.extend(self.connected_networks.iter().flat_map(|network| network.0));
        if let Some((site, _)) = &self.elsewhere {
            octets.extend(site.0);
        }
        octets.extend(array);
        octets
    }

    /// Nothing for an improperly formatted datagram: one that breaks a rule of 2.2.3 for what is sent over IP.
    pub fn read(octets: &[u8]) -> Option<TopologyServerReply> {
        let number = |at: usize| octets.get(at..at + 4).map(|it| u32::from_le_bytes(it.try_into().unwrap()) as usize);
        let (count, mask, size) = (number(20)?, number(24)?, number(28)?);
        if octets[1] != SERVER_REPLY || !CONNECTED_NETWORKS.contains(&count) || mask != 0 {
            return None;
        }
        let networks_end = REPLY_HEADER_SIZE + count * GUID_SIZE;
        let array_start = if size == 0 { networks_end } else { networks_end + GUID_SIZE };
        if octets.len() != array_start + size {
            return None;
        }
        let elsewhere = match size {
            0 => None,
            _ => Some((Guid::from_octets(&octets[networks_end..array_start]), read_servers(&octets[array_start..])?)),
        };
        Some(TopologyServerReply {
            correlation_id: Guid::from_octets(&octets[4..20]),
            connected_networks: octets[REPLY_HEADER_SIZE..networks_end]
                .chunks(GUID_SIZE)
                .map(Guid::from_octets)
                .collect(),
            elsewhere,
        })
    }
}

fn flag(supported: bool) -> u16 {
    u16::from(if supported { b'1' } else { b'0' })
}

/// Entries with a comma between them and one null character at the end.
fn write_servers(servers: &[DirectoryServer]) -> Vec<u8> {
    let entry = |server: &DirectoryServer| [&[flag(server.ip), flag(server.ipx)][..], &server.name[..]].concat();
    let mut units = servers.iter().map(entry).collect::<Vec<_>>().join(&COMMA);
    units.push(END);
    units.into_iter().flat_map(u16::to_le_bytes).collect()
}

/// Nothing where the array does not follow its grammar.
fn read_servers(octets: &[u8]) -> Option<Vec<DirectoryServer>> {
    let units: Vec<u16> =
        octets.chunks(2).map(|it| it.try_into().map(u16::from_le_bytes)).collect::<Result<_, _>>().ok()?;
    let (end, entries) = units.split_last()?;
    if *end != END || entries.contains(&END) {
        return None;
    }
    entries.split(|&unit| unit == COMMA).map(read_server).collect()
}

fn read_server(entry: &[u16]) -> Option<DirectoryServer> {
    let supported = |unit: u16| [false, true].into_iter().find(|&it| flag(it) == unit);
    match entry {
        [ip, ipx, name @ ..] if !name.is_empty() => {
            Some(DirectoryServer { name: name.to_vec(), ip: supported(*ip)?, ipx: supported(*ipx)? })
        }
        _ => None,
    }
}
