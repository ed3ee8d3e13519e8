//! The discovery server of MS-MQSD 3.2 without its socket, and the packets of 2.2 as they travel over IP.

const CLIENT_REQUEST: u8 = 1;
const SERVER_REPLY: u8 = 2;
const REQUEST_SIZE: usize = 52;
/// ConnectedNetworkCount is 1 to 32.
const NETWORKS_MOST: usize = 32;
/// Octets of DirectoryServiceServerArray that always fit into a UDP datagram.
const LIST_MOST: usize = 64_000;

pub type Guid = [u8; 16];

#[derive(Default)]
pub struct DiscoveryServer {
    pub site: Guid,
    networks: Vec<Guid>,
    /// DirectoryServiceServerArray without the null character at its end.
    list: Vec<u16>,
}

impl DiscoveryServer {
    /// Nothing where a reply cannot hold as many.
    pub fn add_network(&mut self, network: Guid) -> Option<()> {
        self.networks.push(network);
        (self.networks.len() <= NETWORKS_MOST).then_some(())
    }

    /// Nothing for a name that the list cannot hold.
    pub fn add_directory_server(&mut self, name: &[u16], ip: bool, ipx: bool) -> Option<()> {
        let comma = u16::from(b',');
        if !self.list.is_empty() {
            self.list.push(comma);
        }
        self.list.extend([ip, ipx].map(|flag| u16::from(b'0') + u16::from(flag)));
        self.list.extend(name);
        let fits = !name.is_empty() && !name.contains(&0) && !name.contains(&comma);
        (fits && self.list.len() * 2 < LIST_MOST).then_some(())
    }

    /// Whether there is a network, without which no reply can be made, and a directory server.
    pub fn is_configured(&self) -> bool {
        !self.networks.is_empty() && !self.list.is_empty()
    }

    /// Receiving a TopologyClientRequest (3.2.5.1): the reply, nothing to stay silent.
    pub fn receive(&self, datagram: &[u8]) -> Option<Vec<u8>> {
        // Version, Reserved and what follows SiteID are not looked at.
        if datagram.len() < REQUEST_SIZE || datagram[1] != CLIENT_REQUEST || self.networks.is_empty() {
            return None;
        }
        let own_site = datagram[36..52] == self.site || self.list.is_empty();
        let size = if own_site { 0 } else { 2 * self.list.len() + 2 };
        let mut reply = vec![0, SERVER_REPLY, 0, 0];
        reply.extend(&datagram[20..36]); // CorrelationID is RequestID
        reply.extend((self.networks.len() as u32).to_le_bytes());
        reply.extend([0; 4]); // ConnectedNetworkMask, zero over IP
        reply.extend((size as u32).to_le_bytes());
        reply.extend(self.networks.iter().flatten());
        if !own_site {
            // RespondingSiteID is left out together with the list.
            reply.extend(self.site);
            reply.extend(self.list.iter().chain(&[0]).flat_map(|unit| unit.to_le_bytes()));
        }
        Some(reply)
    }
}

/// From the form 8-4-4-4-12 to the octets that packets have: the first three fields with their lowest octet first.
pub fn guid(text: &str) -> Option<Guid> {
    const PLACES: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let hyphens = text.len() == 36 && [8, 13, 18, 23].iter().all(|&at| text.as_bytes()[at] == b'-');
    let octets = octets(&text.replace('-', "")).filter(|octets| hyphens && octets.len() == 16)?;
    Some(PLACES.map(|place| octets[place]))
}

/// From hexadecimal text, two digits each.
pub fn octets(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|it| it.to_digit(16).map(|value| value as u8)).collect::<Option<_>>()?;
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
