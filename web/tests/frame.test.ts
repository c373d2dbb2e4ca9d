// Frames are read as torsor/view/frame.hpp describes them; a recording finds its frames by time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrame, Recording } from '../src/frame';
import { readScene, type Scene } from '../src/scene';

class Bytes {
  private parts: number[] = [];
  private put(size: number, write: (view: DataView) => void) {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.parts.push(...new Uint8Array(view.buffer));
    return this;
  }
  float64(...values: number[]) { for (const v of values) this.put(8, (view) => view.setFloat64(0, v, true)); return this; }
  float32(...values: number[]) { for (const v of values) this.put(4, (view) => view.setFloat32(0, v, true)); return this; }
  uint32(...values: number[]) { for (const v of values) this.put(4, (view) => view.setUint32(0, v, true)); return this; }
  int16(...values: number[]) { for (const v of values) this.put(2, (view) => view.setInt16(0, v, true)); return this; }
  done() { return new Uint8Array(this.parts); }
}

const scene = { moving: [1], trackingCameras: [0], trackingLights: [0], spatialTendons: [0], sizes: { ntree: 1, nq: 2, nv: 2, nu: 1, nsensordata: 1 } } as unknown as Scene;

function frame(time: number) {
  return new Bytes().float64(time).uint32(1, 1).float32(5, 6).uint32(1, 7)
    .float32(1, 2, 3).int16(32767, 0, 0, 0) // body
    .float32(4, 5, 6).int16(0, 32767, 0, 0) // camera
    .float32(7, 8, 9, 0, 0, -1) // light
    .uint32(2).float32(0, 0, 0, 1, 1, 1) // tendon
    .int16(3, -1) // island, padding
    .float32(1, 0, 0).int16(0, 0, 32767, 1).float32(0, 0, 10) // contact
    .float32(0.25, 0.5, -1, 9) // qpos, ctrl, sensor
    .done();
}

test('every part of a frame is where the format says', () => {
  const { time, worlds } = readFrame(frame(1.5), scene);
  const [world] = worlds;
  assert.equal(time, 1.5);
  assert.deepEqual(world.energy, [5, 6]);
  assert.equal(world.iterations, 7);
  assert.deepEqual(world.bodies[0], { pos: [1, 2, 3], quat: [0, 0, 0, 1] });
  assert.deepEqual(world.cameras[0].quat, [1, 0, 0, 0]);
  assert.deepEqual(world.lights[0].dir, [0, 0, -1]);
  assert.deepEqual([...world.tendons[0]], [0, 0, 0, 1, 1, 1]);
  assert.deepEqual([...world.islands], [3]);
  assert.deepEqual(world.contacts, [{ pos: [1, 0, 0], normal: [0, 0, 1], active: true, force: [0, 0, 10] }]);
  assert.deepEqual([[...world.qpos!], [...world.ctrl!], [...world.sensordata!]], [[0.25, 0.5], [-1], [9]]);
});

test('a frame of another model is refused', () => {
  const bytes = frame(0);
  assert.throws(() => readFrame(new Uint8Array([...bytes, 0, 0, 0, 0]), scene), /another model/);
  assert.throws(() => readFrame(bytes.subarray(0, bytes.length - 4), scene));
});

function recordingOf(...times: number[]) {
  const recording = new Recording(scene);
  for (const time of times) recording.add(frame(time));
  return recording;
}

test('the frame at a time is the last one that is not later', () => {
  const recording = recordingOf(0, 0.1, 0.2, 0.3);
  assert.equal(recording.at(-1), 0);
  assert.equal(recording.at(0.19), 1);
  assert.equal(recording.at(0.2), 2);
  assert.equal(recording.at(9), 3);
});

test('going back in time forgets what came later', () => {
  const recording = recordingOf(0, 0.1, 0.2, 0.3);
  recording.add(frame(0.1));
  assert.deepEqual(recording.times, [0, 0.1]);
  recording.add(frame(0));
  assert.deepEqual(recording.times, [0]);
});

test('a recording that is full forgets its oldest frames', () => {
  const recording = new Recording(scene, 10);
  for (let i = 0; i < 25; ++i) recording.add(frame(i));
  assert.ok(recording.length <= 10);
  assert.equal(recording.end, 24);
});

test('a replay is the number of frames, their sizes, and the frames', () => {
  const frames = [frame(0), frame(1)];
  const bytes = new Uint8Array([...new Bytes().uint32(2, frames[0].length, frames[1].length).done(), ...frames[0], ...frames[1]]);
  const recording = Recording.from(bytes.buffer, scene);
  assert.deepEqual(recording.times, [0, 1]);
  assert.equal(recording.frame(1).time, 1);
});

test('a scene is JSON, then data', () => {
  const text = new TextEncoder().encode('{"version":1,"name":"ü"}   '); // padded to 4
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const blob = new Uint8Array([...new Bytes().uint32(padded.length).done(), ...padded, 1, 2, 3, 4]);
  const read = readScene(blob.buffer);
  assert.equal(read.name, 'ü');
  assert.deepEqual([...new Uint8Array(read.data)], [1, 2, 3, 4]);
  const other = new TextEncoder().encode('{"version":2}   ').subarray(0, 16);
  assert.throws(() => readScene(new Uint8Array([...new Bytes().uint32(other.length).done(), ...other]).buffer), /version 2/);
});
