"""Pictures per second of torsor.Renderer, and of mujoco.Renderer where it can draw here.

    .venv/bin/python benchmarks/render_speed.py models/scenes/figure.xml --size 320x240

Prints milliseconds of processor time per picture (update_scene and render, one core, the best of five runs).
"""

import argparse
import time

import torsor


def best_of(draw, pictures):
    """Milliseconds of processor time per picture."""
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(pictures):
            draw()
        times.append((time.process_time() - start) / pictures)
    return 1e3 * min(times)


def measure_torsor(path, width, height, pictures, **options):
    model = torsor.Model.from_xml_path(path)
    data = torsor.Data(model)
    torsor.forward(model, data)
    with torsor.Renderer(model, height, width, **options) as renderer:
        def draw():
            renderer.update_scene(data)
            renderer.render()
        draw()
        return best_of(draw, pictures)


def measure_mujoco(path, width, height, pictures):
    import mujoco

    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, height, width) as renderer:
        def draw():
            renderer.update_scene(data)
            renderer.render()
        draw()
        return best_of(draw, pictures)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--size", default="320x240")
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--mujoco", action="store_true", help="also MuJoCo's renderer; MUJOCO_GL chooses how it draws")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    ways = {"torsor": {}, "torsor, 1 sample": {"samples": 1}, "torsor, no shadows": {"shadows": False}}
    for name, options in ways.items():
        spent = measure_torsor(arguments.model, width, height, arguments.pictures, **options)
        print(f"{name:20} {spent:8.2f} ms {1e3 / spent:8.0f} pictures/s")
    if arguments.mujoco:
        spent = measure_mujoco(arguments.model, width, height, arguments.pictures)
        print(f"{'mujoco':20} {spent:8.2f} ms {1e3 / spent:8.0f} pictures/s")


if __name__ == "__main__":
    main()
