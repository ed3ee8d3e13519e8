//! A queue manager that routes (MS-MQBR 18.0): GetNextHops and the procedures that it stands on. `None` is Nothing.

use std::time::Duration;

use crate::directory::{Directory, QueueManager};
use crate::guid::Guid;
use crate::routing_table::{self, Row};

/// QueueManager Query Timer (3.1.3)
const QUERY_TIMER: Duration = Duration::from_secs(3600);

#[derive(Default)]
pub struct Router {
    pub directory: Directory,
    pub routing_table: Vec<Row>,
    /// The queue manager that it is, and how long until the timer fires.
    local: Option<(Guid, Duration)>,
}

impl Router {
    /// The directory's content changes; what fails in it, fails on.
    pub fn change_directory(&mut self, mut directory: Directory) {
        directory.failing = std::mem::take(&mut self.directory.failing);
        self.directory = directory;
    }

    /// Initialization (3.1.3)
    pub fn initialize(&mut self, local: Guid) {
        self.local = Some((local, QUERY_TIMER));
        self.routing_table = routing_table::initialize(&self.directory, local);
    }

    /// Let time pass: the table is made anew each time the timer fires (3.1.6.1).
    pub fn advance_clock(&mut self, passing: Duration) {
        let Some((local, left)) = &mut self.local else { return };
        if passing < *left {
            *left -= passing;
            return;
        }
        // However often it fires, the directory stays the same meanwhile: once is enough.
        let beyond = (passing - *left).as_nanos() % QUERY_TIMER.as_nanos();
        *left = QUERY_TIMER - Duration::from_nanos(beyond as u64);
        self.routing_table = routing_table::initialize(&self.directory, *local);
    }

    /// GetNextHops (3.1.5.1); no hops mean that the routing attempt fails.
    pub fn next_hops(&self, source: Guid, destination: Guid) -> Vec<Guid> {
        let (Some(source), Some(destination)) =
            (self.directory.queue_manager(source), self.directory.queue_manager(destination))
        else {
            return Vec::new();
        };
        if source.routing_server {
            self.next_hops_for_router(source, destination)
        } else if !source.out_routing_servers.is_empty() {
            source.out_routing_servers.clone()
        } else if source.shares_a_site_with(destination) {
            entrance_of(destination)
        } else {
            routing_server(&self.directory, source.identifier).into_iter().collect()
        }
    }

    /// GetNextHopsForRouter (3.1.5.2)
    fn next_hops_for_router(&self, source: &QueueManager, destination: &QueueManager) -> Vec<Guid> {
        if is_site_gate(&self.directory, source.identifier) {
            self.next_hops_for_site_gate(source, destination)
        } else if destination.in_routing_servers.contains(&source.identifier) {
            vec![destination.identifier]
        } else if source.shares_a_site_with(destination) {
            entrance_of(destination)
        } else {
            site_gate(&self.directory, source.identifier).into_iter().collect()
        }
    }

    /// GetNextHopsForSiteGate (3.1.5.3)
    fn next_hops_for_site_gate(&self, source: &QueueManager, destination: &QueueManager) -> Vec<Guid> {
        if destination.in_routing_servers.contains(&source.identifier) {
            vec![destination.identifier]
        } else if source.shares_a_site_with(destination) {
            entrance_of(destination)
        } else {
            let gate = self.next_site(destination).and_then(|site| site_gate_for_site(&self.directory, site));
            gate.into_iter().collect()
        }
    }

    /// The next site on the way to the nearest of the destination's sites; the text leaves it open which of them counts.
    fn next_site(&self, destination: &QueueManager) -> Option<Guid> {
        let rows = self.routing_table.iter().filter(|row| destination.sites.contains(&row.destination_site));
        rows.min_by_key(|row| row.cost).map(|row| row.next_hop_site)
    }
}

/// The destination itself, unless servers are appointed that take in its messages.
fn entrance_of(destination: &QueueManager) -> Vec<Guid> {
    if destination.in_routing_servers.is_empty() {
        vec![destination.identifier]
    } else {
        destination.in_routing_servers.clone()
    }
}

/// GetRoutingServer (3.1.5.5)
pub fn routing_server(directory: &Directory, machine: Guid) -> Option<Guid> {
    let source = directory.queue_manager(machine)?;
    let serves = |other: &&QueueManager| other.routing_server && other.shares_a_site_with(source);
    directory.queue_managers().iter().find(serves).map(|server| server.identifier)
}

/// GetSiteGate (3.1.5.6): the first own site counts, even if it has no gates.
pub fn site_gate(directory: &Directory, machine: Guid) -> Option<Guid> {
    let source = directory.queue_manager(machine)?;
    let site = directory.sites().iter().find(|site| source.sites.contains(&site.identifier))?;
    directory.a_gate_of(site)
}

/// GetSiteGateForSite (3.1.5.7)
pub fn site_gate_for_site(directory: &Directory, site: Guid) -> Option<Guid> {
    directory.a_gate_of(directory.site(site)?)
}

/// IsSiteGate (3.1.5.8)
pub fn is_site_gate(directory: &Directory, machine: Guid) -> bool {
    let Some(source) = directory.queue_manager(machine).filter(|it| it.routing_server) else { return false };
    let own = |site: &&crate::directory::Site| source.sites.contains(&site.identifier);
    directory.sites().iter().filter(own).any(|site| site.site_gates.contains(&machine))
}
