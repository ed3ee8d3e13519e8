//! The sending end of exactly-once in-order delivery: numbers, links and resends (MS-MQQB 3.1.7.1.3 and 3.1.6.5).

use std::time::Duration;

use crate::json::Json;

/// How long to wait for an order acknowledgment, in seconds, each time in vain.
const RESEND_SCHEDULE: [u64; 10] = [30, 30, 30, 300, 300, 300, 1800, 1800, 1800, 21600];

#[derive(Clone)]
pub struct Message {
    pub name: Json,
    /// Never changes.
    pub sequence: u64,
    transmitted: bool,
}

/// A message as it goes out, linked to the one before it.
pub struct Transmission {
    pub stream: Json,
    pub message: Json,
    pub sequence: u64,
    pub previous: u64,
}

struct Stream {
    name: Json,
    last_sequence: u64,
    last_acknowledged: u64,
    /// What is neither acknowledged nor discarded, in order.
    queue: Vec<Message>,
    resend: Option<Duration>,
    waits: usize,
}

#[derive(Default)]
pub struct OrderedSender {
    streams: Vec<Stream>,
    now: Duration,
}

impl OrderedSender {
    /// Append a message to the queue: its number, and that of the message it is linked to.
    pub fn enqueue(&mut self, name: &Json, message: Json) -> (u64, u64) {
        let stream = self.stream(name);
        stream.last_sequence += 1;
        stream.queue.push(Message { name: message, sequence: stream.last_sequence, transmitted: false });
        (stream.last_sequence, stream.previous(stream.queue.len() - 1))
    }

    /// (Re)transmit the whole queue.
    pub fn transmit(&mut self, name: &Json) -> Vec<Transmission> {
        let now = self.now;
        let stream = self.stream(name);
        if stream.resend.is_none() {
            stream.wait_from(now);
        }
        stream.transmit()
    }

    pub fn order_ack(&mut self, name: &Json, sequence: u64) {
        let now = self.now;
        let stream = self.stream(name);
        let before = stream.queue.len();
        stream.queue.retain(|message| message.sequence > sequence);
        if stream.queue.len() < before {
            stream.last_acknowledged = sequence.min(stream.last_sequence);
            stream.waits = 0;
            if stream.resend.is_some() {
                stream.wait_from(now);
            }
        }
    }

    /// This message expired before it was acknowledged: the next one is linked to the one before it.
    pub fn discard(&mut self, name: &Json, message: &Json) {
        let now = self.now;
        let stream = self.stream(name);
        if let Some(place) = stream.queue.iter().position(|queued| queued.name == *message) {
            stream.queue.remove(place);
        }
        if stream.queue.is_empty() {
            stream.wait_from(now);
        }
    }

    /// What is sent next has to suit a receiver that starts from zero.
    pub fn receiver_lost_state(&mut self, name: &Json) {
        self.stream(name).last_acknowledged = 0;
    }

    /// A crash after which queue and numbers are found in the store again, and with them the resend schedule.
    pub fn restart(&mut self) {
        let now = self.now;
        for stream in self.streams.iter_mut().filter(|stream| stream.resend.is_some()) {
            stream.wait_from(now);
        }
    }

    /// Let time pass: what is sent again meanwhile, in order.
    pub fn advance_clock(&mut self, passing: Duration) -> Vec<Transmission> {
        let mut sent = Vec::new();
        let end = self.now + passing;
        let due = |stream: &&mut Stream| stream.resend.is_some_and(|time| time <= end);
        while let Some(stream) = self.streams.iter_mut().filter(due).min_by_key(|stream| stream.resend) {
            let time = stream.resend.unwrap_or(end);
            stream.waits += 1;
            stream.wait_from(time);
            sent.extend(stream.transmit());
        }
        self.now = end;
        sent
    }

    fn stream(&mut self, name: &Json) -> &mut Stream {
        let known = self.streams.iter().position(|stream| stream.name == *name);
        let place = known.unwrap_or(self.streams.len());
        if known.is_none() {
            let (name, queue) = (name.clone(), Vec::new());
            self.streams.push(Stream { name, last_sequence: 0, last_acknowledged: 0, queue, resend: None, waits: 0 });
        }
        &mut self.streams[place]
    }
}

impl Stream {
    /// The number that a message of the queue is linked to. The first one names the last acknowledged number when it is
    /// sent for the first time, and zero ever after: a receiver that has lost its numbers has to accept it.
    fn previous(&self, place: usize) -> u64 {
        match place.checked_sub(1) {
            Some(before) => self.queue[before].sequence,
            None if self.queue[place].transmitted => 0,
            None => self.last_acknowledged,
        }
    }

    fn transmit(&mut self) -> Vec<Transmission> {
        let linked = |place: usize| Transmission {
            stream: self.name.clone(),
            message: self.queue[place].name.clone(),
            sequence: self.queue[place].sequence,
            previous: self.previous(place),
        };
        let sent = (0..self.queue.len()).map(linked).collect();
        self.queue.iter_mut().for_each(|message| message.transmitted = true);
        sent
    }

    /// The wait for the order acknowledgment begins anew, if there is anything to wait for.
    fn wait_from(&mut self, now: Duration) {
        let interval = RESEND_SCHEDULE[self.waits.min(RESEND_SCHEDULE.len() - 1)];
        self.resend = (!self.queue.is_empty()).then(|| now + Duration::from_secs(interval));
        if self.queue.is_empty() {
            self.waits = 0;
        }
    }
}
