"""Bad numbers in every input and in model values: the same warnings, resets and states as in MuJoCo, in every solver."""

import copy
import itertools
import os

import numpy as np
import pytest

import bad_numbers as bad

QUICK = bool(os.environ.get("TORSOR_QUICK"))
SETTINGS = list(itertools.product(bad.SOLVERS, bad.CONES, bad.INTEGRATORS))
if QUICK:
    SETTINGS = SETTINGS[::3]


def compare(judge, subject, settings, fields, values, owner, steps):
    """All mistakes over fields and values, and how many of the cases made MuJoCo warn."""
    text = bad.text_of(*settings)
    models = judge.load_string(text), subject.load_string(text)
    mistakes, warned = [], 0
    for (field, index), value in itertools.product(fields, values):
        expected, found = (bad.run(engine, copy.copy(model) if owner == "model" else model, field, index, value, owner, steps)
                           for engine, model in zip((judge, subject), models))
        finite_state = field in ("qpos", "qvel") and np.isfinite(value)
        said = bad.difference(expected, found, settings[3] and owner == "data", finite_state,
                              owner == "data" and np.isfinite(value))
        if said:
            mistakes.append(f"{field}[{index}] = {value}: {said}")
        warned += expected[0] is not None and any(number for number, _ in expected[0]["warnings"])
    return mistakes, warned


@pytest.mark.parametrize("contact", [True, False], ids=["contact", "no contact"])
@pytest.mark.parametrize("autoreset", [True, False], ids=["reset", "no reset"])
@pytest.mark.parametrize("solver,cone,integrator", SETTINGS)
def test_inputs_are_treated_alike(judge, subject, solver, cone, integrator, autoreset, contact):
    with np.errstate(all="ignore"):
        mistakes, warned = compare(judge, subject, (solver, cone, integrator, autoreset, contact), bad.INPUTS, bad.VALUES,
                                   "data", 3)
    assert not mistakes, "\n".join(mistakes)
    assert warned > 50  # the table has teeth


@pytest.mark.parametrize("contact", [True, False], ids=["contact", "no contact"])
@pytest.mark.parametrize("solver,cone,integrator", SETTINGS)
def test_values_of_models_are_treated_alike(judge, subject, solver, cone, integrator, contact):
    """They stay after a reset, so that only the warnings of the first step are compared."""
    with np.errstate(all="ignore"):
        mistakes, warned = compare(judge, subject, (solver, cone, integrator, True, contact), bad.MODEL_VALUES,
                                   bad.NOT_FINITE, "model", 1)
    assert not mistakes, "\n".join(mistakes)
    assert warned > 20


@pytest.mark.parametrize("cone,integrator", [("elliptic", "Euler")])
def test_sap_resets_where_mujoco_does(judge, subject, cone, integrator):
    """SAP has no counterpart in MuJoCo; what is bad there is bad here, and is reset in the same step."""
    with np.errstate(all="ignore"):
        for contact, (field, index), value in itertools.product([True, False], bad.INPUTS, bad.NOT_FINITE):
            expected = bad.run(judge, judge.load_string(bad.text_of("Newton", cone, integrator, True, contact)), field, index,
                               value, steps=1)
            found = bad.run(subject, subject.load_string(bad.text_of("SAP", cone, integrator, True, contact)), field, index,
                            value, steps=1)
            case = (contact, field, index, value)
            assert [w[0] for w in found[0]["warnings"]] == [w[0] for w in expected[0]["warnings"]], case
            assert np.isfinite(found[0]["state"]).tolist() == np.isfinite(expected[0]["state"]).tolist(), case


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0, 1e300, 3.0])
def test_any_number_in_a_history_leaves_memory_alone(subject, value):
    """The index of the newest sample is a number that users can write."""
    text = bad.text_of("Newton", "pyramidal", "Euler", True, True)
    model = subject.load_string(text)
    for index in range(8):
        data = subject.make_data(model)
        data.history[index] = value
        for _ in range(5):
            subject.step(model, data)
        assert np.isfinite(data.qpos).all()
