"""A glider in free flight: loads from a strip model, trimmed, released with a disturbance, flown for 60 seconds.

Its two longitudinal modes are compared with textbooks: the phugoid, a slow exchange of height and speed, and the short
period, a fast and well damped oscillation of the angle of attack; with their approximate formulas, and with the poles of
the linearised equations of motion. Writes a plot of the flight: glider.png
if matplotlib is installed, else glider.svg.
"""

import numpy

from torsor import flight

RHO, G = 1.225, 9.80665
MASS, INERTIA = 1.5, numpy.array([[0.35, 0, -0.01], [0, 0.12, 0], [-0.01, 0, 0.46]])
SPEED, STEP, DURATION = 10.0, 0.0025, 60.0


class Strips:
    """Strips of a lifting surface: quarter-chord points, areas, lift slope and drag, in body axes from the CG."""

    def __init__(self, x, span, chord, count=16, dihedral=0.0):
        aspect = span / chord
        self.slope = 2 * numpy.pi * aspect / (aspect + 2)
        self.induced = 1 / (numpy.pi * aspect * 0.9)
        self.area = span * chord / count
        y = (numpy.arange(count) + 0.5) / count * span - span / 2
        self.points = numpy.stack([numpy.full(count, x), y, -abs(y) * numpy.tan(dihedral)], axis=1)
        self.normals = numpy.stack([0 * y, -numpy.sin(dihedral) * numpy.sign(y), -numpy.cos(dihedral) + 0 * y], axis=1)

    def loads(self, velocity, rates, incidence):
        """Force, moment about the CG, and mean lift coefficient, at an angle of incidence (rad)."""
        local = velocity + numpy.cross(rates, self.points)  # of each strip through the air
        up = numpy.einsum("ij,ij->i", local, self.normals)  # against the lift
        speed = numpy.sqrt(local[:, 0] ** 2 + up**2)
        alpha = numpy.arctan2(-up, local[:, 0])
        lift = self.slope * (alpha + incidence)
        drag = 0.012 + self.induced * lift**2
        pressure = 0.5 * RHO * speed**2 * self.area
        # lift is at right angles to the local velocity, drag against it, both in the plane of x and the strip's normal
        along = numpy.cos(alpha)[:, None] * [1, 0, 0] - numpy.sin(alpha)[:, None] * self.normals
        across = numpy.sin(alpha)[:, None] * [1, 0, 0] + numpy.cos(alpha)[:, None] * self.normals
        forces = (pressure * lift)[:, None] * across - (pressure * drag)[:, None] * along
        return forces.sum(axis=0), numpy.cross(self.points, forces).sum(axis=0), lift.mean()


WING, TAIL = Strips(x=-0.02, span=2.4, chord=0.2, dihedral=0.07), Strips(x=-0.87, span=0.5, chord=0.12, count=6)
DOWNWASH = 2 / (numpy.pi * 12)  # at the tail, per lift coefficient of the wing


def strip_loads(velocity_BP1, rates, tail_incidence):
    """Force and moment about the CG in body axes, from velocity through the air (m/s) and rates (rad/s) in body axes."""
    force, moment, lift = WING.loads(velocity_BP1, rates, 0.0)
    tail_force, tail_moment, _ = TAIL.loads(velocity_BP1, rates, tail_incidence - DOWNWASH * lift)
    return force + tail_force, moment + tail_moment


def find_trim():
    """Angle of attack, angle of the flight path and incidence of the tail (rad) without acceleration, by Newton."""

    def unbalance(x):
        alpha, path, incidence = x
        force, moment = strip_loads(SPEED * numpy.array([numpy.cos(alpha), 0, numpy.sin(alpha)]), numpy.zeros(3), incidence)
        pitch = alpha + path
        weight = MASS * G * numpy.array([-numpy.sin(pitch), 0, numpy.cos(pitch)])
        return numpy.array([*(force + weight)[[0, 2]], moment[1]])

    x = numpy.array([0.08, -0.04, -0.02])
    for _ in range(20):
        slopes = [(unbalance(x + 1e-6 * e) - unbalance(x - 1e-6 * e)) / 2e-6 for e in numpy.eye(3)]
        x = x - numpy.linalg.solve(numpy.array(slopes).T, unbalance(x))
    assert abs(unbalance(x)).max() < 1e-9
    return x


