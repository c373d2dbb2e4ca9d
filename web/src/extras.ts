// What the program that shows a view adds to it: geoms of its own (user_scn of MuJoCo's viewer) and texts.
import * as THREE from 'three';
import { el } from './dom';
import { GeomType } from './scene';
import type { Shapes } from './shapes';

/** Sizes as MuJoCo's scenes have them: the half length of round shapes is in z. */
export interface ExtraGeom { type: number; size: number[]; pos: number[]; mat: number[]; rgba: number[]; data: number; label?: string }
export interface ExtraText { place: string; left: string; right: string }

export const Decor = { arrow: 100, arrow1: 101, arrow2: 102, line: 103, linebox: 104 } as const;
type Unit = 'sphere' | 'cylinder' | 'cone' | 'box' | 'plane' | 'frame';
export interface Part { unit: Unit; scale: [number, number, number]; z: number; flip?: boolean }

/** A geom as shapes of unit size: scaled, and moved along its z axis. */
export function partsOf(type: number, size: number[], thin = 0.002): Part[] {
  const [a, b, c] = size;
  // arrows are half as long as their size says, as MuJoCo draws them; the last third is the head
  const length = c / 2;
  const head = length / 3;
  const wide = type === Decor.arrow1 ? a : 1.75 * a;
  const cone = (z: number, flip = false): Part => ({ unit: 'cone', scale: [wide, wide, head / 2], z, flip });
  switch (type) {
    case GeomType.plane: return [{ unit: 'plane', scale: [a || 100, b || 100, 1], z: 0 }];
    case GeomType.sphere: return [{ unit: 'sphere', scale: [a, a, a], z: 0 }];
    case GeomType.ellipsoid: return [{ unit: 'sphere', scale: [a, b, c], z: 0 }];
    case GeomType.cylinder: return [{ unit: 'cylinder', scale: [a, a, c], z: 0 }];
    case GeomType.box: return [{ unit: 'box', scale: [a, b, c], z: 0 }];
    case GeomType.capsule: return [{ unit: 'cylinder', scale: [a, a, c], z: 0 }, { unit: 'sphere', scale: [a, a, a], z: c }, { unit: 'sphere', scale: [a, a, a], z: -c }];
    case Decor.arrow: case Decor.arrow1: return [{ unit: 'cylinder', scale: [a, a, (length - head) / 2], z: (length - head) / 2 }, cone(length - head / 2)];
    case Decor.arrow2: return [{ unit: 'cylinder', scale: [a, a, length - head], z: 0 }, cone(length - head / 2), cone(head / 2 - length, true)];
    case Decor.line: return [{ unit: 'cylinder', scale: [thin, thin, c / 2], z: c / 2 }];
    case Decor.linebox: return [{ unit: 'frame', scale: [a, b, c], z: 0 }];
    default: return [];
  }
}

const UNITS: Record<Unit, () => THREE.BufferGeometry> = {
  sphere: () => new THREE.SphereGeometry(1, 32, 20).rotateX(Math.PI / 2),
  cylinder: () => new THREE.CylinderGeometry(1, 1, 2, 32).rotateX(Math.PI / 2),
  cone: () => new THREE.ConeGeometry(1, 2, 32).rotateX(Math.PI / 2),
  box: () => new THREE.BoxGeometry(2, 2, 2),
  plane: () => new THREE.PlaneGeometry(2, 2),
  frame: () => new THREE.BoxGeometry(2, 2, 2),
};

export class Extras {
  readonly root = new THREE.Group();
  private units = new Map<Unit, THREE.BufferGeometry>();
  private meshes: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>[] = [];
  constructor(private shapes: Shapes) {}

  /** Meshes are kept for the next time: programs send a new list with every frame. */
  show(geoms: ExtraGeom[], extent: number): void {
    let count = 0;
    for (const geom of geoms) {
      const m = geom.mat;
      const turn = new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().set(m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, 0, 0, 0, 1));
      const isMesh = geom.type === GeomType.mesh && geom.data >= 0;
      const parts: Part[] = isMesh ? [{ unit: 'box', scale: [1, 1, 1], z: 0 }] : partsOf(geom.type, geom.size, 0.001 * extent);
      for (const part of parts) {
        const mesh = this.mesh(count++);
        mesh.geometry = isMesh ? this.shapes.get(GeomType.mesh, [], geom.data) : this.unit(part.unit);
        mesh.quaternion.copy(turn);
        mesh.position.fromArray(geom.pos).add(new THREE.Vector3(0, 0, part.z).applyQuaternion(turn));
        if (part.flip) mesh.rotateX(Math.PI);
        mesh.scale.set(...part.scale);
        const [r, g, b, a] = geom.rgba;
        mesh.material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
        mesh.material.opacity = a;
        mesh.material.transparent = a < 1;
        mesh.material.wireframe = part.unit === 'frame';
      }
    }
    this.meshes.forEach((mesh, i) => { mesh.visible = i < count; });
  }

  private unit(name: Unit): THREE.BufferGeometry {
    let made = this.units.get(name);
    if (!made) this.units.set(name, (made = UNITS[name]()));
    return made;
  }

  private mesh(i: number) {
    if (!this.meshes[i]) {
      this.meshes[i] = new THREE.Mesh(this.unit('box'), new THREE.MeshStandardMaterial({ roughness: 0.6 }));
      this.root.add(this.meshes[i]);
    }
    return this.meshes[i];
  }

  dispose(): void {
    for (const unit of this.units.values()) unit.dispose();
    for (const mesh of this.meshes) mesh.material.dispose();
  }
}

/** Texts in the corners of the page. */
export class Texts {
  private box = el('div', { class: 'texts', 'aria-label': 'Texts of the program' });
  constructor() { document.body.append(this.box); }
  show(texts: ExtraText[]): void {
    this.box.replaceChildren(...texts.map((text) => el('div', { class: `panel text ${text.place}` }, el('span', {}, text.left), el('span', {}, text.right))));
  }
}
