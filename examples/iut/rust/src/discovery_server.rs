//! The discovery server (MS-MQSD 3.2). It knows no sockets: datagrams come in, and the reply goes out.

use crate::discovery_packets::{
    DirectoryServer, TopologyClientRequest, TopologyServerReply, CONNECTED_NETWORKS, LARGEST,
};
use crate::guid::Guid;

#[derive(Default)]
pub struct DiscoveryServer {
    pub site: Guid,
    pub connected_networks: Vec<Guid>,
    pub directory_servers: Vec<DirectoryServer>,
}

impl DiscoveryServer {
    /// Receiving a TopologyClientRequest (3.2.5.1): the reply, nothing to stay silent. The request's enterprise is not
    /// looked at, nor what follows its fixed fields.
    pub fn receive(&self, datagram: &[u8]) -> Option<Vec<u8>> {
        let request = TopologyClientRequest::read(datagram)?;
        if !CONNECTED_NETWORKS.contains(&self.connected_networks.len()) {
            return None; // 2.2.3 has no reply that says so
        }
        // A list without servers has size zero, and the site is left out together with it (2.2.3).
        let foreign = request.site_id != self.site && !self.directory_servers.is_empty();
        let reply = TopologyServerReply {
            correlation_id: request.request_id,
            connected_networks: self.connected_networks.clone(),
            elsewhere: foreign.then(|| (self.site, self.directory_servers.clone())),
        };
        Some(reply.write()).filter(|octets| octets.len() <= LARGEST)
    }
}

/// A directory server, unless its name is one that no reply can hold.
pub fn directory_server(name: &[u16], ip: bool, ipx: bool) -> Option<DirectoryServer> {
    let fits = !name.is_empty() && !name.iter().any(|&unit| unit == 0 || unit == u16::from(b','));
    fits.then(|| DirectoryServer { name: name.to_vec(), ip, ipx })
}
