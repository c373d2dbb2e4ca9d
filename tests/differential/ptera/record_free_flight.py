"""Flies a small glider with Ptera Software and writes what its engine was told and what it answered.

Run by ./record in an environment that has Ptera Software. Each call of its MuJoCoModel is one event; test_ptera.py makes
the same calls to torsor.flight.MuJoCoModel. With --torsor, the same problem is flown a second time on Torsor.
"""

import argparse
import importlib.metadata
import json
import pathlib
import sys

import mujoco
import numpy
import pterasoftware as ps
from pterasoftware import _mujoco_model, _transformations
from pterasoftware.problems import FreeFlightUnsteadyProblem

HERE = pathlib.Path(__file__).parent
MASS, INERTIA, GRAVITY = 0.6, [[0.030, 0.004, -0.002], [0.004, 0.020, 0.003], [-0.002, 0.003, 0.045]], 9.80665
PRESCRIBED, FREE, DELTA_TIME = 2, 10, 0.02


def numbers(value):
    return numpy.asarray(value, dtype=float).tolist()


class Recorder(_mujoco_model.MuJoCoModel):
    """Ptera Software's engine, which also writes down its calls."""

    events = []

    def __init__(self, *args, **kwargs):
        names = ("name", "mass", "omegas_BP1__E", "T_pas_BP1_CgP1_to_E_CgP1", "vCg_E__E", "I_BP1_CgP1", "delta_time")
        given = dict(zip(names, args)) | kwargs
        Recorder.events.append(["init", {k: v if isinstance(v, (str, type(None))) else numbers(v) for k, v in given.items()}])
        super().__init__(*args, **kwargs)

    def apply_loads(self, forces_E, moments_E_CgP1):
        Recorder.events.append(["apply_loads", numbers(forces_E), numbers(moments_E_CgP1)])
        super().apply_loads(forces_E, moments_E_CgP1)

    def step(self):
        Recorder.events.append(["step"])
        super().step()

    def get_state(self):
        state = super().get_state()
        Recorder.events.append(["get_state", {name: numbers(value) for name, value in state.items()},
                                numbers(self._data.qpos), numbers(self._data.qvel)])
        return state

    def save_state(self):
        Recorder.events.append(["save_state"])
        return super().save_state()

    def restore_state(self, state):
        Recorder.events.append(["restore_state"])
        super().restore_state(state)


def make_wing(name, x, span, chord, panels, incidence):
    sections = [ps.geometry.wing_cross_section.WingCrossSection(
        airfoil=ps.geometry.airfoil.Airfoil(name="naca0012"), num_spanwise_panels=panels, chord=chord,
        control_surface_symmetry_type="symmetric", spanwise_spacing="uniform"),
        ps.geometry.wing_cross_section.WingCrossSection(
            airfoil=ps.geometry.airfoil.Airfoil(name="naca0012"), num_spanwise_panels=None, chord=chord,
            control_surface_symmetry_type="symmetric", Lp_Wcsp_Lpp=(0.0, span / 2, 0.0))]
    return ps.geometry.wing.Wing(
        wing_cross_sections=sections, name=name, Ler_Gs_Cgs=(x, 0.0, 0.0), angles_Gs_to_Wn_ixyz=(0.0, incidence, 0.0),
        symmetric=True, symmetryNormal_G=(0.0, 1.0, 0.0), symmetryPoint_G_Cg=(0.0, 0.0, 0.0), num_chordwise_panels=2,
        chordwise_spacing="uniform")


