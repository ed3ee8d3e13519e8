"""Then the reply ...: the one step for all sentences about one reply, each with the check that it stands for."""

from mqconform.harness.judge.mqsd_server import protocol_examples, reply, server_array, whole_reply
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import judge_reply
from mqconform.harness.suite.steps import then

SENTENCES: dict[str, ReplyCheck] = {
    **reply.SENTENCES,
    **server_array.SENTENCES,
    **whole_reply.SENTENCES,
    **protocol_examples.SENTENCES,
}


def _enter(sentence: str, check: ReplyCheck) -> None:
    @then(sentence, check)
    def judge_sentence(scene: Scene) -> None:
        """Judge the reply to the last request by the check that the sentence stands for."""
        judge_reply(scene, check)


for _sentence, _check in SENTENCES.items():
    _enter(_sentence, _check)
