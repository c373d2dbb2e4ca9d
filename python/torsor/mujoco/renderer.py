"""mujoco.renderer: where programs import Renderer from."""

from torsor.mujoco._renderer import Renderer

__all__ = ["Renderer"]
