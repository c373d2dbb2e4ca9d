// A live view: frames and scenes come from the server, what the user does goes back.
import * as THREE from 'three';
import type { App, Source } from './app';
import { toBase64 } from './bytes';
import { el } from './dom';
import { Texts, type ExtraGeom, type ExtraText } from './extras';
import { Recording } from './frame';
import { keyNumber } from './keys';
import { LivePanels, type Selection } from './live_panels';
import { OVERLAYS, type Overlay } from './overlays';
import { SPEEDS } from './player';
import { readScene } from './scene';
import type { Layout } from './show';
import type { Timer } from './timers';

const SCENE = 1;
const FRAME = 2;
const MOST_FRAMES = 3600; // a minute, for the plots
const MOST_BYTES = 40 << 20; // of dropped files

export interface Status { type: 'status'; playing: boolean; speed: number; time: number; start: number; end: number; resets: number; problem?: string; selection?: Selection; timers?: Timer[] }
interface Hello { type: 'hello'; conventions: string[]; passive: boolean; first: string; second: string; layout: Layout }
interface Failure { type: 'error'; title: string; text: string }
// what a program that steps the simulation itself sets
interface CameraOrder { type: 'camera'; kind: number; fixed: number; track: number; lookat: number[]; distance: number; azimuth: number; elevation: number }
interface LookOrder { type: 'look'; groups: boolean[]; shown: Partial<Record<Overlay, boolean>> }
interface GeomsOrder { type: 'geoms'; geoms: ExtraGeom[] }
interface TextsOrder { type: 'texts'; texts: ExtraText[] }
interface PanelsOrder { type: 'panels'; left: boolean; right: boolean; keys: boolean }
type Order = CameraOrder | LookOrder | GeomsOrder | TextsOrder | PanelsOrder;
type Message = Status | Hello | Failure | Order;
const CAMERA = { free: 0, tracking: 1, fixed: 2 } as const;
const PLAYBACK = new Set(['Space', 'ArrowLeft', 'ArrowRight', 'Backspace', 'Minus', 'Equal']); // keys that do nothing where the program steps

export type Send = (message: Record<string, unknown>) => void;

/** The server decides; this is what it said last. */
export class LiveSource implements Source {
  readonly kind = 'live';
  status: Status = { type: 'status', playing: true, speed: 1, time: 0, start: 0, end: 0, resets: 0 };
  constructor(readonly recording: Recording, readonly send: Send) {}
  get time() { return this.recording.end; }
  get playing() { return this.status.playing; }
  get range(): [number, number] { return [Math.min(this.status.start, this.time), Math.max(this.status.end, this.time)]; }
  get speed() { return this.status.speed; }
  set speed(value: number) { this.status.speed = value; this.send({ type: 'speed', value }); }
  advance(): void {}
  toggle(): void { this.status.playing = !this.status.playing; this.send({ type: this.status.playing ? 'play' : 'pause' }); }
  step(frames: number): void { this.status.playing = false; this.send({ type: 'step', n: frames }); }
  seek(time: number): void { this.status.playing = false; this.send({ type: 'seek', time }); }
  reset(): void { this.send({ type: 'reset' }); }
  changeSpeed(steps: number): void {
    const index = SPEEDS.reduce((best, s, i) => (Math.abs(s - this.speed) < Math.abs(SPEEDS[best] - this.speed) ? i : best), 0);
    this.speed = SPEEDS[Math.min(Math.max(index + steps, 0), SPEEDS.length - 1)];
  }
}

