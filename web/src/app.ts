// The page: canvas, panels, keyboard. A replay and a live view are sources of frames that it shows.
import { button, el, section, select, setIcon, toggle } from './dom';
import type { Frame, Recording } from './frame';
import { OVERLAY_KEYS, OVERLAY_LABELS, OVERLAYS, type Overlay } from './overlays';
import { Plots } from './plots';
import { label, type Scene } from './scene';
import { Show, type Layout } from './show';
import { Stage, type Theme } from './stage';

/** What decides which moment is shown, and what the buttons of the bar do. */
export interface Source {
  readonly kind: 'replay' | 'live';
  readonly recording: Recording;
  readonly range: [number, number]; // of the time bar
  readonly time: number;
  readonly playing: boolean;
  speed: number;
  advance(seconds: number): void;
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  reset(): void;
  changeSpeed(steps: number): void;
}

const UNNAMED = 'MuJoCo Model'; // the name of a model that has none
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class App {
  readonly stage: Stage;
  readonly side = el('aside', { class: 'panel side', 'aria-label': 'Settings' });
  readonly tree = el('aside', { class: 'panel side tree', 'aria-label': 'Bodies', hidden: true });
  readonly canvas = el('canvas', { class: 'view', tabindex: '0', role: 'img', 'aria-label': 'The model' });
  readonly shown = Object.fromEntries(OVERLAYS.map((id) => [id, id === 'tendons' || id === 'sites' || id === 'skins'])) as Record<Overlay, boolean>;
  show: Show | null = null;
  scene: Scene | null = null;
  selected = 0;
  onSelect: (body: number) => void = () => {};
  onTick: () => void = () => {};
  extraKeys: Record<string, () => void> = {};
  onKeyCode: (code: string) => boolean = () => false; // whether the page leaves the key to the program
  frame: Frame | null = null;
  private title = el('strong', {}, 'Torsor');
  private subtitle = el('span');
  private bar = el('div', { class: 'panel bar', role: 'toolbar', 'aria-label': 'Playback' });
  private playButton = button('play', 'Play', () => this.source?.toggle());
  private timeBar = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time' });
  private clock = el('output', { 'aria-label': 'Time shown' });
  private speedSelect: HTMLSelectElement;
  private message = el('div', { class: 'panel message', role: 'alert', hidden: true });
  private help: HTMLElement | null = null;
  private theme: Theme;
  private toggles = new Map<Overlay, HTMLInputElement>();
  private last = 0;
  source: Source | null = null;
  private viewSection = section('Show', true);
  private cameraSection = section('Camera', true);
  private plotSection = section('Plots', false);
  private plots: Plots | null = null;
  private shownIndex = -1;
  private layoutBox = select('Worlds', [['side', 'Side by side'], ['ghosts', 'Ghosts']], 'side', (value) => this.setLayout(value as Layout));
  private layoutRow = el('div', { class: 'row', hidden: true }, el('span', {}, 'Worlds'), this.layoutBox);

  constructor() {
    const preference = new URLSearchParams(location.search).get('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    this.theme = preference === 'dark' ? 'dark' : 'light';
    this.speedSelect = select('Speed', SPEEDS.map((s) => [String(s), `${s}×`]), '1', (value) => { if (this.source) this.source.speed = Number(value); });
    this.speedSelect.classList.add('optional');
    const tools = el('div', { class: 'panel tools', role: 'toolbar', 'aria-label': 'Page' },
      button('panel', 'Settings (P)', () => this.togglePanel()),
      button('theme', 'Dark or light (T)', () => this.toggleTheme()),
      button('help', 'Keyboard (?)', () => this.toggleHelp()));
    this.playButton.classList.add('main');
    this.bar.append(button('back', 'Step back (←)', () => this.source?.step(-1)), this.playButton, button('forward', 'Step (→)', () => this.source?.step(1)),
      button('reset', 'To the start (Backspace)', () => this.source?.reset()), this.timeBar, this.clock, this.speedSelect);
    this.side.append(this.viewSection, this.cameraSection, this.plotSection);
    this.side.hidden = window.innerWidth < 900 || new URLSearchParams(location.search).has('plain');
    document.body.append(this.canvas, el('header', { class: 'panel title' }, this.title, this.subtitle), tools, this.side, this.tree, this.bar, this.message);
    this.stage = new Stage(this.canvas);
    this.setTheme(this.theme);
    this.timeBar.addEventListener('input', () => this.source?.seek(Number(this.timeBar.value)));
    window.addEventListener('resize', () => this.resize());
    window.addEventListener('keydown', (event) => this.onKey(event));
    this.watchPointer();
    this.resize();
  }

  /** Shows a model from the start. */
  open(scene: Scene, source: Source, title: string, layout: Layout = 'side'): void {
    this.show?.dispose();
    this.scene = scene;
    this.source = source;
    this.shownIndex = -1;
    this.selected = 0;
    const name = !title || title === UNNAMED ? 'Unnamed model' : title;
    this.title.textContent = name;
    this.subtitle.textContent = `${scene.bodies.length - 1} bodies · ${scene.sizes.nv} dofs`;
    document.title = `${name} · Torsor`;
    this.show = new Show(scene, this.stage, this.shown, layout);
    this.layoutRow.hidden = true;
    this.layoutBox.value = layout;
    this.plots = new Plots(this.plotSection, scene, source.recording, source.kind === 'replay');
    this.fillView();
    this.fillCamera();
    if (scene.warnings.length > 0) this.say('Not everything is shown', scene.warnings.join('\n'), false);
  }

  start(): void {
    const tick = (now: number) => {
      requestAnimationFrame(tick);
      this.tick(Math.min((now - this.last) / 1000, 0.1));
      this.last = now;
    };
    requestAnimationFrame(tick);
  }

  private tick(seconds: number): void {
    const source = this.source;
    if (!source || !this.show || source.recording.length === 0) return;
    source.advance(seconds);
    this.showMoment(source);
    this.onTick();
    this.stage.render();
    document.documentElement.dataset.ready = 'true';
  }

  private showMoment(source: Source): void {
    const { recording } = source;
    const index = recording.at(source.time);
    const isLast = index + 1 >= recording.length;
    const from = recording.times[index];
    const blend = isLast || !source.playing ? 0 : (source.time - from) / (recording.times[index + 1] - from);
    if (index === this.shownIndex && blend === 0 && !source.playing && source.kind === 'replay' && this.frame) this.show!.show(this.frame);
    else {
      this.frame = recording.frame(index);
      this.show!.show(this.frame, blend > 0 ? recording.frame(index + 1) : undefined, Math.min(Math.max(blend, 0), 1));
    }
    this.layoutRow.hidden = this.show!.worldCount < 2;
    this.shownIndex = index;
    this.updateBar(source);
    this.inset();
    if (this.plotSection.open) this.plots?.draw(source.time, getComputedStyle(document.documentElement).getPropertyValue('--soft'));
  }

  private updateBar(source: Source): void {
    const [start, end] = source.range;
    if (Number(this.timeBar.min) !== start) this.timeBar.min = String(start);
    if (Number(this.timeBar.max) !== end) this.timeBar.max = String(end);
    if (document.activeElement !== this.timeBar || source.playing) this.timeBar.value = String(source.time);
    this.timeBar.setAttribute('aria-valuetext', `${source.time.toFixed(2)} seconds`);
    const text = `<b>${source.time.toFixed(2)}</b> / ${end.toFixed(2)} s`;
    if (this.clock.innerHTML !== text) this.clock.innerHTML = text;
    const wanted = source.playing ? 'Pause (Space)' : 'Play (Space)';
    if (this.playButton.title !== wanted) setIcon(this.playButton, source.playing ? 'pause' : 'play', wanted);
    if (Number(this.speedSelect.value) !== source.speed) this.speedSelect.value = String(source.speed);
  }

  private fillView(): void {
    const rows = OVERLAYS.filter((id) => id !== 'skins' || this.scene!.skins.length > 0).map((id) => {
      const row = toggle(OVERLAY_LABELS[id], this.shown[id], (on) => this.setOverlay(id, on), OVERLAY_KEYS[id]);
      this.toggles.set(id, row.querySelector('input')!);
      return row;
    });
    const groups = el('div', { class: 'groups' }, ...this.show!.groups.map((on, i) => {
      const box = el('input', { type: 'checkbox', checked: on, 'aria-label': `Geoms of group ${i}`, onchange: () => { this.show!.groups[i] = box.checked; this.show!.apply(); } });
      return el('label', {}, box, String(i));
    }));
    const look = toggle('Lights and sky of the model', false, (on) => this.stage.setModelLook(on));
    this.stage.setModelLook(false);
    this.viewSection.replaceChildren(this.viewSection.firstChild!, ...rows, look, el('div', { class: 'row' }, el('span', {}, 'Groups'), groups), this.layoutRow);
  }

  private fillCamera(): void {
    const scene = this.scene!;
    const cameras: [string, string][] = [['-1', 'Free'], ...scene.cameras.map((camera, c): [string, string] => [String(c), label(camera, 'camera', c)])];
    const bodies: [string, string][] = [['0', 'Nothing'], ...scene.bodies.map((body, b): [string, string] => [String(b), label(body, 'body', b)]).slice(1)];
    const camera = select('Camera', cameras, '-1', (value) => this.stage.useCamera(Number(value)));
    const track = select('Follow', bodies, '0', (value) => { this.stage.trackedBody = Number(value); });
    this.stage.useCamera(-1);
    this.cameraSection.replaceChildren(this.cameraSection.firstChild!,
      el('div', { class: 'row' }, el('span', {}, 'View'), camera), el('div', { class: 'row' }, el('span', {}, 'Follow'), track),
      el('div', { class: 'row' }, el('span', {}, ''), el('button', { type: 'button', class: 'text', onclick: () => this.stage.resetCamera() }, 'Reset view')));
  }

  /** Several worlds side by side, or in one place, all but the first transparent. */
  setLayout(layout: Layout): void {
    this.layoutBox.value = layout;
    this.show?.setLayout(layout);
  }

  /** Groups of geoms that are shown. */
  setGroups(groups: boolean[]): void {
    if (!this.show) return;
    this.show.groups = [...groups];
    this.viewSection.querySelectorAll<HTMLInputElement>('.groups input').forEach((box, i) => { box.checked = groups[i]; });
    this.show.apply();
  }

  /** A camera of the model, or -1 for the free one; a body to follow, or 0. */
  setCamera(camera: number, body = 0): void {
    const [cameras, bodies] = this.cameraSection.querySelectorAll('select');
    cameras.value = String(camera);
    bodies.value = String(body);
    this.stage.useCamera(camera);
    this.stage.trackedBody = body;
  }

  setOverlay(id: Overlay, on: boolean): void {
    this.shown[id] = on;
    const box = this.toggles.get(id);
    if (box) box.checked = on;
    this.show?.apply();
  }

  select(body: number): void {
    this.selected = body;
    this.show?.highlight(body);
    this.onSelect(body);
  }

  say(title: string, text: string, isBad = true): void {
    this.message.className = `panel message${isBad ? ' bad' : ''}`;
    this.message.replaceChildren(el('strong', {}, title), text, el('div', { class: 'row' }, el('span'), el('button', { type: 'button', class: 'text', onclick: () => { this.message.hidden = true; } }, 'Close')));
    this.message.hidden = false;
  }

  /** Takes a message back that no longer holds. */
  hush(title: string): void { if (this.message.firstChild?.textContent === title) this.message.hidden = true; }

  private setTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.stage.setTheme(theme);
  }
  private toggleTheme(): void { this.setTheme(this.theme === 'dark' ? 'light' : 'dark'); }
  private togglePanel(): void {
    this.side.hidden = !this.side.hidden;
    if (this.tree.childElementCount > 0) this.tree.hidden = this.side.hidden;
  }

  private toggleHelp(): void {
    if (this.help) { this.help.remove(); this.help = null; return; }
    const keys: [string, string][] = [['Space', 'Play or pause'], ['← →', 'Step back, step'], ['- +', 'Slower, faster'], ['Backspace', this.source?.kind === 'live' ? 'Reset' : 'To the start'],
      ...OVERLAYS.map((id): [string, string] => [OVERLAY_KEYS[id], OVERLAY_LABELS[id]]), ['V', 'Next camera'], ['P', 'Settings'], ['T', 'Dark or light'], ['?', 'This list']];
    const list = el('dl', {}, ...keys.flatMap(([key, meaning]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, meaning)]));
    this.help = el('div', { class: 'panel help', role: 'dialog', 'aria-label': 'Keyboard', tabindex: '-1' }, el('h2', {}, 'Keyboard'), list);
    document.body.append(this.help);
    this.help.focus();
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches('input[type=search], input[type=number], input[type=text], select, textarea')) return;
    if (this.onKeyCode(event.code)) { event.preventDefault(); return; }
    const isOnButton = target.matches('button, summary, input[type=checkbox]');
    const actions: Record<string, () => void> = {
      ' ': () => this.source?.toggle(), ArrowLeft: () => this.source?.step(-1), ArrowRight: () => this.source?.step(1),
      '+': () => this.source?.changeSpeed(1), '=': () => this.source?.changeSpeed(1), '-': () => this.source?.changeSpeed(-1),
      Backspace: () => this.source?.reset(), t: () => this.toggleTheme(), p: () => this.togglePanel(), '?': () => this.toggleHelp(),
      Escape: () => { if (this.help) this.toggleHelp(); else this.select(0); }, v: () => this.nextCamera(), ...this.extraKeys,
    };
    for (const id of OVERLAYS) actions[OVERLAY_KEYS[id].toLowerCase()] = () => this.setOverlay(id, !this.shown[id]);
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (event.key === ' ' && isOnButton) || (event.key.startsWith('Arrow') && target.matches('input[type=range]') && target !== this.timeBar)) return;
    event.preventDefault();
    action();
  }

  private nextCamera(): void {
    const box = this.cameraSection.querySelector('select')!;
    const next = this.stage.modelCamera + 1 < (this.scene?.cameras.length ?? 0) ? this.stage.modelCamera + 1 : -1;
    box.value = String(next);
    this.stage.useCamera(next);
  }

  /** A click without a drag selects. */
  private watchPointer(): void {
    let down: [number, number] | null = null;
    this.canvas.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    this.canvas.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      this.select(this.pick(event)?.body ?? 0);
    });
  }

  pick(event: PointerEvent | DragEvent) {
    const box = this.canvas.getBoundingClientRect();
    return this.show?.pick(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2) ?? null;
  }

  private resize(): void {
    this.stage.resize(window.innerWidth, window.innerHeight);
    this.inset();
  }

  /** On small windows panels lie below, and cover the middle in any case. */
  private inset(): void {
    const width = (panel: HTMLElement) => (panel.hidden || window.innerWidth < 900 ? 0 : panel.offsetWidth + 14);
    this.stage.setInset(width(this.tree), width(this.side));
  }
}
