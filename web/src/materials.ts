// Materials: colours as they look on a screen, textures flat or on a cube around the shape.
import * as THREE from 'three';
import { bytesAt, GeomType, type Material, type Scene, type Texture } from './scene';

const FACES = 6; // right, left, up, down, front, back

function rgba(scene: Scene, texture: Texture): Uint8Array<ArrayBuffer> {
  const rgb = bytesAt(scene, texture.rgb);
  const result = new Uint8Array((rgb.length / 3) * 4).fill(255);
  for (let i = 0, k = 0; i < rgb.length; i += 3, k += 4) result.set(rgb.subarray(i, i + 3), k);
  return result;
}

function settle<T extends THREE.Texture>(texture: T): T {
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.generateMipmaps = true;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

export function flatTexture(scene: Scene, texture: Texture): THREE.DataTexture {
  const made = new THREE.DataTexture(rgba(scene, texture), texture.width, texture.height);
  made.wrapS = made.wrapT = THREE.RepeatWrapping;
  return settle(made);
}

export function cubeTexture(scene: Scene, texture: Texture): THREE.CubeTexture {
  const pixels = rgba(scene, texture);
  const side = texture.width;
  const face = (i: number) => {
    const image = new THREE.DataTexture(pixels.slice(i * side * side * 4, (i + 1) * side * side * 4), side, side);
    image.needsUpdate = true;
    return image;
  };
  const made = new THREE.CubeTexture(Array.from({ length: FACES }, (_, i) => face(i)) as never);
  return settle(made);
}

/** The colour by direction from the middle of the shape. MJCF's cube has y up and looks along -z, as graphics has it. */
function paintCube(material: THREE.MeshStandardMaterial, cube: THREE.CubeTexture, scale: THREE.Vector3): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.cubeColour = { value: cube };
    shader.uniforms.cubeScale = { value: scale };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCube;\nuniform vec3 cubeScale;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvCube = position * cubeScale;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCube;\nuniform samplerCube cubeColour;')
      .replace('#include <map_fragment>', 'diffuseColor *= textureCube(cubeColour, vec3(vCube.x, vCube.z, -vCube.y));');
  };
  material.customProgramCacheKey = () => 'cube';
}

