// The times of the stages of a step, from the totals that every status has while the panel is open.
import { el, section } from './dom';

export interface Timer { name: string; depth: number; seconds: number; count: number }
export interface StageTime { name: string; depth: number; micros: number; share: number }

/** Microseconds per step between two totals, and the part of the step; nothing while no step was taken. */
export function stageTimes(before: Timer[], now: Timer[]): StageTime[] {
  const steps = now.length > 0 && before.length === now.length ? now[0].count - before[0].count : 0;
  if (steps <= 0) return [];
  const spent = now.map((timer, i) => Math.max(timer.seconds - before[i].seconds, 0));
  return now.map((timer, i) => ({ name: timer.name, depth: timer.depth, micros: (1e6 * spent[i]) / steps, share: spent[0] > 0 ? spent[i] / spent[0] : 0 }));
}

const PERIOD = 500; // ms: times that change faster cannot be read

export class TimersPanel {
  readonly section: HTMLDetailsElement;
  private table = el('table', { class: 'numbers', 'aria-label': 'Times of a step' });
  private rate = el('p', { class: 'note' }, 'No steps are taken.');
  private before: Timer[] = [];
  private since = 0;
  private simulated = 0;

  constructor(ask: (on: boolean) => void) {
    this.section = section('Timers', false, this.rate, this.table);
    this.section.addEventListener('toggle', () => { this.before = []; ask(this.section.open); });
  }

  take(timers: Timer[], time: number, now = performance.now()): void {
    if (!this.section.open) return;
    if (this.before.length > 0 && now - this.since < PERIOD) return;
    const times = stageTimes(this.before, timers);
    const speed = (1000 * (time - this.simulated)) / (now - this.since);
    if (times.length > 0) this.show(times, speed);
    [this.before, this.since, this.simulated] = [timers, now, time];
  }

  private show(times: StageTime[], speed: number): void {
    this.rate.textContent = `${Math.max(speed, 0).toFixed(2)} s per second, ${Math.round(1e6 / Math.max(times[0].micros, 1e-3)).toLocaleString('en')} steps/s possible`;
    this.table.replaceChildren(...times.map((stage) => {
      const name = el('td', {}, stage.name);
      name.style.paddingLeft = `${10 * stage.depth}px`;
      return el('tr', {}, name, el('td', {}, `${stage.micros.toFixed(1)} µs`), el('td', {}, `${Math.round(100 * stage.share)} %`));
    }));
  }
}
