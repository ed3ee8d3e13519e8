//! The implementation that is driven by calls. Put your own in place of ours here.

use crate::call::{Failure, Outcome, Params, INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::calls;
use crate::discovery_client::DiscoveryClient;
use crate::json::{object, Json};
use crate::ordered_receiver::OrderedReceiver;
use crate::ordered_sender::OrderedSender;
use crate::router::Router;
use crate::transaction::TransactionalSender;
use crate::udp_server::UdpServer;

const ROLES: [&str; 6] =
    ["router", "discovery_server", "discovery_client", "ordered_receiver", "ordered_sender", "transaction"];
const CAPABILITIES: [&str; 7] =
    ["virtual-clock", "procedures", "directory-faults", "udp", "send-faults", "restart", "sequences"];

pub struct Iut {
    pub router: Router,
    pub server: UdpServer,
    pub client: DiscoveryClient,
    pub receiver: OrderedReceiver,
    pub sender: OrderedSender,
    pub transactions: TransactionalSender,
    /// After `shutdown`.
    pub over: bool,
}

impl Iut {
    pub fn new(server: UdpServer) -> Iut {
        Iut {
            router: Router::default(),
            server,
            client: DiscoveryClient::default(),
            receiver: OrderedReceiver::default(),
            sender: OrderedSender::default(),
            transactions: TransactionalSender::default(),
            over: false,
        }
    }

    /// Perform a method: its role is what stands before the point.
    pub fn perform(&mut self, method: &str, params: Params) -> Outcome {
        match method.split_once('.') {
            None => self.common(method, params),
            Some(("router", operation)) => calls::router::perform(&mut self.router, operation, params),
            Some(("discovery_server", operation)) => calls::server::perform(&mut self.server, operation, params),
            Some(("discovery_client", operation)) => calls::client::perform(&mut self.client, operation, params),
            Some(("ordered_receiver", operation)) => calls::receiver::perform(&mut self.receiver, operation, params),
            Some(("ordered_sender", operation)) => calls::sender::perform(&mut self.sender, operation, params),
            Some(("transaction", operation)) => calls::transaction::perform(&mut self.transactions, operation, params),
            Some(_) => not_offered(),
        }
    }

    fn common(&mut self, method: &str, params: Params) -> Outcome {
        match method {
            "initialize" if params.natural("protocol", u64::MAX)? != 1 => {
                return Err(Failure::new(INVALID_PARAMS, "protocol: version 1 is the one that is spoken here"))
            }
            "initialize" => return Ok(introduction()),
            "reset" => self.reset(),
            "shutdown" => self.over = true,
            _ => return not_offered(),
        }
        nothing()
    }

    /// As freshly started.
    fn reset(&mut self) {
        self.server.reset();
        self.router = Router::default();
        self.client = DiscoveryClient::default();
        self.receiver = OrderedReceiver::default();
        self.sender = OrderedSender::default();
        self.transactions = TransactionalSender::default();
    }
}

fn introduction() -> Json {
    object([
        ("protocol", 1.into()),
        ("name", "sample in Rust".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("vendor", "mqconform".into()),
        ("roles", ROLES.to_vec().into()),
        ("capabilities", CAPABILITIES.to_vec().into()),
        ("specs", object([("MQBR", "18.0".into()), ("MQSD", "13.0".into())])),
    ])
}

/// An empty result.
pub fn nothing() -> Outcome {
    Ok(object([]))
}

pub fn not_offered() -> Outcome {
    Err(Failure::new(METHOD_NOT_FOUND, "this method is not offered"))
}
