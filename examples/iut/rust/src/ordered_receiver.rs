//! The receiving end of exactly-once in-order delivery: what it accepts and when it acknowledges (MS-MQQB 3.1.5.8.6).

use std::time::Duration;

use crate::json::Json;

const ORDER_ACK_TIMEOUT: Duration = Duration::from_millis(500);
const MAXIMUM_ORDER_ACK_DELAY: Duration = Duration::from_secs(10);

/// A message's place: its number and that of the message before it; without a sequence id it is of the current sequence.
pub struct Place {
    pub sequence_id: Option<u64>,
    pub sequence: u64,
    pub previous: u64,
}

struct Stream {
    name: Json,
    sequence_id: u64,
    /// Zero in a new stream.
    last_accepted: u64,
    /// When the next acknowledgment goes out, if one is due, and when the oldest message that it covers arrived.
    order_ack: Option<(Duration, Duration)>,
}

#[derive(Default)]
pub struct OrderedReceiver {
    streams: Vec<Stream>,
    now: Duration,
}

impl OrderedReceiver {
    /// Whether a message is accepted. The last number moves with accepted messages alone.
    pub fn receive(&mut self, name: &Json, message: Place) -> bool {
        let now = self.now;
        let stream = self.stream(name);
        let id = message.sequence_id.unwrap_or(stream.sequence_id);
        let accepted = if id == stream.sequence_id {
            message.sequence > stream.last_accepted && message.previous <= stream.last_accepted
        } else {
            id > stream.sequence_id && message.previous == 0
        };
        if accepted {
            (stream.sequence_id, stream.last_accepted) = (id, message.sequence);
        }
        // Accepted or not, it is acknowledged 500 ms later; those that follow put that off for ten seconds at most.
        let oldest = stream.order_ack.map_or(now, |(_, oldest)| oldest);
        if stream.order_ack.is_none() || now < oldest + MAXIMUM_ORDER_ACK_DELAY {
            stream.order_ack = Some((now + ORDER_ACK_TIMEOUT, oldest));
        }
        accepted
    }

    /// The number that an order acknowledgment would carry now.
    pub fn order_ack(&self, name: &Json) -> u64 {
        self.streams.iter().find(|stream| stream.name == *name).map_or(0, |stream| stream.last_accepted)
    }

    /// A crash after which the numbers are gone.
    pub fn lose_state(&mut self) {
        self.streams.clear();
    }

    /// A crash after which the numbers are found in the store again; timers are not.
    pub fn restart(&mut self) {
        for stream in &mut self.streams {
            stream.order_ack = None;
        }
    }

    /// Let time pass: the acknowledgments that go out meanwhile, in order. Before anything was accepted there is none.
    pub fn advance_clock(&mut self, passing: Duration) -> Vec<(Json, u64)> {
        self.now += passing;
        let mut due: Vec<(Duration, Json, u64)> = Vec::new();
        for stream in &mut self.streams {
            if let Some((time, _)) = stream.order_ack.filter(|&(time, _)| time <= self.now) {
                stream.order_ack = None;
                due.push((time, stream.name.clone(), stream.last_accepted));
            }
        }
        due.sort_by_key(|&(time, ..)| time);
        due.into_iter().filter(|&(.., sequence)| sequence > 0).map(|(_, name, sequence)| (name, sequence)).collect()
    }

    fn stream(&mut self, name: &Json) -> &mut Stream {
        let known = self.streams.iter().position(|stream| stream.name == *name);
        let place = known.unwrap_or(self.streams.len());
        if known.is_none() {
            self.streams.push(Stream { name: name.clone(), sequence_id: 0, last_accepted: 0, order_ack: None });
        }
        &mut self.streams[place]
    }
}
