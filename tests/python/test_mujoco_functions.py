"""Functions of torsor.mujoco against those of MuJoCo: the same arguments, results in the same places, the same errors."""

import inspect

import mujoco as reference
import numpy
import pytest

import torsor.mujoco as mujoco
from example_models import ZOO

PARAMETERS = {}
for _name, _text in mujoco._mujoco._list_functions():
    PARAMETERS.setdefault(_name, [word.partition(":")[::2] for word in _text.split()])

# functions whose arguments cannot be drawn at random, with tests of their own, or with other bits on purpose
APART = {"mju_euler2Quat", "mju_writeNumBytes", "mju_warningText", "mju_eig3", "mju_dense2sparse", "mju_sparse2dense",
         "mju_sym2dense", "mju_rayGeom", "mju_Halton", "mju_boxQP", "mju_band2Dense", "mju_dense2Band", "mju_bandDiag",
         "mju_bandMulMatVec", "mju_cholFactorBand", "mju_cholSolveBand", "mju_cholUpdate", "mju_encodePyramid",
         "mju_decodePyramid", "mju_insertionSortInt", "mju_standardNormal", "mju_clip", "mju_cholFactor", "mju_cholSolve"}
SMALL = [name for name in PARAMETERS if name.startswith(("mju_", "mjd_")) and hasattr(reference, name)
         and not any(kind[0] in "md" for _, kind in PARAMETERS[name]) and name not in APART]
N = 5
CHAIN = """<mujoco><option><flag energy="enable"/></option><worldbody><body><joint name="a" damping="1" stiffness="2"/>
<geom type="capsule" size=".1 .2"/><body pos="0 0 .5"><joint axis="1 0 0"/><geom size=".1"/></body></body></worldbody>
<actuator><motor joint="a" gear="2"/></actuator></mujoco>"""


def drawn(name, kind, random):
    """A random argument of a kind of the table."""
    base, length = kind[0], "".join(letter for letter in kind[1:].split("=")[0] if letter.isdigit())
    if base == "f":
        return float(random.uniform(0.1, 2))
    if base in "ib":
        return int(random.integers(0, 2))
    if base in "wW":
        root = random.normal(size=(3, 3) if name.startswith("mjd_subQuat") else (N, N))
        return root @ root.T + numpy.eye(len(root))
    numbers = random.normal(size=int(length or (4 if name == "mjd_subQuat" else N)))
    if length == "4":
        numbers /= numpy.linalg.norm(numbers)
    if length == "9" and name.startswith("mju_mat2"):
        numbers = numpy.zeros(9)
        reference.mju_quat2Mat(numbers, random_quaternion(random))
    if length == "9" and name.startswith("mju_muscle"):
        numbers = numpy.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])
    if name == "mju_muscleDynamics" and length == "3":
        numbers = numpy.array([0.01, 0.04, 0.0])
    if length == "2":
        numbers = numpy.sort(numbers)
    return numbers.astype(numpy.float32) if base in "gG" else numbers


def random_quaternion(random):
    quat = random.normal(size=4)
    return quat / numpy.linalg.norm(quat)


@pytest.mark.parametrize("name", SMALL)
def test_functions_of_numbers_and_arrays_equal_mujocos(name):
    random = numpy.random.default_rng(3)
    for _ in range(20):
        arguments = [drawn(name, kind, random) for _, kind in PARAMETERS[name]]
        expected = [numpy.copy(each) if isinstance(each, numpy.ndarray) else each for each in arguments]
        ours, theirs = getattr(mujoco, name)(*arguments), getattr(reference, name)(*expected)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)
        for mine, other in zip(arguments, expected):
            numpy.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-13)


def test_numbers_are_clipped():
    assert [mujoco.mju_clip(x, -1, 2) for x in (-3, 0.5, 7)] == [-1, 0.5, 2]


def test_random_numbers_are_normal():
    numbers = numpy.array([mujoco.mju_standardNormal(None) for _ in range(20_000)])
    assert abs(numbers.mean()) < 0.05 and abs(numbers.std() - 1) < 0.05 and abs((numbers**4).mean() - 3) < 0.5


