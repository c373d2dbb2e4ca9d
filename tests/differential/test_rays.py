"""Rays against every type of geom, with groups and exclusions, equal MuJoCo's."""

import numpy as np
import pytest

import ray_scenes
import states

TOLERANCE = 1e-9
MESH, MESH_TOLERANCE = 7, 1e-7  # vertices are floats, in axes that each engine chooses
RAYS = 3000


@pytest.fixture(scope="module")
def scene(judge, subject):
    """Both engines with the same model at the same random state."""
    rng = np.random.default_rng(3)
    models = [engine.load_string(ray_scenes.TEXT) for engine in (judge, subject)]
    datas = [engine.make_data(model) for engine, model in zip((judge, subject), models)]
    state = states.random_state(models[0], rng)
    state["qpos"][[0, 1, 2, 7, 8, 9]] = -1, 0, 0, 1, 0.5, 0.5
    for engine, model, data in zip((judge, subject), models, datas):
        states.apply(data, state)
        engine.forward(model, data)
    return (*models, *datas)


def random_ray(rng):
    """From anywhere, in shapes too, roughly towards where they are; of any length."""
    point = rng.uniform(-2.5, 2.5, 3)
    target = rng.normal(0, 0.8, 3)
    return point, (target - point) * rng.choice([0.3, 1.0, 2.0])


def differences(theirs, mine, is_mesh):
    """What differs between two answers, relative to the distance."""
    distance, geom, normal = theirs
    found, tolerance = [], MESH_TOLERANCE if is_mesh else TOLERANCE
    if abs(mine[0] - distance) > tolerance * max(1, abs(distance)):
        found.append(f"distance {mine[0]} instead of {distance}")
    if mine[1] != geom:
        found.append(f"geom {mine[1]} instead of {geom}")
    if np.max(np.abs(np.asarray(mine[2]) - normal)) > 100 * tolerance:
        found.append(f"normal {mine[2]} instead of {normal}")
    return found


def test_ray_hits_what_mujoco_hits(subject, scene):
    their_model, my_model, their_data, my_data = scene
    rng = np.random.default_rng(5)
    failures, hit_types = [], set()
    for index in range(RAYS):
        point, direction = random_ray(rng)
        groups = None if index % 3 else list(rng.random(6) < 0.7)
        with_static, excluded = bool(index % 5), int(rng.integers(-1, 3))
        theirs = ray_scenes.judge_ray(their_model, their_data, point, direction, groups, with_static, excluded)
        mine = subject.module.ray(my_model, my_data, point, direction, groups, with_static, excluded)
        kind = int(their_model.geom_type[theirs[1]]) if theirs[1] >= 0 else -1
        hit_types.add(kind)
        found = differences(theirs, mine, kind == MESH)
        if found:
            failures.append(f"ray {index}: {found}")
    assert not failures, f"{len(failures)} rays differ\n  " + "\n  ".join(failures[:8])
    assert hit_types == {-1, 0, 1, 2, 3, 4, 5, 6, 7}


@pytest.mark.parametrize("cutoff", [0.1, 0.5, 1.0, 2.0, 1e10])
def test_many_rays_equal_mujocos(subject, scene, cutoff):
    their_model, my_model, their_data, my_data = scene
    rng = np.random.default_rng(7)
    for _ in range(20):
        point = rng.uniform(-2, 2, 3)
        directions = rng.normal(0, 1, (30, 3))
        distances, geoms, normals = ray_scenes.judge_rays(their_model, their_data, point, directions, cutoff)
        mine = subject.module.multi_ray(my_model, my_data, point, directions, cutoff=cutoff)
        np.testing.assert_array_equal(mine[1], geoms)
        for direction, theirs, own in zip(directions, zip(distances, geoms, normals), zip(*mine)):
            if theirs[1] < 0 <= own[1] and cutoff == 1e10:  # MuJoCo loses rays that it casts together
                theirs = ray_scenes.judge_ray(their_model, their_data, point, direction, None, True, -1)
            assert not differences(theirs, own, theirs[1] >= 0 and their_model.geom_type[theirs[1]] == MESH)


def test_ray_without_direction_is_refused(subject, scene):
    with pytest.raises(subject.Error, match="direction"):
        subject.module.ray(scene[1], scene[3], [0, 0, 0], [0, 0, 0])


def test_a_ray_at_one_geom_meets_it_as_a_ray_at_all_would(subject, seed):
    """The nearest of the answers of all geoms is the answer to the question without a geom."""
    torsor = subject.module
    model = torsor.Model.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="3 3 1"/><geom size="0.3" pos="0 0 1"/>'
        '<geom type="box" size="0.4 0.2 0.1" pos="0.3 0 0.5" euler="10 20 30"/>'
        '<body pos="-0.4 0 0.6"><freejoint/><geom type="capsule" size="0.1 0.3"/></body></worldbody></mujoco>')
    data = torsor.Data(model)
    torsor.forward(model, data)
    rng, hits = np.random.default_rng(seed), 0
    for _ in range(300):
        origin, direction = rng.uniform(-1, 1, 3) + [0, 0, 2], rng.normal(size=3)
        distance, geom, normal = torsor.ray(model, data, origin, direction)
        answers = [torsor.ray_geom(model, data, origin, direction, i) for i in range(model.ngeom)]
        met = {i: answer for i, answer in enumerate(answers) if answer[0] >= 0}
        assert (distance >= 0) == bool(met)
        if met:
            nearest = min(met, key=lambda i: met[i][0])
            assert (nearest, met[nearest][0]) == (geom, distance) and met[nearest][1].tolist() == normal.tolist()
            hits += 1
    assert hits > 30
    with pytest.raises(IndexError, match="geom 4 does not exist"):
        torsor.ray_geom(model, data, [0, 0, 0], [0, 0, 1], 4)
