// Geometries of geoms and sites, in the frame of the shape: sizes as MJCF has them, axes along z.
import * as THREE from 'three';
import { floatsAt, GeomType, indicesAt, shortsAt, type Hfield, type MeshData, type Scene } from './scene';

const QUARTER = Math.PI / 2;

/** A plane without a size goes on for ever: this many extents of the model look like it. */
export const ENDLESS = 60;

function mesh(scene: Scene, data: MeshData): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(floatsAt(scene, data.position), 3));
  const four = shortsAt(scene, data.normal);
  const normal = new Int16Array((four.length / 4) * 3);
  for (let i = 0; i < normal.length; ++i) normal[i] = four[Math.floor(i / 3) * 4 + (i % 3)];
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3, true));
  if (data.uv) geometry.setAttribute('uv', new THREE.BufferAttribute(floatsAt(scene, data.uv), 2));
  geometry.setIndex(new THREE.BufferAttribute(indicesAt(scene, data.index), 1));
  return geometry;
}

/** The surface of a height field, with walls down to its base. */
function heightField(scene: Scene, field: Hfield): THREE.BufferGeometry {
  const { rows, columns, size } = field;
  const elevation = floatsAt(scene, field.elevation);
  const position: number[] = [];
  const uv: number[] = [];
  const index: number[] = [];
  const x = (c: number) => size[0] * ((2 * c) / Math.max(columns - 1, 1) - 1);
  const y = (r: number) => size[1] * ((2 * r) / Math.max(rows - 1, 1) - 1);
  for (let r = 0; r < rows; ++r) {
    for (let c = 0; c < columns; ++c) {
      position.push(x(c), y(r), elevation[r * columns + c] * size[2]);
      uv.push(c / Math.max(columns - 1, 1), r / Math.max(rows - 1, 1));
    }
  }
  for (let r = 0; r + 1 < rows; ++r) {
    for (let c = 0; c + 1 < columns; ++c) {
      const a = r * columns + c;
      index.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  const wall = (cells: [number, number][]) => {
    const start = position.length / 3;
    for (const [r, c] of cells) {
      position.push(x(c), y(r), elevation[r * columns + c] * size[2], x(c), y(r), -size[3]);
      uv.push(0, 0, 0, 0);
    }
    for (let i = 0; i + 1 < cells.length; ++i) {
      const a = start + 2 * i;
      index.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
    }
  };
  const along = (count: number, cell: (i: number) => [number, number]) => Array.from({ length: count }, (_, i) => cell(i));
  wall(along(columns, (c) => [0, c]));
  wall(along(columns, (c) => [rows - 1, columns - 1 - c]));
  wall(along(rows, (r) => [rows - 1 - r, 0]));
  wall(along(rows, (r) => [r, columns - 1]));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uv, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

function make(scene: Scene, type: number, size: number[], data: number): THREE.BufferGeometry {
  switch (type) {
    case GeomType.plane: {
      const far = ENDLESS * Math.max(scene.statistic.extent, 1);
      return new THREE.PlaneGeometry(2 * (size[0] || far), 2 * (size[1] || far));
    }
    case GeomType.hfield: return heightField(scene, scene.hfields[data]);
    case GeomType.sphere: return new THREE.SphereGeometry(size[0], 40, 24).rotateX(QUARTER);
    case GeomType.capsule: return new THREE.CapsuleGeometry(size[0], 2 * size[1], 12, 32).rotateX(QUARTER);
    case GeomType.ellipsoid: return new THREE.SphereGeometry(1, 40, 24).rotateX(QUARTER).scale(size[0], size[1], size[2]);
    case GeomType.cylinder: return new THREE.CylinderGeometry(size[0], size[0], 2 * size[1], 48).rotateX(QUARTER);
    case GeomType.cone: return new THREE.ConeGeometry(size[0], 2 * size[1], 48).rotateX(QUARTER);
    case GeomType.mesh:
    case GeomType.sdf: return mesh(scene, scene.meshes[data]);
    default: return new THREE.BoxGeometry(2 * size[0], 2 * size[1], 2 * size[2]);
  }
}

/** Shapes of equal type and size are one geometry. */
export class Shapes {
  private made = new Map<string, THREE.BufferGeometry>();
  constructor(private scene: Scene) {}

  get(type: number, size: number[], data = -1): THREE.BufferGeometry {
    const key = type === GeomType.mesh || type === GeomType.hfield || type === GeomType.sdf ? `${type}#${data}` : `${type}:${size}`;
    let geometry = this.made.get(key);
    if (!geometry) this.made.set(key, (geometry = make(this.scene, type, size, data)));
    return geometry;
  }

  dispose(): void { for (const geometry of this.made.values()) geometry.dispose(); }
}
