// The worlds of a scene on a stage: made once per model, then shown frame by frame.
import * as THREE from 'three';
import type { Frame } from './frame';
import { Extras } from './extras';
import { Materials } from './materials';
import { Mirror } from './mirror';
import { Overlays, paintIslands, type Overlay } from './overlays';
import type { Scene } from './scene';
import { Shapes } from './shapes';
import type { Stage } from './stage';
import { WorldView, type GeomMesh } from './world';

export type Layout = 'side' | 'ghosts';

/** Where world `i` of `count` stands: in rows of a square, one distance apart. */
export function placeOf(i: number, count: number, distance: number): [number, number] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  return [((i % columns) - (columns - 1) / 2) * distance, (Math.floor(i / columns) - (rows - 1) / 2) * distance];
}

export class Show {
  readonly worlds: WorldView[] = [];
  private overlays: Overlays[] = [];
  private shapes: Shapes;
  private materials: Materials;
  private selected = -1;
  layout: Layout;
  readonly extras: Extras;
  groups = [true, true, true, false, false, false];

  constructor(readonly scene: Scene, private stage: Stage, readonly shown: Record<Overlay, boolean>, readonly startLayout: Layout = 'side') {
    this.layout = startLayout;
    this.shapes = new Shapes(scene);
    this.extras = new Extras(this.shapes);
    this.materials = new Materials(scene, () => stage.makeEnvironment());
    stage.root.clear();
    stage.setScene(scene);
    stage.root.add(this.extras.root);
  }

  get worldCount(): number { return this.worlds.length; }

  /** Puts the worlds side by side or into one place; they are made anew with the next frame. */
  setLayout(layout: Layout): void {
    if (layout === this.layout) return;
    this.layout = layout;
    this.clear();
    this.stage.resetCamera();
  }

  private clear(): void {
    for (const world of this.worlds) {
      this.stage.root.remove(world.root);
      for (const skin of world.skins) skin.dispose();
    }
    this.worlds.length = this.overlays.length = 0;
    this.stage.mirror?.dispose();
    this.stage.mirror = null;
  }

  /** Makes the worlds that a frame has, on the first frame. */
  private make(count: number): void {
    const isGhostly = this.layout === 'ghosts';
    for (let w = 0; w < count; ++w) {
      const opacity = isGhostly && w > 0 ? 0.28 : 1;
      // an endless floor serves all worlds
      const world = new WorldView(this.scene, this.shapes, this.materials, opacity, w === 0 || !(isGhostly || this.isFloorEndless()));
      const [x, y] = isGhostly ? [0, 0] : placeOf(w, count, 1.3 * this.scene.statistic.extent);
      world.root.position.set(x, y, 0);
      if (w === 0) world.bodies[0].position.set(-x, -y, 0);
      this.stage.root.add(world.root);
      this.worlds.push(world);
      this.overlays.push(new Overlays(this.scene, world, this.shown));
    }
    this.stage.mirror = Mirror.of(this.scene, this.worlds[0]);
    if (count > 1 && !isGhostly) this.stage.resetCamera(0.55 + 0.75 * Math.ceil(Math.sqrt(count)));
    this.apply();
  }

  private isFloorEndless(): boolean { return this.scene.geoms.some((geom) => geom.type === 0 && geom.body === 0); }

  apply(): void {
    for (const overlay of this.overlays) overlay.apply(this.groups);
    for (const world of this.worlds) paintIslands(world, this.shown.islands);
    this.highlight(this.selected);
  }

  show(frame: Frame, next?: Frame, blend = 0): void {
    if (this.worlds.length !== frame.worlds.length) {
      this.clear();
      this.make(frame.worlds.length);
    }
    this.worlds.forEach((world, w) => {
      const now = frame.worlds[w];
      if (now) world.show(now, next?.worlds[w], blend);
    });
    for (const overlay of this.overlays) overlay.update();
    if (this.shown.islands) for (const world of this.worlds) paintIslands(world, true);
    this.highlight(this.selected);
    this.stage.follow(this.worlds[0], frame.worlds[0]);
  }

  /** The geom under a point of the canvas, given from -1 to 1. */
  pick(x: number, y: number): { body: number; geom: number; point: THREE.Vector3; world: number } | null {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
    const candidates = this.worlds.flatMap((world): THREE.Object3D[] => [...world.geoms, ...world.skins.map((skin) => skin.mesh)].filter((each) => each.visible));
    const hit = ray.intersectObjects(candidates, false)[0];
    if (!hit) return null;
    for (const [world, { skins }] of this.worlds.entries()) {
      const skin = skins.find((each) => each.mesh === hit.object);
      if (skin) return { body: skin.shape.bodyOf(hit.face!.a), geom: -1, point: hit.point, world };
    }
    const mesh = hit.object as GeomMesh;
    const world = this.worlds.findIndex((each) => each.geoms.includes(mesh));
    return { body: mesh.userData.body, geom: mesh.userData.geom, point: hit.point, world };
  }

  highlight(body: number): void {
    this.selected = body;
    for (const world of this.worlds) {
      for (const geom of world.geoms) {
        const isMarked = body > 0 && geom.userData.body === body;
        if (isMarked) geom.material = marked(geom.userData.own as THREE.MeshStandardMaterial);
        else if (geom.material !== geom.userData.own && !this.shown.islands) geom.material = geom.userData.own;
      }
    }
  }

  dispose(): void {
    this.clear();
    this.stage.root.clear();
    this.extras.dispose();
    this.shapes.dispose();
    this.materials.dispose();
  }
}

const highlights = new WeakMap<THREE.Material, THREE.MeshStandardMaterial>();
function marked(own: THREE.MeshStandardMaterial): THREE.MeshStandardMaterial {
  let made = highlights.get(own);
  if (!made) {
    made = own.clone();
    made.onBeforeCompile = own.onBeforeCompile;
    made.customProgramCacheKey = own.customProgramCacheKey;
    made.emissive.set(0x3a6df0);
    made.emissiveIntensity = 0.45;
    highlights.set(own, made);
  }
  return made;
}
