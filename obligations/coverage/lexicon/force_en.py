"""English speech-act phrases."""

from __future__ import annotations

import re

from obligations.coverage.flat import inside
from obligations.coverage.lexicon.force_model import ForceTable

_TELL = (
    r"(?:tell|explain|go (?:through|over|into)|talk (?:about|through|you through|to you about|you)|cover|"
    r"mention|say (?:more|something)|discuss|"
    r"describe|give you (?:the )?(?:details|advice|instructions|more|some|information|a leaflet)|let you know|"
    r"get (?:on )?to|come (?:on |back )?to|return to|walk you through|take you through|run (?:through|"
    r"you through)|read (?:you|out)|"
    r"remind you|send you|show you|advise you|(?<!not )deal with|move on to|start with|speak about|touch on|"
    r"fill you in)"
)
_OTHERS = (
    r"(?:he|she|they|your (?:\w+ )?(?:wife|husband|daughter|son|partner|mother|father|doctor|gp|nurse|"
    r"pharmacist|physio|"
    r"physiotherapist|surgeon|consultant|friend|neighbour|sister|brother|carer|midwife|dentist|notes?|"
    r"letter|leaflet)|"
    r"the (?:\w+ )?(?:doctor|gp|nurse|pharmacist|physio|physiotherapist|surgeon|consultant|leaflet|"
    r"website|internet|ward|"
    r"clinic|letter|hospital|team|midwife|patient|paper|chemist|box|label)|somebody|someone|people|"
    r"everybody|a friend|"
    r"my colleague|one of the nurses)"
)
_UNLESS = r"(?<!unless )(?<!if )(?<!until )(?<!till )(?<!when )(?<!where )(?<!once )"
"""A condition is no report: "unless your doctor has told you to"."""
_THEY = r"(?:you|" + _UNLESS + _OTHERS + r")"

