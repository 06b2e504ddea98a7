/** Lights of a stage: those that materials without an environment need, and the one that throws the shadow. */
import { DirectionalLight, HemisphereLight, type Object3D, type Scene, Vector3 } from 'three';
import type { Extent } from '../layout.ts';

/** Direction to the key light: from the front, high on the left of the figures, as in a portrait. */
const KEY = new Vector3(0.55, 1.25, 0.9).normalize();
/** Shadow map, texels along a side. The shadow is blurred over a few of them. */
const SHADOW_SIZE = 1024;

/** The lights. */
export class Lights {
  readonly #key = new DirectionalLight(0xfff6ea, 1.5);
  /** All that is in the scene for them. */
  readonly objects: readonly Object3D[];
  #reach = 2;

  /** Adds them to a scene. */
  constructor(scene: Scene) {
    const sky = new HemisphereLight(0xffffff, 0xa9a49c, 0.35);
    const key = this.#key;
    key.castShadow = true;
    key.shadow.mapSize.set(SHADOW_SIZE, SHADOW_SIZE);
    key.shadow.radius = 4;
    key.shadow.intensity = 0.75;
    key.shadow.bias = -0.0004;
    key.shadow.normalBias = 0.02;
    this.objects = [sky, key, key.target];
    scene.add(...this.objects);
    this.follow(new Vector3());
  }

  /** Fits the shadow to a box. */
  fit({ min, max }: Extent): void {
    this.#reach = Math.max(0.5, Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2);
    const { camera } = this.#key.shadow;
    camera.left = -this.#reach;
    camera.right = this.#reach;
    camera.top = this.#reach;
    camera.bottom = -this.#reach;
    camera.near = 0.1;
    camera.far = 6 * this.#reach;
    camera.updateProjectionMatrix();
  }

  /** Keeps the light around what the camera looks at. */
  follow(target: Vector3): void {
    this.#key.target.position.copy(target);
    this.#key.position.copy(target).addScaledVector(KEY, 3 * this.#reach);
  }

  /** Frees the shadow map. */
  dispose(): void {
    this.#key.dispose();
  }
}
