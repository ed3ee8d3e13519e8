//! The methods of the role ordered_sender.

use crate::call::{Outcome, Params};
use crate::iut::{not_offered, nothing};
use crate::json::{object, Json};
use crate::ordered_sender::{OrderedSender, Transmission};

use super::receiver::MOST_SEQUENCE;

pub fn perform(sender: &mut OrderedSender, operation: &str, params: Params) -> Outcome {
    match operation {
        "enqueue" => {
            let (sequence, previous) = sender.enqueue(&params.key("stream")?, params.key("message")?);
            return Ok(object([("sequence", sequence.into()), ("previous", previous.into())]));
        }
        "transmit" => return messages(sender.transmit(&params.key("stream")?)),
        "order_ack" => sender.order_ack(&params.key("stream")?, params.natural("sequence", MOST_SEQUENCE)?),
        "discard" => sender.discard(&params.key("stream")?, &params.key("message")?),
        "receiver_lost_state" => sender.receiver_lost_state(&params.key("stream")?),
        "restart" => sender.restart(),
        "advance_clock" => return messages(sender.advance_clock(params.seconds()?)),
        _ => return not_offered(),
    }
    nothing()
}

fn messages(sent: Vec<Transmission>) -> Outcome {
    let written = sent.into_iter().map(|it| {
        object([
            ("stream", it.stream),
            ("message", it.message),
            ("sequence", it.sequence.into()),
            ("previous", it.previous.into()),
        ])
    });
    Ok(object([("messages", written.collect::<Vec<Json>>().into())]))
}
