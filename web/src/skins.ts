// Skins: surfaces whose vertices follow several bodies. torsor/view/skins.cpp is the same for pictures.
import * as THREE from 'three';
import type { Materials } from './materials';
import { floatsAt, GeomType, indicesAt, type Scene, type SkinData } from './scene';

const ONE = new THREE.Vector3(1, 1, 1);
const quaternion = (q: number[]) => new THREE.Quaternion(q[1], q[2], q[3], q[0]).normalize();

interface Bone { body: number; fromBind: THREE.Matrix4; vertex: Uint32Array; weight: Float32Array }

/** The vertices of a skin, and where its bones carry them. */
export class SkinShape {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly index: Uint32Array;
  private rest: Float32Array;
  private bones: Bone[];

  constructor(scene: Scene, private skin: SkinData) {
    this.rest = floatsAt(scene, skin.position);
    this.index = indicesAt(scene, skin.index);
    this.position = new Float32Array(this.rest.length);
    this.normal = new Float32Array(this.rest.length);
    this.bones = skin.bones.map((bone) => ({
      body: bone.body, vertex: indicesAt(scene, bone.vertex), weight: floatsAt(scene, bone.weight),
      fromBind: new THREE.Matrix4().compose(new THREE.Vector3().fromArray(bone.pos), quaternion(bone.quat), ONE).invert(),
    }));
  }

  /** Places the vertices; `poseOf` gives the pose of a body. */
  pose(poseOf: (body: number) => THREE.Matrix4): void {
    const { position, rest } = this;
    position.fill(0);
    const matrix = new THREE.Matrix4();
    for (const bone of this.bones) {
      const m = matrix.multiplyMatrices(poseOf(bone.body), bone.fromBind).elements;
      bone.vertex.forEach((vertex, k) => {
        const weight = bone.weight[k];
        const [x, y, z] = [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
        for (let i = 0; i < 3; ++i) position[3 * vertex + i] += weight * (m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);
      });
    }
    this.computeNormals();
    if (this.skin.inflate !== 0) for (let i = 0; i < position.length; ++i) position[i] += this.skin.inflate * this.normal[i];
  }

  /** Of the triangles around a vertex, weighted by their areas. */
  private computeNormals(): void {
    const { position: p, normal, index } = this;
    normal.fill(0);
    for (let f = 0; f < index.length; f += 3) {
      const [a, b, c] = [3 * index[f], 3 * index[f + 1], 3 * index[f + 2]];
      const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
      const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
      for (const at of [a, b, c]) {
        normal[at] += uy * vz - uz * vy;
        normal[at + 1] += uz * vx - ux * vz;
        normal[at + 2] += ux * vy - uy * vx;
      }
    }
    for (let v = 0; v < normal.length; v += 3) {
      const length = Math.hypot(normal[v], normal[v + 1], normal[v + 2]);
      if (length > 0) for (let i = 0; i < 3; ++i) normal[v + i] /= length;
      else normal[v + 2] = 1;
    }
  }

  /** The body that moves a vertex most. */
  bodyOf(vertex: number): number {
    let [best, most] = [0, 0];
    for (const bone of this.bones) {
      const k = bone.vertex.indexOf(vertex);
      if (k >= 0 && bone.weight[k] > most) [best, most] = [bone.body, bone.weight[k]];
    }
    return best;
  }
}

/** A skin of one world. */
export class SkinView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  readonly shape: SkinShape;

  constructor(scene: Scene, readonly skin: SkinData, materials: Materials, opacity: number) {
    this.shape = new SkinShape(scene, skin);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.shape.position, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(this.shape.normal, 3));
    geometry.setIndex(new THREE.BufferAttribute(this.shape.index, 1));
    if (skin.uv) geometry.setAttribute('uv', new THREE.BufferAttribute(floatsAt(scene, skin.uv), 2));
    const material = materials.get({ rgba: skin.rgba, material: skin.material, type: GeomType.mesh, size: [1, 1, 1], hasUv: skin.uv !== undefined }, opacity);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.castShadow = material.opacity > 0.6;
    this.mesh.receiveShadow = opacity === 1;
    this.mesh.frustumCulled = false; // its bounds change with every frame
  }

  update(root: THREE.Object3D, bodies: THREE.Object3D[]): void {
    if (!this.mesh.visible) return;
    const fromWorld = root.matrixWorld.clone().invert();
    this.shape.pose((body) => new THREE.Matrix4().multiplyMatrices(fromWorld, bodies[body].matrixWorld));
    const { position, normal } = this.mesh.geometry.attributes;
    position.needsUpdate = normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
  }

  dispose(): void { this.mesh.geometry.dispose(); }
}
