//! The methods of the role transaction.

use std::collections::BTreeMap;

use crate::call::{Failure, Outcome, Params, INVALID_PARAMS};
use crate::iut::{not_offered, nothing};
use crate::json::{object, Json};
use crate::transaction::{Acknowledgment, TargetQueue, TransactionalMessage, TransactionalSender};

pub fn perform(sender: &mut TransactionalSender, operation: &str, params: Params) -> Outcome {
    match operation {
        "configure" => configure(sender, params),
        "begin" => Ok(object([("transaction", sender.begin().into())])),
        "send" => {
            let number = number(params)?;
            let message = TransactionalMessage {
                message: params.key("message")?,
                destination: params.texts("destination")?,
                administration_queue: match params.has("administration_queue") {
                    true => Some(params.text("administration_queue")?),
                    false => None,
                },
            };
            open(sender.send(number, message))
        }
        "commit" => match sender.commit(number(params)?) {
            Some(committed) => Ok(object([("committed", committed.into())])),
            None => open(false),
        },
        "abort" => open(sender.abort(number(params)?)),
        "fail_queue" => fail_queue(sender, params),
        "deliver" => {
            sender.deliver();
            nothing()
        }
        "state" => Ok(state(sender)),
        _ => not_offered(),
    }
}

fn configure(sender: &mut TransactionalSender, params: Params) -> Outcome {
    let (mut queues, mut lists) = (BTreeMap::new(), BTreeMap::new());
    for item in params.objects("queues")? {
        let (machine, transactional) = (item.text("machine")?, item.boolean("transactional")?);
        queues.insert(item.text("name")?, TargetQueue { machine, transactional, failing: false });
    }
    if params.has("lists") {
        for item in params.objects("lists")? {
            lists.insert(item.text("name")?, item.texts("elements")?);
        }
    }
    sender.configure(queues, lists);
    nothing()
}

fn number(params: Params) -> Result<u64, Failure> {
    params.natural("transaction", u64::MAX)
}

fn open(there_was_one: bool) -> Outcome {
    if there_was_one {
        return nothing();
    }
    Err(Failure::new(INVALID_PARAMS, "transaction: none of this number is open"))
}

fn fail_queue(sender: &mut TransactionalSender, params: Params) -> Outcome {
    let unknown = || Failure::new(INVALID_PARAMS, "queue: no target queue has this name");
    sender.queues.get_mut(&params.text("queue")?).ok_or_else(unknown)?.failing = params.boolean("failing")?;
    nothing()
}

fn state(sender: &TransactionalSender) -> Json {
    let acknowledgment = |it: &Acknowledgment| {
        let (message, queue) = (it.message.clone(), it.queue.as_str().into());
        object([("message", message), ("queue", queue), ("class", "not_transactional_queue".into())])
    };
    object([
        ("outgoing", lists(&sender.outgoing, |copy| copy.message.clone())),
        ("queues", lists(&sender.taken_in, Json::clone)),
        ("dead_letters", lists(&sender.dead_letters, Json::clone)),
        ("acknowledgments", lists(&sender.acknowledgments, acknowledgment)),
    ])
}

/// An object that maps each name to an array of what it holds.
fn lists<T>(held: &BTreeMap<String, Vec<T>>, written: impl Fn(&T) -> Json) -> Json {
    let member =
        |(name, items): (&String, &Vec<T>)| (name.clone(), items.iter().map(&written).collect::<Vec<_>>().into());
    Json::Object(held.iter().map(member).collect())
}
