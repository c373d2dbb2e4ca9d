// Panels of a live view: controls, joints, selection with conventions, sensors, options, the tree with search.
import type { App } from './app';
import { digits, el, section, select } from './dom';
import type { Frame } from './frame';
import type { Send, Status } from './live';
import { JointType, label, type Scene } from './scene';
import { TimersPanel } from './timers';

interface Column { id: string; pose?: number[]; twist?: number[]; error?: string }
export interface Selection { body: number; first: Column; second: Column; differences?: string[] }

class Slider {
  readonly row: HTMLElement;
  private input: HTMLInputElement;
  private output = el('output');
  private isHeld = false;
  constructor(name: string, range: [number, number], private read: (frame: Frame) => number, send: (value: number) => void) {
    this.input = el('input', { type: 'range', min: range[0], max: range[1], step: 'any', 'aria-label': name });
    this.input.addEventListener('pointerdown', () => { this.isHeld = true; });
    this.input.addEventListener('pointerup', () => { this.isHeld = false; });
    this.input.addEventListener('input', () => { this.output.value = digits(Number(this.input.value)); send(Number(this.input.value)); });
    this.row = el('div', { class: 'slider' }, el('label', {}, el('b', { title: name }, name), this.output), this.input);
  }
  update(frame: Frame): void {
    if (this.isHeld) return;
    const value = this.read(frame);
    this.input.value = String(value);
    this.output.value = digits(value);
  }
}

const POSE = ['1', '2', '3', '4', '5', '6', '7'];
const INTEGRATORS: [string, string][] = [['0', 'Euler'], ['1', 'RK4'], ['2', 'implicit'], ['3', 'implicitfast'], ['4', 'discrete']];
const SOLVERS: [string, string][] = [['0', 'PGS'], ['1', 'CG'], ['2', 'Newton'], ['3', 'SAP']];
const CONES: [string, string][] = [['0', 'pyramidal'], ['1', 'elliptic']];
const GRAVITY_OFF = 1 << 7;
const CONTACT_OFF = 1 << 4;

export class LivePanels {
  private sliders: Slider[] = [];
  private sensors: HTMLTableCellElement[] = [];
  private selectionBox = el('div');
  private conventionRow = el('div', { class: 'row' });
  private first = 'mujoco';
  private second = 'drake';
  private lastUpdate = 0;
  private sections: HTMLElement[] = [];
  readonly timers: TimersPanel;

  constructor(private app: App, private scene: Scene, private send: Send, hello: { conventions: string[]; first: string; second: string }) {
    for (const old of app.side.querySelectorAll('.live')) old.remove();
    this.addControls();
    this.addJoints();
    this.addSelection();
    this.addSensors();
    this.addOptions();
    this.timers = new TimersPanel((on) => this.send({ type: 'timers', on }));
    this.sections.push(this.timers.section);
    for (const each of this.sections) each.classList.add('live');
    app.side.prepend(...this.sections);
    this.fillTree();
    this.greet(hello);
  }

  private add(title: string, open: boolean, ...children: (Node | string)[]): HTMLDetailsElement {
    const made = section(title, open, ...children);
    this.sections.push(made);
    return made;
  }

  private slider(name: string, range: [number, number], read: (frame: Frame) => number, send: (value: number) => void): HTMLElement {
    const made = new Slider(name, range, read, send);
    this.sliders.push(made);
    return made.row;
  }

  private addControls(): void {
    const { actuators, keys } = this.scene;
    if (keys.length > 0) {
      const options = keys.map((name, k): [string, string] => [String(k), name || `keyframe ${k}`]);
      const box = select('Keyframe', options, '0', () => {});
      this.add('Keyframes', true, el('div', { class: 'row' }, box, el('button', { type: 'button', class: 'text', onclick: () => this.send({ type: 'key', id: Number(box.value) }) }, 'Go')));
    }
    if (actuators.length === 0) return;
    const rows = actuators.map((actuator, a) => this.slider(label(actuator, 'actuator', a), actuator.limited ? [actuator.range[0], actuator.range[1]] : [-1, 1],
      (frame) => frame.worlds[0].ctrl?.[actuator.ctrl] ?? 0, (value) => this.send({ type: 'ctrl', id: actuator.ctrl, value })));
    this.add('Controls', actuators.length <= 12, ...rows);
  }

