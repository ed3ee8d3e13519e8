//! The discovery client (MS-MQSD 3.1). It knows no sockets and no clock: datagrams and time come in, effects go out.

use std::time::Duration;

use crate::discovery_packets::{TopologyClientRequest, TopologyServerReply};
use crate::guid::Guid;

/// Wait For Response Timer (3.1.2.1)
const WAIT_FOR_RESPONSE: Duration = Duration::from_secs(15);

#[derive(Clone)]
pub struct Network {
    pub address: String,
    pub remote_access: bool,
}

pub enum Effect {
    Send { network: String, datagram: Vec<u8> },
    Complete { success: bool },
}

/// The abstract data model (3.1.1); what only counts during a search is in `Search`.
#[derive(Default)]
pub struct DiscoveryClient {
    enterprise: Guid,
    site: Guid,
    /// To which the computer is connected.
    pub networks: Vec<Network>,
    /// Names in units of UTF-16.
    pub directory_servers: Vec<Vec<u16>>,
    pub connected_networks: Vec<Guid>,
    pub request_id: Guid,
    /// LastSuccessfulNetworkAddress, and whether it is valid.
    pub last_successful_network_address: Option<String>,
    pub valid_last_successful_network_address: bool,
    /// Counted from 1.
    pub current_network_index: usize,
    search: Option<Search>,
}

struct Search {
    network_address_list: Vec<Network>,
    last_topology_server_reply: Option<TopologyServerReply>,
    topology_server_reply_received: bool,
    /// Until the Wait For Response Timer fires.
    wait: Duration,
}

impl DiscoveryClient {
    pub fn new(enterprise: Guid, site: Guid, networks: Vec<Network>) -> DiscoveryClient {
        DiscoveryClient { enterprise, site, networks, ..DiscoveryClient::default() }
    }

    /// How long it waits for something to come; nothing when it does not search.
    pub fn wait(&self) -> Option<Duration> {
        self.search.as_ref().map(|search| search.wait)
    }

    /// Get Directory Server List (3.1.4.1). Each network is searched once, however often the event is triggered.
    pub fn start(&mut self) -> Vec<Effect> {
        let remote_access = self.networks.iter().any(|network| network.remote_access);
        if self.valid_last_successful_network_address && !remote_access {
            return vec![Effect::Complete { success: true }]; // this event; a search that is under way goes on
        }
        self.request_id = Guid::random();
        self.current_network_index = 0;
        if self.networks.is_empty() {
            return self.complete(false); // there is nowhere to search
        }
        let search = Search {
            network_address_list: self.networks.clone(),
            last_topology_server_reply: None,
            topology_server_reply_received: false,
            wait: WAIT_FOR_RESPONSE,
        };
        self.send_request(search)
    }

    /// Receiving a TopologyServerReply (3.1.5.2) on a network
    pub fn receive(&mut self, network: &str, datagram: &[u8]) -> Vec<Effect> {
        let Some(mut search) = self.search.take() else { return Vec::new() };
        let reply = TopologyServerReply::read(datagram).filter(|reply| reply.correlation_id == self.request_id);
        let current = search.network_address_list[self.current_network_index - 1].address == network;
        let (Some(reply), true) = (reply, current) else { return self.search_on(search) };
        let last = self.on_last_network(&search);
        match (&reply.elsewhere, &search.last_topology_server_reply) {
            // A server of the own site: that is enough of this network.
            (None, _) if !last => {
                self.remember(network);
                search.topology_server_reply_received = true;
                self.send_request(search)
            }
            (None, _) => {
                self.remember(network);
                self.succeed(search)
            }
            // The first one of another site: one of the own may follow.
            (Some(_), None) => {
                self.remember(network);
                search.topology_server_reply_received = true;
                search.last_topology_server_reply = Some(reply);
                search.wait = WAIT_FOR_RESPONSE;
                self.search_on(search)
            }
            (Some(_), Some(_)) if !last => self.send_request(search),
            (Some(_), Some(_)) => {
                self.remember(network);
                self.succeed(search)
            }
        }
    }

    /// Let time pass: the timer may fire, more than once.
    pub fn advance_clock(&mut self, mut passing: Duration) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some(mut search) = self.search.take() {
            if passing < search.wait {
                search.wait -= passing;
                self.search = Some(search);
                break;
            }
            passing -= search.wait;
            effects.extend(self.no_server_response(search));
        }
        effects
    }

    /// No Server Response (3.1.6.1)
    fn no_server_response(&mut self, search: Search) -> Vec<Effect> {
        if !self.on_last_network(&search) {
            self.send_request(search)
        } else if search.last_topology_server_reply.is_some() || search.topology_server_reply_received {
            self.succeed(search)
        } else {
            self.valid_last_successful_network_address = false;
            self.complete(false)
        }
    }

    /// Sending a TopologyClientRequest (3.1.5.1)
    fn send_request(&mut self, mut search: Search) -> Vec<Effect> {
        self.current_network_index += 1;
        search.last_topology_server_reply = None;
        search.wait = WAIT_FOR_RESPONSE;
        let request =
            TopologyClientRequest { enterprise_id: self.enterprise, request_id: self.request_id, site_id: self.site };
        let network = search.network_address_list[self.current_network_index - 1].address.clone();
        self.search = Some(search);
        vec![Effect::Send { network, datagram: request.write() }]
    }

    fn search_on(&mut self, search: Search) -> Vec<Effect> {
        self.search = Some(search);
        Vec::new()
    }

    fn on_last_network(&self, search: &Search) -> bool {
        self.current_network_index == search.network_address_list.len()
    }

    fn remember(&mut self, network: &str) {
        self.last_successful_network_address = Some(network.to_string());
        self.valid_last_successful_network_address = true;
    }

    /// Take over what LastTopologyServerReply says (3.1.7.1, 3.1.7.2); where it is empty, the networks are emptied.
    fn succeed(&mut self, search: Search) -> Vec<Effect> {
        let last = search.last_topology_server_reply;
        if let Some((_, servers)) = last.as_ref().and_then(|reply| reply.elsewhere.as_ref()) {
            self.directory_servers = servers.iter().map(|server| server.name.clone()).collect();
        }
        self.connected_networks = last.map_or_else(Vec::new, |reply| reply.connected_networks);
        self.complete(true)
    }

    fn complete(&mut self, success: bool) -> Vec<Effect> {
        self.search = None;
        vec![Effect::Complete { success }]
    }
}
