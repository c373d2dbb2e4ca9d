"""Editable models: the tree of elements behind torsor.Spec and torsor.mujoco.MjSpec.

`fields` has the types of values, `node` one element, `tree` a whole model, `attach` what joins two of them, `keys` keyframes
while the model around them changes, `units` angles of attached models, and `elements` and `spec` the classes of torsor.Spec.
"""