@pytest.mark.parametrize("shape", ["sphere", "capsule", "ellipsoid", "cylinder", "box"])
def test_points_are_inside_sites_where_they_are_in_mujoco(shape):
    models = [module.MjModel.from_xml_string(f"""<mujoco><worldbody><body pos="1 2 3" euler="20 30 40">
        <site type="{shape}" size="0.3 0.4 0.5" pos="0.1 0 0" euler="5 6 7"/></body></worldbody></mujoco>""") for module in (mujoco, reference)]
    data = [module.MjData(model) for module, model in zip((mujoco, reference), models)]
    random, inside = numpy.random.default_rng(2), 0
    for module, model, each in zip((mujoco, reference), models, data):
        module.mj_forward(model, each)
    for _ in range(300):
        point = numpy.array([1.1, 2, 3]) + random.uniform(-0.7, 0.7, 3)
        ours, theirs = (module.mj_insideSite(*pair, 0, point) for module, pair in zip((mujoco, reference), zip(models, data)))
        assert ours == theirs
        inside += theirs
    assert 5 < inside < 295
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_insideSite(models[0], data[0], 3, numpy.zeros(3))


def test_the_factor_of_a_matrix_is_mujocos():
    random = numpy.random.default_rng(6)
    root = random.normal(size=(N, N))
    factors, solutions = [], []
    for module in (mujoco, reference):
        matrix, solved = root @ root.T + numpy.eye(N), numpy.zeros(N)
        assert module.mju_cholFactor(matrix, 1e-15) == N
        module.mju_cholSolve(solved, matrix, numpy.arange(1.0, N + 1))
        factors.append(numpy.tril(matrix))
        solutions.append(solved)
    numpy.testing.assert_allclose(factors[0], factors[1], atol=1e-12)
    numpy.testing.assert_allclose(solutions[0], solutions[1], atol=1e-12)


def test_most_functions_are_compared():
    assert len(SMALL) > 70


@pytest.mark.parametrize("name", sorted(set(PARAMETERS) & set(dir(reference))))
def test_arguments_have_mujocos_names(name):
    text = getattr(reference, name).__doc__.split("\n")[0]
    expected = [word.split("(")[-1].split(" ")[-1] for word in text.split(":")[:-1]]
    expected = [each for each in expected if each.isidentifier()]
    rows = [[word.partition(":")[0] for word in row.split()] for key, row in mujoco._mujoco._list_functions() if key == name]
    moved = {"mj_fullM", "mj_solveM2", "mj_mulM2"}  # changed between the versions
    assert name in moved or expected in rows or [e for e in expected if e != "normal"] in rows, (expected, rows)


@pytest.fixture
def pair():
    """The same model in the same state, in both modules."""
    both = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(ZOO)
        data = module.MjData(model)
        data.qpos[:3] += [0.1, 0.2, 0.3]
        data.qvel[:] = 0.1 * numpy.arange(1, model.nv + 1)
        module.mj_forward(model, data)
        both.append((module, model, data))
    return both


def compare(pair, call, tolerance=1e-10):
    ours, theirs = (call(*each) for each in pair)
    numpy.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def test_jacobians_equal_mujocos(pair):
    def call(module, model, data):
        results = []
        for body in range(model.nbody):
            for name in ("mj_jacBody", "mj_jacBodyCom"):
                jacp, jacr = numpy.zeros((3, model.nv)), numpy.zeros((3, model.nv))
                getattr(module, name)(model, data, jacp, jacr, body)
                results += [jacp, jacr]
            jacp = numpy.zeros((3, model.nv))
            module.mj_jac(model, data, jacp, None, data.xpos[body] + 0.1, body)
            results.append(jacp)
            module.mj_jacSubtreeCom(model, data, jacp, body)
            results.append(jacp.copy())
            matrix = numpy.zeros((3, model.nv))
            module.mj_angmomMat(model, data, matrix, body)
            results.append(matrix)
        return numpy.array(results)

    compare(pair, call)


def test_products_with_the_mass_matrix_equal_mujocos(pair):
    def call(module, model, data):
        vector, out = numpy.arange(1.0, model.nv + 1), numpy.zeros(model.nv)
        results = []
        module.mj_mulM(model, data, out, vector)
        results.append(out.copy())
        x = numpy.zeros((2, model.nv))
        module.mj_solveM(model, data, x, numpy.array([vector, -vector]))
        results += list(x)
        data.qacc[:] = vector
        module.mj_rne(model, data, 1, out)
        results.append(out.copy())
        return numpy.array(results)

    compare(pair, call, 1e-8)


