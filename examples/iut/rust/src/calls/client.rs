//! The methods of the role discovery_client.

use crate::call::{Failure, Outcome, Params};
use crate::discovery_client::{DiscoveryClient, Effect, Network};
use crate::guid::hexadecimal;
use crate::iut::{not_offered, nothing};
use crate::json::{object, Json, Text};

use super::router::texts;

pub fn perform(client: &mut DiscoveryClient, operation: &str, params: Params) -> Outcome {
    match operation {
        "configure" => {
            *client = DiscoveryClient::new(params.guid("enterprise")?, params.guid("site")?, networks(params)?);
            nothing()
        }
        "change_networks" => {
            client.networks = networks(params)?;
            nothing()
        }
        "start" => effects(client.start()),
        "receive" => effects(client.receive(&params.text("network")?, &params.datagram()?)),
        "advance_clock" => effects(client.advance_clock(params.seconds()?)),
        "state" => Ok(Json::Object(state(client))),
        _ => not_offered(),
    }
}

fn networks(params: Params) -> Result<Vec<Network>, Failure> {
    let network = |item: Params| {
        let remote_access = item.has("remote_access") && item.boolean("remote_access")?;
        Ok(Network { address: item.text("address")?, remote_access })
    };
    params.objects("networks")?.map(network).collect()
}

fn effects(effects: Vec<Effect>) -> Outcome {
    Ok(object([("effects", effects.iter().map(effect).collect::<Vec<Json>>().into())]))
}

pub fn effect(effect: &Effect) -> Json {
    match effect {
        Effect::Send { network, datagram } => {
            let (network, datagram) = (network.as_str().into(), hexadecimal(datagram).into());
            object([("send", object([("network", network), ("datagram", datagram)]))])
        }
        Effect::Complete { success } => object([("complete", object([("result", result(*success))]))]),
    }
}

pub fn result(success: bool) -> Json {
    if success {
        "success".into()
    } else {
        "failure".into()
    }
}

/// What the client shows of itself, here and on the last line of a search.
pub fn state(client: &DiscoveryClient) -> Vec<(String, Json)> {
    let names: Vec<Json> = client.directory_servers.iter().map(|name| Json::Text(Text(name.clone()))).collect();
    let address = client.last_successful_network_address.clone();
    let members = [
        ("directory_servers", names.into()),
        ("connected_networks", texts(&client.connected_networks)),
        ("valid_last_successful_network_address", client.valid_last_successful_network_address.into()),
        ("last_successful_network_address", address.map_or(Json::Null, Json::from)),
        ("request_id", client.request_id.to_string().into()),
        ("current_network_index", (client.current_network_index as u64).into()),
    ];
    members.map(|(name, value)| (name.to_string(), value)).into()
}
