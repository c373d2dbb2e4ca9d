"""What looking costs: streaming 22 humanoids, the first picture, a replay of 10 s, and the page itself.

    .venv/bin/python benchmarks/view_speed.py

The first picture needs Node's packages in web/ (npm ci) and Chromium; without them that line is left out.
"""

import argparse
import base64
import gzip
import multiprocessing
import os
import pathlib
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse

import torsor

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = ROOT / "models" / "scenes" / "figure.xml"
PROGRAM = ROOT / "build" / "release" / "cli" / "torsor"
WORLDS = 22
FIRST_PICTURE = """
import { pathToFileURL } from 'node:url';
const { launch, open, serve } = await import(pathToFileURL(process.argv[1]));
const browser = await launch();
const times = [];
for (let i = 0; i < 3; ++i) {
  const start = performance.now();
  const server = await serve(process.argv[2]);
  const page = await open(browser, server.url);
  times.push(performance.now() - start);
  await page.close();
  await server.end();
}
console.log(Math.min(...times));
await browser.close();
"""


def receive(url, seconds, result):
    """A page that only reads: counts the frames (binary messages) of a number of seconds."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(f"GET /socket HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: http://{parts.netloc}\r\nUpgrade: websocket\r\n"
                           f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        stream = connection.makefile("rb")
        assert b"101" in stream.readline()
        while stream.readline() != b"\r\n":
            pass
        frames = size = 0
        end = None
        while end is None or time.monotonic() < end:
            kind, length = stream.read(2)
            if length >= 126:
                length = struct.unpack(">H" if length == 126 else ">Q", stream.read(2 if length == 126 else 8))[0]
            stream.read(length)
            if kind & 15 == 2 and end is None:  # the scene comes first
                end = time.monotonic() + seconds
            elif kind & 15 == 2:
                frames, size = frames + 1, size + length
        result.put((frames / seconds, size / seconds))


def measure_streaming(seconds):
    """Share of a core that shows a batch of 22 humanoids, frames and bytes per second. Nothing is stepped meanwhile."""
    model = torsor.Model.from_xml_path(MODEL)
    batch = torsor.Batch(model, WORLDS)
    batch.step(300)  # lying on the floor: contacts are part of a frame
    result = multiprocessing.Queue()
    with torsor.view(model, batch, passive=True, open_browser=False) as handle:
        page = multiprocessing.Process(target=receive, args=(handle.url, seconds, result))
        page.start()
        while handle.nclient == 0:
            time.sleep(0.01)
        processor, clock = time.process_time(), time.monotonic()
        while page.is_alive():
            batch.qpos[:, 0] += 1e-3
            handle.sync()
            time.sleep(1 / 70)
        share = (time.process_time() - processor) / (time.monotonic() - clock)
        return share, *result.get()


def measure_first_picture():
    """Seconds from the command to a drawn page in a browser that runs already; None where that cannot be measured."""
    words = ["node", "--input-type=module", "-e", FIRST_PICTURE, str(ROOT / "web" / "tests" / "browser.mjs"), str(MODEL)]
    done = subprocess.run(words, cwd=ROOT / "web", env={**os.environ, "TORSOR_PROGRAM": str(PROGRAM)}, capture_output=True, text=True)
    return float(done.stdout) / 1e3 if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5, help="of streaming")
    arguments = parser.parse_args()
    share, frames, size = measure_streaming(arguments.seconds)
    print(f"streaming {WORLDS} humanoids   {frames:.0f} frames/s, {size / 1e6:.2f} MB/s, {share:.3f} of a core")
    try:
        first = measure_first_picture()
    except FileNotFoundError:
        first = None
    print(f"first picture            {first:.2f} s" if first else "first picture            not measured: no Node or no Chromium")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.html"
        subprocess.run([PROGRAM, "sim", MODEL, "--keyframe", "pushed", "--duration", "10", "--replay", path], check=True, capture_output=True)
        print(f"replay of 10 s           {path.stat().st_size / 1e6:.2f} MB")
    page = (ROOT / "web" / "dist" / "index.html").read_bytes()
    print(f"page                     {len(gzip.compress(page)) / 1e3:.0f} kB with gzip")


if __name__ == "__main__":
    main()
