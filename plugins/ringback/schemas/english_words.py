"""Words that many English questions share: whose, who, relations."""

from __future__ import annotations

OWN = "(my/our/your/his/her/their/the caller's/the customer's/the client's/the patient's)"
WHOSE = "(my/our/your/his/her/their/'s)"
ME = "(me/us/you/him/her/them/the caller/the customer/the client/the patient)"
I = "(i/we/you/he/she/they/the caller/the customer/the client/the patient)"  # noqa: E741
AM = "(am i/are we/are you/is he/is she/are they/is the caller/is the customer/is the patient)"
DO = "(do/does/did/can/should/may/could/shall/would)"
MAY = "(can/could/may/is it ok to/is it okay to/is it fine to/is it all right to)"
HAVE = "(have/has/had)"
MOTHER = "(mother/mum/mom/mummy/mommy/mama)"
FATHER = "(father/dad/daddy/papa)"
PARTNER = "(wife/husband/partner/spouse/girlfriend/boyfriend/fiancé/fiancée/better half)"
CHILD = "(child/children/kid/kids/son/sons/daughter/daughters/baby)"
FRIEND = "(friend/friends/best friend/mate/mates/buddy)"
COLLEAGUE = "(colleague/colleagues/coworker/coworkers/workmate/workmates)"
PET = "(pet/pets/dog/dogs/cat/cats/animal/animals/puppy/kitten/rabbit/hamster/parrot/horse)"
MEDICINE = (
    "(tablets/tablet/pills/pill/medication/medications/medicine/medicines/meds/drugs/"
    "prescription/prescriptions/painkillers)"
)
SUBSTANCE = (
    "(nuts/peanuts/almonds/shellfish/prawns/shrimp/seafood/fish/milk/dairy/cheese/eggs/wheat/gluten/"
    "soy/sesame/strawberries/kiwi/aspirin/ibuprofen/paracetamol/penicillin/amoxicillin/antibiotics/"
    "painkillers/codeine/morphine/latex/iodine)"
)
PHARMACY = "(pharmacy/pharmacies/chemist/chemist's/drugstore)"
DOCTOR = "(doctor/doctors/gp/family doctor/physician/primary care doctor/pcp)"
ILLNESS = (
    "(diabetes/asthma/epilepsy/cancer/arthritis/high blood pressure/low blood pressure/"
    "heart trouble/heart disease/a heart condition/kidney disease/a chronic)"
)
COMPLAINT = "(headache/fever/temperature/cough/pain/rash/sore throat/nausea/symptoms)"


def named(whom: str) -> tuple[str, ...]:
    """How people ask who somebody is to them: `my wife's name`."""
    return (
        f"(who's/who is/who are/who was) {WHOSE} {whom}",
        f"(what's/what is/what are/what was/know/remember/tell me) … {WHOSE} {whom}('s/s') name",
        f"{WHOSE} {whom}('s/s') (name/names)",
        f"(name of/names of) {WHOSE} {whom}",
        f"(what's/what is/what are) {WHOSE} {whom} called",
        f"what … call {WHOSE} {whom}",
    )


BORN = (
    f"(when's/when is/when was) … {WHOSE} (birthday/date of birth/birth date/dob)",
    f"(what's/what is/what was/which) … {WHOSE} (birthday/date of birth/birth date/dob)",
    "(when/which day/what day/what year/which year) … born",
    f"how old {AM}",
    "how old (is/are) (my/our/your/his/her/their)",
    f"what age {AM}",
    "(what/which) … (year of birth/birth year)",
    f"(know/have/got/remember) … {WHOSE} (birthday/date of birth)",
    f"is (it/today) {WHOSE} birthday",
)
