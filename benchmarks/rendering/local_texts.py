"""What the local models are measured on: our own words, written before the first measurement and not changed after."""

from __future__ import annotations

SENTENCES = (
    "If your eye becomes red, painful, or you see flashes of light, call the eye clinic on the same day.",
    "Have you noticed any pain in the eye since the operation?",
    "Please do not rub the eye, and wear the shield at night for the first week.",
    "Bright light can feel uncomfortable for a few days, so sunglasses help.",
    "You can take 500 mg of paracetamol, but no more than eight tablets in 24 hours.",
    "This call is recorded, and I am a computer program, not a nurse.",
    "I have told the clinic that you would like to be called back on Thursday at 4 p.m.",
    "Use the drops four times a day until the bottle is empty.",
    "Do you see any new floaters, or a curtain across your sight?",
    "Thank you for your time, and goodbye.",
)

LINES = {
    "other": "Thank you, I have noted that.",
    "no": "Okay, no. Thank you.",
    "yes": "Okay, yes. Thank you.",
    "question": "Let me answer that.",
}

REPLIES = {
    "no": (
        "No, it isn't red.",
        "No.",
        "No, none.",
        "Not at all.",
        "No, no pain.",
        "Nope, nothing.",
        "No, it's clear.",
        "No, I don't think so.",
        "Definitely not.",
        "None at all.",
        "No, thank God.",
        "No, they are gone.",
    ),
    "yes": (
        "Yes.",
        "Yes, it hurts.",
        "Yeah, a bit.",
        "It does, yes.",
        "Yes, there were flashes.",
        "Yes, my eye got red.",
        "Yes, I do.",
        "Yes, quite a lot of pain.",
        "Yep.",
        "I think so, yes.",
        "Yes, since Monday.",
        "Yes, in the left eye.",
    ),
    "question": (
        "When can I drive again?",
        "Where do I park on Thursday?",
        "Sorry, wait, when can I drive again?",
        "How long does it take to heal?",
        "Could you tell me if light is bad for it?",
        "No, it isn't red. But is it normal that bright light bothers me?",
        "What should I do about the itching?",
        "Can I wash my hair?",
        "Is it okay to read?",
        "Do I keep using the drops?",
        "Who do I call at night?",
        "Yes, it is. Why is that?",
    ),
    "other": (
        "I went to the shop with my daughter.",
        "The nurse put on the shield.",
        "I took the drops this morning.",
        "My husband drives me.",
        "I am seventy two years old.",
        "It feels about the same as before.",
        "I slept in the chair.",
        "My son reads the leaflet to me.",
        "They gave me a card at the clinic.",
        "I have two cats.",
        "It was on Tuesday.",
        "The doctor looked at it.",
    ),
}
