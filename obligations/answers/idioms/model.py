"""The shape of one language's dialogue idioms.

Owns how idioms are written down: patterns over *flat* clauses (folded words, contractions opened, one blank between, no
punctuation).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Idioms:
    """One language's idioms of answering.

    Parameters:
        language: Base language of the idioms.
        limits: Beside a yes or no: limits, other times and other verbs, which cost one confirmation.
        past_asked: Asks about a stretch of time up to now. only_now: speaks of this moment or day only.
        no_more: It was so and is so no longer.
        is_it_you: The right-party question without a word of its own, flat.
        kin: Words by which somebody on the line says that they are somebody else. names_oneself: how one says who one
            is.
        articles: Words for one that are articles as well.
        fillers: Words that only hold the floor; dropped before reading.
        yes: Whole clauses that mean yes. no: the same for no.
        soft_yes: Whole clauses that lean to yes. soft_no: to no.
        some: Limits or amounts that presuppose the thing asked for ("only when I blink").
        murmur_yes: Sounds that are a yes after a yes/no question. murmur: sounds that could be anything.
        ack: Listening tokens; no answer to a question of fact. consent: leave given.
        agree: Agreement with the statement made ("that's right").
        unsure: Does not know, or does not settle it.
        refuse: Declines the question. refuse_act: declines to do what the value would need.
        go_on: Invites the question or tells the agent to carry on. hold: asks for time.
        hearing: Says only that the line works. repeat: asks to hear it again.
        correct: Announces that what follows replaces what came before.
        shift: Opens another topic. condition: takes a yes back or makes it depend.
        echo: Auxiliary echo; named groups "neg" when negated.
        negators: Words that negate. concord: words that only strengthen an earlier negation (Portuguese).
        double_negative: Clauses whose negations cancel to a yes of what was negated.
        good: States and acts that are well. bad: that are not.
        supports: a person is at hand. alone: nobody is.
        permission: Questions that ask leave. mind: questions that ask whether one objects.
        telling: Verbs that tell of a symptom by themselves ("hurts"); an answer only where it was asked about.
        ill_seen: Sees badly, double or less, where sight is asked about. sight: the words by which it is.
        occasion: An occasion on which it happens, said as a statement ("when I rub it").
        question_start: How a question begins when no question mark survived.
        tag_after_negative: The tag that follows a negative statement. tag_after_positive: the other.
        negative_question: Questions that are negative in form.
        alternative: A trailing alternative clause in a question.
        how_many: number questions. how_often: scale or choice. when: date. how_long: duration. open_value: text.
        stop: Words that carry no focus. topics: words that say where, not what. inverse: verbs of not doing. antonyms:
            pairs, either way.
        other_day: Names a day other than today. this_day: asks about today. future: still to be done.
        comparative: Questions about a change. same: replies of no change. half_negated: a negation that leaves some.
        none_words: Words for zero. vague: amounts too vague for a number. not_a_number: number words used as something
            else.
        approx: About so many. bound: only a bound, not a number. bound_after: the same, behind it. option_or: the word
            before the last option.
        objects: No leave, or no time for it now. every: Asks for a whole ("every day"), so that "mostly" does not
            settle it.
        anyone: Asks if anybody did it. someone_did: names who. nobody_did: says nobody.
        about_other: Asks about somebody other than the listener ("is the baby feeding well"). counts: words for so many
            times.
        ceased: Left it off, forgot it or ran out: what was asked for is not done. unable: could not do it.
        breath_gone: The words deny, and what they deny is being able to breathe.
        relative: Speaks of somebody else. affirms: a plain affirmative, after a correction.
        any_asked: Asks for any at all, so that a number answers. lacks: cannot give the value.
        heads: Yes and no words that part from what follows. after_head: what may follow them without a comma.
        polite: Correction words that at the end of a reply are only politeness.
        third_subject: The reply speaks of the patient in the third person.
        carer: The speaker says that they are somebody else, or speak for the patient.
        relay: The speaker passes on what another says.
        room: Talk to others in the room.
        synonyms: Symptom and care words, each group one meaning.
        leading: Words that may open a clause without meaning. splitters: words that begin a new clause.
        support_question: Asks whether somebody is at hand. good_asked: what is asked for is a good thing.
        first_person: The first-person form of a verb asked in the third (Portuguese echo answers). echo_frame: words
            that may stand beside it.
        joining: What joins two things said. second_denials: a denial beside one that went before. denies_next: words
            that deny what follows the joint. beginning: words that begin a clause there. definite: articles that do,
            when the clause goes on behind its noun.
        asks_after: Words that may stand before a question's asking words. examples: opens examples. so_many: what
            stands behind `option_or` when no thing is named ("or more").
        third: Pronouns for somebody else. breath: what breath is called. for_self: how one speaks for oneself.
        absence: Words that ask for an absence. absence_first: a question that opens with one is no such question.
        foreign_units: Units that no value is read in. scale_after: between a number and the end of its scale. over:
            between two numbers that are one value ("120 over 80").
        strengthens: Only underlines a double negative before it ("not in eleven years").
        dialect_denial: A denial that a second one only underlines ("I ain't had no ...").
        agreement_asked: the tag that "right" answers.
        things: Pronouns for things, or somebody else.
        first_of_two: ask for the first of two numbers ("the top one"). second_of_two: for the second. one_reading:
            ask for a reading that counts no things.
        mild: softens what it stands beside ("kind of a whiff"). cleft: "it is X that ..."; the group is X.
            asking_last: a clause that ends so asks ("share what?"). light: verbs that say little without what follows.
            total: the number behind it is the sum.
        circumstance: only when or where, which takes a symptom for granted ("on the stairs").
        mending: words alone between two numbers by which the second replaces the first. once_so: it was so many before.
            only_one: names one without the number.
        calls: asked alone, whether the line still holds ("hello?").
        alone_asked: asks whether one does it, or is, alone.
        no_one: denies that anybody is there, and so affirms being alone.
        either: Leaves it open between two amounts. hour: a number is the time of day; "#" stands for it. hour_asked:
            words by which that was asked. age: it may be somebody's age. age_asked: asked. age_told: it surely is.
        hum: A sound alone that is neither a yes nor a pause.
        adjunct: Where a question's "when" or "since when" begins.
        open_ends: Words that end no clause: what stops behind one was left in the air. vouching: says that another is
            right, or wrong, and no more. long_ago: a time before any follow-up. any_of: asks whether there are any.
            elliptic: names some without saying of what ("got a couple on my toes").
        replaces: Between two choices, the second replaces the first. not_this: denies what follows it at once.
            takes_back: before a number, words that take back the one before.
    """

    language: str
    limits: re.Pattern[str]
    past_asked: re.Pattern[str]
    only_now: re.Pattern[str]
    no_more: re.Pattern[str]
    is_it_you: frozenset[str]
    kin: re.Pattern[str]
    names_oneself: re.Pattern[str]
    articles: frozenset[str]
    fillers: re.Pattern[str]
    yes: re.Pattern[str]
    no: re.Pattern[str]
    soft_yes: re.Pattern[str]
    soft_no: re.Pattern[str]
    some: re.Pattern[str]
    murmur_yes: re.Pattern[str]
    murmur: re.Pattern[str]
    ack: re.Pattern[str]
    consent: re.Pattern[str]
    agree: re.Pattern[str]
    unsure: re.Pattern[str]
    refuse: re.Pattern[str]
    refuse_act: re.Pattern[str]
    go_on: re.Pattern[str]
    hold: re.Pattern[str]
    hearing: re.Pattern[str]
    repeat: re.Pattern[str]
    correct: re.Pattern[str]
    shift: re.Pattern[str]
    condition: re.Pattern[str]
    echo: re.Pattern[str]
    negators: frozenset[str]
    concord: frozenset[str]
    double_negative: re.Pattern[str]
    good: re.Pattern[str]
    bad: re.Pattern[str]
    supports: re.Pattern[str]
    alone: re.Pattern[str]
    support_question: re.Pattern[str]
    permission: re.Pattern[str]
    mind: re.Pattern[str]
    telling: frozenset[str]
    ill_seen: re.Pattern[str]
    sight: frozenset[str]
    occasion: re.Pattern[str]
    question_start: re.Pattern[str]
    tag_after_negative: re.Pattern[str]
    tag_after_positive: re.Pattern[str]
    negative_question: re.Pattern[str]
    alternative: re.Pattern[str]
    how_many: re.Pattern[str]
    how_often: re.Pattern[str]
    when: re.Pattern[str]
    how_long: re.Pattern[str]
    open_value: re.Pattern[str]
    stop: frozenset[str]
    topics: frozenset[str]
    other_day: re.Pattern[str]
    this_day: re.Pattern[str]
    future: re.Pattern[str]
    comparative: re.Pattern[str]
    same: re.Pattern[str]
    half_negated: re.Pattern[str]
    none_words: frozenset[str]
    vague: re.Pattern[str]
    not_a_number: re.Pattern[str]
    approx: re.Pattern[str]
    bound: re.Pattern[str]
    bound_after: re.Pattern[str]
    option_or: str
    polite: frozenset[str]
    objects: re.Pattern[str]
    every: re.Pattern[str]
    anyone: re.Pattern[str]
    someone_did: re.Pattern[str]
    nobody_did: re.Pattern[str]
    about_other: re.Pattern[str]
    counts: Mapping[str, int]
    ceased: re.Pattern[str]
    breath_gone: re.Pattern[str]
    unable: re.Pattern[str]
    relative: re.Pattern[str]
    affirms: re.Pattern[str]
    any_asked: re.Pattern[str]
    lacks: re.Pattern[str]
    heads: frozenset[str]
    after_head: re.Pattern[str]
    inverse: frozenset[str]
    good_asked: re.Pattern[str]
    antonyms: tuple[tuple[frozenset[str], frozenset[str]], ...]
    third_subject: re.Pattern[str]
    carer: re.Pattern[str]
    relay: re.Pattern[str]
    room: re.Pattern[str]
    leading: re.Pattern[str]
    splitters: re.Pattern[str]
    synonyms: tuple[frozenset[str], ...]
    first_person: Mapping[str, str]
    echo_frame: frozenset[str]
    joining: frozenset[str]
    second_denials: frozenset[str]
    denies_next: frozenset[str]
    beginning: frozenset[str]
    definite: frozenset[str]
    asks_after: frozenset[str]
    examples: str
    so_many: str
    third: frozenset[str]
    breath: frozenset[str]
    for_self: re.Pattern[str]
    absence: frozenset[str]
    absence_first: re.Pattern[str]
    foreign_units: frozenset[str]
    scale_after: re.Pattern[str]
    over: frozenset[str]
    replaces: re.Pattern[str]
    not_this: frozenset[str]
    takes_back: frozenset[str]
    adjunct: re.Pattern[str]
    dialect_denial: re.Pattern[str]
    agreement_asked: re.Pattern[str]
    things: frozenset[str]
    first_of_two: frozenset[str]
    second_of_two: frozenset[str]
    one_reading: frozenset[str]
    mild: re.Pattern[str]
    cleft: re.Pattern[str]
    asking_last: frozenset[str]
    light: frozenset[str]
    total: re.Pattern[str]
    circumstance: re.Pattern[str]
    mending: frozenset[str]
    once_so: re.Pattern[str]
    only_one: re.Pattern[str]
    calls: frozenset[str]
    alone_asked: re.Pattern[str]
    no_one: re.Pattern[str]
    either: re.Pattern[str]
    strengthens: re.Pattern[str]
    hour: re.Pattern[str]
    hour_asked: frozenset[str]
    age: re.Pattern[str]
    age_asked: frozenset[str]
    age_told: re.Pattern[str]
    hum: re.Pattern[str]
    open_ends: frozenset[str]
    vouching: re.Pattern[str]
    long_ago: re.Pattern[str]
    any_of: re.Pattern[str]
    elliptic: re.Pattern[str]

    def whole_idiom(self, flat: str) -> bool:
        """Say whether a whole flat clause is itself one of the yes, no, soft, some, consent or correction idioms."""
        wholes = (
            self.yes,
            self.no,
            self.soft_yes,
            self.soft_no,
            self.some,
            self.consent,
            self.ack,
            self.agree,
            self.murmur_yes,
            self.murmur,
        )
        return any(p.match(flat) for p in wholes) or any(p.fullmatch(flat) for p in (self.correct, self.unsure))
