"""English idioms of answering, as patterns over flat clauses (contractions opened: "i do not think so")."""

from __future__ import annotations

import re

from obligations.answers.idioms.model import Idioms
from obligations.coverage.flat import inside, whole

_AMPLIFY = (
    r"(?: (?:actually|indeed|really|too|though|still|already|always|definitely|certainly|thanks|thank you|"
    r"please|love|dear|doctor|nurse|of course|i am afraid|unfortunately|all right|alright|yes|yeah|no|"
    r"to be honest|mostly|sometimes|today|now|again|before|since|at the moment|at present|just now|"
    r"this morning|yesterday|last night|every day|recently|lately|so far))*"
)
_AUX = r"(?:have|has|had|did|do|does|am|is|are|was|were|can|could|will|would|should|shall|might)"
_SUBJECT = r"(?:i|we|it|that|they|there|you|those|these|both|he|she)"
_YES_WORDS = (
    r"(?:yes|yeah|yep|yup|yea|yah|aye|ya|absolutely|definitely|certainly|of course|indeed|correct|"
    r"affirmative|naturally|oh yes|yes please|very much|very much so|you bet|too right|without fail|"
    r"always|all the time|every time|every day|constantly)"
)
_NO_WORDS = (
    r"(?:no|nope|nah|na|never|none|nothing|nowhere|nobody|no one|neither|negative|certainly not|"
    r"definitely not|absolutely not|of course not|not at all|no way|never ever|not ever|not once|not one|"
    r"not any|not a bit|not a thing|not a single one|not in the least|not in the slightest|not remotely|"
    r"not yet|not today|not now|not lately|not recently|not so far|not since|not any more|not anymore|"
    r"none at all|none whatsoever|nothing at all|nothing like that|no such thing|nothing of the sort|"
    r"nothing whatsoever|not a trace|not a twinge|not a drop|not a sign|heavens no|god no|goodness no|"
    r"no fear|far from it|thankfully not|luckily not|fortunately not|i am afraid not|afraid not|sadly not|"
    r"unfortunately not|not me|still no|still not|not a jot|not even a (?:bit|twinge|little)|"
    r"no more than usual|no more than normal|no different|no change|no worse|same as (?:ever|always|"
    r"before|usual))"
)

