"""mujoco.gl_context, and mujoco.egl, mujoco.glfw and mujoco.osmesa after install(): a context of a graphics library, which the
renderer does not need."""

from torsor.mujoco._render import GLContext

__all__ = ["GLContext"]
