// Reflections, as MuJoCo has them: of the first plane or box with a reflectance, for a box its upper face. What is seen in
// it is added to its own colour; the sky is not seen.
import * as THREE from 'three';
import { GeomType, type Scene } from './scene';
import type { WorldView } from './world';

/** The geom that reflects, -1 for none. */
export function findMirror(scene: Scene): number {
  return scene.geoms.findIndex((geom) => (geom.type === GeomType.plane || geom.type === GeomType.box) && (scene.materials[geom.material]?.reflectance ?? 0) > 0);
}

/** A point behind the mirror that lies as far from it as the one before it. */
export function reflect(point: THREE.Vector3, on: THREE.Vector3, normal: THREE.Vector3): THREE.Vector3 {
  return point.clone().addScaledVector(normal, -2 * normal.dot(point.clone().sub(on)));
}

export class Mirror {
  private camera = new THREE.PerspectiveCamera();
  private target = new THREE.WebGLRenderTarget(2, 2, { samples: 4, type: THREE.HalfFloatType });
  private matrix = { value: new THREE.Matrix4() };
  private strength = { value: 0 };

  constructor(private mesh: THREE.Mesh, private height: number, private reflectance: number) {
    const material = (mesh.material as THREE.MeshStandardMaterial).clone();
    const own = mesh.material as THREE.MeshStandardMaterial;
    material.onBeforeCompile = (shader, renderer) => {
      own.onBeforeCompile(shader, renderer);
      shader.uniforms.mirrorPicture = { value: this.target.texture };
      shader.uniforms.mirrorMatrix = this.matrix;
      shader.uniforms.mirrorStrength = this.strength;
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec4 vMirror;\nvarying float vMirrorUp;\nuniform mat4 mirrorMatrix;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvMirror = mirrorMatrix * modelMatrix * vec4(position, 1.0);\nvMirrorUp = normal.z;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec4 vMirror;\nvarying float vMirrorUp;\nuniform sampler2D mirrorPicture;\nuniform float mirrorStrength;')
        .replace('#include <colorspace_fragment>', `#include <colorspace_fragment>
if (vMirrorUp > 0.9 && mirrorStrength > 0.0) {
  vec4 seen = texture2DProj(mirrorPicture, vMirror);
  gl_FragColor.rgb += mirrorStrength * seen.a * sRGBTransferOETF(vec4(seen.rgb, 1.0)).rgb;
}`);
    };
    material.customProgramCacheKey = () => `${own.customProgramCacheKey()} mirror`;
    mesh.material = material;
    mesh.userData.own = material;
  }

  static of(scene: Scene, world: WorldView): Mirror | null {
    const geom = findMirror(scene);
    const mesh = world.geoms.find((each) => each.userData.geom === geom);
    if (!mesh || (mesh.material as THREE.Material).transparent) return null;
    return new Mirror(mesh, scene.geoms[geom].type === GeomType.box ? scene.geoms[geom].size[2] : 0, scene.materials[scene.geoms[geom].material].reflectance);
  }

  /** Draws what is seen in the mirror. `hidden` is what is not: the sky. */
  draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.PerspectiveCamera, hidden: THREE.Object3D): void {
    const turn = this.mesh.getWorldQuaternion(new THREE.Quaternion());
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(turn);
    const on = this.mesh.localToWorld(new THREE.Vector3(0, 0, this.height));
    const isInFront = this.mesh.visible && normal.dot(camera.position.clone().sub(on)) > 0;
    this.strength.value = isInFront ? this.reflectance : 0;
    if (!isInFront) return;
    camera.updateMatrixWorld();
    const ahead = camera.getWorldDirection(new THREE.Vector3()).add(camera.position);
    const above = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.getWorldQuaternion(new THREE.Quaternion())).add(camera.position);
    this.camera.position.copy(reflect(camera.position, on, normal));
    this.camera.up.copy(reflect(above, on, normal)).sub(this.camera.position);
    this.camera.lookAt(reflect(ahead, on, normal));
    this.camera.near = camera.near;
    this.camera.far = camera.far;
    this.camera.updateMatrixWorld();
    this.camera.projectionMatrix.copy(camera.projectionMatrix);
    this.matrix.value.set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1).multiply(this.camera.projectionMatrix).multiply(this.camera.matrixWorldInverse);
    this.render(renderer, scene, hidden, new THREE.Plane().setFromNormalAndCoplanarPoint(normal, on));
  }

  private render(renderer: THREE.WebGLRenderer, scene: THREE.Scene, hidden: THREE.Object3D, plane: THREE.Plane): void {
    const size = renderer.getDrawingBufferSize(new THREE.Vector2());
    if (this.target.width !== size.x || this.target.height !== size.y) this.target.setSize(size.x, size.y);
    const before = { target: renderer.getRenderTarget(), planes: renderer.clippingPlanes, background: scene.background, fog: scene.fog, sky: hidden.visible, alpha: renderer.getClearAlpha(), shadows: renderer.shadowMap.autoUpdate };
    hidden.visible = this.mesh.visible = false;
    scene.background = scene.fog = null;
    renderer.clippingPlanes = [plane];
    renderer.shadowMap.autoUpdate = false;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(before.target);
    renderer.setClearAlpha(before.alpha);
    renderer.shadowMap.autoUpdate = before.shadows;
    renderer.clippingPlanes = before.planes;
    [scene.background, scene.fog, hidden.visible, this.mesh.visible] = [before.background, before.fog, before.sky, true];
  }

  dispose(): void { this.target.dispose(); }
}