class LiveView {
  private socket: WebSocket | null = null;
  private source: LiveSource | null = null;
  private panels: LivePanels | null = null;
  private hello: Hello = { type: 'hello', conventions: [], passive: false, first: 'mujoco', second: 'drake', layout: 'side' };
  private texts = new Texts();
  private lines = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xff6b6b, depthTest: false, transparent: true, toneMapped: false }));
  private isStarted = false;

  constructor(private app: App) {
    this.lines.renderOrder = 9;
    this.lines.frustumCulled = false;
    this.watchDrag();
    this.watchDrop();
    app.onSelect = (body) => this.panels?.select(body);
    app.onTick = () => { if (app.frame) this.panels?.update(app.frame, this.source!.status); };
    this.connect();
  }

  private send: Send = (message) => { if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); };

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/socket${location.search}`);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => {
      this.app.say('Not connected', 'The program that shows this view has ended, or cannot be reached. This page tries again.');
      setTimeout(() => this.connect(), 1500);
    };
    socket.onopen = () => this.app.hush('Not connected');
    this.socket = socket;
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data === 'string') return this.take(JSON.parse(data) as Message);
    const kind = new Uint8Array(data, 0, 1)[0];
    if (kind === SCENE) this.open(data.slice(4));
    if (kind === FRAME && this.source) {
      try {
        this.source.recording.add(new Uint8Array(data, 4));
      } catch (error) {
        this.app.say('A frame cannot be shown', String(error));
      }
    }
  }

  private open(blob: ArrayBuffer): void {
    const scene = readScene(blob);
    this.source = new LiveSource(new Recording(scene, MOST_FRAMES), this.send);
    this.app.open(scene, this.source, scene.name);
    this.app.stage.scene.add(this.lines);
    this.panels = new LivePanels(this.app, scene, this.send, this.hello);
    this.app.setLayout(this.hello.layout);
    if (!this.isStarted) this.app.start();
    this.isStarted = true;
  }

  private take(message: Message): void {
    if (message.type === 'hello') {
      this.hello = message;
      this.panels?.greet(message);
      this.app.setLayout(message.layout);
    } else if (message.type === 'status') {
      if (this.source) this.source.status = message;
      if (message.selection) this.panels?.showSelection(message.selection);
      if (message.timers) this.panels?.timers.take(message.timers, message.time);
    } else if (message.type === 'error') this.app.say(message.title, message.text);
    else if (this.source) this.obey(message); // what comes before the scene is sent again after it
  }

  private obey(order: Order): void {
    const { app } = this;
    if (order.type === 'geoms') app.show?.extras.show(order.geoms, app.scene?.statistic.extent ?? 1);
    else if (order.type === 'texts') this.texts.show(order.texts);
    else if (order.type === 'camera') {
      app.setCamera(order.kind === CAMERA.fixed ? order.fixed : -1, order.kind === CAMERA.tracking ? order.track : 0);
      if (order.kind !== CAMERA.fixed) app.stage.lookAt(order.lookat, order.distance, order.azimuth, order.elevation);
    } else if (order.type === 'look') {
      app.setGroups(order.groups);
      for (const id of OVERLAYS) if (order.shown[id] !== undefined) app.setOverlay(id, order.shown[id]!);
    } else {
      app.side.hidden ||= !order.right;
      app.tree.hidden ||= !order.left;
      if (order.keys) app.onKeyCode = (code) => this.press(code);
    }
  }

  /** Every key goes to the program; the page keeps those that only change how things look. */
  private press(code: string): boolean {
    const key = keyNumber(code);
    if (key >= 0) this.send({ type: 'pressed', key });
    return PLAYBACK.has(code);
  }

  /** With Shift a body is pulled, with Ctrl it is turned; without, the pointer moves the camera. */
  private watchDrag(): void {
    const { canvas, stage } = this.app;
    let held: { body: number; point: THREE.Vector3; distance: number; isTorque: boolean } | null = null;
    const target = (event: PointerEvent, depth: number) => {
      const box = canvas.getBoundingClientRect();
      const at = new THREE.Vector3(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2, 0.5).unproject(stage.camera);
      const along = at.sub(stage.camera.position).normalize();
      const ahead = stage.camera.getWorldDirection(new THREE.Vector3());
      return stage.camera.position.clone().addScaledVector(along, depth / along.dot(ahead));
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !(event.shiftKey || event.ctrlKey)) return;
      const hit = this.app.pick(event);
      if (!hit || hit.body === 0) return;
      event.stopImmediatePropagation();
      stage.controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
      const group = this.app.show!.worlds[0].bodies[hit.body];
      held = { body: hit.body, point: group.worldToLocal(hit.point.clone()), distance: hit.point.clone().sub(stage.camera.position).dot(stage.camera.getWorldDirection(new THREE.Vector3())), isTorque: event.ctrlKey };
      this.app.select(hit.body);
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      if (!held) return;
      const to = target(event, held.distance);
      const group = this.app.show!.worlds[0].bodies[held.body];
      this.lines.geometry.setFromPoints([group.localToWorld(held.point.clone()), to]);
      this.lines.visible = true;
      this.send({ type: 'drag', body: held.body, point: held.point.toArray(), target: stage.root.worldToLocal(to.clone()).toArray(), torque: held.isTorque });
    });
    const release = () => {
      if (!held) return;
      held = null;
      this.lines.visible = false;
      stage.controls.enabled = true;
      this.send({ type: 'release' });
    };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
  }

  /** Files that are dropped on the page are another model; they are read here and sent whole. */
  private watchDrop(): void {
    const curtain = el('div', { class: 'drop', role: 'status' }, 'Drop an MJCF or URDF file with its assets, or a motion clip');
    document.body.append(curtain);
    window.addEventListener('dragover', (event) => { event.preventDefault(); curtain.classList.add('on'); });
    window.addEventListener('dragleave', (event) => { if (!event.relatedTarget) curtain.classList.remove('on'); });
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      curtain.classList.remove('on');
      void this.loadFiles([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private async loadFiles(files: File[]): Promise<void> {
    if (files.reduce((sum, file) => sum + file.size, 0) > MOST_BYTES) return this.app.say('The dropped model cannot be shown', 'The files have more than 40 MB together.');
    const read = async (file: File) => ({ name: file.name, base64: toBase64(new Uint8Array(await file.arrayBuffer())) });
    this.send({ type: 'load', files: await Promise.all(files.map(read)) });
  }
}

export function openLive(app: App): void { new LiveView(app); }
