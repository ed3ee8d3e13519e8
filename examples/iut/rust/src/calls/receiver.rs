//! The methods of the role ordered_receiver.

use crate::call::{Failure, Outcome, Params};
use crate::iut::{not_offered, nothing};
use crate::json::{object, Json};
use crate::ordered_receiver::{OrderedReceiver, Place};

/// MS-MQMQ 2.2.20.5
pub const MOST_SEQUENCE: u64 = u32::MAX as u64;

pub fn perform(receiver: &mut OrderedReceiver, operation: &str, params: Params) -> Outcome {
    match operation {
        "receive" => accept(receiver, params, None),
        "receive_in_sequence" => accept(receiver, params, Some(params.natural("sequence_id", u64::MAX)?)),
        "order_ack" => Ok(object([("sequence", receiver.order_ack(&params.key("stream")?).into())])),
        "lose_state" => {
            receiver.lose_state();
            nothing()
        }
        "restart" => {
            receiver.restart();
            nothing()
        }
        "advance_clock" => advance_clock(receiver, params),
        _ => not_offered(),
    }
}

fn accept(receiver: &mut OrderedReceiver, params: Params, sequence_id: Option<u64>) -> Outcome {
    let message = Place {
        sequence_id,
        sequence: params.natural("sequence", MOST_SEQUENCE)?,
        previous: params.natural("previous", MOST_SEQUENCE)?,
    };
    Ok(object([("accepted", receiver.receive(&params.key("stream")?, message).into())]))
}

fn advance_clock(receiver: &mut OrderedReceiver, params: Params) -> Result<Json, Failure> {
    let order_acks = receiver.advance_clock(params.seconds()?).into_iter();
    let written = order_acks.map(|(stream, sequence)| object([("stream", stream), ("sequence", sequence.into())]));
    Ok(object([("order_acks", written.collect::<Vec<Json>>().into())]))
}
