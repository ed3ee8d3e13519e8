//! The methods of the role discovery_server.

use crate::call::{Failure, Outcome, Params, INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::discovery_server::{directory_server, DiscoveryServer};
use crate::guid::hexadecimal;
use crate::iut::{not_offered, nothing};
use crate::json::object;
use crate::udp_server::UdpServer;

pub fn perform(server: &mut UdpServer, operation: &str, params: Params) -> Outcome {
    match operation {
        "configure" => configure(server, params)?,
        "receive" => return receive(server, params),
        "listen" => return listen(server, params),
        "fail_next_send" => server.fail_next_send = true,
        "fail_next_open" => server.fail_next_open = true,
        "state" => {
            let (listening, opened) = (server.listening.into(), server.sockets_opened.into());
            return Ok(object([("listening", listening), ("sockets_opened", opened)]));
        }
        _ => return not_offered(),
    }
    nothing()
}

fn configure(server: &mut UdpServer, params: Params) -> Result<(), Failure> {
    let mut discovery = DiscoveryServer {
        site: params.guid("site")?,
        connected_networks: params.guids("connected_networks")?,
        directory_servers: Vec::new(),
    };
    for item in params.objects("directory_servers")? {
        // One with an impossible name is left out.
        let entry = directory_server(&item.units("name")?.0, item.boolean("ip")?, item.boolean("ipx")?);
        discovery.directory_servers.extend(entry);
    }
    server.configure(discovery);
    Ok(())
}

fn receive(server: &mut UdpServer, params: Params) -> Outcome {
    if params.text("network")? != "ip" {
        return Err(Failure::new(METHOD_NOT_FOUND, "network: only IP is offered"));
    }
    let reply = server.answer(&params.datagram()?);
    let replies: Vec<String> = reply.iter().map(|octets| hexadecimal(octets)).collect();
    Ok(object([("replies", replies.into())]))
}

fn listen(server: &mut UdpServer, params: Params) -> Outcome {
    let (host, port) = (params.text("host")?, params.natural("port", 65_535)?);
    match server.listen(&host, port as u16) {
        Ok(port) => Ok(object([("host", host.into()), ("port", u64::from(port).into())])),
        Err(error) => Err(Failure::new(INVALID_PARAMS, format!("host: cannot listen there: {error}"))),
    }
}
