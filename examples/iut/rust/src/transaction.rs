//! Messages sent within transactions, and the computers that host the target queues.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::Json;

pub struct TargetQueue {
    pub machine: String,
    pub transactional: bool,
    pub failing: bool,
}

#[derive(Clone)]
pub struct TransactionalMessage {
    pub message: Json,
    pub destination: Vec<String>,
    pub administration_queue: Option<String>,
}

/// A negative acknowledgment: a transactional message reached a queue that is not.
pub struct Acknowledgment {
    pub message: Json,
    pub queue: String,
}

#[derive(Default)]
pub struct TransactionalSender {
    pub queues: BTreeMap<String, TargetQueue>,
    /// Distribution lists of queues and lists.
    pub lists: BTreeMap<String, Vec<String>>,
    open: BTreeMap<u64, Vec<TransactionalMessage>>,
    begun: u64,
    /// Copies that wait in outgoing queues, by target queue.
    pub outgoing: BTreeMap<String, Vec<TransactionalMessage>>,
    pub taken_in: BTreeMap<String, Vec<Json>>,
    /// By computer.
    pub dead_letters: BTreeMap<String, Vec<Json>>,
    /// By administration queue.
    pub acknowledgments: BTreeMap<String, Vec<Acknowledgment>>,
}

impl TransactionalSender {
    /// Everything is empty; no transaction gets a number again.
    pub fn configure(&mut self, queues: BTreeMap<String, TargetQueue>, lists: BTreeMap<String, Vec<String>>) {
        *self = TransactionalSender { queues, lists, begun: self.begun, ..TransactionalSender::default() };
    }

    pub fn begin(&mut self) -> u64 {
        self.begun += 1;
        self.open.insert(self.begun, Vec::new());
        self.begun
    }

    /// False where no such transaction is open.
    pub fn send(&mut self, transaction: u64, message: TransactionalMessage) -> bool {
        let open = self.open.get_mut(&transaction);
        open.map(|messages| messages.push(message)).is_some()
    }

    /// Whether there was one to abort.
    pub fn abort(&mut self, transaction: u64) -> bool {
        self.open.remove(&transaction).is_some()
    }

    /// A copy of each message goes to each outgoing queue, or none at all where one of them fails: false.
    pub fn commit(&mut self, transaction: u64) -> Option<bool> {
        let messages = self.open.remove(&transaction)?;
        let mut copies = Vec::new();
        for message in &messages {
            for queue in self.targets(&message.destination) {
                if self.queues[&queue].failing {
                    return Some(false);
                }
                copies.push((queue, message.clone()));
            }
        }
        for (queue, message) in copies {
            self.outgoing.entry(queue).or_default().push(message);
        }
        Some(true)
    }

    /// The queues that names lead to, through lists of lists; each once, however many ways lead there.
    fn targets(&self, names: &[String]) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&String> = names.iter().collect();
        while let Some(name) = open.pop() {
            if seen.insert(name.clone()) && !self.queues.contains_key(name) {
                open.extend(self.lists.get(name).into_iter().flatten());
            }
        }
        seen.retain(|name| self.queues.contains_key(name));
        seen
    }

    /// Every copy that waits in an outgoing queue reaches its computer, which rejects it if the queue is not transactional.
    pub fn deliver(&mut self) {
        for (name, copies) in std::mem::take(&mut self.outgoing) {
            let queue = &self.queues[&name];
            for copy in copies {
                if queue.transactional {
                    self.taken_in.entry(name.clone()).or_default().push(copy.message);
                    continue;
                }
                if let Some(administration_queue) = copy.administration_queue {
                    let acknowledgment = Acknowledgment { message: copy.message.clone(), queue: name.clone() };
                    self.acknowledgments.entry(administration_queue).or_default().push(acknowledgment);
                }
                self.dead_letters.entry(queue.machine.clone()).or_default().push(copy.message);
            }
        }
    }
}
