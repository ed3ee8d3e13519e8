//! The discovery client on sockets and by the real clock.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::mpsc::{sync_channel, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Instant;

use crate::calls::client::{effect, result, state};
use crate::discovery_client::{DiscoveryClient, Effect, Network};
use crate::guid::Guid;
use crate::json::Json;
use crate::rpc::EVENTS;

/// This computer's own address on a network, and where its requests go.
pub struct UdpNetwork {
    pub address: Ipv4Addr,
    pub everybody: Ipv4Addr,
}

struct Joined {
    name: String,
    socket: UdpSocket,
    everybody: (Ipv4Addr, u16),
}

/// Search once, telling each effect and last what came of it as a line of JSON each: whether it succeeded.
pub fn search(enterprise: Guid, site: Guid, networks: &[UdpNetwork], port: u16) -> io::Result<bool> {
    let (arrivals, queue) = sync_channel(EVENTS);
    let mut joined = Vec::new();
    for (place, network) in networks.iter().enumerate() {
        let socket = UdpSocket::bind((network.address, 0))?; // it broadcasts there, and replies come to it
        socket.set_broadcast(true)?;
        let (listener, arrivals) = (socket.try_clone()?, arrivals.clone());
        thread::spawn(move || wait_for_datagrams(&listener, place, &arrivals));
        joined.push(Joined { name: network.address.to_string(), socket, everybody: (network.everybody, port) });
    }
    let known = joined.iter().map(|it| Network { address: it.name.clone(), remote_access: false }).collect();
    let mut client = DiscoveryClient::new(enterprise, site, known);
    let mut success = act(&joined, client.start());
    let mut asked = Instant::now();
    while let (None, Some(wait)) = (success, client.wait()) {
        let arrived = queue.recv_timeout(wait.saturating_sub(asked.elapsed()));
        let now = Instant::now();
        let due = client.advance_clock(now - asked); // what is due comes before what has just come
        asked = now;
        success = act(&joined, due);
        match arrived {
            Ok((place, octets)) if success.is_none() => {
                let place: usize = place;
                success = act(&joined, client.receive(&joined[place].name, &octets));
            }
            Err(RecvTimeoutError::Disconnected) => break,
            _ => {}
        }
    }
    let success = success.unwrap_or(false);
    let outcome = [vec![("result".to_string(), result(success))], state(&client)].concat();
    println!("{}", Json::Object(outcome));
    Ok(success)
}

/// Do and tell what the client does; whether it succeeded, once that is decided.
fn act(joined: &[Joined], effects: Vec<Effect>) -> Option<bool> {
    let mut success = None;
    for one in effects {
        println!("{}", effect(&one));
        match one {
            Effect::Complete { success: decided } => success = Some(decided),
            Effect::Send { network, datagram } => {
                for it in joined.iter().filter(|it| it.name == network) {
                    if let Err(error) = it.socket.send_to(&datagram, it.everybody) {
                        eprintln!("mqsample: cannot broadcast from {network}: {error}");
                    }
                }
            }
        }
    }
    success
}

fn wait_for_datagrams(socket: &UdpSocket, place: usize, arrivals: &SyncSender<(usize, Vec<u8>)>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        if let Ok((length, _)) = socket.recv_from(&mut buffer) {
            let _ = arrivals.try_send((place, buffer[..length].to_vec()));
        }
    }
}
