"""Carries the state of a simulation over to a model that was compiled again."""

from __future__ import annotations

from typing import Any

from torsor._spec.keys import QPOS, QVEL


def carry_over(old_model: Any, old: Any, before: dict[Any, int], new_model: Any, new: Any, after: dict[Any, int]) -> None:
    """Copies time, positions, velocities, activations, controls and applied forces of all elements that are in both."""
    new.time = old.time
    for node, number in after.items():
        place = before.get(node, -1)
        if place < 0:
            continue
        carry = _CARRIERS.get(node._kind)
        if carry:
            carry(old_model, old, place, new_model, new, number)
    if new_model.nuserdata == old_model.nuserdata:
        new.userdata[:] = old.userdata


def _joint(old_model: Any, old: Any, i: int, new_model: Any, new: Any, j: int) -> None:
    kind = int(old_model.jnt_type[i])
    if i >= old_model.njnt or kind != int(new_model.jnt_type[j]):
        return
    a, b, size = int(old_model.jnt_qposadr[i]), int(new_model.jnt_qposadr[j]), QPOS[kind]
    new.qpos[b:b + size] = old.qpos[a:a + size]
    a, b, size = int(old_model.jnt_dofadr[i]), int(new_model.jnt_dofadr[j]), QVEL[kind]
    for name in ("qvel", "qacc_warmstart", "qfrc_applied"):
        getattr(new, name)[b:b + size] = getattr(old, name)[a:a + size]


def _body(old_model: Any, old: Any, i: int, new_model: Any, new: Any, j: int) -> None:
    if i >= old_model.nbody:
        return
    new.xfrc_applied[j] = old.xfrc_applied[i]
    a, b = int(old_model.body_mocapid[i]), int(new_model.body_mocapid[j])
    if a >= 0 and b >= 0:
        new.mocap_pos[b], new.mocap_quat[b] = old.mocap_pos[a], old.mocap_quat[a]


def _actuator(old_model: Any, old: Any, i: int, new_model: Any, new: Any, j: int) -> None:
    if old_model.nu == old_model.actuator_trntype.size and new_model.nu == new_model.actuator_trntype.size:
        new.ctrl[j] = old.ctrl[i]
    a, b = int(old_model.actuator_actadr[i]), int(new_model.actuator_actadr[j])
    size = int(old_model.actuator_actnum[i])
    if a >= 0 and b >= 0 and size == int(new_model.actuator_actnum[j]):
        new.act[b:b + size] = old.act[a:a + size]


def _equality(old_model: Any, old: Any, i: int, new_model: Any, new: Any, j: int) -> None:
    new.eq_active[j] = old.eq_active[i]


_CARRIERS = {"joint": _joint, "body": _body, "actuator": _actuator, "equality": _equality}
