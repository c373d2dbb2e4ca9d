"""Meshes that were loaded before are recalled by their contents: what is loaded never differs."""

import concurrent.futures

import numpy as np
import pytest
import torsor

XML = """<mujoco><asset><mesh name="m" file="m.{ending}" {extra}/></asset><worldbody>
<body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


def obj(seed, count=400):
    """Points on a bumpy sphere, as triangles of their fan: enough for a file that is kept."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(count, 3))
    points *= (1 + 0.1 * random.random((count, 1))) / np.linalg.norm(points, axis=1, keepdims=True)
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in points]
    lines += [f"f {i} {i + 1} {i + 2}" for i in range(1, count - 1)]
    return "\n".join(lines).encode()


def load(contents, extra='inertia="convex"', ending="obj"):
    return torsor.Model.from_xml_string(XML.format(extra=extra, ending=ending), assets={f"m.{ending}": contents})


def test_a_second_load_is_the_same():
    first, second = load(obj(1)), load(obj(1))
    assert first.to_bytes() == second.to_bytes()
    second.body_mass[1] = 7  # the arrays are its own
    assert load(obj(1)).to_bytes() == first.to_bytes()


def test_other_contents_are_another_mesh():
    contents = obj(2)
    place = contents.index(b".") + 1
    changed = contents[:place] + (b"1" if contents[place:place + 1] != b"1" else b"2") + contents[place + 1:]  # one digit
    models = [load(obj(2)), load(changed), load(obj(2))]
    assert models[0].to_bytes() == models[2].to_bytes() != models[1].to_bytes()


@pytest.mark.parametrize("extra", ['inertia="convex" scale="1 2 1"', 'inertia="convex" refpos="1 0 0"', 'inertia="shell"',
                                   'inertia="convex" maxhullvert="20"', 'inertia="convex" refquat="0 1 0 0"'])
def test_settings_of_the_mesh_count(extra):
    plain = load(obj(3))
    assert load(obj(3), extra).to_bytes() != plain.to_bytes() == load(obj(3)).to_bytes()


def test_how_a_mesh_is_used_counts():
    text = XML.format(extra='inertia="shell"', ending="obj")
    shown = text.replace('mesh="m"/>', 'mesh="m" contype="0" conaffinity="0"/>')
    hulls = [torsor.Model.from_xml_string(each, assets={"m.obj": obj(4)}).mesh_hullvertnum[0] for each in (shown, text, shown)]
    assert hulls[0] == hulls[2] == 0 < hulls[1]


def test_damaged_files_stay_errors():
    for _ in range(2):
        with pytest.raises(torsor.Error, match="m.obj"):
            load(obj(5) + b"\nf 1 2 999999\n")


def test_many_threads_may_load():
    expected = [load(obj(seed)).to_bytes() for seed in range(10, 14)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: load(obj(10 + i % 4)).to_bytes(), range(40)))
    assert found == [expected[i % 4] for i in range(40)]


def test_other_hulls_have_other_tables():
    """Of two meshes whose hulls differ in the place of a corner; searches for the furthest corner read tables of the hull."""
    def distance(contents):
        model = torsor.Model.from_xml_string(XML.format(extra='inertia="convex"', ending="obj").replace(
            "</worldbody>", '<geom type="sphere" size=".1" pos="0 0 3"/></worldbody>'), assets={"m.obj": contents})
        data = torsor.Data(model)
        torsor.forward(model, data)
        return torsor.geom_distance(model, data, 0, 1, 10)[0], model

    lines = obj(6).decode().split("\n")
    first, model = distance("\n".join(lines).encode())
    highest = int(np.argmax([float(line.split()[3]) for line in lines if line.startswith("v")]))
    lines[highest] = "v 0 0 2"
    moved, other = distance("\n".join(lines).encode())
    assert model.mesh_hullvertnum[0] >= 100
    assert abs(moved - 0.9) < 1e-6 < first - moved
    lines[highest] = "v 0 0 2.001"  # of the same edges and triangles
    further, _ = distance("\n".join(lines).encode())
    assert abs(further - 0.899) < 1e-6
    assert distance(obj(6))[0] == first
