"""Each kind of emergency in the many ways people tell of it, about themselves and about somebody with them."""

from __future__ import annotations

import pytest

from obligations.pathway.emergencies import emergencies, is_entry, pattern_of

pytestmark = pytest.mark.unit

TOLD = {
    "en": {
        "heart": (
            "My chest feels really tight",
            "My chest's hurting",
            "There's a tight band round my chest",
            "I've had this crushing pain across my chest since this morning",
            "The pain is going down my left arm and into my jaw",
        ),
        "breathing": (
            "I'm struggling for breath",
            "I'm really out of breath just sitting here",
            "She's gasping for air",
            "His lips have gone blue",
            "He has stopped breathing",
            "There's something stuck in my throat",
            "My wife is choking",
        ),
        "stroke": (
            "Her speech has gone all slurred",
            "One side of my body has gone numb",
            "My husband's face has dropped on one side",
            "He's confused and can't get his words out",
        ),
        "bleeding": (
            "The wound is bleeding and it's not stopping",
            "I'm coughing up blood",
            "Blood keeps running down my leg",
        ),
        "unconscious": ("I can't wake my husband up", "He's fitting", "She just lost consciousness"),
        "allergy": (
            "My tongue and lips are swelling up",
            "My throat is closing up",
            "I've come out in hives and my face is swollen",
        ),
        "loss-of-sight": (
            "Everything's gone black in my left eye",
            "My sight's gone",
            "I can only see half of everything",
            "I've no sight in it at all",
            "Everything's black",
            "The sight in that eye has gone",
        ),
        "self-harm": (
            "I don't want to live",
            "I don't really want to live any more",
            "I want to die",
            "I wish I was dead",
            "They'd be better off without me",
            "I don't see the point in living any more",
            "I've been thinking about ending it all",
            "Life isn't worth living",
            "I might do something silly",
        ),
        "overdose": (
            "I took too many of my tablets",
            "I've swallowed the whole packet of paracetamol",
            "I took a double dose",
            "I've taken all the morphine",
        ),
        "injury": (
            "I fell down the stairs and hit my head",
            "I've fallen and I can't get up",
            "She's lying on the floor",
            "I got bleach in my eye",
            "I got bleach in it",
            "I've had a bang to the eye",
        ),
        "danger": (
            "There's smoke coming from the kitchen",
            "The house is on fire",
            "My husband keeps hitting me",
            "I was attacked",
        ),
        "help-wanted": ("Send help please", "I need a doctor right now", "I think I'm dying"),
    },
    "pt-PT": {
        "heart": (
            "Estou com um aperto muito forte no peito",
            "Tenho uma dor no peito que vai para o braço",
            "Sinto uma cinta à volta do peito",
        ),
        "breathing": ("Ele está a ficar sem ar", "Ela engasgou-se", "O meu marido não consegue respirar"),
        "stroke": ("A boca dele ficou de lado", "Não mexo o braço", "Tenho um lado dormente"),
        "bleeding": ("Estou a sangrar do olho", "Vomitei sangue"),
        "unconscious": ("O meu marido não acorda", "Não consigo acordá-lo"),
        "allergy": ("Tenho a língua a inchar", "A garganta está a fechar"),
        "loss-of-sight": ("Ceguei", "Apagou-se a luz", "A vista desse olho foi-se"),
        "self-harm": (
            "Já não quero viver",
            "Tenho medo de fazer uma asneira",
            "Não quero viver assim",
            "Quero morrer",
            "Mais valia estar morta",
            "A vida não vale a pena, não vale a pena viver",
        ),
        "overdose": ("Tomei comprimidos a mais", "Engoli a caixa toda"),
        "injury": ("Caí e não me levanto", "Bati com a cabeça", "Caí pelas escadas"),
        "danger": ("A cozinha está a arder", "O meu marido bate-me"),
        "help-wanted": ("Preciso de ajuda já", "Acho que vou morrer"),
    },
}
NOT_TOLD = {
    "en": (
        "My brother had a stroke ten years ago",
        "My mum died of a heart attack when I was six",
        "I never feel suicidal or anything like that",
        "I'd kill for a cup of tea",
        "I want to live a long time yet",
        "I hit my head on the cupboard years ago",
        "I took my tablets this morning with breakfast",
        "I've taken all my tablets",
        "Everything's fine",
        "The pain in that eye has gone",
        "I didn't get bleach in it",
        "I was scared I might do something silly like rub it",
        "My wife's choking up about the wedding",
        "I haven't fallen",
        "My face isn't swollen",
        "My eye feels like it's on fire",
        "The fire is nice and warm here",
        "What should I do if I can't breathe",
        "I would call you if I had chest pain",
        "I was asked about chest pain yesterday too",
        "The dog collapsed on the sofa after his walk",
        "My phone is dying so be quick",
        "There was a little spot of blood on the dressing last week",
        "A bit short of breath on the stairs, as before",
    ),
    "pt-PT": (
        "O meu pai teve um AVC há vinte anos",
        "Nunca pensei em morrer",
        "Não quero viver noutra cidade",
        "Não caí",
        "Tomei os comprimidos hoje de manhã",
        "O meu gato engasgou-se ontem",
        "Não tenho falta de ar",
        "Fiz um raio-x ao peito no ano passado",
    ),
}
_TOLD = [(lang, kind, text) for lang, kinds in TOLD.items() for kind, texts in kinds.items() for text in texts]


@pytest.mark.parametrize(("language", "kind", "text"), _TOLD)
def test_a_kind_is_known_in_other_words_too(language: str, kind: str, text: str) -> None:
    """In the first person and about somebody beside the patient."""
    assert kind in emergencies(language).told(text)
    assert kind in emergencies(language).told(f"No. {text}, I am afraid.")


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, texts in NOT_TOLD.items() for text in texts])
def test_denials_others_long_ago_and_turns_of_phrase_are_none(language: str, text: str) -> None:
    """They are words of an ordinary call."""
    assert () == emergencies(language).told(text)


def test_a_gap_reaches_over_three_words_and_over_no_denial() -> None:
    """And an entry of nothing but a gap is none."""
    found = pattern_of(("face _ swollen",))

    assert found.search("face is all very swollen ")
    assert not found.search("face is just now so swollen ")
    assert not found.search("face isnt swollen ")
    assert not is_entry("_") and is_entry("face _ swollen")
