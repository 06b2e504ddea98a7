/** The camera: moved by pointer and keys, to fixed views, and along with a figure. */
import { type PerspectiveCamera, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { StageViewpoint } from '../contract.ts';
import type { Extent } from '../layout.ts';
import { DIRECTIONS, distanceFor } from './viewpoints.ts';

const KEY_STEP = Math.PI / 36;
/** Factor of the distance per key press. */
const KEY_ZOOM = 1.1;
/** Keeps the camera off the vertical, where its direction is undefined. */
const LEAST_ANGLE = 1e-3;

/** Keys, and what they do to the angles and the distance of the camera. */
const KEYS: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0, 1],
  ArrowRight: [KEY_STEP, 0, 1],
  ArrowUp: [0, -KEY_STEP, 1],
  ArrowDown: [0, KEY_STEP, 1],
  '+': [0, 0, 1 / KEY_ZOOM],
  '=': [0, 0, 1 / KEY_ZOOM],
  '-': [0, 0, KEY_ZOOM],
};

const offset = new Vector3();
const spherical = new Spherical();

/** Moves a camera around what it looks at. */
export class CameraRig {
  readonly controls: OrbitControls;
  readonly #camera: PerspectiveCamera;
  readonly #followed: Vector3 = new Vector3();
  #isFollowing = false;
  /** Whether the camera shows what was framed: following starts from there, so that the other figures stay in the picture. */
  #isFramed = false;
  /** Whether the user moved the camera since the last framing. */
  #isMoved = false;

  /** Creates the controls. */
  constructor(camera: PerspectiveCamera, canvas: HTMLElement, onChange: () => void, onUserMove: () => void) {
    this.#camera = camera;
    this.controls = new OrbitControls(camera, canvas);
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => {
      this.#isMoved = true;
    });
    let angles = '';
    const direction = (): string =>
      `${this.controls.getAzimuthalAngle().toFixed(4)} ${this.controls.getPolarAngle().toFixed(4)}`;
    this.controls.addEventListener('start', () => {
      angles = direction();
    });
    this.controls.addEventListener('end', () => {
      if (direction() !== angles) onUserMove();
    });
  }

  /** Lets the next framing start from the direction of its view, wherever the user moved the camera. */
  forgetMove(): void {
    this.#isMoved = false;
  }

  get isMoved(): boolean {
    return this.#isMoved;
  }

  /** Shows a box from a fixed direction, or from where the camera is. */
  frame(extent: Extent, view: StageViewpoint): void {
    const { target } = this.controls;
    if (view === 'orbit' && this.#isMoved) offset.subVectors(this.#camera.position, target).normalize();
    else offset.fromArray(DIRECTIONS[view]).normalize();
    const distance = distanceFor(extent, offset.toArray(), this.#camera.fov, this.#camera.aspect);
    target.fromArray(extent.min).add(new Vector3().fromArray(extent.max)).multiplyScalar(0.5);
    this.#camera.position.copy(target).addScaledVector(offset, distance);
    this.#isMoved = false;
    this.#isFollowing = false;
    this.#isFramed = true;
    this.controls.update();
  }

  /**
   * Moves camera and target along with a point over the ground. Unless the camera was just framed, the point becomes its target first.
   *
   * @param point The point, world; null stops following.
   */
  follow(point: Vector3 | null): void {
    if (point !== null && this.#isFollowing) {
      offset.subVectors(point, this.#followed).setY(0);
      this.#camera.position.add(offset);
      this.controls.target.add(offset);
    } else if (point !== null && !this.#isFramed) {
      offset.subVectors(point, this.controls.target).setY(0);
      this.#camera.position.add(offset);
      this.controls.target.add(offset);
    }
    if (point !== null) this.#followed.copy(point);
    this.#isFollowing = point !== null;
    this.#isFramed = false;
    this.#camera.lookAt(this.controls.target);
  }

  /** Moves the camera by a key. */
  press(key: string): boolean {
    const move = KEYS[key];
    if (move === undefined) return false;
    const { target } = this.controls;
    spherical.setFromVector3(offset.subVectors(this.#camera.position, target));
    spherical.theta += move[0];
    spherical.phi = Math.min(Math.max(spherical.phi + move[1], LEAST_ANGLE), Math.PI - LEAST_ANGLE);
    spherical.radius *= move[2];
    this.#camera.position.copy(target).add(offset.setFromSpherical(spherical));
    this.#isMoved = true;
    this.controls.update();
    return true;
  }

  /** Removes the listeners. */
  dispose(): void {
    this.controls.dispose();
  }
}