def make_problem():
    airplane = ps.geometry.airplane.Airplane(
        wings=[make_wing("wing", -0.06, 1.2, 0.2, 3, 0.0), make_wing("tail", 0.5, 0.4, 0.1, 2, -2.0)], name="glider",
        weight=MASS * GRAVITY)
    wing_movements = []
    for wing in airplane.wings:
        sections = [ps.movements.wing_cross_section_movement.WingCrossSectionMovement(base_wing_cross_section=section)
                    for section in wing.wing_cross_sections]
        wing_movements.append(ps.movements.wing_movement.WingMovement(base_wing=wing,
                                                                      wing_cross_section_movements=sections))
    movement = ps.movements.free_flight_movement.FreeFlightMovement(
        airplane_movements=[ps.movements.airplane_movement.AirplaneMovement(base_airplane=airplane,
                                                                            wing_movements=wing_movements)],
        operating_point_movement=ps.movements.free_flight_operating_point_movement.FreeFlightOperatingPointMovement(
            base_operating_point=ps.operating_point.OperatingPoint(
                rho=1.225, vCg__E=10.0, alpha=4.0, beta=3.0, angles_E_to_BP1_izyx=(8.0, 5.0, 20.0),
                g_E=(0.0, 0.0, GRAVITY), omegas_BP1__E=(20.0, -15.0, 10.0))),
        delta_time=DELTA_TIME, prescribed_num_steps=PRESCRIBED, free_num_steps=FREE)
    return FreeFlightUnsteadyProblem(movement=movement, mass=MASS, I_BP1_CgP1=INERTIA)


def fly(engine):
    """The states of the operating points of a whole run with this class as the engine."""
    original, _mujoco_model.MuJoCoModel = _mujoco_model.MuJoCoModel, engine
    try:
        problem = make_problem()
        method = ps.free_flight_unsteady_ring_vortex_lattice_method
        method.FreeFlightUnsteadyRingVortexLatticeMethodSolver(problem).run(prescribed_wake=False)
    finally:
        _mujoco_model.MuJoCoModel = original
    return [numbers(numpy.concatenate([point.CgP1_E_Eo, point.angles_E_to_BP1_izyx, point.omegas_BP1__E,
                                       [point.vCg__E, point.alpha, point.beta]]))
            for point in problem.movement.operating_point_movement.operating_points]


def sample_axes(count=6):
    """Transformation matrices and angles of Ptera Software at a few attitudes."""
    random = numpy.random.default_rng(1)
    samples = []
    for _ in range(count):
        angles = [random.uniform(-180, 180), random.uniform(-80, 80), random.uniform(-180, 180)]
        alpha, beta, speed = random.uniform(-40, 40), random.uniform(-40, 40), random.uniform(5, 30)
        omegas = random.uniform(-90, 90, 3)
        point = ps.operating_point.OperatingPoint(vCg__E=speed, alpha=alpha, beta=beta, angles_E_to_BP1_izyx=angles,
                                                  omegas_BP1__E=omegas)
        names = [f"T_pas_{a}_CgP1_to_{b}_CgP1" for a in ("E", "BP1", "GP1", "W") for b in ("E", "BP1", "GP1", "W") if a != b]
        velocity_E__E = point.T_pas_W_CgP1_to_E_CgP1[:3, 0] * speed
        state = {"position_E_Eo": random.uniform(-9, 9, 3), "R_pas_E_to_BP1": point.T_pas_E_CgP1_to_BP1_CgP1[:3, :3],
                 "velocity_E__E": velocity_E__E, "omegas_BP1__E": omegas}
        samples.append({"state": {name: numbers(value) for name, value in state.items()},
                        "angles_E_to_BP1_izyx": numbers(_transformations.R_to_angles_izyx(state["R_pas_E_to_BP1"])),
                        "alpha": alpha, "beta": beta, "vector": numbers(FreeFlightUnsteadyProblem._state_to_vector(state)),
                        "matrices": {name: numbers(getattr(point, name)) for name in names}})
    return samples


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="the record, in the folder of this script")
    parser.add_argument("--torsor", help="folder of the built Python package of Torsor")
    arguments = parser.parse_args()
    flown = fly(Recorder)
    versions = {"pterasoftware": importlib.metadata.version("pterasoftware"), "mujoco": mujoco.__version__}
    record = {"versions": versions, "events": Recorder.events, "operating_points": flown, "axes": sample_axes()}
    (HERE / arguments.file).write_text(json.dumps(record) + "\n", encoding="utf-8")
    print(f"{len(Recorder.events)} events, {len(flown)} operating points with {versions}")
    if arguments.torsor:
        sys.path.insert(0, arguments.torsor)
        import torsor.flight

        difference = numpy.abs(numpy.array(fly(torsor.flight.MuJoCoModel)) - numpy.array(flown)).max()
        print(f"Ptera Software on Torsor differs from Ptera Software on MuJoCo by at most {difference:.3g}")


if __name__ == "__main__":
    main()
