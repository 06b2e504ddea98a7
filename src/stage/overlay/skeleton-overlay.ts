/** Draws joints as spheres and bones as octahedra, over the mesh or in its place. */
import {
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  type Object3D,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { StageJoints } from '../contract.ts';

/** Radius of a joint, as a fraction of the height of the figure, and its limits by the length of the bone that ends at it. */
const JOINT_RADIUS = 0.0075;
const RADIUS_OF_BONE = 0.16;
const LEAST_RADIUS = 0.0025;
/** Width of a bone, as a fraction of its length, and its limit as a fraction of the height. */
const BONE_WIDTH = 0.09;
const WIDEST_BONE = 0.014;
const BONE_OPACITY = 0.72;
/** Factor of joints and bones of a figure without a mesh, which nothing hides and which must be seen from afar. Tuned by eye on three figures in a row. */
const ALONE = 2;
const HIGHLIGHT = 2.1;
const UP = new Vector3(0, 1, 0);

const from = new Vector3();
const to = new Vector3();
const middle = new Vector3();
const size = new Vector3();
const rotation = new Quaternion();
const matrix = new Matrix4();
const color = new Color();

function overlayMaterial(opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ opacity, transparent: true, depthTest: false, depthWrite: false });
}

/** The skeleton of one figure, in the space of the group that the figure is in. */
export class SkeletonOverlay {
  /** Add it to the group of the figure. */
  readonly object: Group = new Group();
  /** The joints that are drawn. */
  readonly joints: StageJoints;
  /** Positions xyz of the joints, space of the group. */
  readonly positions: Float32Array;
  readonly #objects: readonly Object3D[];
  readonly #spheres: InstancedMesh;
  readonly #bones: InstancedMesh;
  /** Joints at which bones start and end. */
  readonly #pairs: readonly (readonly [number, number])[];
  /** Height of the figure, meters. */
  readonly #height: number;
  /** Factor of all widths. */
  readonly #width: number;
  #highlighted = -1;
  #hovered = -1;

  /**
   * Creates the overlay.
   *
   * @param height Height of the figure, meters.
   * @param isAlone Whether there is no mesh below.
   */
  constructor(joints: StageJoints, nodes: readonly Object3D[], height: number, baseColor: Color, isAlone = false) {
    const count = joints.nodes.length;
    this.joints = joints;
    this.positions = new Float32Array(3 * count);
    this.#height = height;
    this.#width = isAlone ? ALONE : 1;
    this.#objects = Array.from(joints.nodes, (node) => nodes[node]);
    this.#pairs = Array.from(joints.parents, (parent, joint): [number, number] => [parent, joint]).filter(
      ([parent]) => parent >= 0,
    );
    this.#spheres = new InstancedMesh(new SphereGeometry(1, 8, 5), overlayMaterial(1), count);
    this.#bones = new InstancedMesh(
      new OctahedronGeometry(1),
      overlayMaterial(isAlone ? 1 : BONE_OPACITY),
      this.#pairs.length,
    );
    this.#bones.renderOrder = 10;
    this.#spheres.renderOrder = 11;
    for (const mesh of [this.#bones, this.#spheres]) {
      mesh.frustumCulled = false;
      this.object.add(mesh);
    }
    this.setColor(baseColor);
  }

  /** Colors the joints that have no color of their own. */
  setColor(base: Color): void {
    const { colors } = this.joints;
    const colorOf = (joint: number): Color =>
      colors === undefined
        ? color.copy(base)
        : color.setRGB(colors[3 * joint], colors[3 * joint + 1], colors[3 * joint + 2], 'srgb');
    this.#objects.forEach((_, joint) => {
      this.#spheres.setColorAt(joint, colorOf(joint));
    });
    this.#pairs.forEach(([start], bone) => {
      this.#bones.setColorAt(bone, colorOf(start));
    });
    for (const { instanceColor } of [this.#spheres, this.#bones])
      if (instanceColor !== null) instanceColor.needsUpdate = true;
  }

  /** Enlarges the joint that the caller chose. */
  highlight(joint: number): void {
    this.#highlighted = joint;
  }

  /** Enlarges the joint under the pointer. */
  hover(joint: number): void {
    this.#hovered = joint;
  }

  get highlighted(): number {
    return this.#highlighted;
  }

  /** Moves joints and bones to the nodes. */
  update(offset: Vector3, scale = 1): void {
    const { positions } = this;
    for (let joint = 0; joint < this.#objects.length; joint++) {
      from
        .setFromMatrixPosition(this.#objects[joint].matrixWorld)
        .sub(offset)
        .divideScalar(scale)
        .toArray(positions, 3 * joint);
      const factor = joint === this.#highlighted || joint === this.#hovered ? HIGHLIGHT : 1;
      const radius = factor * this.#width * this.#radiusOf(joint);
      matrix.makeScale(radius, radius, radius).setPosition(from);
      this.#spheres.setMatrixAt(joint, matrix);
    }
    for (let bone = 0; bone < this.#pairs.length; bone++) {
      const [start, end] = this.#pairs[bone];
      from.fromArray(positions, 3 * start);
      to.fromArray(positions, 3 * end);
      middle.addVectors(from, to).multiplyScalar(0.5);
      to.sub(from);
      const length = to.length();
      const width = this.#width * Math.min(BONE_WIDTH * length, WIDEST_BONE * this.#height);
      rotation.setFromUnitVectors(UP, length > 0 ? to.divideScalar(length) : UP);
      matrix.compose(middle, rotation, size.set(width, length / 2, width));
      this.#bones.setMatrixAt(bone, matrix);
    }
    this.#spheres.instanceMatrix.needsUpdate = true;
    this.#bones.instanceMatrix.needsUpdate = true;
  }
  /** Joints of fingers are smaller than others. */
  #radiusOf(joint: number): number {
    const parent = this.joints.parents[joint];
    const most = JOINT_RADIUS * this.#height;
    if (parent < 0) return most;
    to.fromArray(this.positions, 3 * parent);
    return Math.min(Math.max(RADIUS_OF_BONE * from.distanceTo(to), LEAST_RADIUS * this.#height), most);
  }
}
