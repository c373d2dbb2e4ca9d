// The scene as torsor/view/scene.hpp writes it.

export type Numbers = number[];
export interface Place { at: number; count: number }

export interface Body {
  name: string; parent: number; tree: number; pos: Numbers; quat: Numbers;
  mass: number; ipos: Numbers; iquat: Numbers; inertia: Numbers;
}
export interface Joint {
  name: string; type: number; body: number; qpos: number; pos: Numbers; axis: Numbers; limited: boolean; range: Numbers;
}
export interface Geom {
  name: string; type: number; body: number; group: number; pos: Numbers; quat: Numbers; size: Numbers; rgba: Numbers;
  material: number; data: number; collides: boolean; friction: Numbers; shadow: boolean;
}
export interface Site {
  name: string; type: number; body: number; group: number; pos: Numbers; quat: Numbers; size: Numbers; rgba: Numbers;
  material: number;
}
export interface Material {
  name: string; rgba: Numbers; texture: number; repeat: Numbers; uniform: boolean; emission: number; specular: number;
  shininess: number; reflectance: number; metallic: number; roughness: number;
}
export interface Texture { type: '2d' | 'cube' | 'skybox'; width: number; height: number; rgb: Place }
export interface MeshData { name: string; position: Place; normal: Place; index: Place; uv?: Place }
export interface SkinBone { body: number; pos: Numbers; quat: Numbers; vertex: Place; weight: Place }
export interface SkinData {
  name: string; group: number; material: number; rgba: Numbers; inflate: number; position: Place; index: Place; uv?: Place;
  bones: SkinBone[];
}
export interface Hfield { rows: number; columns: number; size: Numbers; elevation: Place }
export interface Light {
  name: string; type: number; body: number; active: boolean; shadow: boolean; pos: Numbers; dir: Numbers; cutoff: number;
  diffuse: Numbers; ambient: Numbers;
}
export interface Camera { name: string; body: number; pos: Numbers; quat: Numbers; orthographic: boolean; fovy: number }
export interface Tendon { name: string; group: number; width: number; rgba: Numbers; material: number }
export interface Actuator { name: string; ctrl: number; limited: boolean; range: Numbers }
export interface Sensor { name: string; at: number; dim: number }
export interface Options {
  timestep: number; gravity: Numbers; wind: Numbers; density: number; viscosity: number; integrator: number;
  solver: number; cone: number; iterations: number; tolerance: number; impratio: number; disableflags: number;
}

export interface Scene {
  version: number; name: string; up: Numbers;
  statistic: { center: Numbers; extent: number; meansize: number; meanmass: number };
  visual: {
    azimuth: number; elevation: number; fovy: number; force: number; znear: number; zfar: number; headlight: number;
    ambient: Numbers; diffuse: Numbers;
  };
  option: Options;
  sizes: { nq: number; nv: number; nu: number; ntree: number; nsensordata: number };
  keys: string[]; bodies: Body[]; moving: number[]; joints: Joint[]; geoms: Geom[]; sites: Site[];
  materials: Material[]; textures: (Texture | null)[]; meshes: MeshData[]; hfields: Hfield[]; skins: SkinData[];
  lights: Light[]; cameras: Camera[]; trackingLights: number[]; trackingCameras: number[];
  tendons: Tendon[]; spatialTendons: number[]; actuators: Actuator[]; sensors: Sensor[]; warnings: string[];
  data: ArrayBuffer; // what a Place refers to
}

export const GeomType = {
  plane: 0, hfield: 1, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7, sdf: 8, cone: 50,
} as const;
export const JointType = { free: 0, ball: 1, slide: 2, hinge: 3 } as const;

export function readScene(blob: ArrayBuffer): Scene {
  const length = new DataView(blob).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(blob, 4, length));
  const scene = JSON.parse(text) as Scene;
  if (scene.version !== 1) throw new Error(`a scene of version ${scene.version}; this page shows version 1`);
  scene.data = blob.slice(4 + length);
  return scene;
}

export const floatsAt = (scene: Scene, place: Place) => new Float32Array(scene.data, place.at, place.count);
export const shortsAt = (scene: Scene, place: Place) => new Int16Array(scene.data, place.at, place.count);
export const indicesAt = (scene: Scene, place: Place) => new Uint32Array(scene.data, place.at, place.count);
export const bytesAt = (scene: Scene, place: Place) => new Uint8Array(scene.data, place.at, place.count);

/** A name to show: that of the element, or its kind and number. */
export function label(element: { name: string }, kind: string, id: number): string {
  return element.name || `${kind} ${id}`;
}
