//! `mqsample [stdio]`: the IUT protocol on standard input and output. `mqsample discovery-server OPTIONS`: a UDP server.

mod discovery_server;
mod json;

use std::env::args;
use std::io::{stdin, stdout, BufRead, Write};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::process::ExitCode;

use discovery_server::{guid, octets, DiscoveryServer};
use json::Json;

const USAGE: u8 = 4;
const HELP: &str = "usage: mqsample [stdio]
       mqsample discovery-server --enterprise GUID --site GUID [--host 127.0.0.1] [--port 1801]
           [--connected-network GUID]... [--directory-server NAME]...";
const INTRODUCTION: &str =
    r#"{"protocol":1,"name":"skeleton in Rust","version":"1","roles":["discovery_server"],"capabilities":[]}"#;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// The result as JSON, or the code of an error.
type Outcome = Result<String, i32>;

fn main() -> ExitCode {
    let words: Vec<String> = args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        _ if words.contains(&"--help") => {
            println!("{HELP}");
            Ok(())
        }
        [] | ["stdio"] => {
            answer_lines();
            Ok(())
        }
        ["discovery-server", ref options @ ..] => serve(options),
        _ => Err(HELP.to_string()),
    };
    if let Err(complaint) = &done {
        eprintln!("mqsample: {complaint}");
    }
    done.map_or(ExitCode::from(USAGE), |()| ExitCode::SUCCESS)
}

/// Answer calls until `shutdown` or the end of input.
fn answer_lines() {
    let mut server = DiscoveryServer::default();
    for line in stdin().lock().split(b'\n') {
        let Ok(line) = line else { return };
        let request = std::str::from_utf8(&line).ok().and_then(Json::read);
        let id = match request.as_ref().and_then(|it| it.member("id")) {
            Some(Json::Plain(number)) => number.parse::<u64>().ok(),
            _ => None,
        };
        let id = id.map_or("null".to_string(), |number| number.to_string()); // the harness numbers its requests
        let method = request.as_ref().and_then(|it| it.member("method")).and_then(Json::text);
        let params = request.as_ref().and_then(|it| it.member("params"));
        let outcome = match &method {
            _ if request.is_none() => Err(PARSE_ERROR),
            None => Err(INVALID_REQUEST),
            Some(method) => perform(&mut server, method, params),
        };
        let told = match outcome {
            Ok(result) => writeln!(stdout(), r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(code) => {
                let error = format!(r#"{{"code":{code},"message":"see its code"}}"#);
                writeln!(stdout(), r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
            }
        };
        if told.is_err() || method.as_deref() == Some("shutdown") {
            return;
        }
    }
}

fn perform(server: &mut DiscoveryServer, method: &str, params: Option<&Json>) -> Outcome {
    match method {
        "initialize" => Ok(INTRODUCTION.to_string()),
        "shutdown" => Ok("{}".to_string()),
        "reset" => {
            *server = DiscoveryServer::default();
            Ok("{}".to_string())
        }
        "discovery_server.configure" => {
            *server = params.and_then(configured).ok_or(INVALID_PARAMS)?;
            Ok("{}".to_string())
        }
        "discovery_server.receive" => {
            let text = |name| params?.member(name)?.text();
            let datagram = text("datagram").and_then(|it| octets(&it)).ok_or(INVALID_PARAMS)?;
            if text("network").ok_or(INVALID_PARAMS)? != "ip" {
                return Err(METHOD_NOT_FOUND);
            }
            let digits = |reply: Vec<u8>| reply.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
            let reply = server.receive(&datagram).map(|reply| format!("\"{}\"", digits(reply)));
            Ok(format!(r#"{{"replies":[{}]}}"#, reply.unwrap_or_default()))
        }
        _ => Err(METHOD_NOT_FOUND),
    }
}

/// A server as these params want it; the enterprise is not looked at, as clients of each are answered.
fn configured(params: &Json) -> Option<DiscoveryServer> {
    let mut server = DiscoveryServer::default();
    server.site = guid(&params.member("site")?.text()?)?;
    for network in params.member("connected_networks")?.elements()? {
        server.add_network(guid(&network.text()?)?)?;
    }
    for entry in params.member("directory_servers")?.elements()? {
        let flag = |name| entry.member(name)?.truth();
        server.add_directory_server(entry.member("name")?.units()?, flag("ip")?, flag("ipx")?)?;
    }
    server.is_configured().then_some(server)
}

/// Serve UDP until SIGTERM. After a network error the socket is closed and opened again (3.2.5).
fn serve(options: &[&str]) -> Result<(), String> {
    let (server, mut address) = as_told(options)?;
    let mut datagram = vec![0; 1 << 16];
    end_well();
    loop {
        let socket = UdpSocket::bind(address).map_err(|error| format!("{address}: {error}"))?;
        address = socket.local_addr().map_err(|error| error.to_string())?; // opened again, it is the same one
        println!("listening on {address}");
        loop {
            let Ok((length, client)) = socket.recv_from(&mut datagram) else { continue };
            let Some(reply) = server.receive(&datagram[..length]) else { continue };
            if socket.send_to(&reply, client).is_err() {
                break;
            }
        }
    }
}

/// The server that the command line wants, and where.
fn as_told(options: &[&str]) -> Result<(DiscoveryServer, SocketAddr), String> {
    let mut server = DiscoveryServer::default();
    let (mut host, mut port) = (Ipv4Addr::LOCALHOST, 1801);
    for option in options.chunks(2) {
        let &[name, value] = option else { return Err(format!("{}: a value is missing", option[0])) };
        let taken = match name {
            "--enterprise" => guid(value).map(drop),
            "--site" => guid(value).map(|site| server.site = site),
            "--host" => value.parse().ok().map(|it| host = it),
            "--port" => value.parse().ok().map(|it| port = it),
            "--connected-network" => guid(value).and_then(|network| server.add_network(network)),
            "--directory-server" => server.add_directory_server(&value.encode_utf16().collect::<Vec<_>>(), true, false),
            _ => None,
        };
        taken.ok_or_else(|| format!("{name} {value}: no such option, or not its value"))?;
    }
    if let Some(missing) = ["--enterprise", "--site"].iter().find(|name| !options.contains(name)) {
        return Err(format!("{missing} is missing"));
    }
    Ok((server, (host, port).into()))
}

/// From now on SIGTERM ends the program with status 0: the standard library knows no signals, but brings one that does.
fn end_well() {
    extern "C" {
        fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
        fn _exit(status: i32) -> !;
    }
    extern "C" fn end(_: i32) {
        // SAFETY: _exit may be called in a handler, and there is nothing to put in order.
        unsafe { _exit(0) }
    }
    // SAFETY: the handler does nothing that a handler must not do.
    unsafe { signal(15, end) };
}
