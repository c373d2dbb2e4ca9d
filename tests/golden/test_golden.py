"""Our own trajectories have not changed since they were recorded, to the bit, for every instruction set."""

import pytest

import golden


@pytest.mark.parametrize("isa", golden.INSTRUCTION_SETS)
def test_trajectories_have_the_recorded_bits(isa, judged):
    changed, reason = golden.compare(isa)
    judged.expect_nothing(reason and f"golden hashes: {reason}")
    judged(len(golden.models()) if reason is None else 0)
    assert not changed, f"{len(changed)} models changed with {isa}:\n" + "\n".join(changed) + "\n" + golden.HOW_TO_RECORD


def test_a_changed_hash_names_its_model():
    recorded = {"a.xml": {"step": "1", "batch": "2"}, "b.xml": {"step": "3", "batch": "4"}, "gone.xml": {}}
    found = {"a.xml": {"step": "1", "batch": "2"}, "b.xml": {"step": "3", "batch": "0"}, "new.xml": {}}
    assert golden.differences(recorded, found) == [
        "b.xml: other results of batch", "gone.xml: recorded, but there is no such model", "new.xml: not recorded"]


def test_the_hash_sees_one_bit_of_gravity():
    """One unit in the last place of one number of one model."""
    model = golden.torsor.Model.from_xml_path(str(golden.MODELS / "features" / "double_pendulum.xml"))
    before = golden.hash_of_steps(model), golden.hash_of_batch(model)
    model.opt.gravity[2] = golden.np.nextafter(model.opt.gravity[2], 0)
    after = golden.hash_of_steps(model), golden.hash_of_batch(model)
    assert before[0] != after[0] and before[1] != after[1]