  private addJoints(): void {
    const rows = this.scene.joints.flatMap((joint, j) => {
      if (joint.type !== JointType.hinge && joint.type !== JointType.slide) return [];
      const span: [number, number] = joint.limited ? [joint.range[0], joint.range[1]] : joint.type === JointType.hinge ? [-Math.PI, Math.PI] : [-1, 1];
      return [this.slider(label(joint, 'joint', j), span, (frame) => frame.worlds[0].qpos?.[joint.qpos] ?? 0, (value) => this.send({ type: 'qpos', id: j, value }))];
    });
    if (rows.length > 0) this.add('Joints', false, ...rows);
  }

  private addSelection(): void {
    this.selectionBox.append('Click a body to see its pose and twist.');
    this.add('Selected body', true, this.conventionRow, this.selectionBox);
  }

  greet(hello: { conventions: string[]; first: string; second: string }): void {
    this.first = hello.first;
    this.second = hello.second;
    const options = hello.conventions.map((id): [string, string] => [id, id]);
    const choose = (name: string, value: string, set: (id: string) => void) => select(name, options, value, (id) => { set(id); this.select(this.app.selected); });
    this.conventionRow.replaceChildren(choose('Convention', this.first, (id) => { this.first = id; }), choose('Second convention', this.second, (id) => { this.second = id; }));
  }

  select(body: number): void {
    for (const button of this.app.tree.querySelectorAll('button')) button.setAttribute('aria-pressed', String(Number(button.dataset.body) === body));
    this.send({ type: 'select', body, first: this.first, second: this.second });
    if (body === 0) { this.selectionBox.replaceChildren('Click a body to see its pose and twist.'); }
  }

  showSelection(selection: Selection): void {
    if (selection.body !== this.app.selected) return;
    const body = this.scene.bodies[selection.body];
    const rows: HTMLTableRowElement[] = [];
    const rowsOf = (name: string, a: number[] | undefined, b: number[] | undefined) => {
      (a ?? b ?? []).forEach((_, i) => {
        const differs = a !== undefined && b !== undefined && Math.abs(a[i] - b[i]) > 1e-9 * Math.max(1, Math.abs(a[i]));
        rows.push(el('tr', { class: differs ? 'differs' : undefined }, el('td', {}, i === 0 ? name : POSE[i]), el('td', {}, a ? digits(a[i]) : '–'), el('td', {}, b ? digits(b[i]) : '–')));
      });
    };
    rowsOf('pose 1', selection.first.pose, selection.second.pose);
    rowsOf('twist 1', selection.first.twist, selection.second.twist);
    const table = el('table', { class: 'numbers', 'aria-label': 'Pose and twist' }, el('tr', {}, el('td', {}, label(body, 'body', selection.body)), el('td', {}, selection.first.id), el('td', {}, selection.second.id)), ...rows);
    const problems = [selection.first, selection.second].filter((column) => column.error).map((column) => el('p', {}, `${column.id}: ${column.error}`));
    const notes = el('details', {}, el('summary', {}, 'What differs'), el('ul', {}, ...(selection.differences ?? []).map((text) => el('li', {}, text))));
    const wasOpen = this.selectionBox.querySelector('details')?.open ?? false;
    notes.open = wasOpen;
    this.selectionBox.replaceChildren(table, ...problems, ...(selection.differences?.length ? [notes] : []), ...this.frictionRows(selection.body));
  }

  private frictionInputs = new Map<number, HTMLElement>();
  private frictionRows(body: number): HTMLElement[] {
    return this.scene.geoms.flatMap((geom, g) => {
      if (geom.body !== body || !geom.collides) return [];
      let row = this.frictionInputs.get(g);
      if (!row) {
        const input = el('input', { type: 'number', min: 0, step: 0.05, value: geom.friction[0], 'aria-label': `Friction of ${label(geom, 'geom', g)}` });
        input.addEventListener('change', () => this.send({ type: 'friction', geom: g, value: Number(input.value) }));
        input.style.width = '80px';
        this.frictionInputs.set(g, (row = el('div', { class: 'row' }, el('span', {}, `friction of ${label(geom, 'geom', g)}`), input)));
      }
      return [row];
    });
  }

