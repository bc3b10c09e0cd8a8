"""The frame around the content: who is on the line, a machine, a person wanted, and every way out before the end."""

from __future__ import annotations

import pytest

from obligations import End, Handoff, Listen, PutThrough, Release, Speak, SteeringPolicy, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger import Ledger
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

HEART, HIP = load_pathway("heart-failure-discharge"), load_pathway("hip-knee-after-surgery")
CHECK = {"en": "Are you the patient this call is for?", "pt-PT": "É a pessoa a quem esta chamada se destina?"}
FETCH = {"en": "Could you ask the patient to come", "pt-PT": "Pode chamar o doente ao telefone"}


def a_call(pathway=HEART, language: str = "en", **policy: object) -> ScriptedCall:  # noqa: ANN001
    steering = SteeringPolicy.model_validate(policy)
    return ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language, policy=steering))


def clinical(call: ScriptedCall) -> list[str]:
    """The items outside the opening whose wording was spoken."""
    pathway, language = call.tracker.pathway, call.tracker.language
    said = " ".join(call.spoken)
    return [i for i, item in pathway.items.items() if i not in pathway.opening and item.wording[language] in said]


def play(call: ScriptedCall, *answers: tuple[str, str]) -> Handoff:
    """Answer each sentence of the agent by the first pair whose words it holds; silence otherwise."""

    def patient(last: Speak) -> str | None:
        return next((reply for words, reply in answers if words in last.text), None)

    return call.tracker.handoff(call.run(patient).reason, call.now_s)


def reasons_of(handoff: Handoff) -> set[str]:
    assert handoff.open_items
    assert all(item.reason and item.detail for item in handoff.open_items)
    return {item.detail.rpartition("; ")[2] for item in handoff.open_items}