/** Lines one metre apart (or ten, or a tenth, by the size of the model) on planes that have no texture. */
function drawGrid(material: THREE.MeshStandardMaterial, spacing: number): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gridSpacing = { value: spacing };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vGrid;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGrid = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
varying vec2 vGrid;
uniform float gridSpacing;
float gridLine(float spacing, float width) {
  vec2 at = vGrid / spacing;
  vec2 blur = fwidth(at);
  vec2 apart = abs(fract(at - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(vec2(width), vec2(width) + 1.5 * max(blur, vec2(1e-5)), apart);
  float sharp = 1.0 - smoothstep(0.15, 0.6, max(blur.x, blur.y));
  return max(line.x, line.y) * sharp;
}`)
      .replace('#include <map_fragment>', `float lines = max(0.35 * gridLine(gridSpacing, 0.004), 0.7 * gridLine(gridSpacing * 5.0, 0.0025));
float bright = dot(diffuseColor.rgb, vec3(0.3, 0.6, 0.1));
diffuseColor.rgb = mix(diffuseColor.rgb, bright > 0.35 ? diffuseColor.rgb * 0.62 : diffuseColor.rgb + 0.16, lines);`);
  };
  material.customProgramCacheKey = () => 'grid';
}

export interface Look { rgba: number[]; material: number; type: number; size: number[]; hasUv?: boolean }

/** A spacing of 1, 2 or 5 times a power of ten, about a fifth of the model. */
export function gridSpacing(extent: number): number {
  const wanted = Math.max(extent, 1e-3) / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const digit = wanted / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

export class Materials {
  private made = new Map<string, THREE.MeshStandardMaterial>();
  private textures = new Map<string, THREE.Texture>();
  constructor(private scene: Scene, private makeEnvironment: () => THREE.Texture) {}

  get(look: Look, opacity = 1): THREE.MeshStandardMaterial {
    const material: Material | undefined = this.scene.materials[look.material];
    const found = material && material.texture >= 0 ? this.scene.textures[material.texture] ?? null : null;
    // on skins, a texture without a place on the surface would swim as they move
    const texture = look.hasUv === undefined || (look.hasUv && found?.type === '2d') ? found : null;
    const isPlane = look.type === GeomType.plane;
    const key = [look.material, look.rgba, opacity, texture || isPlane ? `${look.type}:${look.size}:${look.hasUv}` : ''].join('|');
    let made = this.made.get(key);
    if (!made) this.made.set(key, (made = this.make(look, material, texture, opacity)));
    return made;
  }

  private make(look: Look, from: Material | undefined, texture: Texture | null, opacity: number): THREE.MeshStandardMaterial {
    // a colour that the geom does not give is that of its material
    const isOwn = !from || look.rgba.some((part, i) => Math.abs(part - [0.5, 0.5, 0.5, 1][i]) > 1e-6);
    const [r, g, b, a] = isOwn ? look.rgba : from.rgba;
    const material = new THREE.MeshStandardMaterial({
      color: new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace),
      roughness: from && from.roughness >= 0 ? from.roughness : 0.85 - 0.55 * (from?.shininess ?? 0.4),
      metalness: from && from.metallic >= 0 ? from.metallic : 0,
      transparent: a * opacity < 1,
      opacity: a * opacity,
      depthWrite: a * opacity >= 0.99,
      side: look.type === GeomType.hfield || look.type === GeomType.mesh ? THREE.DoubleSide : THREE.FrontSide,
      shadowSide: THREE.BackSide, // a surface that shades itself looks stippled
    });
    if (material.metalness > 0) material.envMap = this.texture('environment', this.makeEnvironment);
    if (from && from.emission > 0) material.emissive.copy(material.color).multiplyScalar(from.emission);
    if (texture) this.apply(material, texture, from!, look);
    else if (look.type === GeomType.plane) drawGrid(material, gridSpacing(this.scene.statistic.extent));
    return material;
  }

  private apply(material: THREE.MeshStandardMaterial, texture: Texture, from: Material, look: Look): void {
    const size = look.size.map((s) => (s > 0 ? s : 1));
    if (texture.type !== '2d') {
      const scale = from.uniform ? new THREE.Vector3(1, 1, 1) : new THREE.Vector3(1 / size[0], 1 / size[1], 1 / size[2]);
      return paintCube(material, this.texture(`cube${from.texture}`, () => cubeTexture(this.scene, texture)) as THREE.CubeTexture, scale);
    }
    // a texture that repeats per unit of length has its middle at the origin, once per two units
    const half = [look.size[0] || ENDLESS_SIZE(this.scene), look.size[1] || ENDLESS_SIZE(this.scene)];
    const isUniform = from.uniform || (look.type === GeomType.plane && look.size[0] === 0);
    const repeat = isUniform && look.type === GeomType.plane ? [from.repeat[0] * half[0], from.repeat[1] * half[1]] : from.repeat;
    const key = `2d${from.texture}:${repeat}`;
    material.map = this.texture(key, () => {
      const made = flatTexture(this.scene, texture);
      made.repeat.set(repeat[0], repeat[1]);
      made.offset.set(-0.5 * repeat[0] + 0.5, -0.5 * repeat[1] + 0.5);
      if (look.type === GeomType.mesh) made.offset.set(0, 0);
      return made;
    });
  }

  private texture(key: string, make: () => THREE.Texture): THREE.Texture {
    let made = this.textures.get(key);
    if (!made) this.textures.set(key, (made = make()));
    return made;
  }

  dispose(): void {
    for (const each of [...this.made.values(), ...this.textures.values()]) each.dispose();
  }
}

const ENDLESS_SIZE = (scene: Scene) => 60 * Math.max(scene.statistic.extent, 1);
