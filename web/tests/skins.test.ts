// Skins: vertices go where their bones carry them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import type { Scene, SkinData } from '../src/scene';
import { SkinShape } from '../src/skins';

/** A square in the plane z = 0: the left edge hangs on body 1, the right edge on body 2, the last corner on both. */
function shape(inflate = 0) {
  const bytes = new ArrayBuffer(256);
  let at = 0;
  const put = (made: Float32Array | Uint32Array, numbers: number[]) => {
    made.set(numbers);
    at += 4 * numbers.length;
    return { at: at - 4 * numbers.length, count: numbers.length };
  };
  const floats = (...numbers: number[]) => put(new Float32Array(bytes, at, numbers.length), numbers);
  const wholes = (...numbers: number[]) => put(new Uint32Array(bytes, at, numbers.length), numbers);
  const skin: SkinData = {
    name: 'square', group: 0, material: -1, rgba: [1, 0, 0, 1], inflate,
    position: floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0), index: wholes(0, 1, 2, 1, 3, 2),
    bones: [
      { body: 1, pos: [0, 0, 0], quat: [1, 0, 0, 0], vertex: wholes(0, 2, 3), weight: floats(1, 1, 0.25) },
      { body: 2, pos: [1, 0, 0], quat: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], vertex: wholes(1, 3), weight: floats(1, 0.75) },
    ],
  };
  return new SkinShape({ data: bytes } as Scene, skin);
}

const atBind = (body: number) => body === 1 ? new THREE.Matrix4() : new THREE.Matrix4().makeRotationZ(Math.PI / 2).setPosition(1, 0, 0);
const near = (found: ArrayLike<number>, wanted: number[]) => wanted.forEach((number, i) => assert.ok(Math.abs(found[i] - number) < 1e-6, `${i}: ${found[i]} is not ${number}`));

test('a skin whose bodies are where they were bound is as it was made', () => {
  const skin = shape();
  skin.pose(atBind);
  near(skin.position, [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
  near(skin.normal, [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
});

test('vertices follow their bones, by their weights', () => {
  const skin = shape();
  skin.pose((body) => atBind(body).premultiply(new THREE.Matrix4().makeTranslation(0, 0, body === 2 ? 4 : 0)));
  near(skin.position, [0, 0, 0, 1, 0, 4, 0, 1, 0, 1, 1, 3]);
});

test('a turn of all bodies turns the skin', () => {
  const skin = shape();
  const turn = new THREE.Matrix4().makeRotationX(Math.PI / 2);
  skin.pose((body) => atBind(body).premultiply(turn));
  near(skin.position, [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]);
  near(skin.normal, [0, -1, 0]);
});

test('an inflated skin is moved along its normals', () => {
  const skin = shape(0.5);
  skin.pose(atBind);
  near(skin.position, [0, 0, 0.5, 1, 0, 0.5]);
});

test('a vertex belongs to the body that moves it most', () => {
  assert.deepEqual([0, 1, 2, 3].map((vertex) => shape().bodyOf(vertex)), [1, 2, 1, 2]);
});