def test_velocities_forces_and_coordinates_equal_mujocos(pair):
    def call(module, model, data):
        out, results = numpy.zeros(6), []
        for body in range(model.nbody):
            module.mj_objectVelocity(model, data, module.mjtObj.mjOBJ_XBODY, body, out, 1)
            results += list(out)
        force = numpy.zeros(model.nv)
        module.mj_applyFT(model, data, [1, 2, 3], [4, 5, 6], [0.1, 0.2, 0.3], model.nbody - 1, force)
        qpos, qvel = data.qpos.copy(), numpy.zeros(model.nv)
        module.mj_integratePos(model, qpos, data.qvel, 0.5)
        module.mj_differentiatePos(model, qvel, 0.5, data.qpos, qpos)
        module.mj_normalizeQuat(model, qpos)
        return numpy.array([*results, *force, *qpos, *qvel])

    compare(pair, call, 1e-7)


def test_states_equal_mujocos(pair):
    for bits in ("mjSTATE_PHYSICS", "mjSTATE_FULLPHYSICS", "mjSTATE_USER", "mjSTATE_INTEGRATION"):
        def call(module, model, data):
            signature = getattr(module.mjtState, bits)
            state = numpy.zeros(module.mj_stateSize(model, signature))
            module.mj_getState(model, data, state, signature)
            module.mj_setState(model, data, state, signature)
            return state

        compare(pair, call, 1e-7)


def test_stages_one_by_one_equal_forward(pair):
    def call(module, _model, _data):
        model = module.MjModel.from_xml_string(CHAIN)
        data = module.MjData(model)
        data.qvel[:] = [1, -2]
        data.ctrl[:] = 3
        for name in ("mj_fwdPosition", "mj_sensorPos", "mj_fwdVelocity", "mj_sensorVel", "mj_fwdActuation",
                     "mj_fwdAcceleration", "mj_fwdConstraint", "mj_sensorAcc", "mj_checkAcc", "mj_energyPos", "mj_energyVel"):
            getattr(module, name)(model, data)
        return numpy.concatenate([data.qacc_smooth, data.energy])

    compare(pair, call, 1e-6)


def test_the_older_form_of_the_full_matrix_works(pair):
    (_, model, data), _ = pair
    new, old, qM = (numpy.zeros((model.nv, model.nv)) for _ in range(3))
    mujoco.mj_fullM(model, data, new)
    mujoco.mj_fullM(model, old, data.qM)
    numpy.testing.assert_array_equal(new, old)
    assert (new == new.T).all() and new.any()
    del qM


def test_bad_numbers_reset_and_count():
    model = mujoco.MjModel.from_xml_string(ZOO)
    data = mujoco.MjData(model)
    data.qpos[0] = numpy.nan
    mujoco.mj_checkPos(model, data)
    assert data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number == 1
    assert numpy.isfinite(data.qpos).all()


@pytest.mark.parametrize("call", [
    lambda m: m.mju_add(numpy.zeros(3), numpy.zeros(3), numpy.zeros(4)),
    lambda m: m.mju_rotVecQuat(numpy.zeros(3), [1, 2, 3]),
    lambda m: m.mju_rotVecQuat(numpy.zeros(3, numpy.float32), [1, 2, 3], [1, 0, 0, 0]),
    lambda m: m.mju_rotVecQuat(numpy.zeros(6)[::2], [1, 2, 3], [1, 0, 0, 0]),
    lambda m: m.mju_rotVecQuat([0, 0, 0], [1, 2, 3], [1, 0, 0, 0]),
    lambda m: m.mju_rotVecQuat(numpy.zeros(3), "abc", [1, 0, 0, 0]),
    lambda m: m.mju_quat2Mat(numpy.zeros((3, 3)), [1, 0, 0, 0]),
    lambda m: m.mju_clip(1, 2),
    lambda m: m.mju_clip(1, 2, 3, 4),
    lambda m: m.mju_clip(1, 2, maximum=3),
    lambda m: m.mj_step(m.MjModel.from_xml_string("<mujoco/>"), None),
    lambda m: m.mj_step(m.MjModel.from_xml_string("<mujoco/>"), 3),
    lambda m: m.mj_stateSize(m.MjModel.from_xml_string("<mujoco/>"), 1.5),
])
def test_wrong_arguments_are_type_errors_as_in_mujoco(call):
    for module in (mujoco, reference):
        with pytest.raises(TypeError):
            call(module)


