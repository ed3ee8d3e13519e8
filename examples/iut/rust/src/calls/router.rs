//! The methods of the role router.

use crate::call::{Failure, Outcome, Params, INVALID_PARAMS, ROUTING_FAILED};
use crate::directory::{Directory, ObjectType};
use crate::guid::Guid;
use crate::iut::{not_offered, nothing};
use crate::json::{object, Json};
use crate::router::{is_site_gate, routing_server, site_gate, site_gate_for_site, Router};

pub fn perform(router: &mut Router, operation: &str, params: Params) -> Outcome {
    match operation {
        "load_directory" | "change_directory" => {
            router.change_directory(Directory::read(Params(params.value("directory")?))?);
            nothing()
        }
        "initialize" => {
            router.initialize(params.guid("local")?);
            nothing()
        }
        "advance_clock" => {
            router.advance_clock(params.seconds()?);
            nothing()
        }
        "get_next_hops" => next_hops(router, params),
        "routing_table" => Ok(object([("rows", rows(router).into())])),
        "is_site_gate" => {
            let value = is_site_gate(&router.directory, params.guid("machine")?);
            Ok(object([("value", u64::from(value).into())]))
        }
        "get_routing_server" => found(routing_server(&router.directory, params.guid("machine")?)),
        "get_site_gate" => found(site_gate(&router.directory, params.guid("machine")?)),
        "get_site_gate_for_site" => found(site_gate_for_site(&router.directory, params.guid("site")?)),
        "fail_directory" => fail_directory(router, params),
        _ => not_offered(),
    }
}

fn next_hops(router: &Router, params: Params) -> Outcome {
    let hops = router.next_hops(params.guid("source")?, params.guid("destination")?);
    if hops.is_empty() {
        return Err(Failure::new(ROUTING_FAILED, "the routing attempt failed"));
    }
    Ok(object([("next_hops", texts(&hops))]))
}

fn rows(router: &Router) -> Vec<Json> {
    let ids = router.routing_table.iter().map(|row| (row.destination_site, row.next_hop_site));
    ids.map(|(destination, next_hop)| {
        object([("destination_site", destination.to_string().into()), ("next_hop_site", next_hop.to_string().into())])
    })
    .collect()
}

/// GUIDs as an array of text.
pub fn texts(guids: &[Guid]) -> Json {
    guids.iter().map(Guid::to_string).collect::<Vec<String>>().into()
}

fn found(guid: Option<Guid>) -> Outcome {
    Ok(object([("value", guid.map_or(Json::Null, |it| it.to_string().into()))]))
}

/// Whether reading fails at its begin or at an object makes no difference to GetDirectoryData: the whole is lost.
fn fail_directory(router: &mut Router, params: Params) -> Outcome {
    let object_type = match params.text("object_type")?.as_str() {
        "Site" => ObjectType::Site,
        "RoutingLink" => ObjectType::RoutingLink,
        "QueueManager" => ObjectType::QueueManager,
        _ => return Err(Failure::new(INVALID_PARAMS, "object_type: must be Site, RoutingLink or QueueManager")),
    };
    if *params.value("at")? == Json::Null {
        router.directory.failing.remove(&object_type);
    } else {
        router.directory.failing.insert(object_type);
    }
    nothing()
}
