/** Random humanoids with known reference pose, frame, unit and ground. Everything in float64. */
import { BONE_COUNT, BONE_MIRRORS, BONES, presentParent, REQUIRED_BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { pelvisPosition } from '../../../src/core/humanoid/pelvis.ts';
import { highestBoneHeight, lowestFootHeight } from '../../../src/core/humanoid/t-pose/bone-pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random, randomRotation } from '../../../src/demo/random.ts';
import {
  aboutAxis,
  IDENTITY,
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  rotated,
  times,
  type Vector,
  worldPose,
} from '../reference/plain.ts';
import { endDirection, randomTPose } from './t-pose.ts';

export type RigFrame = 'any' | 'upright' | 'tilted' | 'canonical';

export interface RigOptions {
  /** Bones of the rig; random by default, with all required bones. */
  readonly bones?: 'random' | 'all' | readonly number[];
  /** Adds armatures above the hips, nodes between bones, end nodes and a second root; on by default. */
  readonly others?: boolean;
  /** Some bones are not below their parent bone; by default in every fourth rig. */
  readonly detached?: boolean;
  /** The rest pose is the reference pose; any rest pose by default. */
  readonly restIsReference?: boolean;
  /**
   * Axes of the file; any by default. `upright`: up is one of its axes. `tilted`: up is far from all of them. `canonical`: those of
   * the canonical frame.
   */
  readonly frame?: RigFrame;
  /**
   * In the rest pose, nodes between bones are rotated and limbs are stretched compared to the base pose. For rigs without detached
   * bones.
   */
  readonly twisted?: boolean;
  /**
   * The node called hips is anywhere: on the floor, at the chest, beside the character. By default in every fourth rig whose hips are not `detached`.
   */
  readonly hipsAnywhere?: boolean;
  /** Bones are parented to any bones, whatever the bones are; a quarter of them are siblings below the root. */
  readonly nesting?: 'human' | 'any';
  /** Both sides have the same lengths and bones. */
  readonly symmetric?: boolean;
  /** Meters per unit; a common unit by default. */
  readonly metersPerUnit?: number;
  /** Positions of all 55 bones in the T-pose above a ground at 0; a random body and a random ground by default. */
  readonly body?: Float64Array;
}

/** A humanoid and its reference pose as a local pose: bones in the reference pose, all other nodes at rest. */
export interface RandomRig {
  readonly humanoid: Humanoid;
  readonly referenceLocal: Float64Array;
}

/** A node of the tree under construction. Rotation and position in model space, in the reference pose. */
interface Draft {
  readonly bone: number;
  readonly parent: number;
  readonly name: string;
  readonly rotation: Quaternion;
  readonly position: Vector;
  /** Its own scale, and the product of the scales down to this node. */
  readonly scale: number;
  readonly worldScale: number;
}

/** Returns 1 for present bones, else 0: all required bones, and none, some or all of the others. */
function randomMask(random: Random, symmetric: boolean): Uint8Array {
  const share = pick(random, [0, 0.3, 0.7, 1]);
  const mask = Uint8Array.from(BONES, (name) => (REQUIRED_BONES.includes(name) || random() < share ? 1 : 0));
  if (symmetric) for (let bone = 0; bone < BONE_COUNT; bone++) mask[BONE_MIRRORS[bone]] = mask[bone];
  return mask;
}

function maskOf(random: Random, options: RigOptions): Uint8Array {
  const bones = options.bones ?? 'random';
  if (bones === 'random') return randomMask(random, options.symmetric === true);
  const mask = new Uint8Array(BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) mask[bone] = bones === 'all' || bones.includes(bone) ? 1 : 0;
  return mask;
}

/** Sine of 3°. */
const NEAR_AXIS = Math.sin((3 * Math.PI) / 180);

/** Returns whether the front of a frame is almost an axis of the file, but not exactly: it is taken as that axis then. */
function isAlmostAxis(frame: Quaternion): boolean {
  const [, ...others] = rotated(inverse(frame), [0, 0, 1])
    .map(Math.abs)
    .sort((a, b) => b - a);
  const sine = Math.hypot(...others);
  return sine > 1e-9 && sine < NEAR_AXIS;
}

/** Returns F, the rotation from the axes of the file to the canonical frame. */
function randomFrame(random: Random, kind: RigFrame): Quaternion {
  for (;;) {
    const frame = anyFrame(random, kind);
    if (!isAlmostAxis(frame)) return frame;
  }
}

function anyFrame(random: Random, kind: RigFrame): Quaternion {
  if (kind === 'canonical') return IDENTITY;
  // Rotates the diagonal of the axes up, 54° from each of them, and a little more.
  if (kind === 'tilted') {
    const askew = product(aboutAxis([1, 0, 1], 0.7), aboutAxis(randomVector(random, 1), between(random, 0, 0.3)));
    return product(aboutAxis([0, 1, 0], between(random, -3, 3)), askew);
  }
  const yaw = aboutAxis([0, 1, 0], pick(random, [0, Math.PI / 2, Math.PI, between(random, -3, 3)]));
  const axes = pick(random, [IDENTITY, aboutAxis([1, 0, 0], -Math.PI / 2), aboutAxis([0, 0, 1], Math.PI / 2)]);
  const any = kind === 'any' && random() < 0.3 ? randomRotation(random) : IDENTITY;
  return product(yaw, axes, any);
}

/** Adds up to three nodes above the hips, as exporters do. */
function addArmatures(random: Random, drafts: Draft[], unitsPerMeter: number): number {
  let parent = -1;
  for (let count = Math.floor(4 * random()); count > 0; count--) {
    const turn = pick(random, [IDENTITY, aboutAxis([1, 0, 0], -Math.PI / 2), randomRotation(random)]);
    const scale = pick(random, [1, 1, 0.01, 100, between(random, 0.5, 2)]);
    const offset = pick(random, [[0, 0, 0], randomVector(random, unitsPerMeter)]);
    const above = parent < 0 ? null : drafts[parent];
    const position = above === null ? offset : plus(above.position, rotated(above.rotation, offset));
    const rotation = above === null ? turn : product(above.rotation, turn);
    const worldScale = scale * (above?.worldScale ?? 1);
    drafts.push({ bone: -1, parent, name: 'Armature', rotation, position, scale, worldScale });
    parent = drafts.length - 1;
  }
  return parent;
}

export function randomVector(random: Random, size: number): number[] {
  return [between(random, -size, size), between(random, -size, size), between(random, -size, size)];
}

/** Drafts all nodes, parents first. `points`: positions of the bones in the file; `toFile`: rotation from the canonical frame to its axes. */
function draftTree(
  random: Random,
  mask: Uint8Array,
  points: readonly Vector[],
  toFile: Quaternion,
  unitsPerMeter: number,
  options: RigOptions,
): Draft[] {
  const drafts: Draft[] = [];
  const others = options.others ?? true;
  const tangled = options.detached ?? random() < 0.25;
  const prefix = pick(random, ['', 'mixamorig:', 'rig_', 'Ünï ']);
  const top = others ? addArmatures(random, drafts, unitsPerMeter) : -1;
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const add = (parent: number, bone: number, name: string, position: Vector): number => {
    const scale = random() < 0.1 ? between(random, 0.5, 2) : 1;
    const worldScale = scale * (parent < 0 ? 1 : drafts[parent].worldScale);
    drafts.push({ bone, parent, name, rotation: randomRotation(random), position, scale, worldScale });
    return drafts.length - 1;
  };
  const isAny = options.nesting === 'any';
  const keys = Array.from({ length: BONE_COUNT }, (_, bone) => (isAny ? random() : bone));
  for (const bone of [...keys.keys()].sort((a, b) => keys[a] - keys[b])) {
    if (mask[bone] === 0) continue;
    const above = presentParent(bone, nodes);
    let parent = above < 0 ? top : nodes[above];
    const placed = Array.from(nodes).filter((node) => node >= 0);
    if (isAny) parent = placed.length === 0 || random() < 0.25 ? top : pick(random, placed);
    if (tangled && parent >= 0 && random() < 0.2) parent = drafts[parent].parent;
    if (others && random() < 0.15) {
      const nearby = randomVector(random, 0.05 * unitsPerMeter);
      parent = add(parent, -1, pick(random, ['', 'twist', 'twist']), plus(points[bone], nearby));
    }
    nodes[bone] = add(parent, bone, prefix + BONES[bone], points[bone]);
    if (others && random() < 0.1) {
      const end = plus(points[bone], rotated(toFile, times(endDirection(BONES[bone]), 0.05 * unitsPerMeter)));
      add(nodes[bone], -1, `${prefix}${BONES[bone]}_end`, end);
    }
  }
  if (others && random() < 0.2) add(-1, -1, 'Camera', randomVector(random, unitsPerMeter));
  return drafts;
}

/** Returns a random order of the drafts with parents first: the old index of every node. */
function randomOrder(random: Random, drafts: readonly Draft[]): number[] {
  const children: number[][] = drafts.map(() => []);
  const ready: number[] = [];
  drafts.forEach(({ parent }, index) => {
    (parent < 0 ? ready : children[parent]).push(index);
  });
  const order: number[] = [];
  while (ready.length > 0) {
    const at = Math.floor(random() * ready.length);
    const next = ready[at];
    ready[at] = ready[ready.length - 1];
    ready.pop();
    order.push(next);
    ready.push(...children[next]);
  }
  return order;
}

/** Builds the skeleton in the reference pose, and the node of every bone. */
function skeletonOf(drafts: readonly Draft[], order: readonly number[]): { skeleton: Skeleton; nodes: Int32Array } {
  const newIndex = new Int32Array(drafts.length);
  order.forEach((former, node) => {
    newIndex[former] = node;
  });
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const parents = new Int32Array(drafts.length);
  const rest = new Float64Array(10 * drafts.length);
  order.forEach((former, node) => {
    const { bone, parent, rotation, position, scale } = drafts[former];
    const above = parent < 0 ? null : drafts[parent];
    const toParent = inverse(above?.rotation ?? IDENTITY);
    const offset = minus(position, above?.position ?? [0, 0, 0]);
    rest.set(times(rotated(toParent, offset), 1 / (above?.worldScale ?? 1)), 10 * node);
    rest.set(product(toParent, rotation), 10 * node + 3);
    rest.set([scale, scale, scale], 10 * node + 7);
    parents[node] = parent < 0 ? -1 : newIndex[parent];
    if (bone >= 0) nodes[bone] = node;
  });
  const names = order.map((former) => drafts[former].name);
  const joints = Uint8Array.from(order, (former) => (drafts[former].bone >= 0 ? 1 : 0));
  return { skeleton: { name: 'random', names, parents, rest, bind: null, joints }, nodes };
}

/** Returns another rest pose: bones rotated, hips moved, non-bone nodes unchanged. */
function otherRest(random: Random, reference: Float64Array, nodes: Int32Array): Float64Array {
  const rest = Float64Array.from(reference);
  const most = pick(random, [0.3, 3]);
  for (const node of nodes) {
    if (node < 0 || random() < 0.3) continue;
    const turn = aboutAxis(randomVector(random, 1), between(random, -most, most));
    rest.set(product(read(rest, 10 * node + 3, 4), turn), 10 * node + 3);
  }
  for (let c = 0; c < 3; c++) rest[10 * nodes[0] + c] *= between(random, 0.5, 1.5);
  return rest;
}

/** Changes all channels of the limbs other than bone rotations: of every node from below the hips down to the bones. */
function twistedRest(random: Random, rest: Float64Array, { parents }: Skeleton, nodes: Int32Array): Float64Array {
  const out = Float64Array.from(rest);
  const bones = new Set(nodes);
  const limbs = new Set<number>();
  for (const bone of nodes.subarray(1))
    for (let node = bone; node >= 0 && node !== nodes[0]; node = parents[node]) limbs.add(node);
  for (const node of limbs) {
    if (random() < 0.3) continue;
    for (let c = 0; c < 3; c++) out[10 * node + c] += between(random, -1, 1) * Math.hypot(...read(rest, 10 * node, 3));
    if (!bones.has(node)) out.set(randomRotation(random), 10 * node + 3);
    const stretch = pick(random, [between(random, 0.5, 0.9), between(random, 1.1, 2)]);
    for (let c = 7; c < 10; c++) out[10 * node + c] *= stretch;
  }
  return out;
}

/** Returns a random humanoid. */
export function randomRig(random: Random, options: RigOptions = {}): RandomRig {
  const mask = maskOf(random, options);
  const metersPerUnit = options.metersPerUnit ?? pick(random, [1, 1, 0.01, 0.0254, 100]);
  const frame = randomFrame(random, options.frame ?? 'any');
  const body = options.body ?? randomTPose(random, options.symmetric === true);
  const there = Int32Array.from(mask, (is) => is - 1);
  // The character is anywhere, with its lowest foot a little above a ground that need not be at 0.
  const own = options.body === undefined;
  const ground = own ? pick(random, [0, 0, between(random, -2, 2)]) : 0;
  const lift = own ? ground + 0.03 - lowestFootHeight(body, there) : 0;
  const shift = [between(random, -1, 1), lift, between(random, -1, 1)];
  if (own && (options.hipsAnywhere ?? (options.detached !== true && options.symmetric !== true && random() < 0.25))) {
    body.set(plus(read(body, 0, 3), randomVector(random, 1)), 0);
  }
  const positions = new Float64Array(3 * BONE_COUNT);
  const points: Vector[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const point = plus(read(body, 3 * bone, 3), shift);
    if (mask[bone] === 1) positions.set(point, 3 * bone);
    points.push(times(rotated(inverse(frame), point), 1 / metersPerUnit));
  }
  const drafts = draftTree(random, mask, points, inverse(frame), 1 / metersPerUnit, options);
  const { skeleton, nodes } = skeletonOf(drafts, randomOrder(random, drafts));
  const referenceLocal = skeleton.rest as Float64Array;
  const world = worldPose(skeleton.parents, referenceLocal);
  const rotations = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    rotations.set(mask[bone] === 1 ? product(frame, world.rotations[nodes[bone]]) : IDENTITY, 4 * bone);
  }
  const shape = options.restIsReference ? referenceLocal : otherRest(random, referenceLocal, nodes);
  const rest = options.twisted ? twistedRest(random, shape, skeleton, nodes) : shape;
  const humanoid: Humanoid = {
    skeleton: { ...skeleton, rest },
    map: { nodes, confidence: Float32Array.from(mask), from: 'given' },
    basePose: options.twisted ? shape : null,
    reference: {
      kind: 'given',
      from: 'truth',
      rotations,
      positions,
      deviationDegrees: {},
      startDeviationDegrees: {},
    },
    frame: Float64Array.from(frame),
    metersPerUnit,
    ground,
    hipsHeight: pelvisPosition(nodes, positions)[1] - ground,
    height: highestBoneHeight(positions, nodes) - ground,
    issues: [],
  };
  return { humanoid, referenceLocal };
}
