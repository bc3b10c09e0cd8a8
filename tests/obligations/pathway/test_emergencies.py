"""The table of emergencies: known by the words people use; denials, other times and small talk are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obligations.pathway import list_pathways
from obligations.pathway.emergencies import emergencies, emergency_kinds, is_entry

pytestmark = pytest.mark.unit

TOLD = {
    "en": [
        "There is a curtain over my eye since yesterday.",
        "I can't see anything out of that eye.",
        "I think I'm having a stroke, call an ambulance.",
        "I've gone blind.",
        "No, blind.",
        "just darkness",
        "My sight has gone.",
        "I cannot see.",
        "it's like a curtain coming down",
        "there's a dark shadow in the corner of my eye",
        "everything went black",
        "I've lost my sight in that eye",
        "I have lost the vision in my left eye",
        "I've got chest pain",
        "there's a pain in my chest",
        "I can't breathe",
        "please call an ambulance",
        "she's unconscious",
        "he has collapsed",
        "I'm bleeding heavily",
        "it won't stop bleeding",
        "blood everywhere",
        "there is so much blood",
        "Help me!",
        "no i cant see anything out of that eye",
        "my face is drooping",
        "I can't move my left arm",
        "I think it's a heart attack",
        "he is not responding",
        "I'm going to pass out",
        "I want to kill myself",
        "I can hardly see",
        "I'm blind in that eye",
        "no no no I can't see",
        "I went completely blind this morning",
        "I can't see a thing",
        "My vision went this morning",
        "my sight went this morning",
        "I don't know, I can't see with it",
        "Yes, and my sight went this morning, got to go, bye.",
        "The eye has gone dark",
        "I'm losing my sight",
        "Someone call 999",
        "get me an ambulance",
        "I need an ambulance",
        "It is an emergency",
        "I don't think I can breathe",
        "I'm not well I think I am having a stroke",
        "I do not feel well I think I'm having a stroke",
        "It all went dark",
        "There was a shadow over my vision",
        "It's as if a veil came down",
        "I can only see darkness",
        "I just see black",
    ],
    "pt-PT": [
        "Não vejo nada desse olho.",
        "Não vejo.",
        "Deixei de ver.",
        "Perdi a visão.",
        "Fiquei cega.",
        "Tenho uma cortina à frente do olho.",
        "Há uma sombra no olho.",
        "Vejo tudo preto.",
        "Acho que estou a ter um AVC, chame uma ambulância.",
        "Tenho uma dor no peito.",
        "Dói-me o peito.",
        "Não consigo respirar.",
        "Ela desmaiou.",
        "Está inconsciente.",
        "Estou a sangrar muito.",
        "Não para de sangrar.",
        "Socorro!",
        "Não, não vejo nada.",
        "não não vejo nada",
        "Chame o 112.",
        "Preciso de uma ambulância, já.",
        "É uma emergência.",
        "Quase não vejo.",
        "Mal consigo ver.",
        "Ficou tudo escuro.",
        "A vista foi-se.",
        "Estou a perder a visão.",
        "Quero matar-me.",
        "Não sinto o braço.",
        "Falta-me o ar.",
        "Não vejo do olho esquerdo",
        "Estou cego.",
        "Já não vejo nada",
        "Ligue para o 112",
        "A minha boca está torta",
    ],
}
NOT_TOLD = {
    "en": [
        "No.",
        "No chest pain.",
        "I'm not having a stroke.",
        "I haven't lost my sight.",
        "I can't see any redness.",
        "I can't see why.",
        "I can't see anything wrong.",
        "I can't see anything red.",
        "No redness or chest pain.",
        "My mother had a stroke.",
        "I had a stroke ten years ago.",
        "What if I can't see?",
        "When should I call an ambulance?",
        "I don't think I'm having a stroke.",
        "I closed the curtains.",
        "No shadow.",
        "I have no trouble breathing.",
        "no bleeding",
        "I can see fine.",
        "I never fainted.",
        "No, no pain in my chest.",
        "I can't see any floaters",
        "Before the operation I could hardly see.",
        "Is it normal that bright light hurts?",
        "I drew the curtain.",
        "It's dark outside",
        "No need to call an ambulance",
        "I didn't pass out",
        "I'm not blind.",
        "I see nothing unusual",
        "I can't see the screen",
        "There's no curtain or anything",
        "It's a bit blurry",
        "The doctor said it was fine.",
        "My vision is fine.",
        "I have a shadow under my eye",
        "It is not an emergency.",
    ],
    "pt-PT": [
        "Não.",
        "Não tenho dor no peito.",
        "Não vejo vermelhidão.",
        "Não vejo nada de mal.",
        "Não estou cego.",
        "Nunca desmaiei.",
        "Sem dor no peito.",
        "A minha mãe teve um AVC.",
        "Fechei a cortina.",
        "E se eu não conseguir respirar?",
        "Não perdi a visão.",
        "Vejo bem.",
        "Não acho que seja um AVC",
        "Não vejo moscas volantes",
        "Não é uma emergência.",
        "Antes da operação não via nada.",
        "Não vejo nada de novo",
    ],
}
# Every kind must be known in both languages: kind -> one plain sentence in each.
ONE_EACH = {
    "loss-of-sight": ("I have lost my sight.", "Perdi a visão."),
    "stroke": ("I am having a stroke.", "Estou a ter um AVC."),
    "heart": ("I have chest pain.", "Tenho dor no peito."),
    "breathing": ("I can't breathe.", "Não consigo respirar."),
    "help-wanted": ("Please call an ambulance.", "Chame uma ambulância."),
    "unconscious": ("She is unconscious.", "Ela está inconsciente."),
    "bleeding": ("I am bleeding heavily.", "Estou a sangrar muito."),
    "self-harm": ("I want to kill myself.", "Quero matar-me."),
    "overdose": ("I took too many tablets.", "Tomei comprimidos a mais."),
    "allergy": ("My tongue is swelling up.", "Tenho a língua a inchar."),
    "injury": ("I fell down the stairs.", "Caí pelas escadas."),
    "danger": ("The kitchen is on fire.", "A cozinha está a arder."),
}


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, texts in TOLD.items() for text in texts])
def test_what_people_say_is_recognised(language: str, text: str) -> None:
    """However it is punctuated and written."""
    table = emergencies(language)

    assert table.told(text)
    assert table.told(text.upper().replace("'", "\u2019"))
    assert table.told(f"Uh. {text.rstrip('.!')}. Bye.") == table.told(text)


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, texts in NOT_TOLD.items() for text in texts])
def test_denials_other_times_and_plain_answers_are_none(language: str, text: str) -> None:
    """A false alarm costs a question or a person's time: the ordinary words of a call must not raise one."""
    assert emergencies(language).told(text) == ()


