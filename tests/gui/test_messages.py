"""Messages wait for a window, and newer ones replace older ones of their topic."""

from engine.model.refusal import Rejection
from gui.messages import Level, Message, Messages


def test_messages_wait_until_somebody_listens_and_keep_their_order():
    messages, read = Messages(), list[Message]()
    messages.say("one")
    messages.problem("two")
    messages.listen(read.append)
    messages.say("three")
    assert [each.text for each in read] == ["one", "two", "three"]
    assert messages.waiting == ()


def test_a_newer_message_of_a_topic_replaces_the_waiting_one():
    messages = Messages()
    messages.say("import 10 %", topic="import")
    messages.say("other")
    messages.say("import 90 %", topic="import")
    assert [each.text for each in messages.waiting] == ["other", "import 90 %"]


def test_messages_without_a_topic_are_all_kept():
    messages = Messages()
    messages.say("a")
    messages.say("a")
    assert len(messages.waiting) == 2


def test_after_a_stop_messages_wait_again():
    messages, read = Messages(), list[Message]()
    messages.listen(read.append)
    messages.stop()
    messages.say("late")
    assert read == []
    assert messages.waiting[0].text == "late"


def test_a_refusal_carries_its_place():
    messages, read = Messages(), list[Message]()
    messages.listen(read.append)
    rejection = Rejection(code="walled", sentence="A wall stands there.", token_id="t")
    messages.refuse(rejection)
    assert (read[0].level, read[0].rejection) == (Level.REFUSAL, rejection)
