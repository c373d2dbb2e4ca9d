// What can be drawn on top of a world: contacts and forces, joint axes, centres of mass, inertia boxes, frames, tendons.
import * as THREE from 'three';
import { JointType, type Scene } from './scene';
import { quaternion, type WorldView } from './world';

export const OVERLAYS = ['contacts', 'forces', 'joints', 'com', 'inertia', 'frames', 'sites', 'tendons', 'skins', 'islands'] as const;
export type Overlay = (typeof OVERLAYS)[number];
export const OVERLAY_LABELS: Record<Overlay, string> = {
  contacts: 'Contact points', forces: 'Contact forces', joints: 'Joint axes', com: 'Centres of mass', inertia: 'Inertia boxes',
  frames: 'Body frames', sites: 'Sites', tendons: 'Tendons', skins: 'Skins', islands: 'Islands by colour',
};
export const OVERLAY_KEYS: Record<Overlay, string> = {
  contacts: 'C', forces: 'F', joints: 'J', com: 'M', inertia: 'I', frames: 'E', sites: 'S', tendons: 'N', skins: 'K', islands: 'L',
};

const Z = new THREE.Vector3(0, 0, 1);
const colour = (hex: number) => new THREE.MeshStandardMaterial({ color: hex, roughness: 0.5 });
const onTop = (hex: number, opacity = 1) =>
  new THREE.MeshBasicMaterial({ color: hex, depthTest: false, transparent: true, opacity, toneMapped: false });

/** Many copies of one shape, as many as there are now. */
class Copies {
  mesh: THREE.InstancedMesh;
  count = 0;
  private matrix = new THREE.Matrix4();
  constructor(private parent: THREE.Object3D, private geometry: THREE.BufferGeometry, private material: THREE.Material, most = 64) {
    this.mesh = this.make(most);
  }
  private make(most: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, most);
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    this.parent.add(mesh);
    return mesh;
  }
  begin(): void { this.count = 0; }
  add(position: THREE.Vector3, rotation: THREE.Quaternion, scale: THREE.Vector3, tint?: THREE.Color): void {
    if (this.count === this.mesh.instanceMatrix.count) {
      const old = this.mesh;
      this.mesh = this.make(2 * this.count);
      (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array as Float32Array);
      if (old.instanceColor) {
        this.mesh.setColorAt(0, new THREE.Color());
        (this.mesh.instanceColor!.array as Float32Array).set(old.instanceColor.array as Float32Array);
      }
      this.mesh.visible = old.visible;
      this.parent.remove(old);
      old.dispose();
    }
    this.mesh.setMatrixAt(this.count, this.matrix.compose(position, rotation, scale));
    if (tint) this.mesh.setColorAt(this.count, tint);
    this.count += 1;
  }
  end(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

/** Half sizes of a box of uniform density with these principal moments. */
export function inertiaBox(mass: number, inertia: number[]): [number, number, number] {
  const [a, b, c] = inertia;
  const half = (one: number, two: number, three: number) => Math.sqrt(Math.max(0, (1.5 * (two + three - one)) / mass));
  return [half(a, b, c), half(b, a, c), half(c, a, b)];
}

function axes(size: number): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, size, 0, 0, 0, 0, 0, 0, size, 0, 0, 0, 0, 0, 0, size], 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute([0.9, 0.2, 0.25, 0.9, 0.2, 0.25, 0.2, 0.7, 0.3, 0.2, 0.7, 0.3, 0.2, 0.4, 0.95, 0.2, 0.4, 0.95], 3));
  const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, toneMapped: false }));
  lines.renderOrder = 6;
  return lines;
}

