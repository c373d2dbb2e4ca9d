// Which moment of a recording is shown: playing, paused, stepping, at any speed.
import type { Recording } from './frame';

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Player {
  time: number;
  playing = true;
  speed = 1;
  loop = true;

  constructor(readonly recording: Recording) { this.time = recording.start; }

  get index(): number { return this.recording.at(this.time); }

  /** Goes on by `seconds` of the clock on the wall. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const { start, end } = this.recording;
    this.time += seconds * this.speed;
    if (this.time <= end) return;
    if (this.loop && end > start) this.time = start + ((this.time - start) % (end - start));
    else { this.time = end; this.playing = false; }
  }

  toggle(): void {
    if (!this.playing && !this.loop && this.time >= this.recording.end) this.time = this.recording.start;
    this.playing = !this.playing;
  }

  seek(time: number): void { this.time = Math.min(Math.max(time, this.recording.start), this.recording.end); }

  /** To the frame before or after; stepping pauses. */
  step(frames: number): void {
    this.playing = false;
    const index = Math.min(Math.max(this.index + frames, 0), this.recording.length - 1);
    this.time = this.recording.times[index] ?? 0;
  }

  changeSpeed(steps: number): void {
    const nearest = SPEEDS.reduce((best, s, i) => (Math.abs(s - this.speed) < Math.abs(SPEEDS[best] - this.speed) ? i : best), 0);
    this.speed = SPEEDS[Math.min(Math.max(nearest + steps, 0), SPEEDS.length - 1)];
  }
}
