/** Dark spots on the ground below the joints that are near it: where a figure touches the ground, less light gets there. */
import {
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  type Object3D,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three';
import type { StageJoints } from '../contract.ts';

/** Height below which a joint darkens the ground, radius of its spot, and the least length of a bone that counts, by the height of the figure. */
const HIGH = 0.22;
const RADIUS = 0.085;
const LEAST_BONE = 0.04;
/** Darkness of a joint on the ground. */
const DARKNESS = 0.3;
/** Height of the spots above the ground, meters. */
const LIFT = 0.002;

const VERTEX = `
attribute float strength;
varying vec2 local;
varying float dark;
void main() {
  local = position.xy * 2.0;
  dark = strength;
  gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
varying vec2 local;
varying float dark;
void main() {
  float near = max(0.0, 1.0 - dot(local, local));
  gl_FragColor = vec4(0.0, 0.0, 0.0, dark * near * near);
}`;

const FLAT = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2);
const at = new Vector3();
const size = new Vector3();
const matrix = new Matrix4();

/** Joints at the ends of bones that are long enough to be limbs: not fingers. */
function limbsOf({ nodes, parents }: StageJoints, objects: readonly Object3D[], height: number): Object3D[] {
  const start = new Vector3();
  return Array.from(nodes, (node, joint) => [objects[node], parents[joint]] as const).flatMap(([object, parent]) => {
    if (parent < 0) return [object];
    start.setFromMatrixPosition(objects[nodes[parent]].matrixWorld);
    at.setFromMatrixPosition(object.matrixWorld);
    return at.distanceTo(start) >= LEAST_BONE * height ? [object] : [];
  });
}

/** The spots of one figure, in the space of its group. */
export class ContactShadows {
  /** Add it to the group of the figure. Free it with `disposeTree`. */
  readonly object: InstancedMesh<PlaneGeometry, ShaderMaterial>;
  readonly #joints: readonly Object3D[];
  readonly #strength: InstancedBufferAttribute;
  readonly #height: number;

  /**
   * Creates the spots.
   *
   * @param objects The object of each node, in the rest pose.
   * @param height Height of the figure, meters.
   */
  constructor(joints: StageJoints, objects: readonly Object3D[], height: number) {
    this.#height = height;
    this.#joints = limbsOf(joints, objects, height);
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
    });
    this.object = new InstancedMesh(new PlaneGeometry(1, 1), material, this.#joints.length);
    this.#strength = new InstancedBufferAttribute(new Float32Array(this.#joints.length), 1);
    this.object.geometry.setAttribute('strength', this.#strength);
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
  }

  /** Moves the spots below the joints. */
  update(offset: Vector3, scale: number): void {
    let count = 0;
    for (const joint of this.#joints) {
      at.setFromMatrixPosition(joint.matrixWorld).sub(offset).divideScalar(scale);
      const near = 1 - Math.max(at.y, 0) / (HIGH * this.#height);
      if (near <= 0) continue;
      const diameter = 2 * RADIUS * this.#height * (1.5 - 0.5 * near);
      matrix.compose(at.setY(LIFT), FLAT, size.setScalar(diameter));
      this.object.setMatrixAt(count, matrix);
      this.#strength.setX(count++, DARKNESS * near * near);
    }
    this.object.count = count;
    this.object.instanceMatrix.needsUpdate = true;
    this.#strength.needsUpdate = true;
  }
}
