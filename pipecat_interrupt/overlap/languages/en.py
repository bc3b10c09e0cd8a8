"""English: what its words do in an overlap.

Own lists, made from everyday phrases and the public threads of docs/field-cases (Pipecat 1391, LiveKit 6750 and 4537,
bolna 223) and checked on the development part of the MRDA overlaps; spellings of hums follow what Whisper writes.
"""

from __future__ import annotations

from pipecat_interrupt.overlap.languages.table import HumRule, LanguageTable
from pipecat_interrupt.overlap.tokens import phrases

ENGLISH = LanguageTable(
    code="en",
    accepts=frozenset({"en"}),
    hums=HumRule(
        letters=frozenset("mhun"),
        needs=frozenset("mh"),
        never=frozenset({"um", "uhm", "uh", "huh", "hun", "mum", "hum", "nuh", "h", "m"}),
    ),
    affirming_hums=phrases("mm-hmm, mm hm, mhm, mmhm, mmhmm, uh-huh, uhhuh, mm hum, mmm-hmm, m-hm"),
    continuers=phrases(
        """right, i see, oh, ah, aha, oh right, oh i see, oh okay,
        oh ok, hmm, hm, mm, mmm, hum, m, h, go on, gotcha, got you,
        wow, oh wow, really, true, interesting, fair enough, i know, huh"""
    ),
    polite=phrases(
        """thank you, thanks, thank you very much, thanks very much, thank you so much, many thanks, cheers, got it, i
        got it, makes sense, that makes sense, it makes sense, understood, i understand, of course, that's right,
        that's fine, that's good, that's great, that's true, sounds good, all right, alright, very good, good, great,
        fine, lovely, perfect, excellent, cool, nice, exactly, absolutely, definitely, certainly, no problem, no
        worries, i agree, of course yes, it is, it does, i do, i will, will do, noted, good to know, oh good, oh
        great, oh nice, bless you, how nice, oh dear, that's okay, that's ok, that's nice, that's correct, correct"""
    ),
    yes=phrases("yes, yeah, yea, yah, ya, yep, yup, ok, okay, sure, yes yes, aye, oh yes, oh yeah, k"),
    no=phrases("no, nope, nah, never, not really, no no, not at all, nuh-uh"),
    fillers=phrases("um, uh, uhm, er, erm, eh, let me see, let me think"),
    openers=phrases("well, so, like, you know, i mean, and, or, because, cuz, then"),
    assents=phrases("of course, that's right, that's correct, correct, exactly, absolutely, definitely, i do"),
    weak_stop=frozenset(),
    stop=phrases(
        """stop, please stop, stop it, stop talking, wait, wait wait, wait a minute, wait a second, hold on, hang on,
        hold it, one moment, one second, one sec, just a moment, just a minute, just a second, excuse me, pause, be
        quiet, shut up, quiet, enough, that's enough, let me speak, let me talk, let me finish, listen to me, listen,
        can i say something, may i say something, can you stop, could you stop, hey, wait please, no stop, no wait,
        slow down, sorry to interrupt, can i just, let me stop you, i need to stop you, please listen, would you stop,
        cancel, hush"""
    ),
    repair=phrases(
        """what, pardon, pardon me, sorry what, what did you say, what was that, say that again, say again, huh what,
        can you repeat, could you repeat, please repeat, repeat that, repeat please, repeat, come again, i didn't
        hear, i didn't catch, i did not hear, i can't hear you, i cannot hear you, can't hear you, i don't
        understand, i did not understand, i didn't understand, what do you mean, what does that mean, sorry i missed
        that, i missed that, once more, one more time, you're breaking up, who, where, when, which, how much, how
        many"""
    ),
    corrections=phrases(
        """actually, i meant, no i meant, i mean no, that's wrong, that's not right, that isn't right, that's not what i
        said, not correct, that's incorrect, incorrect, wrong, no it's, no that's, sorry i meant, correction, not
        true, that's not true, i said, rather, i don't think so"""
    ),
    shifts=phrases("by the way, anyway, one more thing, can we, could we, move on, speaking of, also"),
    contrast=phrases("but, though, although, however, except, except that, only that, yet"),
    question_openers=frozenset(
        """what who where when why how which is are am was were do does did can could should would will may
        have has isn't aren't don't doesn't didn't can't what's who's where's how's shall""".split()
    ),
    unfinished=frozenset(
        """the a an to of and or but because if with for at my your i we he she they is are was were would like
        so from when which than as into its their our the""".split()
    ),
    conjunctions=frozenset("""and but or so because although then if unless""".split()),
    hallucinated=phrases(
        """thank you for watching, thanks for watching, please subscribe, subscribe, you, bye, the end, subtitles by the
        amara org community, transcribed by, see you next time, see you in the next video"""
    ),
    reviewed=True,
)
