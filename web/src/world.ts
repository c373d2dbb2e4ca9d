// One world: a group per body, geoms and sites on it. Bodies that move are placed by frames, others hang on their parent.
import * as THREE from 'three';
import type { WorldFrame } from './frame';
import type { Materials } from './materials';
import { GeomType, type Scene } from './scene';
import type { Shapes } from './shapes';
import { SkinView } from './skins';

export const quaternion = (q: number[]) => new THREE.Quaternion(q[1], q[2], q[3], q[0]);

export interface GeomMesh extends THREE.Mesh { userData: { geom: number; body: number; group: number; own: THREE.Material } }

export class WorldView {
  readonly root = new THREE.Group();
  readonly bodies: THREE.Group[] = [];
  readonly geoms: GeomMesh[] = [];
  readonly sites: THREE.Mesh[] = [];
  readonly skins: SkinView[] = [];
  frame: WorldFrame | null = null;

  constructor(readonly scene: Scene, shapes: Shapes, materials: Materials, opacity = 1, withStatic = true) {
    const moving = new Set(scene.moving);
    scene.bodies.forEach((body, b) => {
      const group = new THREE.Group();
      group.position.fromArray(body.pos);
      group.quaternion.copy(quaternion(body.quat));
      this.bodies.push(group);
      (b === 0 || moving.has(b) ? this.root : this.bodies[body.parent]).add(group);
    });
    scene.geoms.forEach((geom, g) => {
      if (geom.rgba[3] === 0 && geom.material < 0) return;
      if (!withStatic && this.isStatic(geom.body, moving)) return;
      const material = materials.get(geom, opacity);
      const mesh = new THREE.Mesh(shapes.get(geom.type, geom.size, geom.data), material) as unknown as GeomMesh;
      this.place(mesh, geom);
      mesh.castShadow = geom.shadow && geom.type !== GeomType.plane && material.opacity > 0.6;
      mesh.receiveShadow = opacity === 1;
      mesh.userData = { geom: g, body: geom.body, group: geom.group, own: material };
      this.geoms.push(mesh);
    });
    scene.sites.forEach((site) => {
      const mesh = new THREE.Mesh(shapes.get(site.type, site.size), materials.get(site, opacity));
      this.place(mesh, site);
      mesh.userData = { group: site.group };
      this.sites.push(mesh);
    });
    for (const skin of scene.skins) {
      const view = new SkinView(scene, skin, materials, opacity);
      this.root.add(view.mesh);
      this.skins.push(view);
    }
  }

  private place(mesh: THREE.Object3D, at: { body: number; pos: number[]; quat: number[] }): void {
    mesh.position.fromArray(at.pos);
    mesh.quaternion.copy(quaternion(at.quat));
    this.bodies[at.body].add(mesh);
  }

  private isStatic(body: number, moving: Set<number>): boolean {
    for (let b = body; b > 0; b = this.scene.bodies[b].parent) if (moving.has(b)) return false;
    return true;
  }

  /** `blend` of `next` is mixed in, so that motion is smooth between frames. */
  show(frame: WorldFrame, next?: WorldFrame, blend = 0): void {
    this.frame = frame;
    const q = new THREE.Quaternion();
    this.scene.moving.forEach((body, i) => {
      const group = this.bodies[body];
      const pose = frame.bodies[i];
      group.position.fromArray(pose.pos);
      group.quaternion.fromArray(pose.quat).normalize();
      if (!next || blend <= 0) return;
      const later = next.bodies[i];
      group.position.lerp(new THREE.Vector3().fromArray(later.pos), blend);
      group.quaternion.slerp(q.fromArray(later.quat).normalize(), blend);
    });
    this.root.updateMatrixWorld(true);
    for (const skin of this.skins) skin.update(this.root, this.bodies);
  }
}
