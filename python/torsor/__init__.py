"""Multibody physics from MJCF, equal to MuJoCo's and faster.

A Model is constant, a Data is one world, and simulation functions take both:

    import torsor

    model = torsor.Model.from_xml_path("arm.xml")
    data = torsor.Data(model)
    while data.time < 2.0:
        torsor.step(model, data)
    print(data.qpos)

Arrays such as data.qpos and model.body_mass are NumPy views of the engine's memory, with MuJoCo's names. Quaternions
are w, x, y, z. Errors in models and arguments raise torsor.Error.
"""

from torsor import cluster as cluster
from torsor import conventions as conventions
from torsor import flight as flight
from torsor import linear as linear
from torsor import motion as motion
from torsor import newton as newton
from torsor import rotations as rotations
from torsor import sap as sap
from torsor import search as search
from torsor import usd as usd
from torsor._batch import Batch as Batch
from torsor._batch_element import BatchElement as BatchElement
from torsor._convert import Conversion as Conversion
from torsor._convert import UrdfFiles as UrdfFiles
from torsor._convert import convert as convert
from torsor._convert import to_urdf as to_urdf
from torsor._core import *  # noqa: F403 the engine's names are the package's
from torsor._core import version as __version__
from torsor._derivatives import ForwardDerivatives as ForwardDerivatives
from torsor._derivatives import InverseDerivatives as InverseDerivatives
from torsor._derivatives import TransitionDerivatives as TransitionDerivatives
from torsor._derivatives import forward_derivatives as forward_derivatives
from torsor._derivatives import inverse_derivatives as inverse_derivatives
from torsor._derivatives import transition_derivatives as transition_derivatives
from torsor._device_array import DeviceArray as DeviceArray
from torsor._device_batch import DeviceBatch as DeviceBatch
from torsor._devices import DeviceInfo as DeviceInfo
from torsor._devices import devices as devices
from torsor._error import Error as Error
from torsor._losses import Loss as Loss
from torsor._render import Camera as Camera
from torsor._render import Renderer as Renderer
from torsor._rollout import PartialRollout as PartialRollout
from torsor._rollout import rollout as rollout
from torsor._spec.spec import Spec as Spec
from torsor._view import Recording as Recording
from torsor._view import View as View
from torsor._view import show as show
from torsor._view import view as view
