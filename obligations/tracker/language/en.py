"""English: how requests about the call itself sound, in plain form (see `table`): "don't" is "dont"."""

# ruff: noqa: E501 - one pattern, one line

from __future__ import annotations

from obligations.tracker.language.table import LanguageTable, alternatives, opening

_LEAD = r"^(?:(?:ok|okay|oh|no|yes|yeah|well|so|right|sorry|please|thanks|thank you|all right|alright|actually|look|but|um|uh|er) )*"
_NOT = r"(?:dont|do not|didnt|did not|wont|will not|would not|wouldnt|cant|cannot|never)"
_FAMILY = r"(?:daughter|son|wife|husband|mother|father|mum|dad|sister|brother|carer|partner)"
_OTHERS = r"(?:daughter|son|wife|husband|mother|father|mum|dad|sister|brother|carer|partner|nurse|neighbour|friend|grandson|granddaughter|niece|nephew|flatmate|caretaker)"
_SHE = rf"(?:she|he|they|my {_OTHERS})"

# A wish to leave, by groups of words in their forms: a farewell; going; the line put down; no more now; no time.
# "Not now" and "I can't" alone are answers, and so is what some other thing does ("it should go soon").
_BEFORE = r"(?:\b(?:and|but|so|anyway|anyhow|well|sorry|then|look|right|i|ive|id|im|ill|weve|we|really|just) )*"
_TAIL = r"(?: (?:then|now|bye|goodbye|for now|thank you|thanks|love|dear|duck|pet|again|please|today|soon|everyone))*$"
_HASTE = r"(?:dash|rush|fly|scoot|shoot off|nip out|pop out|get (?:going|off the phone|off|on|a move on)|be (?:off|going|getting on)|head off|ring off|hang up)"
_ELSEWHERE = (
    r"(?:driving|at work|in (?:a|the) (?:shop|meeting|bath|shower|car|middle of \w+)|on (?:the|a) (?:bus|train))"
)
LEAVING = (
    rf"{_LEAD}(?:cheerio|toodle ?oo|toodle ?pip|toodles|ta ra|tara|ta ta|tata|ttfn|so long|farewell|good ?night|night night|god bless|be seeing you|see ya|laters|bye)(?: (?:bye|you))*{_TAIL}",
    rf"{_BEFORE}(?<!dont )(?<!not )\b(?:have|got|gotta|need|must|ought|had better|better)(?: to| really| just)* {_HASTE}{_TAIL}",
    rf"^{_BEFORE}(?:should|want to|wanna|going to|gonna|better)(?: really| just)* (?:go|leave|{_HASTE[3:-1]}){_TAIL}",
    rf"^{_BEFORE}(?:be |just |really )*(?:off|out of here|going|leaving){_TAIL}",
    rf"{_BEFORE}(?:will |let me |going to )?(?:have to )?(?:let|leave) you (?:go|get on|to it){_TAIL}",
    rf"{_BEFORE}(?:am |will |going to |let me )?(?:hang(?:ing)? up|ring(?:ing)? off|(?:put|putting) (?:the |this )?(?:phone|receiver) down){_TAIL}",
    rf"{_LEAD}(?:i )?(?:cant|cannot|can not) (?:talk|speak|chat|stay on|take (?:this|your) call)(?: to you| on the phone| for)* (?:right now|just now|now|at the moment|long){_TAIL}",
    rf"{_LEAD}(?:not (?:right |just )?now|(?:this is )?not a good moment|sorry)(?: sorry| but| please)* (?:im|i am)(?: just| still)? (?:{_ELSEWHERE}|busy|late|going out){_TAIL}",
    rf"{_LEAD}(?:im|i am)(?: just| still| actually)? (?:in a (?:hurry|rush)|running late|late|busy|{_ELSEWHERE} (?:right now|now|at the moment|just now)|in the (?:bath|shower)){_TAIL}",
    rf"{_LEAD}(?:i )?(?:havent|have not|have no|ive no|ive not|dont have|no)(?: got)?(?: the| any)* time(?: for (?:this|that|you|it|all this))?{_TAIL}",
)
_ASKS_LEAVE = rf"{_LEAD}(?:(?:can|could|shall|may) we(?: please| just)? (?:stop|finish|end|hang up|leave it|call it a day|wrap)(?: (?:it|this|up|here|there))*|(?:can|may|could) i (?:go|hang up|ring off)){_TAIL}"

