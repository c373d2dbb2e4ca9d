"""MjVfs: files in memory, by name."""

from __future__ import annotations


class MjVfs:
    """Files in memory that models may refer to.

    >>> with torsor.mujoco.MjVfs() as vfs:
    ...     vfs["model.xml"] = b"<mujoco/>"
    ...     torsor.mujoco.MjModel.from_xml_path("model.xml", vfs=vfs).nq
    0
    """

    def __init__(self) -> None:
        self._contents: dict[str, bytes] | None = {}

    @property
    def _files(self) -> dict[str, bytes]:
        if self._contents is None:
            raise RuntimeError("VFS is closed")
        return self._contents

    def __setitem__(self, name: str, contents: bytes) -> None:
        if not isinstance(name, str) or not isinstance(contents, (bytes, bytearray)):
            raise TypeError("expected bytes by name")
        if name in self._files:
            raise ValueError(f"'{name}' is there already")
        self._files[name] = bytes(contents)

    def __delitem__(self, name: str) -> None:
        del self._files[name]

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def close(self) -> None:
        """Forgets all files.

        >>> torsor.mujoco.MjVfs().close()
        """
        self._contents = None

    def __enter__(self) -> MjVfs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


MjVfs.__module__ = "torsor.mujoco"
