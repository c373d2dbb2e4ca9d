// Timers, keys, geoms of programs and mirrors: what the page makes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { Decor, partsOf } from '../src/extras';
import { keyNumber } from '../src/keys';
import { findMirror, reflect } from '../src/mirror';
import { GeomType, type Scene } from '../src/scene';
import { stageTimes, type Timer } from '../src/timers';

const totals = (count: number, ...seconds: number[]): Timer[] => seconds.map((s, i) => ({ name: `stage ${i}`, depth: i, seconds: s, count }));

test('times are those of the steps between two totals', () => {
  const times = stageTimes(totals(100, 1, 0.5), totals(300, 1.02, 0.505));
  assert.ok(Math.abs(times[0].micros - 100) < 1e-6 && Math.abs(times[1].micros - 25) < 1e-6);
  assert.ok(Math.abs(times[1].share - 0.25) < 1e-9);
  assert.deepEqual(stageTimes([], totals(3, 1)), []);
  assert.deepEqual(stageTimes(totals(3, 1), totals(3, 1)), [], 'no step was taken');
  assert.deepEqual(stageTimes(totals(5, 1), totals(1, 0.1)), [], 'the simulation was reset');
});

test('keys have the numbers of GLFW', () => {
  for (const [code, number] of [['Space', 32], ['KeyA', 65], ['KeyZ', 90], ['Digit7', 55], ['ArrowUp', 265], ['F1', 290], ['F12', 301], ['Numpad0', 320], ['Lang1', -1]] as const) assert.equal(keyNumber(code), number, code);
});

test('an arrow reaches from its start to half its size, as MuJoCo draws it', () => {
  const [shaft, head] = partsOf(Decor.arrow, [0.02, 0.02, 1]);
  assert.ok(Math.abs(shaft.z - shaft.scale[2]) < 1e-12, 'starts at 0');
  assert.ok(Math.abs(shaft.z + shaft.scale[2] - (head.z - head.scale[2])) < 1e-12, 'no gap');
  assert.ok(Math.abs(head.z + head.scale[2] - 0.5) < 1e-12);
  const both = partsOf(Decor.arrow2, [0.02, 0.02, 1]).map((part) => [part.z - part.scale[2], part.z + part.scale[2]]).flat();
  assert.deepEqual([Math.min(...both), Math.max(...both)], [-0.5, 0.5]);
  assert.equal(partsOf(GeomType.capsule, [0.1, 0.1, 0.5]).length, 3);
  assert.deepEqual(partsOf(107, [1, 1, 1]), [], 'labels are not shapes');
});

test('the first plane or box with a reflectance is the mirror', () => {
  const scene = { materials: [{ reflectance: 0 }, { reflectance: 0.3 }], geoms: [{ type: GeomType.plane, material: 0 }, { type: GeomType.sphere, material: 1 }, { type: GeomType.box, material: 1 }] };
  assert.equal(findMirror(scene as unknown as Scene), 2);
  const image = reflect(new THREE.Vector3(1, 2, 3), new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 0, 1));
  assert.deepEqual(image.toArray(), [1, 2, -1]);
});
