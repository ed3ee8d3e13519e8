// The roles `ordered_receiver` and `ordered_sender`.

import { OrderedReceiver } from "../ordered_receiver.mjs";
import { OrderedSender } from "../ordered_sender.mjs";

export const orderedReceiverOperations = () => {
  const receiver = new OrderedReceiver();
  const numbers = (params) => ({ sequence: params.count("sequence"), previous: params.count("previous") });
  return {
    "ordered_receiver.receive": (params) => ({ accepted: receiver.receive(params.key("stream"), numbers(params)) }),
    "ordered_receiver.receive_in_sequence": (params) => {
      const sequenceId = params.wideCount("sequence_id");
      return { accepted: receiver.receive(params.key("stream"), { ...numbers(params), sequenceId }) };
    },
    "ordered_receiver.order_ack": (params) => ({ sequence: receiver.orderAck(params.key("stream")) }),
    "ordered_receiver.lose_state": () => {
      receiver.loseState();
      return {};
    },
    "ordered_receiver.restart": () => {
      receiver.restart();
      return {};
    },
    "ordered_receiver.advance_clock": (params) => ({ order_acks: receiver.advanceClock(params.microseconds("seconds")) }),
  };
};

export const orderedSenderOperations = () => {
  const sender = new OrderedSender();
  return {
    "ordered_sender.enqueue": (params) => {
      const { sequence, previous } = sender.enqueue(params.key("stream"), params.key("message"));
      return { sequence, previous };
    },
    "ordered_sender.transmit": (params) => ({ messages: sender.transmit(params.key("stream")) }),
    "ordered_sender.order_ack": (params) => {
      sender.orderAck(params.key("stream"), params.count("sequence"));
      return {};
    },
    "ordered_sender.discard": (params) => {
      sender.discard(params.key("stream"), params.key("message"));
      return {};
    },
    "ordered_sender.receiver_lost_state": (params) => {
      sender.receiverLostState(params.key("stream"));
      return {};
    },
    "ordered_sender.restart": () => {
      sender.restart();
      return {};
    },
    "ordered_sender.advance_clock": (params) => ({ messages: sender.advanceClock(params.microseconds("seconds")) }),
  };
};
