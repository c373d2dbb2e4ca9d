// Playback, plots, layouts and boxes: the logic of the page that needs no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recording } from '../src/frame';
import { fromBase64, toBase64 } from '../src/bytes';
import { digits } from '../src/dom';
import { gridSpacing } from '../src/materials';
import { inertiaBox } from '../src/overlays';
import { Player } from '../src/player';
import { span } from '../src/plot';
import { placeOf } from '../src/show';

function player(times = [0, 0.1, 0.2, 0.3]) {
  const recording = { times, length: times.length, start: times[0], end: times[times.length - 1], at: (t: number) => times.filter((x) => x <= t + 1e-9).length - 1 };
  return new Player(recording as unknown as Recording);
}

test('playing goes on with the clock, times the speed', () => {
  const p = player();
  p.speed = 0.5;
  p.advance(0.2);
  assert.ok(Math.abs(p.time - 0.1) < 1e-12);
  p.toggle();
  p.advance(1);
  assert.ok(Math.abs(p.time - 0.1) < 1e-12);
});

test('at the end it starts again, or stops', () => {
  const p = player();
  p.advance(0.35);
  assert.ok(Math.abs(p.time - 0.05) < 1e-9);
  p.loop = false;
  p.advance(10);
  assert.equal(p.time, 0.3);
  assert.equal(p.playing, false);
  p.toggle();
  assert.equal(p.time, 0);
});

test('stepping pauses, and stays within the recording', () => {
  const p = player();
  p.step(1);
  assert.equal(p.time, 0.1);
  assert.equal(p.playing, false);
  p.step(-5);
  assert.equal(p.time, 0);
  p.step(99);
  assert.equal(p.time, 0.3);
});

test('speeds are those of the list', () => {
  const p = player();
  p.changeSpeed(1);
  assert.equal(p.speed, 2);
  p.changeSpeed(-99);
  assert.equal(p.speed, 0.05);
});

test('a recording of one frame plays', () => {
  const p = player([2]);
  p.advance(1);
  assert.equal(p.time, 2);
});

test('the span of a plot is wider than its numbers, and leaves out what is not one', () => {
  const [low, high] = span([{ values: [1, NaN, 3, Infinity] }]);
  assert.ok(low < 1 && low > 0.5 && high > 3 && high < 3.5);
  assert.deepEqual(span([{ values: [] }]), [0, 1]);
  const [flatLow, flatHigh] = span([{ values: [0, 0] }]);
  assert.ok(flatLow < 0 && flatHigh > 0);
});

test('worlds stand in a square around the middle', () => {
  assert.deepEqual(placeOf(0, 1, 2), [0, 0]);
  const places = [0, 1, 2, 3].map((i) => placeOf(i, 4, 2));
  assert.deepEqual(places, [[-1, -1], [1, -1], [-1, 1], [1, 1]]);
});

test('the inertia box of a box is that box', () => {
  const [a, b, c] = [0.1, 0.2, 0.3];
  const inertia = [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3].map((i) => 5 * i);
  inertiaBox(5, inertia).forEach((half, i) => assert.ok(Math.abs(half - [a, b, c][i]) < 1e-12));
});

test('lines of the floor are round distances apart', () => {
  for (const [extent, spacing] of [[4, 1], [0.4, 0.1], [10, 2], [20, 5]]) assert.ok(Math.abs(gridSpacing(extent) - spacing) < 1e-9, String(extent));
});

test('numbers have few digits', () => {
  assert.equal(digits(1.23456), '1.235');
  assert.equal(digits(0), '0.000');
  assert.equal(digits(1e-5), '1.00e-5');
  assert.equal(digits(-1e-12), '0.000');
  assert.equal(digits(NaN), 'NaN');
});

test('base64 there and back', () => {
  const bytes = new Uint8Array(100_000).map((_, i) => i * 7);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});
