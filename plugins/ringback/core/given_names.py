"""Given names that callers introduce themselves by, where nothing is written in capitals.

Speech recognition often writes small letters only: "this is rebecca stone" is a name, "this
is total nonsense" is not, and their shape is the same. So in small letters a name that
nobody asked for needs a first word that is known as one. What is also an ordinary word
(`will`, `grace`, `frank`) is left out. In capitals, or where a name was asked for, any word
will do.
"""

from __future__ import annotations

GIVEN_NAMES = frozenset(
    """
    aaron abdul abigail adam adele adrian agnes ahmed aisha akira alan albert alejandro alex
    alexander alexandra alexis alfred ali alice alicia alina alison allen alma amanda amber amelia
    amina amir amy ana anastasia anders andre andrea andreas andrew andy angela angelo anita ann
    anna anne annette annie anthony antonio arjun arnold arthur astrid audrey barbara barry beatrice
    beatrix ben benjamin bernard bernd beth betty bianca bjorn bob brad brandon brenda brian bridget
    bruce bruno bryan caitlin cameron camille carl carla carlos carmen carol carolina caroline
    casper catherine cathy cecilia cedric chantal charles charlotte chen chloe chris christina
    christine christopher claire clara claudia clive colin connor cora craig cynthia daisuke damian
    dan dana daniel daniela danny darren dave david deborah denise dennis derek diana diane diego
    dimitri dmitri dominic donald donna doris dorothy doug douglas duncan dylan eddie edgar edith
    edward edwin eileen elaine eleanor elena eli elias elijah elisabeth eliza elizabeth ella ellen
    elliot elsa emil emily emma emmanuel enrique eric erica erik erika erin ernest esther ethan eva
    evelyn ewa fatima felipe felix fernando fiona florence francesca francis francisco franz fred
    frederick gabriel gabriela gareth gary gavin gemma geoff george georgina gerald gerard gina
    giovanni giulia gloria gordon graham greg gregory greta guillermo gunther gustav hannah hans
    harold harriet harry hassan heather hector heidi heinrich helen helena helga henrik henry herbert
    hiroshi howard hubert hugh hugo ian ibrahim ida ignace igor ines ingrid irene irina isaac isabel
    isabella ivan jack jackson jacob jacqueline jake james jamie jan jane janet janice jasmine jason
    javier jean jeff jeffrey jen jennifer jenny jeremy jerome jerry jessica jill jim jin joan joanna
    joe joel johan johanna john johnny jon jonas jonathan jorge jose josef joseph josephine joshua
    joyce juan juanita judith judy julia julian julie julius jun juri justin kaitlin karen karim karl
    karla kasper kate katherine kathleen kathy katie katrin keith kelly ken kenji kenneth kevin khalid
    kim kimberly kirsten klaus kristen kristina kumar kurt kyle lakshmi lars laura lauren laurence
    lea lee leila lena leo leon leonard leroy leslie liam lily linda lindsay lisa liz lloyd logan lois
    lorenzo lorraine louis louisa louise luca lucas lucia lucy luigi luis luke lydia lynn maddie
    madeleine magdalena manuel marcel marco marcus margaret margarita maria marianne marie mario
    marion marjorie markus marlene marta martha martin martina marvin mary mateo mathilda matt matteo
    matthew maureen maurice max maxine mei megan mehmet melanie melissa michael michaela michelle
    miguel mike mikhail mila milan milo mina miriam mohammed mohamed molly monica monika morgan
    muhammad muriel nadia nancy naomi natalia natalie natasha nathan neil nelson niamh nicholas nick
    nicola nicolas nicole nigel nikolai nina noah noel nora norman olga oliver olivia omar oscar otto
    owen pablo pamela paolo patricia patrick paul paula pauline pavel pedro penelope percy peter petra
    phil philip philippa phoebe pierre piotr priya rachel rafael rahul raj ralph ramon raquel raul
    ravi raymond rebecca reinhard renata rene rhonda ricardo richard rita robert roberta roberto robin
    rodney rodrigo roger roland roman ronald rosa rosemary rosie ross rowan roy rupert russell ruth
    ryan sabine sabrina sally salma sam samantha samir samuel sandra sanjay sara sarah sasha saul
    scott sean sebastian selma serena sergei sergio seth shannon sharon sheila shirley sigrid silvia
    simon simone sofia sonia sonja sophia sophie stacey stanley stefan stella stephan stephanie
    stephen steve steven stuart susan susanna suzanne svetlana sven sylvia tamara tania tanya tara
    tatiana ted teresa terry thelma theo theodore theresa thomas tiffany tim timothy tina tobias toby
    todd tom tomas tony tracy travis trevor trudy ulrich ursula valentina valerie vanessa vera
    veronica vicky victor victoria vijay vikram vincent viola violet virginia vivian vladimir walter
    wanda wendy werner wesley wilfred wilhelm william wolfgang xavier yasmin yolanda yusuf yuki yuri
    yvonne zach zachary zoe
    """.split()  # noqa: SIM905 - a paragraph of names reads better than a list
)
