// Energy, contacts, solver iterations and signals that the user picks, over the time of a recording.
import { el } from './dom';
import type { Frame, Recording } from './frame';
import { drawPlot, type Line } from './plot';
import { JointType, label, type Scene } from './scene';

type Reading = (frame: Frame) => number;
interface Signal { id: string; name: string; read: Reading }
const COLOURS = ['#3b82f6', '#f59f00', '#12b886', '#e64980', '#7950f2', '#15aabf'];

/** Everything of a frame that can be plotted. */
export function listSignals(scene: Scene): Signal[] {
  const signals: Signal[] = [];
  scene.joints.forEach((joint, j) => {
    if (joint.type === JointType.hinge || joint.type === JointType.slide)
      signals.push({ id: `qpos${joint.qpos}`, name: label(joint, 'joint', j), read: (frame) => frame.worlds[0].qpos?.[joint.qpos] ?? NaN });
    else if (joint.type === JointType.free)
      signals.push({ id: `qpos${joint.qpos + 2}`, name: `${label(joint, 'joint', j)} height`, read: (frame) => frame.worlds[0].qpos?.[joint.qpos + 2] ?? NaN });
  });
  scene.sensors.forEach((sensor, s) => {
    for (let k = 0; k < sensor.dim; ++k) {
      const name = sensor.dim === 1 ? label(sensor, 'sensor', s) : `${label(sensor, 'sensor', s)} [${k}]`;
      signals.push({ id: `sensor${sensor.at + k}`, name, read: (frame) => frame.worlds[0].sensordata?.[sensor.at + k] ?? NaN });
    }
  });
  scene.actuators.forEach((actuator, a) => {
    signals.push({ id: `ctrl${actuator.ctrl}`, name: `${label(actuator, 'actuator', a)} control`, read: (frame) => frame.worlds[0].ctrl?.[actuator.ctrl] ?? NaN });
  });
  return signals;
}

class Chart {
  readonly canvas: HTMLCanvasElement;
  readonly legend = el('div', { class: 'legend' });
  constructor(readonly signals: Signal[], title: string) {
    this.canvas = el('canvas', { class: 'plot', role: 'img', 'aria-label': `Plot: ${title}` });
    signals.forEach((signal, i) => {
      const mark = el('i');
      mark.style.background = COLOURS[i % COLOURS.length];
      this.legend.append(el('span', {}, mark, signal.name));
    });
  }
}

export class Plots {
  private charts: Chart[] = [];
  private cache = new Map<string, number[]>();
  private times: number[] = [];

  constructor(parent: HTMLElement, scene: Scene, private recording: Recording, private isWhole: boolean) {
    const energy: Signal[] = [
      { id: 'potential', name: 'potential energy, J', read: (frame) => frame.worlds[0].energy[0] },
      { id: 'kinetic', name: 'kinetic energy, J', read: (frame) => frame.worlds[0].energy[1] },
    ];
    const solver: Signal[] = [
      { id: 'contacts', name: 'contacts', read: (frame) => frame.worlds[0].contacts.length },
      { id: 'iterations', name: 'solver iterations', read: (frame) => frame.worlds[0].iterations },
    ];
    this.charts = [new Chart(energy, 'energy'), new Chart(solver, 'contacts and solver iterations')];
    const list = listSignals(scene);
    const picker = el('select', { 'aria-label': 'Add a plot', onchange: () => this.add(list.find((signal) => signal.id === picker.value), parent, picker) },
      el('option', { value: '' }, 'Add a signal …'), ...list.map((signal) => el('option', { value: signal.id }, signal.name)));
    parent.replaceChildren(parent.firstChild!, ...this.charts.flatMap((chart) => [chart.canvas, chart.legend]), el('div', { class: 'row' }, picker));
  }

  private add(signal: Signal | undefined, parent: HTMLElement, picker: HTMLSelectElement): void {
    picker.value = '';
    if (!signal) return;
    const chart = new Chart([signal], signal.name);
    this.charts.push(chart);
    parent.insertBefore(chart.canvas, parent.lastChild);
    parent.insertBefore(chart.legend, parent.lastChild);
  }

  /** Frames that came since the last time are read; a live recording is read at a few hundred places. */
  private collect(): void {
    const stride = this.isWhole ? 1 : Math.max(1, Math.ceil(this.recording.length / 300));
    const wanted = this.recording.times.filter((_, i) => i % stride === 0);
    const ids = this.charts.flatMap((chart) => chart.signals);
    const isCurrent = wanted.length === this.times.length && wanted[wanted.length - 1] === this.times[this.times.length - 1];
    if (isCurrent && ids.every((signal) => this.cache.has(signal.id))) return;
    this.times = wanted;
    const frames = wanted.map((_, i) => this.recording.frame(i * stride));
    for (const signal of ids) this.cache.set(signal.id, frames.map(signal.read));
  }

  draw(now: number, ink: string): void {
    this.collect();
    for (const chart of this.charts) {
      const lines: Line[] = chart.signals.map((signal, i) => ({ label: signal.name, colour: COLOURS[i % COLOURS.length], values: this.cache.get(signal.id) ?? [] }));
      drawPlot(chart.canvas, this.times, lines, now, ink);
    }
  }
}
