//! The carrier of the IUT protocol: JSON-RPC 2.0, one object a line. Lines and datagrams come in through one queue of
//! events, so that all of the implementation runs in one thread and needs no lock.

use std::io::{stdin, stdout, BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::sync::mpsc::{sync_channel, SyncSender};
use std::thread;

use crate::call::{Failure, Params, INVALID_REQUEST, PARSE_ERROR};
use crate::iut::Iut;
use crate::json::{object, Json};
use crate::udp_server::UdpServer;

const LONGEST_LINE: u64 = 16 << 20;
/// Datagrams beyond that many unanswered ones get lost, as they do in a socket.
pub const EVENTS: usize = 1024;

pub enum Event {
    Line(Vec<u8>),
    EndOfInput,
    /// On the socket that was opened as the one of this number.
    Datagram {
        socket: u64,
        octets: Vec<u8>,
        sender: SocketAddr,
    },
}

/// Answer calls until `shutdown` or the end of input; the exit status.
pub fn serve() -> u8 {
    let (events, queue) = sync_channel(EVENTS);
    let mut iut = Iut::new(UdpServer::new(events.clone()));
    thread::spawn(move || read_lines(&events));
    for event in queue {
        match event {
            Event::Line(line) => {
                let reply = answer(&mut iut, &line);
                if writeln!(stdout(), "{reply}").is_err() || iut.over {
                    break;
                }
            }
            Event::Datagram { socket, octets, sender } => iut.server.serve(socket, &octets, sender),
            Event::EndOfInput => break,
        }
    }
    u8::from(!iut.over)
}

fn read_lines(events: &SyncSender<Event>) {
    let mut input = BufReader::new(stdin());
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
        let whole = read.is_ok() && line.ends_with(b"\n");
        if !whole && line.len() as u64 > LONGEST_LINE {
            eprintln!("mqsample: a line of more than 16 MiB");
        }
        let event = if whole { Event::Line(line) } else { Event::EndOfInput };
        if events.send(event).is_err() || !whole {
            return;
        }
    }
}

fn answer(iut: &mut Iut, line: &[u8]) -> Json {
    let request = Json::read(line);
    let id = match request.as_ref().ok().and_then(|it| it.member("id")) {
        Some(id @ (Json::Natural(_) | Json::Text(_))) => id.clone(),
        _ => Json::Null,
    };
    let outcome = match &request {
        Err(complaint) => Err(Failure::new(PARSE_ERROR, format!("no JSON: {complaint}"))),
        Ok(request) => match Params(request).text("method") {
            Err(_) => Err(Failure::new(INVALID_REQUEST, "method: must be text")),
            Ok(method) => iut.perform(&method, Params(request.member("params").unwrap_or(&Json::Null))),
        },
    };
    let (name, value) = match outcome {
        Ok(result) => ("result", result),
        Err(Failure { code, message }) => {
            ("error", object([("code", Json::Number(code as f64)), ("message", message.into())]))
        }
    };
    object([("jsonrpc", "2.0".into()), ("id", id), (name, value)])
}