@pytest.mark.parametrize("kind", ONE_EACH)
@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_every_kind_is_known_in_every_language(kind: str, language: str) -> None:
    """And named as what it is."""
    assert kind in emergencies(language).told(ONE_EACH[kind][language != "en"])
    assert set(ONE_EACH) == emergency_kinds()


def test_a_language_without_a_table_recognises_nothing_and_a_dialect_uses_its_own() -> None:
    """No guess in another language's words."""
    assert emergencies("de").told("I am having a stroke.") == ()
    assert emergencies("en-GB").told("I am having a stroke.") == ("stroke",)


def test_the_table_is_no_pathway() -> None:
    """It lies beside them."""
    assert "emergencies" not in list_pathways()


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """Nothing a recogniser writes raises."""
    for language in ("en", "pt-PT"):
        assert set(emergencies(language).told(text)) <= emergency_kinds()


@pytest.mark.parametrize(
    ("entry", "good"),
    [
        ("cant|cannot see", True),
        ("^ blind $", True),
        ("see at? all", True),
        ("dark*", True),
        ("", False),
        ("^ $", False),
    ]
    + [("very?", False), ("see (all", False), ("a [b", False), ("see. all", False), ("see||all", False)],
)
def test_the_form_of_an_entry(entry: str, good: bool) -> None:
    """An entry of nothing but what may be left out would match everything."""
    assert is_entry(entry) is good