EN = Idioms(
    fillers=whole(
        r"(?:um|uh|uhm|umm|erm|er|err|ah|oh|eh|ooh|hmm|hm|hmmm|well|so|like|now|look|let us see|let me see|"
        r"let me think|now then|you know|i mean|you see|thing is|the thing is|see|dear me|oh dear|goodness|"
        r"gosh|good question|that is a good question|thanks for asking|thank you for asking|please|love|dear|"
        r"darling|doctor|nurse|right then|and|but|anyway|honestly|to be honest|i must say|as it happens|"
        r"if i am honest|how can i put it|what is it now|what was it)(?: (?:um|uh|erm|er|well|so|now|then))*"
    ),
    leading=inside(
        r"um|uh|uhm|umm|erm|er|err|ah|oh|ooh|hmm|hm|well|so|and|but|now|look|you know|i mean|honestly|"
        r"to be honest|actually|please|dear|love|just|then|anyway"
    ),
    yes=whole(
        _YES_WORDS + _AMPLIFY,
        (
            r"(?:it|that|there|they|i)(?: certainly| definitely| really| most certainly)? (?:is|are|does|do|did|"
            r"have|has|am|was|were|can|will)"
        )
        + _AMPLIFY,
        r"i (?:certainly|definitely|sure|really) (?:do|did|have|am|can|will)" + _AMPLIFY,
        r"(?:yes|yeah) (?:it|i|there|they|that|we) " + _AUX + _AMPLIFY,
        (
            r"i am afraid so|afraid so|unfortunately(?: so)?|sadly yes|i would say so|i will say|only too much|"
            r"and how|more than ever|a lot|lots|loads|plenty|terribly|badly|quite a (?:bit|lot)|all of them|"
            r"every one(?: of them)?|every single (?:one|day)|the lot|all done|same as always i do|like clockwork|"
            r"religiously|as usual i do|that i (?:do|did|have)|that it (?:is|does)"
        ),
    ),
    no=whole(
        _NO_WORDS + _AMPLIFY,
        r"(?:it|that|there|they|i|we|those)(?: really| certainly| definitely)? " + _AUX + r" not" + _AMPLIFY,
        r"(?:no|nope) (?:it|i|there|they|that|we) " + _AUX + r" not" + _AMPLIFY,
        (
            r"i (?:really |certainly |definitely |still )?(?:have|had|did|do|am|was) not(?: had| got| felt|"
            r" noticed| seen| done)?(?: any| one| it| that| them| anything| none)?(?: of (?:it|that|"
            r"them))?(?: like that)?(?: at all)?(?: yet| today| either)?"
        )
        + _AMPLIFY,
        r"i (?:have )?never (?:have|had|did|do)(?: any| one| it| that)?(?: at all)?",
        (
            r"not (?:that|as far as|so far as) i (?:know|am aware|can tell|can see|can think|can remember|"
            r"remember|recall|have noticed|have seen|have felt|have had|noticed|would know|could say|could see|"
            r"could tell)(?: of| about)?(?: anyway| no)?"
        ),
        (
            r"not to my knowledge|not that i am aware of|none that i (?:know of|have noticed|noticed|can think of|"
            r"can see)|nothing (?:that )?i (?:have|had)? ?(?:noticed|can think of)|nothing (?:to speak of|"
            r"to report|to write home about|to worry about|out of the ordinary|unusual|new|much)|i wish|"
            r"chance would be a fine thing|if only"
        ),
        (
            r"(?:no )?i (?:would )?(?:rather|prefer|sooner|prefer it if|rather it if) (?:you|it|they|that|we|"
            r"if you|she|he)(?: did| do| was| were)? not(?: .*)?|please do not(?: .*)?|"
            r"(?:i )?do not want (?:to be|it|that|you to|this|him|her|them|anybody|anyone)(?: .*)?"
        ),
    ),
    soft_yes=whole(
        (
            r"i (?:do )?(?:think|believe|suppose|guess|reckon|expect|imagine|would think|would guess|should think|"
            r"suspect|fear|presume) so(?: yes)?"
        ),
        (
            r"(?:yes |yeah )?(?:probably|most likely|very likely|i would imagine so|more than likely)(?: yes|"
            r" i (?:have|did|do|am)| so)?"
        ),
        (
            r"(?:yes )?(?:more or less yes|pretty much|for the most part|by and large|mostly|mainly|usually|"
            r"generally|most of the time|most days|most nights|nearly always|almost always|as a rule|"
            r"on the whole)(?: yes)?"
        ),
        r"it (?:probably |might well )?(?:seems|looks|appears) (?:so|like it|that way)",
    ),
    soft_no=whole(
        (
            r"i (?:do not|would not|should not|can not) (?:really )?(?:think|believe|suppose|guess|reckon|expect|"
            r"imagine|say) (?:so|it (?:is|has|was|does)|there (?:is|was|has been)|i (?:have|did|do|am))(?: no)?"
        ),
        r"i (?:think|suppose|guess|believe|hope|would say|should think) not",
        (
            r"i doubt it|i would doubt it|doubtful|unlikely|probably not|most likely not|not really(?: no)?|"
            r"not particularly|not especially|not specially|not so you would notice|not noticeably|not as such|"
            r"i can not say i have|i can not say that i have|i can not say it (?:is|has|does)|"
            r"i can not say there (?:is|has been)|i would not say so|i would not say that"
        ),
    ),
    some=whole(
        (
            r"(?:yes |well |but )?(?:only|just|mainly|mostly|especially|particularly|more so|more) (?:when|if|at|"
            r"in|on|after|before|during|while|with|for|by|sometimes|occasionally|a bit|a little|a touch|slightly|"
            r"the|as|now and)\b.*"
        ),
        (
            r"(?:it )?(?:comes? and goes?|is on and off|on and off|off and on|now and then|now and again|"
            r"every now and (?:then|again)|from time to time|at times|sometimes|some days|occasionally|"
            r"every so often|once in a while|once or twice|a few times|a couple of times|(?:the )?odd (?:time|one|"
            r"day|twinge)|some nights|some mornings)(?: .*)?"
        ),
        (
            r"(?:yes )?(?:a|just a|only a|quite a|maybe a|it is a|there is a|there was a|i had a|i have a|"
            r"i have had a|i got a) (?:bit|little|touch|tiny bit|wee bit|little bit|small amount|trace|"
            r"spot)(?: (?:of .*|here and there|now and then|this morning|yesterday|today|last night|at night|"
            r"in the .*|on .*|when .*|since .*|sometimes|perhaps|i suppose|i think|sore|red|swollen|blurry|achy|"
            r"yes))?"
        ),
        (
            r"(?:yes )?(?:just |only |maybe |perhaps |there is |i get |i have |i had |i felt |it is )*(?:a |an |"
            r"the odd |the occasional |an odd |some |slight |mild |tiny |little |dull )+(?:twinge|niggle|ache|"
            r"stab|pang|touch|tinge|spell|episode|flicker|prick|pinch|scratch)s?(?: .*)?"
        ),
        (
            r"(?:slightly|somewhat|some|a fair bit|a good bit|a fair amount|quite|more than usual|"
            r"more than (?:before|it was|i would like)|worse than (?:ever|before|it was)|worse than usual|"
            r"getting worse|worse)(?: (?:yes|today|this morning|since .*|than .*))?"
        ),
        (
            r"(?:yes )?(?:ever )?since (?:i|the|my|it|yesterday|last|monday|tuesday|wednesday|thursday|friday|"
            r"saturday|sunday|this|then|about|around|we|they)\b.*"
        ),
        (
            r"(?:yes )?(?:for|about|going on) (?:the last |the past |about |around |over |a |two |three |four |"
            r"five |six |[0-9.]+ ?)+(?:days?|weeks?|months?|hours?|nights?)(?: now)?"
        ),
    ),
    murmur_yes=whole(
        r"(?:mm ?hm+|mhm+|mmhm+|m hm|mm hmm|uh huh|uhhuh|uh hu|ah ha|aha)(?: (?:mm ?hm+|uh huh|yes|yeah))*"
    ),
    murmur=whole(r"(?:m+|hm+|mm mm|mmm hmm mm)"),
    ack=whole(
        r"(?:ok|okay|okey|k|right|right ho|all right|alright|right you are|righto|sure|fine|i see|got it|"
        r"understood|fair enough|very well|very good|good|great|lovely|perfect|cool|thanks|thank you|cheers|"
        r"makes sense|that makes sense|that is fine|that is ok|that is okay|no problem|sure thing|"
        r"i understand|noted|excellent|brilliant|super|wonderful|ta|good to know|as you like|if you like|"
        r"whatever you say|i follow|oh i see|oh right|oh okay|ah okay|right okay|okay then|all right then|"
        r"hello|hi|good morning|good afternoon|hello there)(?: (?:ok|okay|right|sure|fine|thanks|thank you|"
        r"then|yes|yeah|love|dear|doctor|nurse))*"
    ),
    consent=whole(
        r"(?:ok|okay|sure|fine|all right|alright|right|right ho|righto|right you are|very well|no problem|"
        r"no objection|no objections|sure thing|by all means|go ahead|go right ahead|please do|feel free|"
        r"be my guest|help yourself|you may|you can|you can do|i do not mind(?: at all)?|i do not object|"
        r"i have no objection|that is (?:fine|ok|okay|all right|alright|no problem|good|perfectly fine|"
        r"absolutely fine|fine by me|fine with me|all good)|fine by me|fine with me|works for me|it is fine|"
        r"i am (?:fine|happy|okay|ok|all right|good) with that|i am happy for you to|if you (?:like|want|must|"
        r"need to|wish|have to)|carry on|do|as you like|suits me|perfect|great|good|not a problem|"
        r"no problem at all|of course you (?:can|may)|yes of course)(?: (?:then|by me|with me|thanks|"
        r"thank you|love|dear|yes|of course|sure|go ahead|okay|that is fine))*"
    ),
    agree=whole(
        (
            r"(?:that is|that s|you are|quite|exactly|yes that is|that would be)? ?(?:right|correct|so|true|it|"
            r"exactly|spot on|precisely)(?: (?:yes|no|love|dear|exactly))?"
        ),
        r"exactly|precisely|quite right|spot on|you have got it|indeed|just so|true",
    ),
    unsure=inside(
        (
            r"i (?:really |honestly |just )?(?:do not|did not|would not|could not|can not) (?:really |honestly |"
            r"rightly )?(?:know|tell|remember|recall|say|be sure)(?! (?:so|i|it|that i have|there|no|they|"
            r"they are))"
        ),
        (
            r"i could not tell you|i can not tell|no idea|not sure|unsure|not certain|hard to (?:say|tell|know)|"
            r"difficult to (?:say|tell)|maybe|perhaps|possibly|might be|could be|may be|it might|it may|it could|"
            r"i might have|i may have|i could have|it depends|depends|who knows|your guess is as good as mine|"
            r"i have not (?:looked|checked|noticed either way|really looked|paid attention|been paying attention)|"
            r"i have no way of knowing|i would have to (?:look|check|ask)|i wonder|not exactly|yes and no|"
            r"i forget|beats me|i have lost track|i lose track|goodness knows|god knows|heaven knows|lord knows|"
            r"search me|i wish i knew|hardly(?: any| ever)?|barely|rarely|very rarely|almost never|not (?:much|"
            r"so much|very|very much|usually|often|normally|always|all of them|exactly|entirely|completely|"
            r"every day|all the time)|so so|kind of|sort of|more or less|in a way|in a manner of speaking|ish|"
            r"you (?:would|will) have to ask|(?:you had )?better ask|ask (?:my|the|him|her|them)|"
            r"(?:i am )?in two minds|i could not swear(?: to it)?"
        ),
    ),
    refuse=inside(
        (
            r"i (?:would|had|d) (?:much |really )?(?:rather|sooner|prefer) (?:not(?! you)|keep|to keep)|"
            r"i (?:would )?prefer not|none of your (?:business|concern)|no business of yours|"
            r"mind your own(?: business)?|that is (?:private|personal|confidential|my (?:own )?business|"
            r"between me and)|i am not (?:telling|answering|discussing|saying|going to (?:tell|answer|discuss|say|"
            r"talk|go into|get into)|prepared to|willing to|comfortable (?:answering|talking|discussing|saying|"
            r"with that question)|talking about)|i will not (?:be )?(?:say|saying|answer|answering|tell|telling|"
            r"discuss|discussing|talk|go into)|i refuse|i decline|(?:i )?do not want to (?:answer|say|talk|"
            r"discuss|go into|get into|tell|think about|share)|do not (?:wish|care|feel like|"
            r"fancy) to? ?(?:answer|say|talk|talking|discuss|answering)|no comment|next question|skip (?:that|"
            r"this|it|the question)|(?:i will )?pass(?: on that)?|can we (?:skip|move on|leave|not)|"
            r"let us (?:skip|not go|leave (?:it|that)|move on)|move on please|leave (?:that|it) (?:out|alone|be)|"
            r"i have nothing to say|not something i (?:want|wish|care|like|am going) to|you do not need to know|"
            r"why should i tell you|not with (?:a|some) (?:machine|robot|computer)|to a (?:machine|robot|"
            r"computer)|i do not (?:talk|discuss) .* with strangers|that stays with me|"
            r"i am keeping that to myself|keep that to myself|ask me something else|"
            r"i am not having this conversation|do not ask me that|i do not see (?:that|how) (?:it|"
            r"that) is (?:any of )?your"
        ),
    ),
    refuse_act=inside(
        (
            r"for (?:anybody|anyone|you|nobody|love nor money|any money|the likes of you)|you will not (?:catch|"
            r"get|find) me|i am not (?:getting|going|doing|taking|having|putting|weighing|measuring|checking|"
            r"looking|bothering|stepping|standing)|i will not (?:be )?(?:do|doing|get|getting|go|step|stepping|"
            r"weigh|weighing|measure|measuring|check|checking|have|be)|i refuse to|not a chance|not on your life|"
            r"over my dead body|no chance|i can not be bothered|forget it"
        ),
    ),
    go_on=inside(
        (
            r"go on(?: then)?|carry on|go ahead|fire away|ask away|ask me|shoot|i am listening|i am all ears|"
            r"what is it|what is the question|do go on|continue|keep going|please continue|you were saying|"
            r"what were you (?:saying|going to say|going to ask)|what did you want (?:to know|to ask)|say on|"
            r"i am ready|ready when you are|ask your question"
        ),
    ),
    hold=inside(
        (
            r"hang on|hold on|hold the line|wait (?:a|one|there|please)|just a (?:second|sec|minute|moment|tick|"
            r"mo)|one (?:second|sec|minute|moment|tick|mo)|give me a (?:second|sec|minute|moment|tick|chance)|"
            r"bear with me|two (?:ticks|secs|seconds|minutes)|half a (?:second|sec|minute|tick)|0.5 (?:second|sec|"
            r"minute|min|tick)|let me (?:get|find|fetch|look|check|have a look|see if|just|grab|ask|put|sit|turn|"
            r"think|go|work (?:it|that) out)|i will (?:just )?(?:get|find|fetch|look|check|go and|have a look|"
            r"see)|i need to (?:get|find|fetch|look|check)|i am just (?:getting|looking|finding|fetching|"
            r"checking)|where (?:are|is|did i put) my"
        ),
    ),
    hearing=inside(
        (
            r"i can hear(?: you)?|i hear you|i can not hear(?: you)?|you are (?:breaking up|very faint|"
            r"a bit faint|cutting out|coming through)|i am (?:still )?(?:here|there|with you|on the line)|"
            r"loud and clear|the line is|it is a (?:bad|terrible|poor) line|hello(?: hello)+|"
            r"are you (?:still )?there|speaking"
        ),
    ),
    repeat=inside(
        (
            r"pardon(?: me)?|i beg your pardon|say (?:that|it) again|come again|what did you say|what was that|"
            r"what was the question|could you (?:repeat|say)|can you (?:repeat|say)|would you (?:repeat|say)|"
            r"repeat that|did not (?:catch|hear|get|understand)(?: that| you| what| the)?|i missed that|"
            r"do not understand(?: the question| you)?|what do you mean|speak up|once more please|you what|"
            r"a bit slower|more slowly"
        ),
    ),
    correct=inside(
        (
            r"no wait|wait no|wait|no sorry|sorry no|sorry|i mean|i meant|actually|in fact|scratch that|"
            r"strike that|correction|let me correct|let me rephrase|i tell a lie|i am lying|i lie|no hang on|"
            r"hang on|hold on|my mistake|i got that wrong|that is wrong|i am wrong|come to think of it|"
            r"on second thoughts?|thinking about it|now i think of it|now that i think|rather|or rather|"
            r"well actually|no actually|oh wait|i should say|make that|that was yesterday|i am mixing"
        ),
    ),
    shift=inside(
        (
            r"by the way|before i forget|while i (?:have|ve|am|think)|(?:the )?(?:other|another) thing|listen|"
            r"can i (?:just )?(?:ask|say|tell)|could i (?:just )?ask|i wanted to (?:ask|say|tell|talk)|"
            r"i have been meaning to|what i (?:really )?(?:want|need|wanted) (?:to know|is)|what (?:worries|"
            r"bothers|concerns) me is|speaking of|that reminds me|did i tell you|guess what|my (?:neighbour|"
            r"neighbor|friend|cousin|sister in law|brother in law|niece|nephew|mate)|the woman (?:next door|"
            r"down the road|opposite)|the man next door|more importantly|never mind (?:that|the)|forget (?:that|"
            r"the)|have you (?:got|had|any)|did you (?:see|hear|get)|is it (?:going to|raining)|when (?:will|is|"
            r"do|can|am)|where (?:will|is|do|can|am)|it is the .* i am worried about|i am (?:more )?worried about|"
            r"my appointment|my prescription"
        ),
    ),
    condition=inside(
        (
            r"hold on|hang on|wait|but not|not with|not if|unless|except|only if|as long as|so long as|provided|"
            r"depends|but (?:what|who|how|why|when|where|which|will|would|do|does|is|are|can|could|first|before|"
            r"only)|first (?:tell|i|what|who)|before that|not yet|not now|later"
        ),
    ),
    echo=whole(
        r"(?:oh |well |yes |yeah |but |no )?"
        + _SUBJECT
        + r"(?: (?:really|certainly|definitely|still|just|always|already|actually))? "
        + _AUX
        + r"(?P<neg> not| never)?"
        + _AMPLIFY,
        r"(?P<neg2>not )?" + _SUBJECT + r" " + _AUX + r"(?: (?:yes|yeah|indeed))?",
    ),
    negators=frozenset("no not never none nothing nobody nor neither without nowhere hardly cannot".split()),
    concord=frozenset(),
    double_negative=inside(
        (
            r"(?:would|could|can|will) not (?:like to |want to |go so far as to |go as far as to )?(?:say|claim|"
            r"swear|deny|pretend|argue)(?: that)?(?: (?:i|it|they|there|we|that|she|he))? ?(?:is|are|has|have|had|"
            r"do|does|did|was|were)? ?(?:not|no|never|none|without)"
        ),
        (
            r"(?:has|have|had|is|was|are) not (?:been |ever been )?(?:a |an |one |any |many )(?:single )?(?:day|"
            r"morning|night|evening|week|time|dose|hour|moment|minute|one|meal)s? (?:that |when |where |"
            r"since )?(?:i|it|we|they) (?:has|have|had|did|do|does|was|is|am)? ?(?:not|never|without)"
        ),
        (
            r"(?:has|have|had) not (?:gone|been|had|spent|passed|managed) (?:a |one |any )?(?:single )?(?:day|"
            r"morning|night|evening|week|hour|minute|moment)s? without"
        ),
        (
            r"(?:never|not) (?:a |one )?(?:day|morning|night|hour|minute|week)? ?(?:goes|went|gone|passes|passed|"
            r"been)? ?(?:by )?without"
        ),
        (
            r"(?:is|was) not (?:as if|as though|that|like|to say|the case that) (?:i|it|they|there|we) (?:is|are|"
            r"has|have|had|do|does|did|am|was|were)? ?(?:not|never|no)"
        ),
        (
            r"never (?:do not|does not|did not|have not|has not|not|fail|failed|fails|forget|forgot|forgets|miss|"
            r"missed|misses|skip|skipped|go without|gone without|went without)"
        ),
        (
            r"(?:do|did|have|has|does|had|would|will|could) not (?:ever )?(?:fail|forget|miss|skip|go without|"
            r"gone without|fail to)(?:ed|t|ten|s)?"
        ),
        r"not (?:without|free of|free from|pain free|none|nothing|never|nobody|unlike|uncommon|unusual|untrue|not)",
        (
            r"nothing (?:is not|has not|does not)|no (?:day|night|morning) without|not no|"
            r"can not complain of none|it would be (?:a lie|wrong|untrue|false) to say (?:i|it|there) (?:have|has|"
            r"is|do|does|did|had|was) not|can not say (?:that )?(?:i|it|there|they) (?:have|has|is|do|does|did|"
            r"had|was|are) (?:not|never|no)|could not say no|would not say no|not say no"
        ),
    ),
    good=inside(
        (
            r"(?:it|that|everything|all|they|things|i|he|she|the \w+|my \w+) (?:is|are|am|has been|have been|"
            r"looks?|feels?|seems?|was|were)(?: all| all been| perfectly| completely| absolutely| totally| very|"
            r" quite| really| just| nice and| as| feeling| looking| been| keeping| doing| back to| much| a lot|"
            r" lovely and)* (?:fine|good|great|normal|okay|ok|alright|all right|right|well|perfect|lovely|"
            r"comfortable|clear|clean|dry|cool|steady|better|healed|healing|settled|gone|right as rain|brilliant|"
            r"improved|improving|steady|regular|calm|clear as .*|good as .*|dry as .*|fit as .*|fine as .*)"
        ),
        (
            r"i (?:can |am )?(?:see|seeing|hear|hearing|breathe|breathing|sleep|sleeping|slept|eat|eating|walk|"
            r"walking|move|moving|read|reading|swallow|swallowing|manage|managing|pass water) (?:it |"
            r"them )?(?:just |perfectly |very |quite |really |absolutely )?(?:fine|perfectly|well|ok|okay|better|"
            r"clearly|normally|easily|no problem|all right|alright|freely)|right as rain|good as (?:new|gold)|"
            r"clear as (?:a bell|day|crystal)|bone dry|dry as a bone|fit as a fiddle|never (?:been |felt |looked |"
            r"seen |slept )?better|like new|(?:slept|sleep|sleeping) like a (?:baby|log)|no (?:trouble|problems?|"
            r"complaints|issues|bother|difficulty|concerns|worries)(?: at all| whatsoever)?|(?:can|"
            r"could) not complain|not (?:had )?any (?:trouble|problems?|bother|difficulty)|without any (?:trouble|"
            r"problems?|bother|difficulty)|all (?:fine|good|clear|well|okay|gone|right)|back to normal|(?:it|"
            r"they) (?:has|have) (?:gone|cleared up|settled|healed|gone down|stopped|disappeared)|(?:it|"
            r"that) (?:stopped|went away|cleared up|settled|passed|wore off)|perfectly (?:fine|well|normal|clear|"
            r"comfortable|dry|cool)|fine thanks|nothing wrong|like (?:a )?clockwork|religiously|"
            r"every (?:single )?(?:one|day|morning|night|time|dose)(?: without fail)?|without fail|never (?:miss|"
            r"missed|forget|forgot|skip|skipped|fail)|all of them|as (?:prescribed|told|directed|instructed|"
            r"i should)|same as always|to the letter|by the book|first thing|with (?:my )?(?:breakfast|lunch|"
            r"dinner|tea|supper)|took (?:them|it|all|mine)|taken (?:them|it|all|mine)|had (?:them|it|"
            r"mine) (?:with|at|first|this|already)|done (?:them|it|that|all)|did (?:them|it|that|mine|all)"
        ),
    ),
    bad=inside(
        (
            r"(?:it|that|this|they|everything) (?:is|are|has been|have been|was|feels?|looks?|keeps?|gets?|got|"
            r"hurts?|aches?|stings?|burns?|throbs?|itches|bleeds?|leaks?|swells?|will not|does not|wakes?|"
            r"bothers?|drives?|kills?|goes|went|comes)(?: really| so| very| awfully| just| all| absolutely| still|"
            r" quite| me| getting)* ?(?:terrible|awful|dreadful|horrible|bad|worse|agony|murder|killing|"
            r"killing me|unbearable|a nightmare|hurting|aching|throbbing|stinging|burning|itching|bothering|me up|"
            r"me awake|waking me|like (?:a )?(?:tomato|balloon|beetroot|football|knife|fire|hell|an elephant|"
            r"tree trunks?|sandpaper)|on fire|up like .*|stop|go away|settle|ease|playing up|giving me .*|"
            r"driving me .*|the size of .*|as big as .*|twice the size|up and down)"
        ),
        (
            r"(?:it|they) (?:hurts?|aches?|stings?|burns?|throbs?|itches)|because of (?:it|that|them)|killing me|"
            r"(?:in|sheer|pure) agony|(?:keeps|kept|keeping) me (?:up|awake)|(?:wakes|woke|waking) me(?: up)?|"
            r"can not (?:sleep|walk|stand|see|read|bear) (?:for|because of|with) it|will not (?:stop|go away|"
            r"do up|fit|go on|settle)|does not (?:fit|stop|go away|fasten)|(?:shoes?|slippers?|socks?|rings?|"
            r"trousers?|boots?) (?:will|do|does|is|are|would|can)(?: not)?|i forgot(?: .*)?|i have forgotten|"
            r"slipped my mind|i (?:have )?(?:missed|skipped|stopped)(?: .*)?|(?:i have |i )?(?:run|"
            r"ran) out(?: of .*)?|have not got round to it|i (?:gave|have given) (?:them |it )?up|"
            r"i keep (?:forgetting|missing)|i (?:left|have left) (?:them|it) off|i could not (?:face|manage|get|"
            r"swallow) (?:them|it|any)|like (?:a )?(?:tomato|balloon|beetroot|football|tree trunks?)|it is agony|"
            r"it has got worse|getting worse|gone up like|come up like|not (?:very )?(?:good|well|right|great|"
            r"too good|so good|too well|so well)"
        ),
    ),
    supports=inside(
        (
            r"(?:my |our |the |a )?(?:husband|wife|partner|daughter|son|sister|brother|mother|father|mum|mom|dad|"
            r"niece|nephew|neighbour|neighbor|friend|carer|carers|grandson|granddaughter|grandchildren|children|"
            r"family|girlfriend|boyfriend|flatmate|lodger|lad|girl|other half|kids|in laws|daughter in law|"
            r"son in law|aunt|uncle|cousin|parents)s?(?: \w+){0,3} (?:lives?|living|moved|moves|stays?|staying|is|"
            r"are|comes?|came|coming|helps?|helping|looks?|looking|pops?|does|do|drives?|takes?|with|here|will|"
            r"sees|around|off work|next door|calls? in|visits?)"
        ),
        (
            r"i (?:live|am living|am staying|stay) with|i have (?:got )?(?:my |a |our )(?:husband|wife|partner|"
            r"daughter|son|sister|brother|mother|mum|neighbour|friend|carer|family)|(?:there is|there are) (?:my|"
            r"a|always|someone|somebody|people|four of us|three of us|two of us)|carers? (?:come|comes|in)"
        ),
    ),
    alone=inside(
        (
            r"(?:live|lives|living|am|all|here) (?:alone|on my own|by myself|on my tod)|on my own|by myself|"
            r"just (?:me|myself)(?: and .*)?|only me|there is (?:only|just) me|all alone|nobody (?:here|at home|"
            r"around|to)|no one (?:here|at home|around|to)|i have no ?(?:one|body)|i do not have any ?(?:one|"
            r"body)|not a soul|(?:lost|buried) my (?:husband|wife)|widowed|widower|widow|"
            r"they (?:all )?live (?:miles|far|abroad|away|in)|everyone is (?:away|at work)"
        ),
    ),
    support_question=inside(
        r"(?:someone|somebody|anyone|anybody|person|people|family|carer|friend|who) (?:\w+ )*(?:home|help|"
        r"with you|look after|stay|around|there|living|pick you up|drive you|take you|overnight)|live alone|"
        r"living alone|on your own|by yourself"
    ),
    permission=inside(
        (
            r"is it (?:all right|alright|ok|okay|fine) (?:if|to|for|with)|is that (?:all right|alright|ok|okay|"
            r"fine)(?: with you)?|(?:may|can|could|shall|might) (?:i|we|one of us|the (?:nurse|doctor|team|"
            r"clinic))|are you (?:happy|okay|ok|all right|alright|comfortable|content|willing) (?:for (?:us|me)|"
            r"if|to (?:go|carry|continue|be|have|let|answer|talk|speak|do|start)|with (?:us|me|this call|that|"
            r"being))|do (?:you|we|i) (?:agree|consent|have your (?:permission|consent|agreement|leave))|"
            r"would you be (?:happy|okay|willing|all right) (?:for|if|to|with)|do i have your|have we your|"
            r"will you (?:let|allow)|is now a good time|is this a good time|would it be (?:all right|ok|"
            r"okay) (?:if|to)|ready to (?:start|begin|go|continue)"
        ),
    ),
    mind=inside(
        r"(?:do|would) you mind|(?:do you have |have you |any )?(?:any )?objections?(?: to| if)?|do you object"
    ),
    question_start=whole(
        (
            r"(?:(?:and|so|now|but|okay|right|well|first|next|then|also|sorry) )*(?:which|who|whom|whose|when|"
            r"where|why|how|what(?! (?:he|she|they|my \w+) (?:said|says)))\b.*"
        ),
        (
            r"(?:(?:and|so|now|but|okay|right|well|first|next|then|also|sorry) )*(?:is|are|was|were|do|does|did|"
            r"have|has|had|can|could|will|would|should|may|might|shall|am) (?:not )?(?:you|i|it|we|they|there|"
            r"that|this|the|my|he|she|your|these|those)\b.*"
        ),
    ),
    tag_after_negative=whole(
        r"(?:.* )?(?:have|has|had|is|are|was|were|do|does|did|can|could|will|would|should) (?:you|it|they|"
        r"there|we|he|she|that)"
    ),
    tag_after_positive=whole(
        r"(?:.* )?(?:have|has|had|is|are|was|were|do|does|did|can|could|will|would|should) (?:not )?(?:you|it|"
        r"they|there|we|he|she|that)(?: not)?"
    ),
    negative_question=inside(
        (
            r"(?:do|does|did|have|has|had|is|are|was|were|can|could|will|would|should) not (?:you|it|they|there|"
            r"the|your|that|any)|(?:do|did|have|are|is|were|was|has|would|can) (?:you|it|there|they|your \w+|"
            r"the \w+) (?:\w+ )?(?:not|no|never|without)|so no \w+|you have no|you had no|no (?:pain|fever|"
            r"bleeding|swelling|redness|nausea|temperature|discharge|leaking|trouble|problems|dizziness|"
            r"chest pain|cough|itching|other)(?: \w+)*"
        ),
    ),
    alternative=inside(
        r"or (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would) (?:it|you|they|the|your|there|"
        r"that|everything|all)\b.*"
    ),
    how_many=inside(
        (
            r"how (?:many|much|high|low|far|heavy|tall|old)(?! (?:pain|trouble|difficulty|discomfort) (?:are|is|"
            r"do|have))|what (?:did|does|do|is|was|were|has|are) (?:the|your|it|that)(?: \w+){0,3} (?:scales?|"
            r"weight|temperature|reading|readings|blood pressure|blood sugar|sugar|peak flow|pulse|heart rate|"
            r"oxygen|saturation|number|dose|score|level|age|count)(?: (?:say|show|read|today|this|at))?|"
            r"what (?:number|weight|temperature|reading|dose|score|age|level)|(?:weight|temperature|"
            r"reading) (?:this morning|today)|on a scale|from (?:zero|one|nought|0|1) to (?:ten|five|10|5|100)|"
            r"out of (?:ten|10|five|5|100)|between (?:zero|one|0|1) and (?:ten|10)|rate (?:your|the|it)|"
            r"how would you (?:score|rate)|how many times|what percentage"
        ),
    ),
    how_often=inside(
        r"how (?:often|bad|badly|severe|would you describe|difficult|bothered|likely|confident|satisfied|well|"
        r"are you|has|have|do you|is|was|did)"
    ),
    when=inside(
        r"when (?:did|was|were|is|will|do|does|have|are)|what (?:date|day|time|year|month)|on (?:what|"
        r"which) (?:date|day)|which (?:day|date|morning)|date of birth|how long ago|since when"
    ),
    how_long=inside(
        r"how long(?! ago)|for how (?:long|many)|how many (?:days|hours|weeks|minutes|nights|months|years)"
    ),
    open_value=inside(
        r"(?:and|so|now|okay|right)?\s?(?:what|which|where|who|whom|whose|why)(?! if)\b|"
        r"can you tell me (?:what|which|where|who|your|the)|could you tell me (?:what|which|where|who|your|"
        r"the)|tell me (?:what|which|where|who|your|the|about)|please (?:tell|give|describe|name|"
        r"confirm your)|your (?:full )?name please"
    ),
    stop=frozenset(
        (
            "a an the i you he she it we they me him her us them my your his its our their this that these those "
            "is are was were am be been being do does did done doing have has had having can could will would "
            "should shall may might must of to in on at for with from by as and or but so if than then there "
            "here any some at all no not more most very just ever still yet now today currently present moment "
            "feel feeling felt had got get getting notice noticed seen see seem since last past few days day "
            "week weeks month morning night evening yesterday recent recently lately tell say said how what "
            "which who when where why often much many long about into out up down over under again also too "
            "anything something anyone someone thing things been usual okay ok right well please kind sort bit "
            "little s your yours new other else like let go going want need able really quite one two ever after "
            "before during operation surgery vaccine vaccination procedure discharge left hospital clinic "
            "injection treatment jab spoke call home because particular special worse"
        ).split()
    ),
    topics=frozenset(
        (
            "eye eyes leg legs calf foot feet ankle ankles knee knees hip hips arm arms chest tummy stomach "
            "belly abdomen back head neck shoulder hand hands wound scar site skin throat ear ears mouth breast "
            "area side lower upper body weight vision sight"
        ).split()
    ),
    other_day=inside(
        r"yesterday|last (?:night|week|month|evening)|the (?:other|day before)(?: day| night)?|"
        r"(?:on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|tomorrow|(?:two|three|four|"
        r"a few|a couple of|several|2|3|4) days ago|days ago|the day before"
    ),
    this_day=inside(r"today|this (?:morning|afternoon|evening)|tonight|just now|right now"),
    future=inside(
        r"(?:i )?(?:am |was )?(?:just )?(?:going to|about to)|i will(?! not)|later(?: on)?|after (?:lunch|"
        r"dinner|breakfast|tea)|in a (?:minute|bit|while)|when i get (?:round|home|up)"
    ),
    comparative=inside(
        r"more \w+ than|worse|better|\w+er than|less \w+ than|any (?:more|worse|better)|changed?|different"
    ),
    same=inside(
        r"same|as (?:usual|before|ever|always)|no (?:change|different|more|worse)|much the same|usual|"
        r"not changed|unchanged|no (?:more|worse|bigger) than"
    ),
    half_negated=inside(
        r"(?:not|no|never) (?:much|very|so|too|that|as|all that|really|exactly|quite|always|often|every|all|"
        r"many|a lot|badly|just|only|the worst|more than|as bad|terribly|particularly|especially|constantly|"
        r"all the time)"
    ),
    none_words=frozenset("none zero nil nought".split()),
    vague=inside(
        r"a (?:few|couple|handful|lot|bit|number)|several|some|many|loads|plenty|not (?:many|much)|enough|"
        r"too (?:many|much)|the usual|as usual|normal"
    ),
    not_a_number=inside(
        r"(?:no|the|this|that|which|any|every|each|white|blue|pink|red|yellow|little|big|other|first|last|"
        r"next|new|old|good|bad) 1|1 (?:of|or two|moment|second|sec|minute|day|time|more|thing)|"
        r"back to square 1"
    ),
    approx=inside(
        r"about|around|roughly|approximately|nearly|almost|ish|or so|i think|i would say|probably|maybe|"
        r"perhaps|i guess|i suppose|must be|something like"
    ),
    bound=inside(r"(?:more|less|fewer|over|under) than|at (?:least|most)|over|under|up to|no more than|between|from"),
    option_or="or",
    heads=frozenset("yes yeah yep yup aye no nope nah ok okay sure right".split()),
    after_head=re.compile(
        r"(?:yes|yeah|no|nope|not|none|never|nothing|i|it|they|there|that|we|my|the|he|she|what|when|where|"
        r"why|who|how|which|hang|hold|wait|sorry|go|carry|actually|well|only|just|a|since|thanks|thank|please|"
        r"ask|but|and|of|absolutely|definitely|every|all|sometimes|for|in|on|at|everything)\b"
    ),
    polite=frozenset("sorry actually in fact i should say".split()) | {"in fact", "i mean", "rather"},
    inverse=frozenset(
        (
            "miss missed missing forget forgot forgotten skip skipped skipping stop stopped refuse refused run "
            "ran avoid avoided"
        ).split()
    ),
    good_asked=inside(
        r"comfortable|better|improved?|improving|normal|normally|well|able to|manage|managing|coping|eating|"
        r"sleeping|drinking|take|taken|taking|took|use|used|using|wear|wearing|put|putting|doing your|"
        r"done your|did your|check|checked|checking|weigh|weighed|weighing|measure|measured|walk|walking|"
        r"exercises?|someone|somebody|anyone|help|understand|understood|happy|safe|enough|healed|healing|"
        r"clear|clean|dry|receive|received|collected?|pick(?:ed)? up|got your|have your|rest|resting|fasted|"
        r"fasting|finished"
    ),
    antonyms=(
        (
            frozenset("leak leaking weeping oozing discharge wet bleeding bleed".split()),
            frozenset("dry clean clear healed".split()),
        ),
        (frozenset("red redness bloodshot inflamed".split()), frozenset("white clear normal pale".split())),
        (frozenset("blurry blurred fuzzy hazy cloudy misty".split()), frozenset("clear sharp crisp perfect".split())),
        (frozenset("swollen swelling puffy swell".split()), frozenset("slim thin normal flat down".split())),
        (
            frozenset("pain painful sore hurt hurting ache aching discomfort".split()),
            frozenset("comfortable painless fine".split()),
        ),
        (frozenset("fever temperature feverish hot".split()), frozenset("cool cold normal".split())),
        (frozenset("breathless breath breathing wheezy wheezing".split()), frozenset("easily freely".split())),
        (frozenset("dizzy dizziness lightheaded faint".split()), frozenset("steady".split())),
        (frozenset("constipated constipation".split()), frozenset("regular".split())),
        (frozenset("sick nauseous nausea vomiting".split()), frozenset("hungry".split())),
        (frozenset("itchy itching itch".split()), frozenset("calm".split())),
        (frozenset("tired exhausted fatigue weak".split()), frozenset("energetic rested strong".split())),
        (
            frozenset("anxious anxiety worried nervous low depressed down hopeless".split()),
            frozenset("cheerful calm happy relaxed upbeat".split()),
        ),
    ),
    third_subject=inside(
        (
            r"(?:he|she|they) (?:\w+)|(?:her|his) (?:eye|eyes|leg|legs|foot|feet|ankle|ankles|knee|hip|wound|arm|"
            r"tablets|drops|weight|temperature|pain|breathing|\w+)|(?:mum|mom|dad|gran|grandma|grandad|nan|"
            r"my (?:wife|husband|mother|father|mum|dad|son|daughter|partner)) (?:is|was|has|had|did|does|can|took|"
            r"takes|feels|says?|said|will|forgot)|him|her"
        ),
    ),
    carer=inside(
        (
            r"(?:i am|this is|it is|you are (?:speaking|talking) to) (?:(?:her|his|the|their) (?:wife|husband|"
            r"daughter|son|carer|partner|mother|father|mum|dad|sister|brother|niece|nephew|neighbour|friend|nurse|"
            r"grandson|granddaughter)|\w+ s (?:wife|husband|daughter|son|carer|partner|mother|father|mum|sister|"
            r"brother))|(?:i am )?(?:speaking|answering|talking) (?:for|on behalf of) (?:her|him|my|mum|dad)|"
            r"on (?:her|his) behalf|(?:he|she) (?:is asleep|is in bed|is resting|can not come to the phone|"
            r"is not here|does not hear well|is deaf|wants me to|asked me to|is out|is next to me|is right here)|"
            r"i (?:gave|give|put|do) (?:him|her) (?:his|her|the|them|it)|i look after (?:him|her)|mum is|dad is"
        ),
    ),
    relay=inside(
        (
            r"(?:my (?:wife|husband|daughter|son|partner|mother|mum|carer|sister|brother|neighbour|friend)|"
            r"the (?:nurse|carer|doctor)|he|she|they) (?:says?|said|reckons?|thinks?|thought|told me|tells me|"
            r"noticed|keeps saying)"
        ),
    ),
    room=inside(
        (
            r"do you want|shall i|(?:are|will) you (?:having|want|coming|going)|dinner is|tea is|the (?:telly|tv|"
            r"door|dog|kettle|post|remote|bins?)|who is (?:that|it|on the phone)|who are you (?:talking|"
            r"speaking) to|is that the (?:hospital|doctor|nurse|clinic)|put the|turn (?:it|that|the)|i am (?:off|"
            r"going) (?:to|out|now)|get off|come (?:here|on)|pass me|where is the|give me the|hang up|mind the|"
            r"see you later|cup of tea|shut the|your (?:tea|dinner|lunch) is"
        ),
    ),
    splitters=inside(r"but|though|although|however"),
    synonyms=(
        frozenset(
            (
                "pain pains painful hurt hurts hurting ache aches aching sore soreness tender throbbing stabbing "
                "discomfort"
            ).split()
        ),
        frozenset("swelling swollen swell swelled puffy puffiness bloated".split()),
        frozenset("red redness bloodshot pink inflamed reddened".split()),
        frozenset("blurry blurred blur fuzzy hazy misty cloudy".split()),
        frozenset("fever temperature feverish febrile burning".split()),
        frozenset("leak leaking leaks leaked ooze oozing weeping discharge pus seeping".split()),
        frozenset("bleed bleeding bled blood bleeds".split()),
        frozenset("breathless breathlessness breath breathing breathe wheezy wheezing puffed".split()),
        frozenset("sick sickness nausea nauseous vomit vomiting vomited queasy threw".split()),
        frozenset("dizzy dizziness lightheaded giddy faint fainted fainting unsteady".split()),
        frozenset("tablet tablets pill pills medicine medicines medication medications meds capsules capsule".split()),
        frozenset("drop drops eyedrops".split()),
        frozenset("fall fallen fell falls tumble tumbled".split()),
        frozenset("sleep sleeping slept asleep".split()),
        frozenset("eat eating ate eaten appetite".split()),
        frozenset("drink drinking drank drunk".split()),
        frozenset("walk walking walked".split()),
        frozenset("take taken taking took takes".split()),
        frozenset("use used using uses".split()),
        frozenset("miss missed missing skip skipped forgot forgotten forget".split()),
        frozenset("vision sight eyesight seeing".split()),
        frozenset("itch itchy itching itches".split()),
        frozenset("rash spots hives".split()),
        frozenset("cough coughing coughed coughs".split()),
        frozenset("weight weigh weighed weighing".split()),
        frozenset("smoke smoking smoked smoker cigarettes".split()),
        frozenset("diarrhoea diarrhea runs loose".split()),
        frozenset("constipation constipated".split()),
        frozenset("tired tiredness exhausted fatigue fatigued".split()),
        frozenset("anxious anxiety worried worrying nervous".split()),
        frozenset("numb numbness tingling".split()),
        frozenset("record recorded recording".split()),
        frozenset("thoughts thought thinking think".split()),
    ),
    first_person={},
)
