"""How people ask in English for what a medical intake keeps."""

from __future__ import annotations

from types import MappingProxyType

from ringback.schemas.english_words import (
    AM,
    COMPLAINT,
    DOCTOR,
    ILLNESS,
    ME,
    MEDICINE,
    PHARMACY,
    WHOSE,
    I,
    named,
)

HEALTH = MappingProxyType(
    {
        "medication": (
            f"(what/which/how many/any/list of) … {MEDICINE}",
            f"what (do/does) {I} take (for/every/in the/at night/daily)",
            f"{AM} (on/taking) (a/any/anything/blood thinners/insulin/metformin/aspirin/statins/"
            "antibiotics/warfarin/the pill)",
            f"what {AM} (taking/on for)",
            "what … (prescribed/prescribe)",
            "(what/which) (dose/dosage)",
            f"(do/does) {I} (take/still take/use) (a/any/anything/insulin/metformin/aspirin/statins/"
            "blood thinners/an inhaler)",
            "how (much/many/often) … (take/taking)",
            f"{WHOSE} (medication/medications/meds/medicine/medicines/tablets/pills)",
        ),
        "condition": (
            "(what/which/any/have/has) … (medical condition/medical conditions/chronic condition/"
            "chronic illness/illness/illnesses/disease/diseases/diagnosis/diagnoses/conditions)",
            "(what/when/was/been) … diagnosed",
            f"(have/has/do/does) {I} (got /have /suffer from /)(any /){ILLNESS}",
            f"{AM} (diabetic/asthmatic/epileptic/anaemic/anemic)",
            f"(is/was) there (a problem/anything wrong/something wrong) with {WHOSE} (blood/blood sugar"
            "/blood pressure/heart/lungs/kidneys/liver/thyroid)",
            f"(what/is) … (wrong/the matter) with {WHOSE} (blood/heart/lungs/kidneys/liver/thyroid)",
            "(medical history/health problems/health issues/health conditions)",
            f"what (do/does) {I} suffer from",
            f"how('s/ is) {WHOSE} (health/heart/blood sugar/blood pressure)",
        ),
        "symptom": (
            "(symptom/symptoms)",
            f"what('s/ is/ was) wrong with {ME}",
            "(where/what) … (hurt/hurts/hurting/aches/ache)",
            "how … (been feeling/feel/feeling)",
            f"(do/does/did/have/has) {I} (have/had/got) (a/any/the) {COMPLAINT}",
            "(since when/how long) … (pain/hurting/hurt/cough/feeling/symptoms)",
            f"what … (brings/brought/bringing) {ME} in",
            "what … (see/seeing) the doctor (about/for)",
            f"{AM} (in pain/dizzy/feeling dizzy/feeling sick)",
        ),
        "surgery": (
            "(what/which/any/when/have/has/did) … (surgery/surgeries/operation/operations/operated on)",
            "when … (have/had) … (knee/hip/appendix/gallbladder/tonsils/heart/back/shoulder/eye/eyes)"
            " … (done/removed/replaced/out)",
            f"(have/has/did) {I} (had/have) … (removed/taken out/replaced)",
            "(what/when) … (removed/taken out/replaced)",
            f"(do/does) {I} still have {WHOSE} (appendix/tonsils/gallbladder)",
            f"(have/has) {I} (ever /)been (operated/under the knife)",
        ),
        "pregnancy": (
            "(pregnant/pregnancy)",
            f"{AM} expecting(/ a baby)",
            "when … (baby/due date) … (due/coming/expected)",
            "when('s/ is) the (baby/due date)",
            "(how far along/how many weeks along)",
            "could (i/she) be (expecting/with child)",
        ),
        "smoking": (
            f"(do/does/did/have/has) {I} … (smoke/smoked/vape)",
            f"{AM} (a smoker/a non smoker/smoking/an ex smoker/still smoking)",
            "how (much/many/often) … (smoke/cigarettes)",
            f"(have/has/did) {I} (given up/quit/stopped/stop/give up) (smoking/cigarettes)",
            "(smoker or/smoking status/smoking habits)",
            "when … (quit/stop/give up) smoking",
        ),
        "height": (
            "how tall",
            f"(what's/what is/know/have/got) … {WHOSE} height",
            "what height",
            "how many (centimetres/centimeters/feet) (tall/am i)",
            f"{WHOSE} height",
        ),
        "weight": (
            "how (much) … weigh",
            "how heavy (am i/are you/is he/is she/are they)",
            f"(what's/what is/what was/know/have/got) … {WHOSE} weight",
            f"what (do/does/did) {I} weigh",
            "how many (kilos/kilograms/pounds/stone) (am i/do i/is he/is she/does)",
            f"{WHOSE} weight",
        ),
        "emergency_contact": (
            "(emergency contact/emergency contacts/next of kin)",
            "(who/which number) … (call/ring/contact/phone/tell/notify/inform) … (emergency/"
            "something happens/anything happens/goes wrong/accident)",
            "(in an emergency/in case of emergency/if something happens/if anything happens)"
            " … (who/call/contact/ring)",
            "who … (emergency/emergencies)",
        ),
        "insurance_number": (
            "(insurance/policy/health card/health insurance/member/membership) (number/id/no)",
            "(what's/what is/which/have/got) … (insurance/policy) (number/id)",
            "number (of/on) … (insurance/health card/policy)",
            f"how {AM} insured",
        ),
        "doctor": (
            *named(DOCTOR),
            f"(which/what) {DOCTOR}",
            f"(who/whom) (do/does/did) {I} (usually /normally /)see … (doctor/gp/checkups/checkup)",
            f"(have/has) {I} (got /)(a/any) {DOCTOR}",
            f"(do/does) {I} have (a/any) {DOCTOR}",
            f"who … (referred/refer) {ME}",
            f"(which/what) (surgery/practice) {AM} registered",
        ),
        "pharmacy": (
            f"(which/what/where) … {PHARMACY}",
            f"{WHOSE} (usual /preferred /local /){PHARMACY}",
            "where … (pick up/collect/get/fetch/fill/send) … (prescription/prescriptions/medicine/"
            "medicines/medication/tablets/pills)",
            f"(do/does) {I} (have/use) (a/any) {PHARMACY}",
        ),
    }
)
