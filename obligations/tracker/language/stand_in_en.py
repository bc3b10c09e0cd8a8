"""How somebody says in English that they are not the patient, and that the patient has come; plain form.

Owns these patterns. Each is searched in one plain sentence, or one part of it between commas (see `table`).
"""

# ruff: noqa: E501 - one pattern, one line

from __future__ import annotations

import re

from obligations.tracker.language.stand_in_table import StandInTable
from obligations.tracker.language.table import alternatives

_KIN = (
    r"(?:(?:step|grand|great grand)?(?:daughter|son)|wife|husband|missus|mrs|other half|better half|spouse|(?:grand|step|god)?(?:mother|father)|mum|mom|mam|dad|mummy|daddy|nan|gran|grandma|grandad|granddad|grandpa|sister|brother|carer|caregiver|partner|nurse|neighbour|neighbor|friend|niece|nephew|flatmate|roommate|housemate|caretaker|girlfriend|boyfriend|fiancee?|aunt|auntie|uncle|cousin|relative|relation|grandchild"
    r"|daughter in law|son in law|mother in law|father in law|sister in law|brother in law|helper|home help|assistant|interpreter|translator|guardian|next of kin|support worker|keyworker|key worker|warden|landlady|landlord|lodger)"
)
# Called so without "my", as a name.
_PARENT = r"(?:mum|mom|mam|dad|mummy|daddy|nan|gran|grandma|grandad|granddad|grandpa|mother|father)"
_KIND = r"(?:(?:next door|home|district|community|live in|night|day|eldest|oldest|youngest|elder|younger|older|little|big|old|only|good|best|close|new|regular|private|full time|poor|late|dear|legal|registered|second) )*"
_AM = r"(?:im|i am|this is|its me|it is me|(?:youre|you are) (?:speaking|talking|through|on|onto) ?(?:to|with|on to)?|youve (?:got|reached)|you have (?:got|reached)|my names? is|my name is|i happen to be|i come as)"
_JUST = r"(?:only |just |actually |still |in fact |now |also |really )*"
_HELLO = r"^(?:(?:no|yes|yeah|nope|hello|hi|hey|sorry|oh|well|um|uh|er|good morning|good afternoon|good evening|actually|but|and|still|im afraid|i am afraid|look|listen|hang on|hold on|wait|please) )*"
_AWAY = r"(?:here|in|home|at home|available|around|up to it|well enough|awake|able to|free)"
_WHOSE = r"(?:her|his|their|the patients)"
# Whose carer somebody is, or whose wife and mother, who is the patient themselves.
_OF_OTHERS = r"(?! (?:in this house|(?:for|to|of) (?!him\b|her\b|the patient\b|(?:mr|mrs|ms|miss)\b)\w+|here for my|in (?:the|this|our) (?:family|house)))"
# Words before "sons wife" that are no name behind "it's".
_NAME = r"(?!(?:my|because|not|always|as|that|this|was|is|its|just|been|about|what|why|how|for|the|a|an|all|when|where|so|like|from|on|at|in|with|our|your)\b)[a-z]+"
_SPEAKS = r"(?: (?:here|speaking|again|talking|answering|on the (?:phone|line)|youre (?:talking|speaking) (?:to|with)|you are (?:talking|speaking) (?:to|with)|whos (?:speaking|talking)))"
_ANSWER = r"(?: (?:no|yes|yeah|nope|not|none|nothing)\b.*)?$"
_THEY = r"(?:she|he)"
_TITLED = r"(?:(?:mr|mrs|ms|miss) [a-z]+|the patient)"
_SOFT = r"(?:still |just |currently |fast |already |a bit |a little |very |quite |rather |pretty |really |too |so |completely |almost |nearly |always |both |now |sound |actually |totally |profoundly |stone |having |taking |gone |a |away |over |out )*"
_UNABLE = r"(?:asleep|sleeping|away at|at work|busy|resting|lying down|lie down|in bed|to bed|in (?:the|a) (?:bath|shower|garden|hospital|other room|toilet|bathroom|loo|kitchen|home)|to (?:the|work) ?(?:toilet|loo|bathroom|shops?|shower)?|in hospital|upstairs|downstairs|nap|bath|shower|wash|snooze|deaf|mute|hard of hearing|confused|muddled|forgetful|poorly|unwell|not (?:here|in|at home|available|around|up to it|well|well enough|awake|able to|very well|great (?:on|with)|good (?:on|with) (?:the )?(?:phone|telephone|phones)|very good (?:on|with) (?:the )?(?:phone|telephone|phones)|with it)|on the (?:toilet|loo|other (?:line|phone))|at (?:the )?(?:hairdressers?|shops?|dentists?|church|club|bingo|day centre|market|pub|school)|(?:popped|nipped|stepped|gone|went|walked|driven) (?:out|off|to|down|over|into|away|round|for)|(?:eating|having|finishing) (?:his|her) (?:dinner|lunch|breakfast|tea|meal|supper|bath|nap|hair|rest)|(?:his|her) (?:dinner|lunch|breakfast|tea|nap)|getting (?:dressed|washed|changed)|unable to|no good (?:on|with)|shy|unavailable)"
_CANNOT = r"(?:cant|cannot|can not|wont|will not|doesnt|does not|isnt able to|is not able to|couldnt|could not|struggles to|finds it hard to)(?: really| always| want to| like to| properly| even)*(?: to)? (?:come|talk|speak|get up|get to the phone|hear|understand|answer|use the phone|do (?:phones|the phone)|manage the phone|follow|have (?:any |much )?english|walk to the phone|remember|like (?:the |using the )?(?:phone|telephone|phones|talking|speaking|answering)|do well on the phone)"
_ILL = r"(?:(?:has|s got|has got|had|s had|has had|suffers from) (?:a |bad |severe |early |mild |had a )*(?:dementia|alzheimers|stroke|parkinsons|learning|sore throat|cold|laryngitis|no voice|speech|aphasia)|(?:s |has |)lost (?:his|her) (?:voice|hearing|speech))"
_OFFER = r"\b(?:ill|i will|i can|i could|can i|could i|let me|i shall|i have to|id better|i always|ill just|im the one who|youd better|you had better|youll have to|you can|better) (?:answer|tell you|help|speak|talk|ask me|take (?:it|this|the)|do (?:his|her|the|all)|deal with)\b"
# What is said of somebody who was asked "do you have any pain?", and not of a doctor or a driver.
_STATE = r"(?:has|hasnt|has not|s not|isnt|is not|doesnt|does not|didnt|did not|never|s had|has had|had|s got|has got|has never|s never|s been|has been|is|s|feels|seems|was)"
_NONE = r"(?:(?:had|got|have|has|having|noticed|seen|get|feel|feeling|complained|complaining|mentioned|said|been|felt|reported|in|of|about|some|a bit of|a lot of|a little|quite a bit of|much|bad|terrible|more|less) )*(?:no|not|any|anything|nothing|none|pain|redness|floaters|flashes|flashing|a problem|problems|trouble)\b"
_WELL = r"(?:been )?(?:doing |seeing |walking |eating |sleeping |breathing |moving |managing |getting on |getting about |feeling |absolutely |perfectly |just |quite |all |very |really |in (?:a lot of |terrible |bad |some |great |much |constant )?)*(?:fine|okay|ok|alright|right|well|pain|agony|comfortable|breathless|dizzy|swollen|complaining|struggling|no trouble)(?! (?:too|as well|with (?:it|that|me)|about|for|to|now he|behind|there|here)\b)"
_SAYS = r"(?: says| said|(?: i|)s saying| reckons| tells me| told me|(?: i|)s telling me| shakes (?:his|her) head|(?: i|)s shaking (?:his|her) head| nods|(?: i|)s nodding)(?: that| to me| to say| to tell you)*"
_SAID = r"(?: (?:(?:no|yes|yeah|nope|none|nothing|not)(?= (?:no|not|nothing|none|it|its|hes|shes|he|she|at all|really|pain|redness|floaters|flashes|flashing|blurr\w+|problems?|trouble|change|discomfort|swelling|bleeding|dizz\w+|fever)\b|$)|hes|shes|(?:he|she) (?:has|had|does|did|is|was|cant|can|feels|hasnt|hadnt|doesnt|didnt|isnt|wasnt|never|sees|noticed)|(?:his|her) (?:eyes?|vision|sight|knee|leg|hip|heart|ankles?|breathing|wound)|theres no|there is no|it doesnt|it hurts|it does|it isnt|its not|it aches|a bit|a little)\b|$)"