class TestWhoIsOnTheLine:
    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("en", "No."),
            ("en", "No, I'm her daughter."),
            ("en", "This is his wife."),
            ("en", "I'm not him."),
            ("pt-PT", "Não."),
            ("pt-PT", "Não, sou a filha."),
        ],
    )
    def test_somebody_else_is_asked_to_fetch_the_patient(self, language: str, words: str) -> None:
        """The next sentence asks for the patient, and holds nothing clinical."""
        call = a_call(language=language)
        call.until_listening()
        call.hear(words)

        asked = call.speak()

        assert asked.text.startswith(FETCH[language])
        assert [] == clinical(call)
        assert isinstance(call.move(), Listen)

    @pytest.mark.parametrize(
        ("language", "words", "comes"),
        [
            ("en", "Yes, hang on, I'll get her.", "Hello?"),
            ("en", "She's coming.", "Hello, who is speaking?"),
            ("en", "I'll pass you over to him.", "Speaking."),
            ("pt-PT", "Um momento, vou chamá-la.", "Estou?"),
            ("pt-PT", "Ela já vem.", "Sim, sou eu."),
        ],
    )
    def test_the_patient_who_comes_is_told_and_asked_everything_anew(
        self, language: str, words: str, comes: str
    ) -> None:
        """What the first person heard of the opening counts for nobody; the content begins after a yes of the new."""
        call = a_call(language=language)
        call.until_listening()
        call.hear(words)
        waits = call.speak()
        call.hear(comes)
        anew = " ".join(move.text for move in call.until_listening())
        call.hear("Sim." if language == "pt-PT" else "Yes.")

        assert waits.text in ("Thank you, I will wait.", "Obrigado, eu espero.")
        assert call.tracker.pathway.phrases[language].greeting in anew
        assert call.tracker.pathway.items["disclosure.recorded"].wording[language] in anew
        assert CHECK[language] in anew
        assert ("breathless",) == call.speak().item_ids

    def test_a_yes_to_the_request_is_waited_on_and_a_bounded_time(self) -> None:
        """Nobody comes: after the wait the call ends, to be made again, with every item and that reason."""
        call = a_call()

        handoff = play(call, (CHECK["en"], "No."), (FETCH["en"], "Sure."))

        assert "not_available" == handoff.end_reason
        assert {"the call ended: the patient could not come to the telephone"} <= reasons_of(handoff)
        assert "Thank you, I will wait." in call.spoken
        assert [] == clinical(call)

    @pytest.mark.parametrize(
        ("words", "reason", "said"),
        [
            ("She's not here.", "not_available", "I will ask the team to call another time"),
            ("He is asleep, I'm afraid.", "not_available", "I will ask the team to call another time"),
            ("No, my mother can't come to the phone.", "not_available", "I will ask the team to call another time"),
            ("I'm sorry to say she passed away last week.", "deceased", "I am very sorry."),
            ("You have the wrong number.", "wrong_person", "I am sorry, I have called the wrong person."),
            ("Could you call back later?", "callback_requested", "I will ask the team to call another time"),
        ],
    )
    def test_a_patient_who_cannot_come_ends_the_call_kindly(self, words: str, reason: str, said: str) -> None:
        """One fitting sentence, nothing clinical, every item in the hand-off with its reason."""
        call = a_call()

        handoff = play(call, (CHECK["en"], words))

        assert reason == handoff.end_reason
        assert said in call.spoken[-1]
        assert reasons_of(handoff)
        assert [] == clinical(call)

    def test_who_is_asked_is_told_and_nothing_more(self) -> None:
        """A carer who asks what it is about hears who calls, not why."""
        call = a_call()
        call.until_listening()
        call.hear("No. I'm his carer.")
        call.speak()
        call.hear("What is this about?")
        told = call.speak()

        assert told.text.startswith("Hello, I am calling from the hospital.")
        assert [] == clinical(call)

    def test_the_patient_is_fetched_once(self) -> None:
        """A second person who is not the patient either is not sent for them again."""
        call = a_call()
        call.until_listening()
        call.hear("I'll get her.")
        call.speak()
        call.hear("Hello?")
        call.until_listening()
        call.hear("No, I'm her neighbour.")

        handoff = call.tracker.handoff(call.run(lambda last: None).reason, call.now_s)

        assert "not_available" == handoff.end_reason
        assert 0 == sum(FETCH["en"] in text for text in call.spoken)

    def test_later_in_the_call_the_same_words_mean_nothing(self) -> None:
        """A patient who says of somebody "he's out" goes on with the call."""
        call = a_call()
        call.until_listening()
        call.hear("Yes, speaking.")
        call.speak()
        call.hear("No. My husband is out.")
        assert ("breathless",) == call.speak().item_ids, "words beside a no that nobody could read: one confirmation"
        call.hear("No.")

        assert ("swelling",) == call.speak().item_ids

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("en", "The patient is my mother."),
            ("en", "I can call the patient."),
            ("en", "Yes, he's here."),
            ("en", "This call is for my wife, I think."),
            ("pt-PT", "A pessoa é a minha mãe."),
            ("pt-PT", "Esta chamada é para a minha mulher."),
            ("pt-PT", "Chamo-a já."),
            ("pt-PT", "Sim, está aqui."),
        ],
    )
    def test_words_that_only_name_the_patient_are_no_yes(self, language: str, words: str) -> None:
        """The check is passed by a yes to "is that you?", never by words that fit its wording."""
        call = a_call(language=language)
        call.until_listening()
        call.hear(words)

        call.until_listening()

        assert [] == clinical(call)

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("en", "Speaking."),
            ("en", "This is she."),
            ("en", "Yes, that's me."),
            ("en", "I am the patient."),
            ("en", "Yes, this is Mary."),
            ("pt-PT", "Sou eu."),
            ("pt-PT", "Sim, é o próprio."),
        ],
    )
    def test_the_patient_may_say_so_in_other_words(self, language: str, words: str) -> None:
        """An "it's me" is the yes that the check needs."""
        call = a_call(language=language)
        call.until_listening()
        call.hear(words)

        assert ("breathless",) == call.speak().item_ids

    def test_a_goodbye_before_the_check_gets_no_clinical_answer(self) -> None:
        """Whoever asks about salt before saying who they are is told nothing of it."""
        call = a_call()
        call.speak()
        call.hear("How much salt am I allowed? I have to go.")

        play(call)

        assert [] == clinical(call)

    def test_a_replay_knows_who_is_on_the_line(self) -> None:
        """The events rebuild the ledger, the change of person included."""
        call = a_call()
        call.until_listening()
        call.hear("I'll get her.")
        call.speak()
        call.hear("Hello?")

        again = Ledger.replay(HEART, call.tracker.events)

        assert 1 == again.call.party_changes
        assert call.tracker.ledger.digest() == again.digest()


class TestMachines:
    def waiting(self) -> ScriptedCall:
        call = a_call()
        call.tracker.await_signal("human-answered", 5.0, 0.0)
        return call

    def test_nothing_is_said_until_it_is_known_who_answered(self) -> None:
        """The agent listens, and the guard of an early end waits as well."""
        call = self.waiting()

        assert Listen(5.0) == call.move()
        assert Listen(5.0) == call.tracker.may_end("end_frame", 0.1)

    def test_a_machine_hears_not_one_word(self) -> None:
        """Its greeting answers nothing, and stands in the hand-off as words; every item is open for that reason."""
        call = self.waiting()
        call.hear("You have reached the voicemail of the Smiths. Please call back later, or leave a message.")
        call.tracker.signal("human-answered", False, 3.0)

        handoff = play(call)

        assert "voicemail" == handoff.end_reason
        assert [] == call.spoken
        assert () == handoff.requests
        assert "You have reached" in handoff.other_words[0].text
        assert {"the call ended: a machine answered"} == reasons_of(handoff)

    def test_a_person_is_greeted_and_what_they_said_counts(self) -> None:
        """A "wrong number" said before the verdict is heard after it."""
        call = self.waiting()
        call.hear("Hello? I think you have the wrong number.")
        call.tracker.signal("human-answered", True, 3.0)

        assert call.speak().text.startswith("I am sorry, I have called the wrong person.")

    def test_without_a_verdict_the_agent_speaks_after_the_wait(self) -> None:
        """A person who picks up and says nothing is greeted; the check still stands before any content."""
        call = self.waiting()
        call.now_s = 5.1

        assert ("disclosure.automated", "disclosure.recorded") == call.speak().item_ids[:2]

    def test_a_machine_taken_for_a_person_hears_nothing_clinical(self) -> None:
        """A wrong verdict leaves the right-party check, which a machine cannot pass."""
        call = self.waiting()
        call.hear("Hi, this is Sam.")
        call.tracker.signal("human-answered", True, 2.0)

        handoff = play(call)

        assert handoff.end_reason in ("silence", "not_verified")
        assert [] == clinical(call)
        assert reasons_of(handoff)


