//! The routing table: least-cost paths by Dijkstra's algorithm over the sites of the enterprise (MS-MQBR 3.1.3.1).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::directory::Directory;
use crate::guid::Guid;
use crate::router::is_site_gate;

pub struct Row {
    pub destination_site: Guid,
    pub next_hop_site: Guid,
    /// Of the whole path.
    pub cost: u64,
}

/// The rows for a queue manager, in the order of the directory. A site that no path reaches has none, nor has an own one.
pub fn initialize(directory: &Directory, local: Guid) -> Vec<Row> {
    let machine = directory.queue_manager(local).filter(|_| is_site_gate(directory, local));
    let Some(machine) = machine else { return Vec::new() };
    let paths = least_cost_paths(directory, &machine.sites);
    let row_of = |site: &crate::directory::Site| {
        let (cost, next_hop_site) = *paths.get(&site.identifier)?;
        Some(Row { destination_site: site.identifier, next_hop_site: next_hop_site?, cost })
    };
    directory.sites().iter().filter_map(row_of).collect()
}

/// Cost and next site of the path to each site; the current site is each site of the gate, and has no next one.
fn least_cost_paths(directory: &Directory, own: &[Guid]) -> HashMap<Guid, (u64, Option<Guid>)> {
    let edges = edges(directory);
    let mut settled = HashMap::new();
    let known = |site: &&Guid| directory.site(**site).is_some();
    let mut open: BinaryHeap<_> = own.iter().filter(known).map(|&site| Reverse((0, site, None))).collect();
    while let Some(Reverse((cost, site, next_hop))) = open.pop() {
        if settled.contains_key(&site) {
            continue;
        }
        settled.insert(site, (cost, next_hop));
        for &(neighbour, actual_cost) in edges.get(&site).into_iter().flatten() {
            if !settled.contains_key(&neighbour) {
                open.push(Reverse((cost + actual_cost, neighbour, next_hop.or(Some(neighbour)))));
            }
        }
    }
    settled
}

/// What leaves each site: both directions of each link whose ends are sites.
fn edges(directory: &Directory) -> HashMap<Guid, Vec<(Guid, u64)>> {
    let mut edges: HashMap<Guid, Vec<(Guid, u64)>> = HashMap::new();
    for link in directory.routing_links() {
        if directory.site(link.site1).is_some() && directory.site(link.site2).is_some() {
            edges.entry(link.site1).or_default().push((link.site2, link.actual_cost));
            edges.entry(link.site2).or_default().push((link.site1, link.actual_cost));
        }
    }
    edges
}