def test_errors_of_the_engine_are_fatal_errors():
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string("<mujoco/>")
        with pytest.raises(module.FatalError, match="invalid state signature -1"):
            module.mj_stateSize(model, -1)
        with pytest.raises(ValueError):
            module.MjModel.from_xml_string("<mujoco><wrong/></mujoco>")


def test_data_of_another_model_is_refused():
    model, other = (mujoco.MjModel.from_xml_string(xml) for xml in (ZOO, "<mujoco/>"))
    with pytest.raises(mujoco.FatalError, match="another Model"):
        mujoco.mj_step(other, mujoco.MjData(model))


def test_arguments_may_be_named_and_are_written_in_place():
    out = numpy.zeros(3)
    assert mujoco.mju_rotVecQuat(quat=[0, 1, 0, 0], vec=(0, 0, 1), res=out) is None
    numpy.testing.assert_allclose(out, [0, 0, -1])
    column = numpy.zeros((3, 1))
    mujoco.mju_copy3(column, [1, 2, 3])
    assert column[:, 0].tolist() == [1, 2, 3]


def test_functions_have_a_signature_in_their_documentation():
    assert mujoco.mj_step.__doc__ == "mj_step(m, d, nstep=1)"
    assert mujoco.mj_step.__name__ == "mj_step" and inspect.isbuiltin(mujoco.mj_step)


def test_band_matrices_equal_mujocos():
    random = numpy.random.default_rng(4)
    for total, band, dense in ((6, 3, 2), (5, 1, 0), (4, 2, 4), (7, 4, 1)):
        root = random.normal(size=(total, total))
        matrix, vector = root @ root.T + numpy.eye(total), random.normal(size=total)
        size = (total - dense) * band + dense * total
        results = []
        for module in (mujoco, reference):
            stored, solved, product, back = numpy.zeros(size), numpy.zeros(total), numpy.zeros(total), numpy.zeros((total, total))
            module.mju_dense2Band(stored, matrix, total, band, dense)
            module.mju_band2Dense(back, stored, total, band, dense, True)
            module.mju_bandMulMatVec(product, stored[None], vector[:, None], total, band, dense, 1, True)
            diagonal = [module.mju_bandDiag(i, total, band, dense) for i in range(total)]
            least = module.mju_cholFactorBand(stored, total, band, dense, 0.3, 0.1)
            module.mju_cholSolveBand(solved, stored, vector, total, band, dense)
            results.append(numpy.concatenate([back.ravel(), product, diagonal, [least], solved]))
        numpy.testing.assert_allclose(results[0], results[1], rtol=1e-10)
    for pivot in (-1.0, 0.0, 1e-8, 4.0):
        least = [module.mju_cholFactorBand(numpy.array([4.0, pivot]), 2, 1, 0, 0, 0) for module in (mujoco, reference)]
        assert least[0] == least[1]


def test_box_programs_equal_mujocos():
    random = numpy.random.default_rng(5)
    for n in (1, 2, 5, 9):
        for _ in range(10):
            root = random.normal(size=(n, n))
            H, g = root @ root.T + 0.1 * numpy.eye(n), 3 * random.normal(size=n)
            lower = -random.uniform(0.1, 1, n)
            upper = random.uniform(0.1, 1, n)
            results = []
            for module in (mujoco, reference):
                res, R, index = numpy.zeros(n), numpy.zeros((n, n + 7)), numpy.zeros(n, numpy.int32)
                free = module.mju_boxQP(res, R, index, H, g, lower, upper)
                results.append((free, res, sorted(index[:free])))
            assert results[0][0] == results[1][0] and results[0][2] == results[1][2]
            numpy.testing.assert_allclose(results[0][1], results[1][1], atol=1e-8)
