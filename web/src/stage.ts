// What is around the worlds: renderer, sky, light with shadows, and the camera.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { WorldFrame } from './frame';
import { cubeTexture } from './materials';
import type { Mirror } from './mirror';
import type { Scene } from './scene';
import { quaternion, type WorldView } from './world';

export type Theme = 'dark' | 'light';
const SKIES: Record<Theme, { zenith: number; horizon: number; ground: number }> = {
  dark: { zenith: 0x1b2536, horizon: 0x57677f, ground: 0x39445a },
  light: { zenith: 0x7fb2e5, horizon: 0xe9f0f6, ground: 0xd6dde4 },
};
const FREE = -1;

function makeSky(): THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial> {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false, depthTest: false, fog: false,
    uniforms: { zenith: { value: new THREE.Color() }, horizon: { value: new THREE.Color() }, ground: { value: new THREE.Color() } },
    vertexShader: `varying vec3 vAlong;
void main() {
  vAlong = position;
  vec4 at = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
  gl_Position = at.xyww;
}`,
    fragmentShader: `varying vec3 vAlong;
uniform vec3 zenith, horizon, ground;
void main() {
  float height = normalize(vAlong).z;
  vec3 colour = height > 0.0 ? mix(horizon, zenith, pow(height, 0.55)) : mix(horizon, ground, pow(-height, 0.4));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`,
  });
  const sky = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20), material);
  sky.frustumCulled = false;
  sky.renderOrder = -10;
  return sky;
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly root = new THREE.Group(); // the model's world, turned so that its up is z
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  modelCamera = FREE;
  trackedBody = 0;
  mirror: Mirror | null = null;
  private inset: [number, number] = [0, 0]; // pixels on the left and right that panels cover
  private isFlat = false; // the picture is that of an orthographic camera
  private sky = makeSky();
  private key = new THREE.DirectionalLight(0xffffff, 2.4);
  private fill = new THREE.DirectionalLight(0xffffff, 0.5);
  private around = new THREE.HemisphereLight(0xffffff, 0x9a958c, 1.25);
  private modelLights = new THREE.Group();
  private modelSky: THREE.CubeTexture | null = null;
  private model: Scene | null = null;
  private lastTarget: THREE.Vector3 | null = null;
  private theme: Theme = 'light';
  private asModel = false;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NoToneMapping; // a colour of the model is that colour on the screen
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 2; // more looks stippled
    this.scene.add(this.sky, this.root, this.key, this.key.target, this.fill, this.fill.target, this.around, this.modelLights);
  }

  setScene(model: Scene): void {
    this.model = model;
    this.modelCamera = FREE;
    this.trackedBody = 0;
    this.root.quaternion.setFromUnitVectors(new THREE.Vector3().fromArray(model.up).normalize(), new THREE.Vector3(0, 0, 1));
    this.root.updateMatrixWorld(true);
    const sky = model.textures.find((texture) => texture?.type === 'skybox');
    this.modelSky?.dispose();
    this.modelSky = sky ? cubeTexture(model, sky) : null;
    this.addModelLights(model);
    this.resetCamera();
    this.setTheme(this.theme);
    this.setModelLook(this.asModel);
  }

  /** Azimuth and elevation of the model, or, where it leaves them as they are by default, a view from the side. */
  resetCamera(spread = 1): void {
    const { statistic, visual } = this.model!;
    const isDefault = visual.azimuth === 90 && visual.elevation === -45;
    const azimuth = THREE.MathUtils.degToRad(isDefault ? 128 : visual.azimuth);
    const elevation = THREE.MathUtils.degToRad(isDefault ? -16 : visual.elevation);
    const target = new THREE.Vector3().fromArray(statistic.center).applyQuaternion(this.root.quaternion);
    const distance = 1.65 * Math.max(statistic.extent, 1e-3) * spread;
    const along = new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.isFlat = false;
    this.camera.fov = visual.fovy;
    this.camera.near = Math.max(distance / 500, 1e-4);
    this.camera.far = distance * 400;
    this.camera.position.copy(target).addScaledVector(along, -distance);
    this.controls.target.copy(target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.lastTarget = null;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    const sky = SKIES[theme];
    const uniforms = this.sky.material.uniforms;
    (uniforms.zenith.value as THREE.Color).set(sky.zenith);
    (uniforms.horizon.value as THREE.Color).set(sky.horizon);
    (uniforms.ground.value as THREE.Color).set(sky.ground);
    this.key.intensity = theme === 'dark' ? 2.1 : 2.3;
    this.around.intensity = theme === 'dark' ? 1.2 : 1.5;
    this.updateFog();
  }

  /** The lights and the sky that the model has, in place of ours. */
  setModelLook(on: boolean): void {
    this.asModel = on;
    const hasLights = on && this.modelLights.children.length > 0;
    this.key.visible = this.fill.visible = this.around.visible = !hasLights;
    this.modelLights.visible = hasLights;
    this.scene.background = on ? this.modelSky : null;
    this.scene.backgroundRotation.set(Math.PI / 2, 0, 0);
    this.sky.visible = !(on && this.modelSky);
    this.updateFog();
  }

  /** What metals reflect: our sky, as it was when the model was opened. */
  makeEnvironment(): THREE.Texture {
    const maker = new THREE.PMREMGenerator(this.renderer);
    const around = new THREE.Scene();
    around.add(this.sky);
    const made = maker.fromScene(around, 0.02).texture;
    this.scene.add(this.sky);
    maker.dispose();
    return made;
  }

  private updateFog(): void {
    if (!this.model) return;
    const reach = Math.max(this.model.statistic.extent, 1);
    const isPlain = !(this.asModel && this.modelSky);
    this.scene.fog = isPlain ? new THREE.Fog(SKIES[this.theme].horizon, 6 * reach, 42 * reach) : null;
  }

  private addModelLights(model: Scene): void {
    this.modelLights.clear();
    const head = model.visual;
    const ambient = new THREE.Color().fromArray(head.headlight ? head.ambient : [0, 0, 0]);
    for (const light of model.lights) if (light.active) ambient.add(new THREE.Color().fromArray(light.ambient));
    const isLit = model.lights.some((light) => light.active) || head.headlight !== 0;
    if (isLit) this.modelLights.add(new THREE.AmbientLight(ambient, 3));
    if (head.headlight) {
      const front = new THREE.DirectionalLight(new THREE.Color().fromArray(head.diffuse), 3);
      front.name = 'headlight';
      this.modelLights.add(front, front.target);
    }
    const reach = Math.max(model.statistic.extent, 0.1);
    model.lights.forEach((light, i) => {
      if (!light.active) return;
      const tint = new THREE.Color().fromArray(light.diffuse);
      const made = light.type === 1 ? new THREE.DirectionalLight(tint, 3)
        : new THREE.SpotLight(tint, 3, 0, THREE.MathUtils.degToRad(Math.min(light.cutoff, 89)), 0.4, 0);
      made.name = `light ${i}`;
      made.castShadow = light.shadow;
      made.shadow.mapSize.set(2048, 2048);
      if (made instanceof THREE.DirectionalLight) {
        Object.assign(made.shadow.camera, { left: -1.5 * reach, right: 1.5 * reach, top: 1.5 * reach, bottom: -1.5 * reach, near: 0.01, far: 40 * reach });
      }
      this.modelLights.add(made, made.target);
    });
  }

  /** Lights and cameras that are on bodies or follow them, and the tracked body. */
  follow(world: WorldView, frame: WorldFrame): void {
    const model = this.model!;
    const target = this.bodyPoint(world, this.trackedBody);
    if (target && this.modelCamera === FREE) {
      const moved = this.lastTarget ? target.clone().sub(this.lastTarget) : target.clone().sub(this.controls.target);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.lastTarget = target;
    if (this.modelLights.visible) this.placeModelLights(world, frame, model);
    if (this.modelCamera !== FREE) this.placeModelCamera(world, frame, model);
  }

  private bodyPoint(world: WorldView, body: number): THREE.Vector3 | null {
    return body > 0 && body < world.bodies.length ? world.bodies[body].getWorldPosition(new THREE.Vector3()) : null;
  }

  private placeModelLights(world: WorldView, frame: WorldFrame, model: Scene): void {
    const front = this.modelLights.getObjectByName('headlight') as THREE.DirectionalLight | undefined;
    if (front) {
      front.position.copy(this.camera.position);
      front.target.position.copy(this.controls.target);
    }
    model.lights.forEach((light, i) => {
      const made = this.modelLights.getObjectByName(`light ${i}`) as THREE.DirectionalLight | THREE.SpotLight | undefined;
      if (!made) return;
      const k = model.trackingLights.indexOf(i);
      const body = world.bodies[light.body];
      const at = k >= 0 ? this.root.localToWorld(new THREE.Vector3(...frame.lights[k].pos)) : body.localToWorld(new THREE.Vector3().fromArray(light.pos));
      const turn = k >= 0 ? this.root.quaternion : body.getWorldQuaternion(new THREE.Quaternion());
      const along = (k >= 0 ? new THREE.Vector3(...frame.lights[k].dir) : new THREE.Vector3().fromArray(light.dir)).applyQuaternion(turn);
      made.position.copy(at);
      made.target.position.copy(at).add(along);
      if (made instanceof THREE.DirectionalLight) { // its shadow must reach what is looked at
        made.position.copy(this.controls.target).addScaledVector(along.normalize(), -8 * Math.max(model.statistic.extent, 0.1));
        made.target.position.copy(this.controls.target);
      }
    });
  }

  private placeModelCamera(world: WorldView, frame: WorldFrame, model: Scene): void {
    const camera = model.cameras[this.modelCamera];
    const k = model.trackingCameras.indexOf(this.modelCamera);
    const local = new THREE.Matrix4();
    if (k >= 0) {
      const pose = frame.cameras[k];
      local.compose(new THREE.Vector3(...pose.pos), new THREE.Quaternion(...pose.quat).normalize(), new THREE.Vector3(1, 1, 1)).premultiply(world.root.matrixWorld);
    } else {
      local.compose(new THREE.Vector3().fromArray(camera.pos), quaternion(camera.quat), new THREE.Vector3(1, 1, 1)).premultiply(world.bodies[camera.body].matrixWorld);
    }
    local.decompose(this.camera.position, this.camera.quaternion, new THREE.Vector3());
    if (camera.orthographic) return this.flatten(camera.fovy);
    if (this.isFlat || this.camera.fov !== camera.fovy) this.unflatten(camera.fovy);
  }

  /** Parallel rays, as high as `height`. */
  private flatten(height: number): void {
    const top = height / 2;
    this.isFlat = true;
    this.camera.projectionMatrix.makeOrthographic(-top * this.camera.aspect, top * this.camera.aspect, top, -top, this.camera.near, this.camera.far);
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  private unflatten(fovy: number): void {
    this.isFlat = false;
    this.camera.fov = fovy;
    this.camera.updateProjectionMatrix();
  }

  useCamera(id: number): void {
    const wasModel = this.modelCamera !== FREE;
    this.modelCamera = id;
    this.controls.enabled = id === FREE;
    this.shift();
    if (id === FREE && wasModel) this.resetCamera();
  }

  /** A free camera, in the words of MuJoCo: degrees, and a point of the model's world. */
  lookAt(lookat: number[], distance: number, azimuthDeg: number, elevationDeg: number): void {
    const [azimuth, elevation] = [THREE.MathUtils.degToRad(azimuthDeg), THREE.MathUtils.degToRad(elevationDeg)];
    const target = this.root.localToWorld(new THREE.Vector3().fromArray(lookat));
    const along = new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)).applyQuaternion(this.root.quaternion);
    this.camera.position.copy(target).addScaledVector(along, -distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.lastTarget = null;
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.shift();
  }

  /** Panels cover so many pixels on the left and right: what the free camera looks at is in the middle of the rest. */
  setInset(left: number, right: number): void {
    if (left === this.inset[0] && right === this.inset[1]) return;
    this.inset = [left, right];
    this.shift();
  }

  private shift(): void {
    const { x: width, y: height } = this.renderer.getSize(new THREE.Vector2());
    const by = this.modelCamera === FREE ? (this.inset[1] - this.inset[0]) / 2 : 0;
    if (by === 0) this.camera.clearViewOffset();
    else this.camera.setViewOffset(width, height, by, 0, width, height);
    this.camera.updateProjectionMatrix();
  }

  render(): void {
    if (this.modelCamera === FREE) this.controls.update();
    this.aimLights();
    this.mirror?.draw(this.renderer, this.scene, this.camera, this.sky);
    this.renderer.render(this.scene, this.camera);
  }

  /** The key light stands up and to the left of the camera's target; its shadow covers what is near that. */
  private aimLights(): void {
    const target = this.controls.target;
    const near = Math.max(this.model?.statistic.extent ?? 1, 1e-3);
    const reach = Math.min(Math.max(this.camera.position.distanceTo(target), near), 6 * near);
    this.key.position.copy(target).add(new THREE.Vector3(0.45, -0.55, 1.05).multiplyScalar(4 * reach));
    this.key.target.position.copy(target);
    Object.assign(this.key.shadow.camera, { left: -1.6 * reach, right: 1.6 * reach, top: 1.6 * reach, bottom: -1.6 * reach, near: 0.1 * reach, far: 12 * reach });
    this.key.shadow.normalBias = 0.002 * reach;
    this.key.shadow.bias = -0.0002;
    this.key.shadow.camera.updateProjectionMatrix();
    this.fill.position.copy(this.camera.position);
    this.fill.target.position.copy(target);
  }
}