  private addSensors(): void {
    if (this.scene.sensors.length === 0) return;
    const rows = this.scene.sensors.map((sensor, s) => {
      const cell = el('td');
      this.sensors.push(cell);
      return el('tr', {}, el('td', {}, label(sensor, 'sensor', s)), cell);
    });
    this.add('Sensors', false, el('table', { class: 'numbers' }, ...rows));
  }

  private addOptions(): void {
    const option = this.scene.option;
    const set = (name: string, value: unknown) => this.send({ type: 'option', name, value });
    const number = (name: string, text: string, value: number, step: number) => {
      const input = el('input', { type: 'number', value, step, 'aria-label': text });
      input.addEventListener('change', () => set(name, Number(input.value)));
      input.style.width = '90px';
      return el('div', { class: 'row' }, el('span', {}, text), input);
    };
    const choice = (name: string, text: string, options: [string, string][], value: number) =>
      el('div', { class: 'row' }, el('span', {}, text), select(text, options, String(value), (id) => set(name, Number(id))));
    let flags = option.disableflags;
    const flag = (text: string, bit: number) => {
      const box = el('input', { type: 'checkbox', checked: (flags & bit) === 0 });
      box.addEventListener('change', () => { flags = box.checked ? flags & ~bit : flags | bit; set('disableflags', flags); });
      return el('label', { class: 'toggle' }, box, el('span', {}, text));
    };
    const gravity = [...option.gravity];
    const gravityInputs = gravity.map((value, i) => {
      const input = el('input', { type: 'number', value, step: 0.1, 'aria-label': `Gravity ${'xyz'[i]}` });
      input.style.width = '62px';
      input.addEventListener('change', () => { gravity[i] = Number(input.value); set('gravity', gravity); });
      return input;
    });
    this.add('Physics', false, number('timestep', 'Timestep, s', option.timestep, 0.0005), choice('integrator', 'Integrator', INTEGRATORS, option.integrator),
      choice('solver', 'Solver', SOLVERS, option.solver), choice('cone', 'Friction cone', CONES, option.cone), number('iterations', 'Iterations', option.iterations, 1),
      el('div', { class: 'row' }, el('span', {}, 'Gravity'), ...gravityInputs), flag('Gravity', GRAVITY_OFF), flag('Contacts', CONTACT_OFF));
  }

  private fillTree(): void {
    const { tree } = this.app;
    const depth: number[] = [];
    const list = el('ul', { class: 'bodies' });
    this.scene.bodies.forEach((body, b) => {
      depth[b] = b === 0 ? 0 : depth[body.parent] + 1;
      if (b === 0) return;
      const name = label(body, 'body', b);
      const item = el('button', { type: 'button', 'data-body': b, 'aria-pressed': false, onclick: () => this.app.select(b) }, name);
      item.style.paddingLeft = `${8 + 12 * (depth[b] - 1)}px`;
      list.append(el('li', {}, item));
    });
    const search = el('input', { type: 'search', placeholder: 'Search bodies', 'aria-label': 'Search bodies' });
    search.style.width = '100%';
    search.addEventListener('input', () => {
      const wanted = search.value.toLowerCase();
      for (const item of list.children) (item as HTMLElement).hidden = !item.textContent!.toLowerCase().includes(wanted);
    });
    tree.replaceChildren(section('Bodies', true, search, list));
    tree.hidden = this.app.side.hidden || window.innerWidth < 900;
  }

  /** A few times per second: numbers that change faster cannot be read. */
  update(frame: Frame, status: Status): void {
    const now = performance.now();
    if (now - this.lastUpdate < 80) return;
    this.lastUpdate = now;
    for (const slider of this.sliders) slider.update(frame);
    const data = frame.worlds[0].sensordata;
    this.scene.sensors.forEach((sensor, s) => {
      this.sensors[s].textContent = data ? Array.from(data.subarray(sensor.at, sensor.at + sensor.dim), digits).join('  ') : '';
    });
    if (status.resets > this.resets) this.app.say('The simulation was reset', 'Bad numbers: it became unstable. A smaller timestep may help.');
    this.resets = status.resets;
    if (status.problem && status.problem !== this.problem) this.app.say('The simulation stopped', status.problem);
    this.problem = status.problem ?? '';
  }
  private resets = 0;
  private problem = '';
}
