"""What a file could not hold of a model, in the form of torsor.convert."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Loss:
    """Elements of one kind that a conversion left out or changed, and why.

    `names` is empty for a setting of the whole model.

    >>> str(torsor.Loss("actuator", ["a", "b"], "URDF has no actuators"))
    '2 actuators (a, b): URDF has no actuators'
    """

    kind: str
    names: list[str]
    what: str

    def __str__(self) -> str:
        if not self.names:
            return f"{self.kind}: {self.what}"
        if len(self.names) == 1:
            return f"{self.kind} '{self.names[0]}': {self.what}"
        shown = ", ".join(self.names[:5]) + (", ..." if len(self.names) > 5 else "")
        plural = self.kind[:-1] + "ies" if self.kind.endswith("y") else self.kind + ("es" if self.kind[-1] == "h" else "s")
        return f"{len(self.names)} {plural} ({shown}): {self.what}"


class Losses:
    """A list of losses; elements of the same kind and reason become one."""

    def __init__(self) -> None:
        self.found: list[Loss] = []

    def add(self, kind: str, name: str | None, what: str) -> None:
        for loss in self.found:
            if (loss.kind, loss.what) == (kind, what) and name is not None:
                if name not in loss.names:
                    loss.names.append(name)
                return
        self.found.append(Loss(kind, [] if name is None else [str(name)], what))