class TestTransfer:
    def test_a_person_who_is_wanted_is_put_on_the_line(self) -> None:
        """One sentence, then the transfer; the hand-off says that a person took over and names what is open."""
        call = a_call(transfer=True)
        call.until_listening()
        call.hear("Yes. But I want to talk to a real person.")
        said = call.speak()
        move = call.move()
        call.tracker.transferred("wants_person", None, True, call.now_s)

        assert said.text.startswith("I am putting you through")
        assert PutThrough("wants_person") == move
        assert End("transferred") == call.move()
        handoff = call.tracker.handoff("transferred", call.now_s)
        assert {"transferred"} == {item.reason for item in handoff.open_items}
        assert handoff.transfers[0].accepted

    def test_a_transfer_that_fails_is_said_and_stands_in_the_hand_off(self) -> None:
        """The patient is told, the call ends, the team learns why."""
        call = a_call(transfer=True)
        call.until_listening()
        call.hear("I want to talk to a real person.")
        call.speak()
        call.tracker.transferred("wants_person", None, False, call.now_s, "busy")
        told = call.speak()

        assert told.text.startswith("I could not put you through")
        assert End("wants_person") == call.move()
        handoff = call.tracker.handoff("wants_person", call.now_s)
        assert (False, "busy") == (handoff.transfers[0].accepted, handoff.transfers[0].detail)

    def flagged(self, **policy: object) -> ScriptedCall:
        call = a_call(HIP, **policy)
        for words in ("Yes.", "No.", "Yes.", "Yes."):  # the patient; no calf; chest pain; right now
            call.until_listening()
            call.hear(words)
        return call

    def test_a_red_flag_is_put_through_after_what_it_must_hear(self) -> None:
        """The ambulance is named first, then the emergency line is put on."""
        call = self.flagged(transfer=True)
        call.speak()

        assert any("call an ambulance" in text for text in call.spoken)
        assert PutThrough("red_flag", "emergency") == call.move()

    def test_a_failed_transfer_of_a_red_flag_lets_the_call_go_on(self) -> None:
        """It is said once, and what is left is still asked."""
        call = self.flagged(transfer=True)
        call.speak()
        call.tracker.transferred("red_flag", "emergency", False, call.now_s, "timeout")
        told = call.speak()
        after = call.speak()

        assert told.text.startswith("I could not put you through")
        assert ("wound",) == after.item_ids

    def test_without_a_way_to_transfer_nothing_is_promised(self) -> None:
        """Nobody is told that they will be put through when nobody can be."""
        call = self.flagged()
        play(call)

        assert not any("putting you through" in text for text in call.spoken)

    def test_the_guard_lets_a_transferred_call_go(self) -> None:
        """The line belongs to a person now."""
        call = self.flagged(transfer=True)
        call.tracker.transferred("red_flag", "emergency", True, call.now_s)

        verdict = call.tracker.may_end("end_frame", call.now_s)

        assert isinstance(verdict, Release)
        assert "transferred" == verdict.why


@pytest.mark.parametrize(
    ("words", "reason", "why"),
    [
        ("I don't want to be recorded.", "objected", "the recording or the automated call was refused"),
        ("I won't talk to a machine.", "objected", "the recording or the automated call was refused"),
        ("Can I speak to a nurse?", "wants_person", "the patient asked for a person"),
        ("It's not a good time, call me tomorrow after three.", "callback_requested", "asked to call another time"),
    ],
)
def test_a_call_that_is_refused_ends_with_every_item_and_its_reason(words: str, reason: str, why: str) -> None:
    """The request stands in the hand-off in the words it was made in."""
    call = a_call()

    handoff = play(call, (CHECK["en"], words))

    assert reason == handoff.end_reason
    assert {f"the call ended: {why}"} <= reasons_of(handoff)
    assert [words] == [made.quote for made in handoff.requests_made]


def test_a_silent_line_is_asked_again_and_closed() -> None:
    """The check is put a bounded number of times, then the silence line, then the hand-off."""
    call = a_call()

    end = call.run(lambda last: None)

    assert "silence" == end.reason
    assert 1 < sum(CHECK["en"] in text for text in call.spoken) <= 4
    assert reasons_of(call.tracker.handoff(end.reason, call.now_s))