def make_glider(alpha, path, disturbance=0.0):
    pitch = numpy.rad2deg(alpha + path)
    return flight.FreeFlight(
        mass=MASS, I_BP1_CgP1=INERTIA, position_E_Eo=[0, 0, -300], angles_E_to_BP1_izyx=[0, pitch, 0],
        velocity_E__E=(SPEED + disturbance) * numpy.array([numpy.cos(path), 0, -numpy.sin(path)]), g_E=[0, 0, G],
        delta_time=STEP, name="glider")


def fly(glider, incidence, duration):
    """A row for every step: time, airspeed, height, pitch and angle of attack in degrees, rate of pitch."""
    rows = []
    while glider.time < duration - STEP / 2:
        state = glider.get_state()
        rows.append([state.time, state.airspeed, -state.position_E_Eo[2], state.angles_E_to_BP1_izyx[1],
                     state.alpha_textbook, state.omegas_BP1__E[1]])
        glider.apply_loads(*strip_loads(state.air_velocity_BP1, numpy.deg2rad(state.omegas_BP1__E), incidence),
                           axes="body")
        glider.step()
    return numpy.array(rows)


def linearise(alpha, path, incidence):
    """The matrix (4, 4) of small changes of u, w (m/s), q (rad/s) and pitch (rad) about the trim, body axes."""

    def rates(x):
        u, w, q, pitch = x
        force, moment = strip_loads(numpy.array([u, 0, w]), numpy.array([0, q, 0]), incidence)
        return numpy.array([force[0] / MASS - G * numpy.sin(pitch) - q * w, force[2] / MASS + G * numpy.cos(pitch) + q * u,
                            moment[1] / INERTIA[1, 1], q])

    trim = numpy.array([SPEED * numpy.cos(alpha), SPEED * numpy.sin(alpha), 0, alpha + path])
    return numpy.array([(rates(trim + 1e-6 * e) - rates(trim - 1e-6 * e)) / 2e-6 for e in numpy.eye(4)]).T


def period_and_damping(pole):
    return 2 * numpy.pi / abs(pole.imag), -pole.real / abs(pole)


def measure_phugoid(rows):
    """Period and damping ratio from the maxima of the airspeed, once the short period has died away."""
    time, speed = rows[:, 0], rows[:, 1]
    peaks = [i for i in range(1, len(speed) - 1) if speed[i - 1] < speed[i] >= speed[i + 1] and time[i] > 2]
    trough = [i for i in range(1, len(speed) - 1) if speed[i - 1] > speed[i] <= speed[i + 1] and time[i] > 2]
    count = min(len(peaks), len(trough)) - 1
    period = (time[peaks[count]] - time[peaks[0]]) / count
    swing = [speed[peaks[i]] - speed[trough[i]] for i in (0, count)]
    decrement = numpy.log(swing[0] / swing[1]) / count
    return period, decrement / numpy.sqrt(4 * numpy.pi**2 + decrement**2)


def measure_short_period(alpha, path, incidence):
    """Frequency (rad/s) and damping ratio of the fast mode of the flight, from how one step changes (w, q)."""

    def after(dw, dq):
        glider = make_glider(alpha, path)
        state = glider.get_state()
        down = state.R_pas_BP1_to_E[:, 2]
        glider.set_state(flight.FlightState(state.position_E_Eo, state.velocity_E__E + dw * down,
                                            [0, numpy.rad2deg(dq), 0], angles_E_to_BP1_izyx=state.angles_E_to_BP1_izyx))
        fly(glider, incidence, STEP)
        state = glider.get_state()
        return numpy.array([state.air_velocity_BP1[2], numpy.deg2rad(state.omegas_BP1__E[1])])

    h = 1e-4
    step = numpy.array([(after(h, 0) - after(-h, 0)) / (2 * h), (after(0, h) - after(0, -h)) / (2 * h)]).T
    pole = numpy.log(numpy.linalg.eigvals(step).astype(complex))[0] / STEP
    return abs(pole), -pole.real / abs(pole)