function arrow(length: number, width: number, material: THREE.Material): THREE.Group {
  const group = new THREE.Group();
  const shaft = new THREE.Mesh(new THREE.CylinderGeometry(width, width, length * 0.8, 12), material);
  const head = new THREE.Mesh(new THREE.ConeGeometry(2.4 * width, length * 0.2, 16), material);
  shaft.position.y = length * 0.4;
  head.position.y = length * 0.9;
  shaft.renderOrder = head.renderOrder = 6;
  group.add(shaft, head);
  group.rotation.x = Math.PI / 2; // along z
  const outer = new THREE.Group();
  outer.add(group);
  return outer;
}

export class Overlays {
  private fixed: Record<'joints' | 'com' | 'inertia' | 'frames', THREE.Object3D[]> = { joints: [], com: [], inertia: [], frames: [] };
  private points: Copies;
  private shafts: Copies;
  private heads: Copies;
  private cords: Copies;
  private shown: Record<Overlay, boolean>;
  private size: number;

  constructor(private scene: Scene, private world: WorldView, shown: Record<Overlay, boolean>) {
    this.shown = shown;
    this.size = scene.statistic.meansize;
    const size = this.size;
    const flat = new THREE.CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2);
    this.points = new Copies(world.root, flat, onTop(0xff9f1c, 0.95));
    this.shafts = new Copies(world.root, new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), onTop(0x2ec4b6, 0.95));
    this.heads = new Copies(world.root, new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), onTop(0x2ec4b6, 0.95));
    this.cords = new Copies(world.root, new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2), new THREE.MeshStandardMaterial({ roughness: 0.6 }), 16);
    this.cords.mesh.castShadow = true;
    this.addBodies(size);
    this.addJoints(size);
    this.apply();
  }

  private addBodies(size: number): void {
    const ball = new THREE.SphereGeometry(0.12 * size, 20, 14);
    const dot = onTop(0xffffff);
    const ring = onTop(0x111111);
    const glass = new THREE.MeshBasicMaterial({ color: 0xe4572e, transparent: true, opacity: 0.35, depthTest: false, toneMapped: false });
    this.scene.bodies.forEach((body, b) => {
      if (b === 0) return;
      const frame = axes(0.7 * size);
      this.world.bodies[b].add(frame);
      this.fixed.frames.push(frame);
      if (!(body.mass > 0)) return;
      const rim = new THREE.Mesh(ball, ring);
      const middle = new THREE.Mesh(ball, dot);
      middle.scale.setScalar(0.7);
      rim.renderOrder = 6;
      middle.renderOrder = 7;
      rim.add(middle);
      rim.position.fromArray(body.ipos);
      const box = new THREE.Mesh(new THREE.BoxGeometry(...inertiaBox(body.mass, body.inertia).map((h) => 2 * h)), glass);
      box.position.fromArray(body.ipos);
      box.quaternion.copy(quaternion(body.iquat));
      box.renderOrder = 4;
      this.world.bodies[b].add(rim, box);
      this.fixed.com.push(rim);
      this.fixed.inertia.push(box);
    });
  }

  private addJoints(size: number): void {
    const paint = onTop(0x4ea8de, 0.95);
    for (const joint of this.scene.joints) {
      let mark: THREE.Object3D;
      if (joint.type === JointType.hinge || joint.type === JointType.slide) {
        mark = arrow(1.1 * size, 0.05 * size, paint);
        mark.quaternion.setFromUnitVectors(Z, new THREE.Vector3().fromArray(joint.axis).normalize());
      } else {
        mark = new THREE.Mesh(joint.type === JointType.ball ? new THREE.SphereGeometry(0.16 * size, 16, 12) : new THREE.BoxGeometry(0.3 * size, 0.3 * size, 0.3 * size), paint);
        mark.renderOrder = 6;
      }
      mark.position.fromArray(joint.pos);
      this.world.bodies[joint.body].add(mark);
      this.fixed.joints.push(mark);
    }
  }

  apply(groups: boolean[] = [true, true, true, false, false, false], siteGroups = groups): void {
    for (const kind of ['joints', 'com', 'inertia', 'frames'] as const) for (const each of this.fixed[kind]) each.visible = this.shown[kind];
    for (const geom of this.world.geoms) geom.visible = groups[Math.min(Math.max(geom.userData.group, 0), 5)];
    for (const site of this.world.sites) site.visible = this.shown.sites && siteGroups[Math.min(Math.max(site.userData.group, 0), 5)];
    for (const skin of this.world.skins) skin.mesh.visible = this.shown.skins && groups[Math.min(Math.max(skin.skin.group, 0), 5)];
    this.points.mesh.visible = this.shown.contacts;
    this.shafts.mesh.visible = this.heads.mesh.visible = this.shown.forces;
    this.cords.mesh.visible = this.shown.tendons;
  }

  update(): void {
    const frame = this.world.frame;
    if (!frame) return;
    this.updateContacts();
    this.updateTendons();
  }

  private updateContacts(): void {
    const size = this.size;
    const perNewton = this.scene.visual.force / Math.max(this.scene.statistic.meanmass, 1e-9);
    const rotation = new THREE.Quaternion();
    const at = new THREE.Vector3();
    const along = new THREE.Vector3();
    for (const copies of [this.points, this.shafts, this.heads]) copies.begin();
    for (const contact of this.world.frame!.contacts) {
      at.fromArray(contact.pos);
      rotation.setFromUnitVectors(Z, along.fromArray(contact.normal).normalize());
      const width = (contact.active ? 0.16 : 0.1) * size;
      this.points.add(at, rotation, new THREE.Vector3(width, width, 0.05 * size));
      const force = along.fromArray(contact.force);
      const length = Math.min(force.length() * perNewton, 0.6 * this.scene.statistic.extent);
      if (!(length > 0.05 * size)) continue;
      rotation.setFromUnitVectors(Z, force.normalize());
      const head = Math.min(0.3 * size, 0.4 * length);
      this.shafts.add(at, rotation, new THREE.Vector3(0.06 * size, 0.06 * size, length - head));
      this.heads.add(at.addScaledVector(force, length - head), rotation, new THREE.Vector3(0.15 * size, 0.15 * size, head));
    }
    for (const copies of [this.points, this.shafts, this.heads]) copies.end();
  }

  private updateTendons(): void {
    this.cords.begin();
    const rotation = new THREE.Quaternion();
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    this.world.frame!.tendons.forEach((path, i) => {
      const tendon = this.scene.tendons[this.scene.spatialTendons[i]];
      const material = this.scene.materials[tendon.material];
      const [red, green, blue] = material ? material.rgba : tendon.rgba;
      const tint = new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
      const width = Math.max(tendon.width, 1e-5);
      for (let k = 0; k + 5 < path.length; k += 3) {
        a.fromArray(path, k);
        b.fromArray(path, k + 3);
        const length = a.distanceTo(b);
        if (!(length > 0)) continue; // also where a NaN separates branches
        rotation.setFromUnitVectors(Z, b.clone().sub(a).divideScalar(length));
        this.cords.add(a.lerp(b, 0.5), rotation, new THREE.Vector3(width, width, length), tint);
      }
    });
    this.cords.end();
  }
}

const ISLAND_COLOURS = [0x4e79a7, 0xf28e2b, 0x59a14f, 0xe15759, 0xb07aa1, 0xedc948, 0x76b7b2, 0xff9da7, 0x9c755f];
const islandMaterials = ISLAND_COLOURS.map(colour);
const resting = colour(0xb9bec6);

/** Paints the geoms of each tree by its island, or gives them back their own look. */
export function paintIslands(world: WorldView, on: boolean): void {
  for (const geom of world.geoms) {
    const tree = world.scene.bodies[geom.userData.body].tree;
    if (!on || tree < 0 || !world.frame) geom.material = geom.userData.own;
    else {
      const island = world.frame.islands[tree];
      geom.material = island < 0 ? resting : islandMaterials[island % islandMaterials.length];
    }
  }
}