TABLE = LanguageTable(
    intents={
        "repeat": alternatives(
            r"\b(?:can|could|would|will) you (?:please )?(?:say|repeat|ask) (?:me )?(?:that|it|the question)\b",
            r"\b(?:can|could|would|will) you (?:please )?repeat(?: please)?$",
            r"\bsay (?:that|it) again\b",
            r"\brepeat (?:that|it|the question|please|yourself)\b",
            r"^(?:sorry |oh |i beg your )*(?:what|pardon|pardon me|huh|come again|what was that|sorry what|beg your pardon)$",
            r"\bi (?:didnt|did not|couldnt|could not|cant|cannot) (?:quite )?(?:hear|catch|understand) (?:you|that|it|what you said|the question)\b",
            r"\bwhat did you (?:just )?(?:say|ask)\b",
            r"\b(?:what do you mean|what does that mean)$",
            r"^(?:sorry )?(?:one more time|once more|again please)(?: please)?$",
            r"\b(?:what|which)(?:s| is| was) (?:the|that|your) (?:last |first |previous )?question(?: again| please)*$",
            r"\bwhat(?:s| is| was) (?:it|that) (?:again|you (?:said|asked|were asking|wanted to know)|youre asking)\b",
            r"\b(?:i )?(?:missed|forgot|forget|have forgotten|ive forgotten|lost) (?:that|it|the question|your question|what you (?:said|asked))$",
            r"\bwhat were you (?:asking|saying)\b",
        ),
        "stop": alternatives(
            r"^(?:please |no |just )*(?:stop|stop it|stop talking|stop speaking|be quiet|thats enough|enough|quiet|shut up)(?: please| now| stop)*$",
            r"^stop stop\b",
        ),
        "end_call": alternatives(
            r"\bstop calling\b",
            rf"\b{_NOT} (?:want to |wish to |like to )?(?:go on|carry on|continue)(?: with (?:this|the))?(?: call)?$",
            rf"\b{_NOT} want to (?:talk|speak)(?: (?:now|today|any more|anymore|to you))?$",
            rf"\b{_NOT} want to do this\b",
            r"\bleave me alone\b",
            r"\b(?:end|stop|finish) (?:the|this) call\b",
            r"\b(?:im|i am|am) (?:going to hang|hanging) up\b",
            r"\b(?:im|i am) not interested\b",
            rf"\b{_NOT} call (?:me |here )?(?:again|any more|anymore)\b",
        ),
        "goodbye": alternatives(
            rf"{_LEAD}(?:good ?bye|bye|bye bye|bye now|take care|see you|speak soon)(?: (?:then|now|bye|for now|thank you|thanks))*$",
            *LEAVING,
            _ASKS_LEAVE,
            r"\b(?:have|need|got|gotta|must|ought) (?:to )?(?:go|run|leave|hang up)(?: (?:now|then|soon|out|bye|goodbye))*$",
            r"\bthats all (?:thank you|thanks) (?:good ?bye|bye)\b",
        ),
        "person": alternatives(
            r"\b(?:want|need|like|rather|can i|could i|may i|let me|please|prefer)\b.*\b(?:talk|speak|chat|through|transfer\w*)\b.*(?<!my )\b(?:person|human|someone|somebody|nurse|doctor|operator|receptionist|staff)\b",
            r"\b(?:want|need|get me|give me|put me through to) (?:a |an )?(?:real |actual |live |human )*(?:person|human|operator|being)(?: please| now| instead)*$",
            r"^(?:a )?(?:real person|human|operator|person)(?: please)?$",
        ),
        "wrong_person": alternatives(
            r"\bwrong (?:number|person|house|patient)\b",
            r"\b(?:no one|nobody|no body) (?:here )?(?:by|of|with|called) (?:that|this)(?: name)?\b",
            r"\b(?:no such person|doesnt live here|does not live here|dont know (?:that|this) person)\b",
        ),
        "not_me": alternatives(
            r"\b(?:im|i am|this is|thats|that is|its|it is) not (?:him|her|she|he|me|the patient|who you want|the (?:one|person) you want)\b",
        ),
        "someone_else": alternatives(
            rf"\b(?:im|i am|this is|its|it is|youre speaking (?:to|with)|you are speaking (?:to|with)|youre talking to) (?:only |just )?(?:her|his|their|the) {_OTHERS}\b",
            rf"^(?:no )*(?:its |it is |just )?(?:her|his|their) {_OTHERS}(?: here| speaking)*$",
            r"\b(?:she|he)(?:s| is) (?:right |just )?(?:here|at home|next to me|beside me|with me|in the other room|upstairs|downstairs)\b",
            rf"\b(?:do|did) you (?:want|need|mean) (?:to speak (?:to|with) )?my {_OTHERS}\b",
        ),
        "fetching": alternatives(
            rf"\b(?:ill|i will|let me|im going to|i am going to|shall i|i can|im just) (?:just |quickly |go and |go |try and |try to )*(?:get|getting|fetch|fetching|find|grab|call|put) (?:her|him|them|my {_OTHERS})\b",
            r"\b(?:ill|i will|let me|i can) (?:just )?(?:pass|hand|put) (?:you|the phone|this) (?:over |on |through |across )*to\b",
            rf"\b{_SHE}(?:s| is| are)? (?:just |already |on (?:her|his) way |nearly )*(?:coming|here now)\b",
            r"\bhere (?:she|he) (?:is|comes)\b",
        ),
        "absent": alternatives(
            rf"\b{_SHE}(?:s| is| are)? (?:not|still not) (?:here|in|home|at home|available|around|well enough|up to it)\b",
            rf"\b{_SHE} (?:isnt|arent|is not) (?:here|in|home|at home|available|around|well enough|up to it)\b",
            rf"\b{_SHE}(?:s| is| are)? (?:out|away|asleep|sleeping|at work|busy|resting|in the (?:bath|shower|garden|hospital)|in hospital|in bed)\b",
            rf"\b{_SHE} (?:cant|cannot|can not) (?:come|talk|speak|get)\b",
        ),
        "bereaved": alternatives(
            rf"\b{_SHE}(?:s| has| have)? (?:sadly |just |recently )*(?:died|passed away|passed on)\b",
            rf"\b{_SHE}(?:s| is) (?:dead|deceased|no longer with us)\b",
        ),
        "self": alternatives(
            r"^(?:(?:yes|yeah|hello|hi|oh|ok|okay|good morning|good afternoon) )*(?:speaking|this is (?:she|he|her|him|me)|thats me|that is me|its me|it is me|(?:im|i am) (?:she|he|the patient)|youre (?:speaking|talking) (?:to|with) (?:her|him))$"
        ),
        "object": alternatives(
            rf"\b{_NOT} (?:want|agree|consent|wish)\b.*\b(?:record|recorded|recording|recordings|automated)\b",
            r"\b(?:stop|no|turn off the) recording\b",
            r"\b(?:not|object to) (?:be(?:ing)? recorded|the recording)\b",
            rf"\b{_NOT} (?:want to |like to |like |wish to )?(?:talk|speak|talking|speaking) (?:to|with) (?:a |an )?(?:machine|robot|computer|automated)\b",
        ),
        "refuse": alternatives(
            rf"\b{_NOT} (?:want to|wanna|need to) (?:hear|know|discuss|listen)\b",
            r"\b(?:id|i would) rather not\b",
            r"\bnone of your business\b",
            r"\b(?:i )?(?:already )?know (?:all )?(?:that|this|about that|about this) already\b",
            r"\bi (?:already )?know (?:all )?(?:that|this|about that|about this)$",
            r"\b(?:skip|leave) (?:that|this|it)(?: out)?$",
            r"\bno need to (?:tell|repeat|say|go)\b",
        ),
        "holding": alternatives(
            r"^(?:(?:um+|uh+|er+|erm|hm+|well|so|let me (?:see|think|check|look)|hang on|hold on|wait|one (?:moment|second|minute|sec)|just (?:a )?(?:moment|second|minute|sec)|give me a (?:moment|second|minute|sec)|bear with me|please|now|oh|ah) ?)+$",
            r"\b(?:hang on|hold on|wait|one moment|just a moment) (?:a (?:moment|second|minute) )?(?:let me|while i|im just|ill just)\b",
        ),
        "go_on": alternatives(
            rf"{_LEAD}(?:go on|go ahead|continue|carry on|keep going|im listening|i am listening|you were saying)(?: please| then)*$"
        ),
        "hello": alternatives(
            r"^(?:yes |oh )*(?:hello|hi|hey|good (?:morning|afternoon|evening))(?: (?:hello|hi|there|yes|who is it))*$",
            r"\bcan you hear me\b",
            r"\bi can hear you\b",
            r"\bare you (?:still )?there\b",
        ),
        "who": alternatives(
            r"\bwho (?:is|are|am) (?:this|you|calling|speaking|i (?:speaking|talking))\b",
            r"\bwhos (?:this|calling|speaking|there)\b",
            r"\bare you (?:a |an )?(?:real|robot|machine|computer|human|person|ai|automated|recording)\b",
            r"\bam i (?:talking|speaking) to (?:a |an )?(?:real|robot|machine|computer|human|person|ai)\b",
            r"\bis this (?:a |an )?(?:robot|machine|recording|computer|scam|automated)\b",
            r"\bwhere are you calling from\b",
            r"\bwhats? (?:is )?this (?:call )?about\b",
        ),
        "delegate": alternatives(
            rf"(?:^|\bplease |\byou (?:can|could|should|had better) |\bjust |\bbetter )(?:talk|speak) (?:to|with) my {_FAMILY}\b",
            rf"(?:^|\bplease |\byou (?:can|could|should|had better) |\bjust |\bbetter )ask my {_FAMILY}\b",
            rf"\bmy {_FAMILY} (?:can|will|should|may) (?:answer|speak|talk|tell you)\b",
            rf"\blet my {_FAMILY} (?:answer|speak|talk)\b",
        ),
        "offers": alternatives(
            r"\b(?:ill|i will|i can|let me|i shall) (?:answer|speak|talk) for (?:her|him|them|my)\b",
            r"\bi(?:m| am) (?:her|his|their) [a-z]+ (?:i|and i)?(?:ll| will| can)? ?(?:answer|speak)\b",
        ),
        "callback": alternatives(
            r"\b(?:call|ring|phone) (?:me )?(?:back |again )?(?:later|tomorrow|another time|some other time|this evening|next week)\b",
            r"\b(?:not|isnt|is not) a good time\b",
            r"\bbad time(?: for me| now| right now| to call)?$",
        ),
    },
    question_start=alternatives(
        r"^(?:(?:and|but|so|oh|no|yes|well|okay|ok|sorry|thanks|thank you|right) )*(?:(?:is|are|was|were|isnt) (?:it|this|that|the|there|my|they|these|those|all)|(?:can|could|should|may|must|shall|do|did|will|would|am) (?:i|we|my|it|you|the|this|they)|does (?:it|this|that|the|my)|(?:when|what|why|how|where)(?! (?:i|it|we|they|he|she|there|my \w+) (?!if\b|please$)\w+)|whats|which|whos?|whose)\b"
    ),
    question_inside=alternatives(
        r"\bis it (?:normal|okay|ok|safe|all right|alright|bad|dangerous|usual|allowed)\b",
        r"\b(?:when|how long|how soon|how often|how much|what) (?:can|should|do|must|may|will) (?:i|we|it|my)\b",
        r"\b(?:can|should|may|could) i (?:still |already |now |just )?(?!hear\b)\w+",
        r"\bwhat about\b",
        r"\bwonder(?:ing|ed)? (?:if|whether|about|why|when|how)\b",
        r"\b(?:ask|asking|question|query) (?:you )?(?:about|whether|if)\b",
        r"\bam i (?:allowed|supposed|meant)\b",
    ),
    tag_question=alternatives(
        r"^(?:right|okay|ok|yes|no|yeah|really|you know|isnt it|is it|does it|do they|did i|am i|correct|see|what|hm+|eh|huh|sorry|is that (?:right|so|okay|ok|all right|all|it)|did you (?:hear|get) (?:me|that))$"
    ),
    but=alternatives(r"\bbut\b", r"\band\b", r"\bthough\b", r"\bhowever\b"),
    joints=alternatives(r"\b(?:but|and|though|however|or|also|plus|then)\b", r"[,;]"),
    agrees=alternatives(
        r"\bthats? (?:is )?(?:right|correct|true|it)\b",
        r"\b(?:she|he|they)s? (?:is |are )?(?:right|correct)\b",
        r"^(?:yes |yeah |yep )*(?:exactly|correct|indeed|absolutely|true|right)$",
        r"\bas (?:she|he|they) (?:says?|said)\b",
    ),
    negates=alternatives(r"\b(?:no|not|none|never|nothing|neither|without)\b", r"n't\b", r"\b\w+nt\b"),
    own_voice=(
        (alternatives(r"\b(?:she|he)['’]s (?=had|been|got|noticed|seen|taken|not)"), "I have "),
        (alternatives(r"\b(?:she|he)['’]s\b", r"\b(?:she|he) is\b"), "I am"),
        (alternatives(r"\b(?:she|he) doesn['’]t\b", r"\b(?:she|he) does not\b"), "I don't"),
        (alternatives(r"\b(?:she|he) does\b"), "I do"),
        (alternatives(r"\b(?:she|he) hasn['’]t\b", r"\b(?:she|he) has not\b"), "I haven't"),
        (alternatives(r"\b(?:she|he) has\b"), "I have"),
        (alternatives(r"\b(?:she|he|they)\b"), "I"),
        (alternatives(r"\b(?:her|his|their)\b"), "my"),
    ),
    stop_words=frozenset(
        "a an the i me my we you your it is are was be been am do does did have has had can could should would will may to of in on at"
        " for with and or but so if when how what why where which who that this these those there just still now then after before not"
        " normal okay ok safe right all again very really much please about any some get got like think want know need tell ask".split()
    ),
    consents=alternatives(
        r"^(?:(?:yes|yeah|yep|sure|ok|okay|of course|certainly|no problem|all right|alright|right|will do|fine|please do|thank you|thanks|can do) ?)+$"
    ),
    yes="Yes.",
    is_it_you="Is that you?",
    leading_polar=opening("no", "nope", "yes", "yeah", "yep", "sorry", "but", "and", "well", "oh"),
    leading_yes=opening("yes", "yeah", "yep"),
    names_nothing=frozenset(
        "have been your with that this from new any some got get gets getting become becomes".split()
    ),
    earlier=alternatives(
        r"\b(?:to|for|on|about|with|regarding|of) (?:the|that|your) (?:very )?(?:last|previous|earlier|other|first|prior|former)(?: \w+)? (?:one|question|thing)\b",
        r"\b(?:the|that|your) (?:last|previous|earlier|first|prior|former) question\b",
        r"\b(?:(?:to|for|on|about) (?:the|that) )?(?:one|question|thing) (?:before|earlier|you asked (?:me )?(?:before|earlier|first|just now))\b",
        r"\bwhat you asked (?:me )?(?:before|earlier|first|just now|a moment ago)\b",
        r"\b(?:go|going) back to\b",
        r"\b(?:my|the) (?:last|previous|earlier|first) answer\b",
        r"\bchange (?:my|that|the) (?:last |previous |earlier )?answer\b",
        r"\bi (?:answered|said|told you) (?:that |it |the last one )?wrong(?:ly)?\b",
    ),
    corrects=alternatives(
        r"\b(?:actually|sorry|correction|come to think of it|(?:on )?second thoughts?|thinking about it|now (?:that )?i think(?: about it| of it)?)\b",
        r"\b(?:i was wrong|i made a mistake|my mistake|i mean|i meant|i meant to say|i wanted to say|make that|i forgot|i should have said|i take (?:that|it) back|let me correct)\b",
        r"\b(?:about|as for|regarding|as regards|with regard to|going back to|back to)\b",
        r"^(?:no |oh |um |uh )*(?:wait|hang on|hold on)\b",
        r"\bi (?:said|told you) (?:no|yes)\b",
    ),
    asks_leave=alternatives(_ASKS_LEAVE),
    leaves=alternatives(
        *LEAVING,
        _ASKS_LEAVE,
        r"(?:\b(?:and|but|so|anyway|anyhow|well|ok|okay|thanks|thank you|sorry|then|i|ive|id|we|weve|really|just|better) )*\b(?:good ?bye|bye(?: bye)?)(?: (?:then|now|bye|for now|thank you|thanks|dear|love))*$",
        r"^(?:(?:and|but|so|anyway|anyhow|well|ok|okay|thanks|thank you|sorry|then|right|now|all right|alright|you|please) )*(?:take care|see you(?: (?:soon|later|then))*|speak soon)(?: (?:then|now|bye|for now|thank you|thanks))*$",
        r"(?:\b(?:and|but|so|anyway|anyhow|well|sorry|then|i|ive|id|weve|we|really|just|better|do) )*(?<!dont )(?<!not )(?<!never )\b(?:have|need|got|gotta|must|ought|going) (?:to )?(?:really )?(?:go|run|leave|hang up|be going|be off)(?: (?:now|then|soon|out|off|bye|goodbye))*$",
    ),
    supposes=alternatives(r"\b(?:if|in case|whether|unless|when|worried|afraid|used to)\b"),
    either=alternatives(r"\bor\b"),
    courtesy=alternatives(
        r"(?:(?:ok|okay|oh|well|so|right|sorry|please|thanks|thank you|all right|alright|actually|look|but|and|um|uh|er|anyway|anyhow|then|fine|great|lovely|very much|so much|thats all|that is all|now|hello|hi|dear|love) ?)+"
    ),
)
