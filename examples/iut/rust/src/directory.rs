//! The directory as a router reads it: objects of MS-MQDMPR 3.1.1 in the order in which they are enumerated.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use crate::call::{Failure, Params};
use crate::guid::Guid;

/// MS-MQDMPR 3.1.1.8 has 999,999; what is beyond is not refused.
const MOST_COST: u64 = u32::MAX as u64;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectType {
    Site,
    RoutingLink,
    QueueManager,
}

pub struct Site {
    pub identifier: Guid,
    pub site_gates: Vec<Guid>,
}

pub struct RoutingLink {
    pub site1: Guid,
    pub site2: Guid,
    pub actual_cost: u64,
}

pub struct QueueManager {
    pub identifier: Guid,
    pub routing_server: bool,
    pub sites: Vec<Guid>,
    pub in_routing_servers: Vec<Guid>,
    pub out_routing_servers: Vec<Guid>,
}

impl QueueManager {
    pub fn shares_a_site_with(&self, other: &QueueManager) -> bool {
        self.sites.iter().any(|site| other.sites.contains(site))
    }
}

#[derive(Default)]
pub struct Directory {
    sites: Vec<Site>,
    routing_links: Vec<RoutingLink>,
    queue_managers: Vec<QueueManager>,
    site_places: HashMap<Guid, usize>,
    queue_manager_places: HashMap<Guid, usize>,
    /// Reading objects of these types meets an error.
    pub failing: HashSet<ObjectType>,
    turn: Cell<usize>,
}

impl Directory {
    /// The content of an enterprise document.
    pub fn read(document: Params) -> Result<Directory, Failure> {
        let mut directory = Directory::default();
        for item in document.objects("sites")? {
            let site = Site { identifier: item.guid("id")?, site_gates: item.guids("site_gates")? };
            directory.site_places.entry(site.identifier).or_insert(directory.sites.len());
            directory.sites.push(site);
        }
        for item in document.objects("routing_links")? {
            directory.routing_links.push(RoutingLink {
                site1: item.guid("site1")?,
                site2: item.guid("site2")?,
                actual_cost: item.natural("cost", MOST_COST)?,
            });
        }
        for item in document.objects("queue_managers")? {
            let machine = QueueManager {
                identifier: item.guid("id")?,
                routing_server: item.boolean("routing_server")?,
                sites: item.guids("sites")?,
                in_routing_servers: item.optional_guids("in_routing_servers")?,
                out_routing_servers: item.optional_guids("out_routing_servers")?,
            };
            directory.queue_manager_places.entry(machine.identifier).or_insert(directory.queue_managers.len());
            directory.queue_managers.push(machine);
        }
        Ok(directory)
    }

    /// GetDirectoryData (MS-MQBR 3.1.5.9): none where reading fails, as where there are none.
    fn data<'a, T>(&self, of: ObjectType, objects: &'a [T]) -> &'a [T] {
        if self.failing.contains(&of) {
            &[]
        } else {
            objects
        }
    }

    pub fn sites(&self) -> &[Site] {
        self.data(ObjectType::Site, &self.sites)
    }

    pub fn routing_links(&self) -> &[RoutingLink] {
        self.data(ObjectType::RoutingLink, &self.routing_links)
    }

    pub fn queue_managers(&self) -> &[QueueManager] {
        self.data(ObjectType::QueueManager, &self.queue_managers)
    }

    /// GetQueueManager (MS-MQBR 3.1.5.4)
    pub fn queue_manager(&self, machine: Guid) -> Option<&QueueManager> {
        self.queue_managers().get(*self.queue_manager_places.get(&machine)?)
    }

    pub fn site(&self, site: Guid) -> Option<&Site> {
        self.sites().get(*self.site_places.get(&site)?)
    }

    /// One of the gates of a site, another each time.
    pub fn a_gate_of(&self, site: &Site) -> Option<Guid> {
        self.turn.set(self.turn.get().wrapping_add(1));
        let gates = &site.site_gates;
        (!gates.is_empty()).then(|| gates[self.turn.get() % gates.len()])
    }
}
