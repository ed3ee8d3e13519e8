//! mqsample [stdio] | discovery-server OPTIONS | discovery-client OPTIONS

mod call;
mod calls;
mod directory;
mod discovery_client;
mod discovery_packets;
mod discovery_server;
mod guid;
mod iut;
mod json;
mod options;
mod ordered_receiver;
mod ordered_sender;
mod router;
mod routing_table;
mod rpc;
mod signals;
mod transaction;
mod udp_client;
mod udp_server;

use std::process::ExitCode;
use std::sync::mpsc::sync_channel;

use discovery_server::DiscoveryServer;
use options::Options;
use udp_server::UdpServer;

const USAGE: u8 = 4;
const HELP: &str = "usage: mqsample [stdio]
       mqsample discovery-server --enterprise GUID --site GUID [--host 127.0.0.1] [--port 1801]
           [--connected-network GUID]... [--directory-server NAME]...
       mqsample discovery-client --enterprise GUID --site GUID --network ADDRESS[/PREFIX]...
           [--port 1801] [--broadcast limited|directed]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|it| it == "--help" || it == "-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().split_first() {
        None | Some((&"stdio", [])) => Ok(rpc::serve()),
        Some((&"discovery-server", rest)) => Options::read(rest).and_then(serve),
        Some((&"discovery-client", rest)) => Options::read(rest).and_then(search),
        Some((&word, _)) => Err(format!("{word}: no such command\n{HELP}")),
    };
    done.unwrap_or_else(|complaint| {
        eprintln!("mqsample: {complaint}");
        USAGE
    })
    .into()
}

fn serve(options: Options) -> Result<u8, String> {
    let (events, queue) = sync_channel(rpc::EVENTS);
    let mut server = UdpServer::new(events);
    server.configure(DiscoveryServer {
        site: options.site,
        connected_networks: options.connected_networks,
        directory_servers: options.directory_servers,
    });
    let host = &options.host;
    let port =
        server.listen(host, options.port).map_err(|it| format!("cannot listen on {host}:{}: {it}", options.port))?;
    signals::end_well();
    println!("listening on {host}:{port}");
    while server.listening {
        if let Ok(rpc::Event::Datagram { socket, octets, sender }) = queue.recv() {
            server.serve(socket, &octets, sender);
        }
    }
    Ok(1)
}

fn search(options: Options) -> Result<u8, String> {
    let networks = options.udp_networks()?;
    let success = udp_client::search(options.enterprise, options.site, &networks, options.port);
    success.map(|it| u8::from(!it)).map_err(|error| format!("--network: {error}"))
}