EN = ForceTable(
    announces=inside(
        r"(?:i|we|somebody|someone|the nurse|the doctor|a colleague|my colleague) (?:will|am going to|"
        r"are going to|is going to|shall|would like to|want to|"
        r"wanted to|need to|can|could|must|have to|should|am about to|was going to|were going to|may|"
        r"might)(?: \w+){0,3} " + _TELL,
        r"(?:i|we) (?:will|shall|can) (?:talk|speak|chat|come back|get)(?: \w+){0,6} (?:about|to|on) "
        r"(?:when|how|what|who)",
        r"(?:let me|let us|allow me to)(?: \w+){0,2} "
        + _TELL
        + r"(?: \w+){0,6} (?:later|next time|in a (?:minute|moment|second|bit|while)|afterwards|another time|"
        r"at the end)",
        r"(?:later(?: on)?|next|in a (?:minute|moment|second|bit|while)|shortly|soon|before we (?:finish|end|"
        r"hang up)|at the end|next time|another time|afterwards)"
        r"(?: \w+){0,4} (?:i|we)(?: will| shall| am going to| are going to| can| could)?(?: \w+){0,2} " + _TELL,
        r"(?:remind me|do not let me forget|i must not forget|i must remember) to",
        r"(?:we|i) (?:have not|did not) (?:yet )?(?:talked|spoken|got|gone|told|explained|covered|mentioned|"
        r"discussed|come)(?: \w+){0,3}",
        r"there is (?:also )?(?:something|advice|a leaflet|information|a rule|a section|one more thing) (?:i|"
        r"we|about|on) (?:\w+ ){0,3}(?:will|need|want|later|about|to)",
        r"(?:more|details) (?:on|about) (?:that|this)(?: \w+){0,3} (?:later|in a)",
        r"(?:you will|you are going to|you are about to) (?:hear|be told|get|receive|be given|find|"
        r"see) (?:\w+ ){0,4}(?:about|on|how|what|when|leaflet|letter|advice|instructions)",
        r"(?:ready|happy|like me|want me) (?:for me )?to (?:tell|explain|go|talk|hear|know)",
    ),
    reports=inside(
        _THEY + r"(?: \w+)? (?:said|told|mentioned|thought|wrote|asked|wondered|believed|reckoned|suggested|"
        r"claimed|assumed|"
        r"remembered|explained|recommended|advised|reported|were saying|was saying|were telling|"
        r"was telling|were asking|"
        r"was asking|were wondering|were told|was told|been told|have been told|had heard|have heard|"
        r"have read|had read|"
        r"would read|would heard|would understood|would been told|felt that|seem to think|seemed to think|"
        r"were under the impression|knew|already know|already knew|understood that|understood the)",
        r"(?<!unless )(?<!if )(?<!until )(?<!when )(?<!what )(?<!as )"
        + _OTHERS
        + r" (?:\w+ )?(?:says|thinks|writes|hears|reads|asks|mentions|suggests|claims|reckons|believes)",
        r"(?:they|people|everybody|everyone|nurses|doctors|patients|friends|neighbours|leaflets|websites)(?: \w+)? "
        r"(?:say|think|write|hear|read|ask|mention|suggest|claim|reckon|believe)",
        _UNLESS + r"(?:the|that|this|some|a|one of the) (?!(?:\w+ )?(?:that|which))(?:\w+ ){1,4}"
        r"(?:told|assured|promised|warned|advised|informed) (?:you|me)",
        r"\A(?:(?:so|and|well|okay|ok|now|ah|oh|right|yes|as|but|mm) )*you (?:(?!can|may|might|"
        r"could|should|must|will|would|need|do|have)\w+ )?(?:say|think|read|ask|"
        r"hear|heard|mention|wonder|"
        r"believe|reckon|understand|feel that|know|noticed|understood)",
        r"(?:i|we) (?:understand|see|gather|hear|note|heard|read|noticed|noted|know|can see)(?: that)?"
        r"(?: from \w+ \w+)? "
        r"(?:you|your)(?! (?:need|should|must|have to|can|will|may|ought|could|are going|would))",
        r"\A(?:(?:so|and|right|okay|ah|oh|now|well|good) )+you (?:called|rang|phoned|went|took|had|"
        r"have been|had been|were|"
        r"stopped|started|used|did|saw|got|weighed|kept|have had|have already|already|always|usually|normally)",
        r"\A(?:(?:so|and|well|okay|ok|now|ah|oh|right|yes|as|but|mm|good|last (?:week|month|year|"
        r"night|time|winter|summer|spring|autumn|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|"
        r"this morning|earlier|on (?:monday|tuesday|wednesday|thursday|friday|saturday|"
        r"sunday)) )*you (?:then |also |just )?"
        r"(?:(?!need|bleed|feed|exceed|proceed|succeed|speed|heed|seed|embed|shed|wed)\w+ed|went|"
        r"took|had|were|did|rang|came|"
        r"got|felt|fell|ate|drank|drove|saw|kept|left|lost|found|forgot|began|hit|banged|"
        r"hurt yourself|gave|held|lay|slept|"
        r"woke|wore|ran|broke|bled|brought|bought|made|met|paid|said|sat|sent|stood|swam|threw|"
        r"wrote|have had|have just|"
        r"had been|have been)(?!\S)",
        r"\Ayou (?:have been|had been|have already|already|always|usually|normally) \w+",
        r"you (?:called|rang|phoned|went|took|stopped|started|saw|weighed|kept|drank|ate|noticed|skipped|"
        r"missed|doubled) "
        r"(?:\w+ ){0,6}(?:last|yesterday|ago|before|then|when|because|already|in the past|this morning|"
        r"on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))",
        r"according to|apparently|supposedly|it says (?:here|in)|(?:it )?used to be|in the past|"
        r"the old advice|years ago|"
        r"back then|at one time",
        r"(?:some|many|lots of|other|most|few) (?:people|patients|doctors|websites|folk)(?: \w+)? (?:say|"
        r"think|believe|will tell|"
        r"claim|are told|find|like)",
    ),
    endorses=re.compile(
        r"(?:well )?(?:yes|yeah|yep|exactly|correct|right|absolutely|quite right|indeed|precisely|spot on|"
        r"true|of course|perfect|definitely|certainly|please do|do please|"
        r"that is (?:exactly |quite |absolutely |perfectly |also |still |all )?(?:right|correct|true|so|it|"
        r"what (?:you|i|we)|the (?:right|correct|plan|advice|rule|idea))|"
        r"you are (?:quite |absolutely |exactly |perfectly )?(?:right|correct)|you (?:can|should|do|must|may|"
        r"are|have)(?: indeed| certainly)?\Z|you do (?:any|all|both|every|yes|always|indeed)(?!\S)|"
        r"they (?:are|were) right|(?:he|she) (?:is|was) right|"
        r"please (?:do|keep|carry|stick|follow|go)|do (?:that|so|just that|exactly that|carry on|keep)|"
        r"keep (?:to that|doing that|it up)|stick (?:to|with) (?:that|it)|"
        r"i (?:agree|can confirm|confirm|do agree|would (?:say|advise) the same)|and (?:that is|you are|"
        r"they are|he is|she is) (?:right|correct|quite right))(?!\S)(?! (?:but|not|let|hmm|well|okay))"
    ),
    endorsed_within=inside(
        r"and (?:that is|you are|they are|he is|she is|that was) (?:\w+ )?(?:right|correct|true|so)|"
        r"which is (?:\w+ )?(?:right|correct|true)|and (?:i|we) (?:agree|confirm|can confirm)|(?:quite |"
        r"absolutely )?rightly|"
        r"yes you (?:can|should|must|do|may)|and yes"
    ),
    doubts=inside(
        r"(?:i|we) (?:am|are) not (?:so |really |quite |at all |entirely )?(?:sure|certain|convinced|aware|"
        r"clear)|(?:i|we) (?:do not|would not|can not|could not) (?:really )?(?:know|say|tell|think|be sure|"
        r"promise|guarantee|confirm|see anything|find|comment|advise)|"
        r"(?:i|we) (?:would |will |will just )?(?:have|need) to (?:check|ask|look|find out|see)|"
        r"let me (?:check|ask|find out|look|make a note|see|note|write)|(?:i|we) will (?:check|ask|find out|"
        r"look into|make a note|pass)|"
        r"that is (?:not|only partly|half)|not (?:quite|exactly|entirely) (?:right|true|correct|so)|"
        r"may not be (?:right|true|necessary)|might not be|does not apply|whether that (?:applies|is|still)|"
        r"hard to say|not for me to say|"
        r"(?:it is|that is) (?:a|an old) (?:myth|rumour|misunderstanding|old wives)|that must have been|"
        r"how (?:frightening|awful|worrying)|i hear what you|take (?:that|it) with a pinch|"
        r"i can not see anything|no record of|nothing (?:about|in) (?:that|your notes)|"
        r"(?:probably|perhaps|maybe|possibly) (?:not|does not|do not)"
    ),
    others=inside(
        r"\A(?:for |in |with )?(?:some|other|many|a few|lots of) (?:people|patients|folk|women|men|"
        r"ladies|places|hospitals)|"
        r"(?:for|with|to) (?:other|some|most|many) (?:people|patients|operations|conditions|tablets|"
        r"medicines)|(?:other|some) patients|(?:the )?(?:patient|lady|gentleman|man|woman) (?:before|"
        r"next door|in the next|in the other)|somebody else|"
        r"if (?:you|it) (?:were|had been|was) (?:a|an|on|in|having|my|another)|in (?:other|some) (?:hospitals|"
        r"countries|places)|imagine (?:you|that|if)|suppose (?:you|that|i)|a different (?:patient|operation|"
        r"medicine)|my (?:own )?(?:mother|father|sister|brother|neighbour|friend|husband|wife)"
    ),
    asks=re.compile(
        r"(?:(?:and|so|now|but|okay|ok|right|well|first|next|then|also|tell me|just|mrs \w+|mr \w+|"
        r"one thing|quick question|"
        r"can i ask|could i ask|may i ask|let me ask|did you know|do you know) )*"
        r"(?:(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|should|shall|may|might|"
        r"must) (?:not )?"
        r"(?:you|i|we|they|he|she|it|there|that|this|these|those|the|your|my|any|anyone|anybody|anything|"
        r"somebody|someone|"
        r"people|all|both|everything|a|an)|what|which|who|whom|whose|when|where|why|how|whether|any|"
        r"anything|anybody|ever|"
        r"been|remember)(?!\S)"
        r"(?! (?:seat|sit|drink|look|rest|it (?:as|with|the|when)))"
    ),
    asks_inside=inside(
        r"(?:do|does|did|have|has|had|are|were|was|is|can|could|will|would|should|shall) (?:not )?(?:you|your|"
        r"it|there|they|anyone|anybody|somebody|i|we|the)|what about|how about|who (?:told|said)|when (?:did|"
        r"do|was)|why (?:did|do)|how (?:often|many|much|long|are|do|did)|or (?:not|at some other|only|just)"
    ),
    asks_strict=re.compile(
        r"(?:(?:and|so|now|but|okay|right|well) )*(?:(?:do|does|did|are|were|is|was|has|can|could|would|will|"
        r"should) (?:not )?(?:you|your|it|there|they|any|the|we|anyone|anybody)|have (?:you|they|there|your)|"
        r"had (?:you|they)|what|which|who|why|how (?:often|many|much|long|are|is|do|did|have))(?!\S)"
    ),
    tag=re.compile(
        r" (?:ok|okay|all right|alright|right|yes|yeah|is that (?:ok|okay|all right|alright|clear|fine|"
        r"understood)|do you (?:understand|follow|see)|does that make sense|got (?:it|that)|have you got that|"
        r"will you|would you|could you|can you|wo not you|please|you see|you know|agreed|clear|fine|"
        r"understood|can you do that|could you do that|how does that sound|any questions|is that clear so far|"
        r"shall we say|do not you)\Z"
    ),
    answers_yes=re.compile(
        r"(?:well |oh )?(?:yes|yeah|absolutely|certainly|of course|definitely|indeed|please do|that is (?:right|"
        r"correct|so))(?! (?:but|not|only if))(?!\S)"
    ),
    doubts_following=re.compile(
        r"(?:well |but |hmm |oh |though |although )*(?:(?:i|we) (?:would |will |would just |will just )?(?:have|"
        r"need) to (?:check|look|ask|find)(?: \w+){0,2} (?:that|it|this|up|out|into)|(?:i|we) am not (?:so |"
        r"really |quite |entirely |at all )?(?:sure|certain)(?: \w+)? (?:about |if |of |whether )?(?:that|it|this|so|"
        r"right)|"
        r"let me (?:check|look)(?: \w+)? (?:that|it|this|up)|(?:i|we) (?:can not|could not) (?:confirm|vouch for|"
        r"promise|swear to) (?:that|it|this)|do not (?:quote me|take my word)|i (?:could|may|might) be wrong|"
        r"(?:i|we) do not know (?:if|whether|about) (?:that|it|this))(?!\S)"
    ),
    retracts=re.compile(
        r"(?:no |sorry |wait |actually |oh )*(?:that is (?:wrong|not right|not true|not correct|a mistake|"
        r"my mistake|old advice|the old advice|not for you|nonsense|incorrect)|scratch that|strike that|"
        r"forget (?:that|what i said|it)|ignore (?:that|what i said)|disregard that|"
        r"i take that back|i got that wrong|i (?:was|am) wrong|i misspoke|that does not apply|"
        r"that was (?:wrong|a mistake|for|meant for)|that is for (?:another|somebody|someone)|not any more|"
        r"no longer|only joking|i mean the opposite|the opposite|that changed|that has changed|"
        r"no that is)(?!\S)"
    ),
    retracted=inside(
        r"but not (?:you|for you|in your case|yours|with you)|i (?:never|did not) (?:say|said|tell|told|mean|meant)|"
        r"i am not (?:saying|telling)|nobody (?:is saying|said|says)|"
        r"(?:is|was) (?:wrong|not true|a myth|nonsense|not right|no longer (?:true|needed|necessary|"
        r"the advice)|out of date|old advice|not correct|untrue|false|incorrect|a mistake)|"
        r"forget (?:about )?(?:all )?(?:that|what|any|anything)|ignore (?:any|what|anything|the)|"
        r"it is a myth that|do not believe|"
        r"(?:is|are|was) (?:not|nothing) (?:something )?(?:to (?:worry|bother|ring|call|phone|fret|fuss|"
        r"be concerned|be alarmed)|you need|necessary|needed|required|worth|important)|nothing to (?:ring|"
        r"call|phone|worry|bother)|"
        r"you (?:may|might|will) have (?:read|heard|seen|been told) (?:that )?|contrary to what"
    ),
    releases=re.compile(
        r"(?:(?:there is |there was |you have |you are under |there will be )?(?:absolutely |really |"
        r"usually )?no (?:need|reason|point|obligation|call|rush|hurry|requirement)(?: (?:for you|in|at all|"
        r"whatsoever))?(?: to)?|"
        r"(?:do|does|did|need|must|should|would|will|can|are|is|have|could|may) not (?:really |actually |"
        r"necessarily |even |ever |just |simply )*(?:need to|have to|want to|want you to|got to|required to|"
        r"supposed to|meant to|obliged to|necessary to|bother to|say to|say|think you (?:have|need) to|to)?|"
        r"not necessary to|unnecessary to|not important to|nobody (?:needs|has) to|never(?: ever)?|not(?: ever)?|"
        r"without|instead of|rather than|stop|avoid|refuse to|forget to|(?:i|we) (?:would not|do not) (?:say|think|"
        r"believe|advise|recommend)(?: that)?(?: you)?(?: should| need to| must| have to)?|it is not (?:true|"
        r"the case|important|necessary|essential)(?: that| to)?|unless)\Z"
    ),
    echo_yes=re.compile(
        r"\s*(?:well,? |oh,? )?you (?:can|should|must|may|do|are)(?: indeed| certainly|"
        r" please)?\s*(?:[,.!;]|\Z)",
        re.IGNORECASE,
    ),
    marks_all=False,
    later=inside(
        r"later(?: on)?|not yet|in a (?:minute|moment|second|bit|while)|next time|shortly|soon|afterwards|at the end|"
        r"another time|before we (?:finish|end|hang up)"
    ),
    lifts_following=inside(
        r"(?:no need|not need|not have to|not necessary|unnecessary|stop|never|"
        r"do not)(?: to)?(?: do| follow| worry about)? "
        r"(?:the following|this|these|any of (?:this|these|the following))|not true|wrong|a myth|old advice"
    ),
)