def write_svg(path, rows):
    """Three curves over time, by hand."""
    panels = [("airspeed, m/s", rows[:, 1]), ("height, m", rows[:, 2]), ("pitch, degrees", rows[:, 3])]
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" width="820" height="620" font-family="sans-serif" font-size="13">',
             '<rect width="820" height="620" fill="white"/>']
    for k, (title, values) in enumerate(panels):
        top, low, high = 30 + 195 * k, values.min(), values.max()
        x = 70 + 720 * rows[:, 0] / DURATION
        y = top + 150 - 150 * (values - low) / (high - low)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[::10], y[::10]))
        lines += [f'<rect x="70" y="{top}" width="720" height="150" fill="none" stroke="#999"/>',
                  f'<polyline points="{points}" fill="none" stroke="#1f5f8b"/>', f'<text x="70" y="{top - 8}">{title}</text>',
                  f'<text x="64" y="{top + 10}" text-anchor="end">{high:.4g}</text>',
                  f'<text x="64" y="{top + 150}" text-anchor="end">{low:.4g}</text>']
    lines += ['<text x="430" y="605" text-anchor="middle">time, 0 to 60 s</text>', "</svg>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def write_plot(rows):
    try:
        import matplotlib
    except ImportError:
        write_svg("glider.svg", rows)
        return "glider.svg"
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(8, 6))
    for axis, column, title in zip(axes, (1, 2, 3), ("airspeed, m/s", "height, m", "pitch, degrees")):
        axis.plot(rows[:, 0], rows[:, column])
        axis.set_ylabel(title)
    axes[-1].set_xlabel("time, s")
    figure.savefig("glider.png")
    return "glider.png"


def main():
    alpha, path, incidence = find_trim()
    print(f"trim at {SPEED} m/s: angle of attack {numpy.rad2deg(alpha):.3f}, path {numpy.rad2deg(path):.3f}, "
          f"tail {numpy.rad2deg(incidence):.3f} degrees")
    steady = fly(make_glider(alpha, path), incidence, 10.0)
    drift = abs(steady[:, 1] - SPEED).max()
    print(f"trimmed, for 10 s: the airspeed stays within {drift:.1e} m/s, the height falls by {numpy.ptp(steady[:, 2]):.2f} m")
    assert drift < 1e-6

    matrix = linearise(alpha, path, incidence)
    poles = sorted((pole for pole in numpy.linalg.eigvals(matrix) if pole.imag > 0), key=abs)
    heave, stiffness, pitch_damping = -matrix[1, 1], -matrix[2, 1] * SPEED, -matrix[2, 2]

    rows = fly(make_glider(alpha, path, disturbance=0.5), incidence, DURATION)
    period, damping = measure_phugoid(rows)
    lanchester = numpy.sqrt(2) * numpy.pi * SPEED / G
    formula = lanchester * numpy.sqrt(1 + heave * pitch_damping / stiffness)  # manoeuvre margin over static margin
    exact_period, exact_damping = period_and_damping(poles[0])
    print(f"phugoid: period {period:.3f} s; Lanchester {lanchester:.3f}, with margins {formula:.3f}, pole {exact_period:.3f}; "
          f"damping ratio {damping:.4f}, pole {exact_damping:.4f}")
    assert abs(period / formula - 1) < 0.1 and abs(period / exact_period - 1) < 0.01
    assert abs(damping / exact_damping - 1) < 0.05

    frequency, ratio = measure_short_period(alpha, path, incidence)
    formula = numpy.sqrt(stiffness + heave * pitch_damping)
    print(f"short period: {frequency:.3f} rad/s, formula {formula:.3f}, pole {abs(poles[1]):.3f}; damping ratio {ratio:.3f}, "
          f"formula {(heave + pitch_damping) / (2 * formula):.3f}")
    assert abs(frequency / formula - 1) < 0.05 and abs(frequency / abs(poles[1]) - 1) < 0.05
    assert abs(ratio * 2 * formula / (heave + pitch_damping) - 1) < 0.05
    print(f"plot: {write_plot(rows)}")


main()
