"""Makes the pictures of docs/view.md: make_view_pictures.py. Needs Node's packages in web/ (npm ci) and Chromium."""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = ROOT / "models" / "scenes" / "figure.xml"
OUT = ROOT / "docs" / "images"
SHOOT = """
import { pathToFileURL } from 'node:url';
const { launch, open, serve } = await import(pathToFileURL(process.argv[1]));
const [, , model, folder, out] = process.argv;
const browser = await launch();
const size = { width: 1200, height: 720 };
const shoot = async (url, name, prepare) => {
  const page = await open(browser, url, size);
  if (prepare) await page.evaluate(prepare);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${out}/${name}.jpg`, type: 'jpeg', quality: 82 });
  await page.close();
};
await shoot(`file://${folder}/fall.html?time=0.3&theme=dark`, 'view_replay', () => { for (const id of ['contacts', 'forces', 'joints', 'com']) window.torsor.setOverlay(id, true); });
await shoot(`file://${folder}/worlds.html?time=0.55&plain`, 'view_worlds');
const server = await serve(model, '--paused', '--keyframe', 'pushed');
await shoot(server.url, 'view_live', () => { window.torsor.select(3); window.torsor.source.step(60); });
await server.end();
await browser.close();
"""


def main():
    import torsor

    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        model = torsor.Model.from_xml_path(MODEL)
        program = ROOT / "build" / "release" / "cli" / "torsor"
        subprocess.run([program, "sim", MODEL, "--keyframe", "pushed", "--duration", "3", "--replay", f"{folder}/fall.html"], check=True)
        data = torsor.Data(model)
        initial = numpy.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (16, 1))
        initial[:, 1 + model.nq:] += numpy.random.default_rng(0).normal(scale=0.8, size=(16, initial.shape[1] - 1 - model.nq))
        states, _ = torsor.rollout(model, initial, nstep=round(1.0 / model.opt.timestep))
        torsor.show(model, states, title="16 worlds").save(f"{folder}/worlds.html")
        subprocess.run(["node", "--input-type=module", "-e", SHOOT, str(ROOT / "web" / "tests" / "browser.mjs"), MODEL, folder, OUT],
                       check=True, cwd=ROOT / "web", env={**os.environ, "TORSOR_PROGRAM": str(program)})


if __name__ == "__main__":
    sys.exit(main())
