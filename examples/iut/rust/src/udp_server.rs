//! The discovery server on a socket (MS-MQSD 3.2.5): what a network error does to it, and how it starts anew.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::discovery_server::DiscoveryServer;
use crate::rpc::Event;

/// How often a thread that waits for datagrams looks whether it should end.
const ATTENTION: Duration = Duration::from_millis(20);

pub struct UdpServer {
    discovery: DiscoveryServer,
    events: SyncSender<Event>,
    /// None while the server is driven by calls alone.
    socket: Option<Socket>,
    pub listening: bool,
    pub sockets_opened: u64,
    /// What the harness wants to see.
    pub fail_next_send: bool,
    pub fail_next_open: bool,
}

impl UdpServer {
    pub fn new(events: SyncSender<Event>) -> UdpServer {
        UdpServer {
            discovery: DiscoveryServer::default(),
            events,
            socket: None,
            listening: false,
            sockets_opened: 0,
            fail_next_send: false,
            fail_next_open: false,
        }
    }

    pub fn reset(&mut self) {
        self.socket = None;
        *self = UdpServer::new(self.events.clone());
    }

    pub fn configure(&mut self, discovery: DiscoveryServer) {
        self.reset();
        self.discovery = discovery;
        self.listening = true;
        self.sockets_opened = 1;
    }

    /// Serve UDP there, port 0 for any that is free; the port.
    pub fn listen(&mut self, host: &str, port: u16) -> io::Result<u16> {
        self.socket = None;
        let address: IpAddr = if host == "localhost" { Ok(Ipv4Addr::LOCALHOST.into()) } else { host.parse() }
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "no IP address"))?;
        let socket = UdpSocket::bind((address, port))?;
        let port = socket.local_addr()?.port();
        self.open(socket)?;
        Ok(port)
    }

    fn open(&mut self, socket: UdpSocket) -> io::Result<()> {
        self.sockets_opened += 1;
        self.socket = Some(Socket::open(socket, self.sockets_opened, self.events.clone())?);
        self.listening = true;
        Ok(())
    }

    /// Answer a datagram that came by a call; nothing where no reply goes out.
    pub fn answer(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let reply = self.discovery.receive(datagram).filter(|_| self.listening)?;
        if std::mem::take(&mut self.fail_next_send) {
            self.reopen();
            return None;
        }
        Some(reply)
    }

    /// Answer a datagram that came on a socket, unless that one was closed meanwhile.
    pub fn serve(&mut self, number: u64, datagram: &[u8], sender: SocketAddr) {
        let Some(socket) = self.socket.as_ref().filter(|it| it.number == number) else { return };
        let Some(reply) = self.discovery.receive(datagram) else { return };
        if std::mem::take(&mut self.fail_next_send) || socket.socket.send_to(&reply, sender).is_err() {
            self.reopen();
        }
    }

    /// After a network error in sending: close the socket and open it again, or stop where that cannot be done.
    fn reopen(&mut self) {
        self.listening = false;
        let address = self.socket.take().map(|socket| socket.address); // it is closed now
        if std::mem::take(&mut self.fail_next_open) {
            return;
        }
        match address.map(UdpSocket::bind) {
            Some(Ok(socket)) => self.listening = self.open(socket).is_ok(),
            Some(Err(error)) => eprintln!("mqsample: the socket cannot be opened again: {error}"),
            None => {
                self.sockets_opened += 1;
                self.listening = true;
            }
        }
    }
}

/// A socket and the thread that waits for its datagrams.
struct Socket {
    number: u64,
    address: SocketAddr,
    socket: UdpSocket,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Socket {
    fn open(socket: UdpSocket, number: u64, events: SyncSender<Event>) -> io::Result<Socket> {
        socket.set_read_timeout(Some(ATTENTION))?;
        let (address, listener, closing) =
            (socket.local_addr()?, socket.try_clone()?, Arc::new(AtomicBool::new(false)));
        let end = closing.clone();
        let thread = thread::spawn(move || wait_for_datagrams(&listener, number, &events, &end));
        Ok(Socket { number, address, socket, closing, thread: Some(thread) })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn wait_for_datagrams(socket: &UdpSocket, number: u64, events: &SyncSender<Event>, closing: &AtomicBool) {
    let mut buffer = vec![0; 1 << 16];
    while !closing.load(Ordering::Relaxed) {
        if let Ok((length, sender)) = socket.recv_from(&mut buffer) {
            let _ = events.try_send(Event::Datagram { socket: number, octets: buffer[..length].to_vec(), sender });
        }
    }
}