STAND_IN_EN = StandInTable(
    introduces=alternatives(
        rf"\b{_AM} {_JUST}{_WHOSE} (?:\w+ )?{_KIND}{_KIN}\b(?! fault)",
        rf"\b{_AM} {_JUST}the {_KIND}{_KIN}\b{_OF_OTHERS}",
        rf"\b{_AM} {_JUST}(?:(?:mr|mrs|ms|miss|dr) )?{_NAME}s {_KIND}{_KIN}\b",
        rf"\b{_AM} {_JUST}(?:a|an|one of|another) (?:of )?{_KIND}{_KIN}s? (?:of )?(?:hers|his|theirs|the patients?|him|her)\b",
        rf"\b(?!im |i am ){_AM} {_JUST}(?:{_NAME} ){{1,3}}(?:{_WHOSE}|the|{_NAME}s) {_KIND}{_KIN}\b{_OF_OTHERS}",
        rf"\b(?:im|i am) {_JUST}(?!\w+(?:ing|ed) ){_NAME} (?:{_WHOSE}|{_NAME}s) {_KIND}{_KIN}\b{_OF_OTHERS}",
        rf"\b(?:im|i am|this is) {_JUST}one of (?:{_WHOSE}|the|{_NAME}s) {_KIND}{_KIN}s\b",
        rf"\b(?:speaking|talking|answering|as) (?:as )?(?:{_WHOSE}) {_KIND}{_KIN} (?=i\b|id\b|ill\b|no\b|yes\b|im\b|ive\b)",
        r"\b(?:helping|help) (?:him|her) (?:out )?(?:with|on|use) (?:the |this |his |her )*(?:phone|telephone|call|calls|questions)\b",
        rf"{_HELLO}(?:its|it is) (?:{_NAME} ){{1,3}}(?:{_WHOSE}|{_NAME}s) {_KIND}{_KIN}\b{_OF_OTHERS}",
        rf"{_HELLO}(?:its |it is )?{_JUST}(?:{_WHOSE}|the|(?:(?:mr|mrs|ms|miss) )?{_NAME}s) {_KIND}{_KIN}{_SPEAKS}+",
        rf"{_HELLO}(?:its |it is |only )?{_JUST}{_WHOSE} {_KIND}{_KIN}{_SPEAKS}*{_ANSWER}",
        rf"{_HELLO}(?:its|it is) {_JUST}(?:the|a) {_KIND}{_KIN}{_ANSWER}",
        rf"\b(?:no|hello|hi|yes|sorry) (?:its|it is) {_JUST}(?:{_WHOSE}|the) {_KIND}{_KIN}$",
        rf"\b(?:its|it is) {_JUST}{_WHOSE} {_KIND}{_KIN}$",
        rf"\b{_KIND}{_KIN} (?:speaking|here speaking)\b",
        rf"{_HELLO}{_KIND}{_KIN} here{_ANSWER}",
        rf"{_HELLO}(?:mr |mrs |ms |miss |im |i am |this is )?[a-z]+ (?:[a-z]+ )?(?:here|speaking) (?:{_WHOSE}|the|{_NAME}s) {_KIND}{_KIN}\b",
        rf"\b(?:im|i am) {_JUST}a {_KIND}(?:friend|neighbou?r|relative|carer|care worker|support worker)$",
        r"\b(?:im|i am) (?:married|related|engaged) to (?:him|her|the patient)\b",
        rf"\b(?:this is|youve (?:got|reached)|(?:im|i am) (?:calling |speaking |ringing )?(?:from|at|with|the \w+ (?:at|in|of))|(?:this is|its|im|i am) [a-z]+ (?:[a-z]+ )?(?:from|at)|its|it is) (?:the|her|his) (?:care|nursing|residential|rest|old peoples) home\b{_ANSWER}",
        r"\b(?:im|i am|this is) (?:the )?(?:\w+ )?(?:matron|manager|staff|care assistant|care worker|carer|nurse) (?:at|of|in|from) (?:the|her|his) (?:care |nursing |residential )?home\b",
        rf"\b(?:ill|i will|i can|let me|i shall|im|i am|i|i have to|i need to) {_JUST}(?:always |usually )?(?:answer|speak|talk|answering|speaking|talking|translate|translating|interpret|interpreting|calling|ringing|phoning) (?:for|on behalf of) (?:her|him|them|my {_KIN}|{_TITLED})\b",
        rf"{_HELLO}(?:answering|speaking|talking|translating|interpreting) (?:for|on behalf of) (?:her|him|them|my {_KIN}|{_TITLED})\b",
        rf"\bon (?:her|his|their|my {_KIN}s) behalf\b|\bon behalf of (?:him|her|them|my {_KIN}|{_TITLED})\b",
        rf"\b(?:power of attorney|attorney|guardianship) (?:for|over) (?:him|her|my {_KIN}|{_TITLED})\b",
        r"\b(?:i do|i handle|i manage|i take) (?:all )?(?:the |his |her )*(?:talking|calls|phone calls|telephone|phone) for (?:him|her)\b",
        r"\b(?:i do|i handle|i take|i answer|i deal with) (?:all )?(?:his|her) (?:phone )?(?:calls|phone|talking|telephone)\b",
        rf"\b(?:i look after|i take care of|i care for|i keep an eye on|im looking after|im taking care of|im caring for|im minding) {_TITLED}(?: |$)",
        rf"\b(?:the patient|the one who had it|the one you want|the person you want) is {_JUST}(?:my|our) {_KIND}{_KIN}\b",
        r"\b(?:im|i am|this is|thats|that is) not (?:him|her|the patient|who you want|the (?:one|person) (?:you want|who had))\b",
    ),
    not_here=alternatives(
        rf"{_HELLO}(?:she|he)(?:s| is) (?:still |just |currently |fast |already )*(?:asleep|sleeping|out|away|at work|busy|resting|lying down|in bed|in the (?:bath|shower|garden|hospital|other room|toilet|bathroom)|in hospital|upstairs|downstairs|not (?:here|in|at home|available|around|up to it|well enough|awake))\b",
        rf"{_HELLO}(?:she|he) (?:isnt|is not|wasnt) {_AWAY}\b",
        rf"{_HELLO}(?:she|he) (?:cant|cannot|can not|wont|will not|doesnt want to|does not want to) (?:come|talk|speak|get up|get to the phone)\b",
        rf"{_HELLO}{_TITLED}(?:(?:s| is) {_SOFT}{_UNABLE}| (?:isnt|is not|wasnt) {_AWAY}| {_CANNOT}| {_ILL})\b",
    ),
    own_kin=alternatives(rf"\b(?:my|our) (?:\w+ )?{_KIN}\b"),
    others=alternatives(
        r"\b(?:doctor|dr|surgeon|consultant|specialist|optician|optometrist|nurse|gp|pharmacist|chemist|anaesthetist|physio|physiotherapist|driver|lady|gentleman|man|woman|girl|boy|bloke|chap|guy|person|somebody|someone|cat|dog|vicar|hospital|clinic|receptionist)s?\b",
    ),
    of_them=alternatives(
        rf"{_HELLO}{_THEY}(?:(?:s| is) {_SOFT}{_UNABLE}| {_CANNOT}|(?: |(?=s)){_ILL})\b",
        rf"{_HELLO}{_THEY}(?: |(?=s )){_STATE} {_NONE}",
        rf"{_HELLO}{_THEY}(?: |(?=s )){_STATE} {_WELL}",
        rf"{_HELLO}{_THEY}{_SAYS}{_SAID}",
        rf"{_HELLO}{_THEY} (?:doesnt|does not|hasnt|has not|isnt|is not|didnt|did not|does|has|is)(?: (?:no|yes|yeah|not|at all|really|a bit|think so|know|believe so|say|complain))*$",
        rf"\b(?:i dont think|i think|not that|as far as i know|not as far as i know|i dont believe|id say|i believe) {_THEY}(?:s|d)? ?(?:has|does|is|had|did|hasnt|doesnt|isnt|got|had|told me|said|mentioned|told|says|mentions|complained)?(?: (?:any|no|some|pain|it|anything|said|me|told|mentioned))*$",
        r"^(?:(?:no|yes|yeah|well|oh) )*(?:his|her) (?:(?:left|right|bad|operated) )?(?:eyes?|vision|sight|knee|hip|leg|ankles?|breathing|heart|wound) ?(?:is|are|s|looks?|look|seems?|feels?|hurts?|isnt|arent|doesnt|hasnt|has)\b",
        r"\bi (?:do|manage|handle|deal with|sort out|sort|see to) (?:all )?(?:things|everything|it all|all that|that|this) for (?:him|her)\b",
        rf"\bi (?:just |have )?asked (?:him|her) and {_THEY} (?:says|said)\b",
        rf"\b(?:{_THEY}|{_PARENT}) (?:asked|told|wants|wanted) me to (?:answer|pick up|take (?:it|this|the)|speak|talk|say|tell you)\b",
        r"\b(?:i look after|i take care of|i care for|i see to|im looking after|im keeping an eye on|i keep an eye on|im taking care of|im minding|i live with|i help|im with|im here with|im staying with|im visiting) (?:him|her)\b(?! (?:eye|eyes|children|kids|house)\b)",
        r"\b(?:its|it is|it was|thats) (?:his|her) (?:eye|eyes|operation|appointment|phone|op|leg|knee|hip|heart)\b",
    ),
    of_kin=alternatives(
        rf"{_HELLO}(?:(?:my|our) {_KIND}{_KIN}s|{_PARENT}s) (?:english|hearing|memory|speech) (?:isnt|is not|is|s)\b",
        rf"{_HELLO}(?:(?:its|it is) )?{_THEY}(?:s| is) my {_KIND}(?!(?:carer|nurse|friend|neighbour|helper|cleaner|caregiver)\b){_KIN}\b",
        rf"\b(?:its|it is|it was|thats|that was|that is) (?:for |about |to do with )?(?:my|our) {_KIND}{_KIN}s (?:eye|eyes|operation|op|appointment|phone|surgery|cataract|knee|hip|heart)\b",
        rf"\b(?:its|it is|it was|thats|that was|that is) (?:for |about )?(?:my|our) {_KIND}{_KIN} (?:who|that|whos|thats) (?:had|has had|was|has been|been|you)\b",
        rf"\b(?:its|it is|this is|im|i am|call is|calling|ringing) for (?:my|our) {_KIND}{_KIN}\b(?= (?:he|she|who|not|no|yes)\b|$)",
        rf"\bnot (?:my eyes?|mine|me|i|my operation) (?:but )?(?:its |it is |that |thats |it was )?(?:my|our) {_KIND}{_KIN}s?(?: (?:eye|operation|one|youre after|you want|you need))*{_ANSWER}",
        rf"\b(?:you want|youre after|you need|youre looking for|you mean|you are after|you are looking for) (?:to (?:speak|talk) (?:to|with) )?(?:my|our) {_KIND}{_KIN}\b",
        rf"\b(?:my|our) {_KIND}{_KIN} (?:asked|told|wants|wanted) me to (?:answer|pick up|take (?:it|this|the)|speak|talk|say|tell you)\b",
        rf"{_HELLO}(?:(?:my|our) {_KIND}{_KIN}|{_PARENT}) (?:{_CANNOT}|{_ILL})\b",
        rf"{_HELLO}(?:my|our) {_KIND}{_KIN}(?:s| is) .*{_OFFER}",
        rf"{_HELLO}{_PARENT}(?:s| is) {_SOFT}{_UNABLE}\b",
        rf"{_HELLO}(?:(?:my|our) {_KIND}{_KIN}|{_PARENT})(?: |(?=s )){_STATE} {_NONE}",
        rf"{_HELLO}(?:(?:my|our) {_KIND}{_KIN}|{_PARENT})(?: |(?=s )){_STATE} {_WELL}",
        rf"{_HELLO}{_PARENT}{_SAYS}{_SAID}",
        rf"\b(?:my|our) {_KIND}{_KIN} had (?:the|it|that) (?:operation|done|surgery)(?: not me)?{_ANSWER}",
    ),
    of_self=alternatives(
        r"(?<!not )\b(?:its|it is|it was|thats|that is) (?:my (?:own )?(?:eye|eyes|operation)|me (?:you|who|that|with|whos)|my call)\b(?!s)",
        r"\b(?:im|i am) (?:also )?the patient\b(?!s)",
        r"\bi(?:m| am) the one (?:who|that|with)\b",
    ),
    hands_over=alternatives(
        rf"\b(?:ill|i will|let me|im|i am|i can|im going to|shall i|ill just|i want to) (?:just |now |quickly )*(?:put|putting|get|getting|fetch|fetching) (?:you )?(?:on to |over to |through to |onto )?(?:my|our|the) {_KIND}{_KIN} (?:on|to (?:talk|speak|answer|tell))\b",
        rf"\b(?:ill|i will|let me|im|i am|i can|im going to|shall i|ill just|i want to) (?:just |now |quickly )*(?:put|putting|pass|passing|hand|handing|give|giving) (?:(?:you|the phone|it|this|the telephone) )+(?:over |on |onto |across |back |through )*(?:to )?(?:my|our) {_KIND}{_KIN}\b",
        rf"{_HELLO}(?:here|just |you can |better |youd better |please )*(?:speak|talk) (?:to|with) (?:my|our) {_KIND}{_KIN}\b",
        rf"(?:{_HELLO}|\bhere )(?:here )?(?:speak|talk) (?:to|with) (?:my|our) {_KIND}{_KIN}\b",
        rf"\bmy {_KIND}{_KIN} (?:will|can|is going to|wants to|s going to) (?:talk|speak|answer|take (?:over|the phone|it from here))\b",
        rf"\b(?:heres|here is|here comes) (?:my|our) {_KIND}{_KIN}\b",
    ),
    is_patient=alternatives(
        r"\b(?:its|it is|this is) me\b",
        r"\b(?:im|i am) (?:awake|up) now\b",
        rf"\b(?:im|i am|this is|its|it is|youre (?:speaking|talking) (?:to|with)) {_JUST}(?:myself )?the patient\b(?! {_KIN})",
        rf"{_HELLO}(?:the )?patient (?:here|speaking)$",
        rf"{_HELLO}(?:speaking|thats me|that is me|this is (?:she|he|him|her)|youre (?:speaking|talking) (?:to|with) (?:him|her|me)|you are (?:speaking|talking) (?:to|with) (?:him|her|me)|(?:im|i am) (?:she|he|him|her))(?: now| speaking| myself)*$",
    ),
    is_here=alternatives(
        r"\b(?:she|he)(?:s| is) (?:right |just |back |already )*(?:here|on|awake|up|with you|on the (?:phone|line)|at the phone)(?: (?:now|again))+\b",
        r"\b(?:she|he)(?:s| is) (?:right )?here$",
        rf"\bhere (?:she|he) (?:is|comes)\b|\bheres? (?:is )?(?:my {_KIN}|the patient)\b",
        r"\b(?:ill|i will|let me|im|i am|ill just|i can) (?:just |now |quickly )*(?:put|putting) (?:her|him|them|you) (?:on|through)\b",
        rf"\b(?:ill|i will|let me|im|i am|i can) (?:just |now |quickly )*(?:pass|passing|hand|handing|give|giving) (?:(?:you|the phone|it|her|him|this) )+(?:over |on |across |back )*(?:to (?:her|him|them|my {_KIN})|the phone|over|now)\b",
        r"\bover to (?:her|him)\b",
        rf"\b(?:ill|i will|let me|im|i am|ill just|i can) (?:just |now |quickly )*(?:put|putting) my {_KIND}{_KIN} on\b",
    ),
    fetches=alternatives(
        rf"\b(?:ill|i will|let me|im going to|i am going to|shall i|i can|im just|ill just) (?:just |quickly |go and |go |try and |try to )*(?:get|getting|fetch|fetching|find|grab|call|wake) (?:her|him|them|my {_KIN}|the patient)\b",
        r"\b(?:she|he)(?:s| is) (?:just |already |nearly |on (?:her|his) way )*coming\b",
    ),
    affirms=alternatives(
        r"^(?:(?:yes|yeah|yep|hello|hi|sure|of course|certainly|you are|i am|it is|speaking|this is|thats right|now|indeed|correct|absolutely|yes you are) ?)+$"
    ),
    titles=(
        (re.compile(r"\b(?:his|he|hes|him)\b"), re.compile(r"\b(?:this is|its|it is|im|i am) mr\b")),
        (re.compile(r"\b(?:her|she|shes)\b"), re.compile(r"\b(?:this is|its|it is|im|i am) (?:mrs|ms|miss)\b")),
    ),
)
