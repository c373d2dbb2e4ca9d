// One moment of a simulation, as torsor/view/frame.hpp writes it.
import type { Scene } from './scene';

export interface Pose { pos: [number, number, number]; quat: [number, number, number, number] } // quat: x, y, z, w
export interface LightPose { pos: [number, number, number]; dir: [number, number, number] }
export interface Contact {
  pos: [number, number, number]; normal: [number, number, number]; active: boolean; force: [number, number, number];
}
export interface WorldFrame {
  energy: [number, number]; iterations: number; bodies: Pose[]; cameras: Pose[]; lights: LightPose[];
  tendons: Float32Array[]; islands: Int16Array; contacts: Contact[];
  qpos?: Float32Array; ctrl?: Float32Array; sensordata?: Float32Array;
}
export interface Frame { time: number; worlds: WorldFrame[] }

const UNIT = 1 / 32767;
const WITH_SIGNALS = 1;

class Reader {
  private at = 0;
  private view: DataView;
  constructor(private bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  float64() { return this.view.getFloat64((this.at += 8) - 8, true); }
  float32() { return this.view.getFloat32((this.at += 4) - 4, true); }
  uint32() { return this.view.getUint32((this.at += 4) - 4, true); }
  int16() { return this.view.getInt16((this.at += 2) - 2, true); }
  three(): [number, number, number] { return [this.float32(), this.float32(), this.float32()]; }
  units(): [number, number, number] { return [this.int16() * UNIT, this.int16() * UNIT, this.int16() * UNIT]; }
  floats(count: number): Float32Array {
    const start = this.bytes.byteOffset + this.at;
    this.at += 4 * count;
    return new Float32Array(this.bytes.buffer.slice(start, start + 4 * count));
  }
  pose(): Pose {
    const pos = this.three();
    const w = this.int16() * UNIT;
    const [x, y, z] = this.units();
    return { pos, quat: [x, y, z, w] };
  }
  isAtEnd() { return this.at === this.view.byteLength; }
}

const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

function readWorld(reader: Reader, scene: Scene, withSignals: boolean): WorldFrame {
  const energy: [number, number] = [reader.float32(), reader.float32()];
  const contactCount = reader.uint32();
  const iterations = reader.uint32();
  const bodies = repeat(scene.moving.length, () => reader.pose());
  const cameras = repeat(scene.trackingCameras.length, () => reader.pose());
  const lights = repeat(scene.trackingLights.length, () => ({ pos: reader.three(), dir: reader.three() }));
  const tendons = repeat(scene.spatialTendons.length, () => reader.floats(3 * reader.uint32()));
  const islands = Int16Array.from(repeat(scene.sizes.ntree, () => reader.int16()));
  if (scene.sizes.ntree % 2 === 1) reader.int16();
  const contacts = repeat(contactCount, () => {
    const pos = reader.three();
    const normal = reader.units();
    return { pos, normal, active: reader.int16() === 1, force: reader.three() };
  });
  const world: WorldFrame = { energy, iterations, bodies, cameras, lights, tendons, islands, contacts };
  if (withSignals) {
    world.qpos = reader.floats(scene.sizes.nq);
    world.ctrl = reader.floats(scene.sizes.nu);
    world.sensordata = reader.floats(scene.sizes.nsensordata);
  }
  return world;
}

export function readFrame(bytes: Uint8Array, scene: Scene): Frame {
  const reader = new Reader(bytes);
  const time = reader.float64();
  const count = reader.uint32();
  const withSignals = (reader.uint32() & WITH_SIGNALS) !== 0;
  const worlds = repeat(count, () => readWorld(reader, scene, withSignals));
  if (!reader.isAtEnd()) throw new Error('a frame of another model');
  return { time, worlds };
}

/** The times of frames and their bytes: frames are read when they are shown. */
export class Recording {
  readonly times: number[] = [];
  private parts: Uint8Array[] = [];
  constructor(private scene: Scene, private most = Infinity) {}

  /** From the bytes of a replay: the number of frames, their sizes, the frames. */
  static from(blob: ArrayBuffer, scene: Scene): Recording {
    const view = new DataView(blob);
    const count = view.getUint32(0, true);
    const recording = new Recording(scene);
    let at = 4 + 4 * count;
    for (let i = 0; i < count; ++i) {
      const size = view.getUint32(4 + 4 * i, true);
      recording.add(new Uint8Array(blob, at, size));
      at += size;
    }
    return recording;
  }

  get length() { return this.parts.length; }
  get start() { return this.times[0] ?? 0; }
  get end() { return this.times[this.times.length - 1] ?? 0; }

  /** A frame that is earlier than the last one replaces what comes after it: the simulation went back. */
  add(bytes: Uint8Array): number {
    const time = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    const keep = time > this.end || this.length === 0 ? this.length : this.before(time);
    this.times.length = this.parts.length = keep;
    this.times.push(time);
    this.parts.push(bytes);
    if (this.length > this.most) {
      const surplus = Math.ceil(this.most / 10); // many at a time, since moving the rest takes time
      this.times.splice(0, surplus);
      this.parts.splice(0, surplus);
    }
    return time;
  }

  frame(index: number): Frame { return readFrame(this.parts[index], this.scene); }

  /** The last frame that is not later than a time. */
  at(time: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private before(time: number): number {
    const index = this.at(time);
    return this.times[index] < time ? index + 1 : index;
  }
}
