/** Bodies of any proportions, rigged in any way: skeletons for the demo, the tests and the benches, with the truth about them. */
import { BONE_COUNT } from '../../core/humanoid/bones.ts';
import { DEGREE } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { type Axes, jointAxes } from './axes.ts';
import { modelMatrices, ORIGIN, poseCharacter } from './character-pose.ts';
import { type Figure, makeFigure } from '../figure/figure.ts';
import { NAMINGS, type NamingName } from './naming.ts';
import type { Pose } from '../figure/pose.ts';
import { makePosture, type Posture } from '../figure/posture.ts';
import { ADULT, type Proportions } from '../figure/proportions.ts';
import { type ExtraJoints, type OptionalBones, type RigJoint, rigJoints } from './rig.ts';

/** A node above the hips. It does not move the body: the hips' own transform takes it back, as exporters do. */
export interface ArmatureNode {
  readonly name: string;
  readonly translation?: readonly [number, number, number];
  /** xyzw */
  readonly rotation?: readonly [number, number, number, number];
  readonly scale?: number;
  /** Whether the skin has it as a joint. */
  readonly joint?: boolean;
}

/** A pose by angles, or made for the figure. */
export type PoseChoice = Posture | ((figure: Figure) => Pose);

/** All that may differ between two rigs. */
export interface CharacterOptions {
  readonly name?: string;
  readonly proportions?: Proportions;
  readonly without?: readonly OptionalBones[];
  readonly extras?: readonly ExtraJoints[];
  readonly naming?: NamingName;
  readonly axes?: Axes;
  /** Default: the T-pose. */
  readonly bindPose?: PoseChoice;
  /** Pose of the nodes in the file. Default: the bind pose. */
  readonly restPose?: PoseChoice;
  /** Whether a skin binds it; without, the skeleton has no bind pose and the axes follow `bindPose` all the same. */
  readonly skin?: boolean;
  /** Meters of one unit of the file's world: 1, or 0.01 for centimeters. */
  readonly metersPerUnit?: number;
  readonly armature?: readonly ArmatureNode[];
  /** Degrees about the up axis from +Z (from −Y where +Z is up) towards the left: 180 faces −Z. */
  readonly facing?: number;
  readonly up?: '+Y' | '+Z';
}

/** What a reader of the file should find out. Canonical frame, meters. */
export interface Truth {
  /** World rotation per bone in the T-pose, xyzw; identity where the bone is absent. */
  readonly rotations: Float64Array;
  /** Position per bone in the T-pose, xyz; zero where the bone is absent. */
  readonly positions: Float64Array;
  /** F: turns directions of the file's axes into the canonical frame. */
  readonly frame: Float64Array;
  readonly metersPerUnit: number;
  readonly hipsHeight: number;
  /** Height of the highest joint. */
  readonly height: number;
}

/** A node's place in the world of the file. */
export interface NodeTransform {
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly scale: number;
}

/** A rigged body. Nodes are those of the skeleton. */
export interface DemoCharacter {
  readonly name: string;
  readonly figure: Figure;
  readonly skeleton: Skeleton;
  /** Node of every bone, −1 where it is absent. */
  readonly bones: Int32Array;
  /** Bone that moves each node: its own, else that of its parent; −1 above the hips. */
  readonly motionBones: Int32Array;
  /** For a joint that stands between two bones of the trunk: the lower one; else −1. */
  readonly blendBones: Int32Array;
  /** T-pose of every node below the armature, canonical frame, meters: positions xyz. */
  readonly joints: Float64Array;
  /** The same: world rotations xyzw. */
  readonly axes: Float64Array;
  /** The nodes above the hips, from the root on. */
  readonly armature: readonly NodeTransform[];
  readonly bindPose: Pose;
  readonly restPose: Pose;
  readonly truth: Truth;
}

const QUARTER = Float64Array.of(Math.SQRT1_2, 0, 0, Math.SQRT1_2);

function choosePose(figure: Figure, choice: PoseChoice): Pose {
  return typeof choice === 'function' ? choice(figure) : makePosture(figure, choice);
}

function fileAxes(facing: number, up: '+Y' | '+Z'): Float64Array {
  const out = Float64Array.of(0, Math.sin((facing * DEGREE) / 2), 0, Math.cos((facing * DEGREE) / 2));
  if (up === '+Z') quat.multiply(out, 0, QUARTER, 0, out, 0);
  return out;
}

/** Where the nodes of an armature are, and their local transforms, which no pose changes. */
function placeArmature(armature: readonly ArmatureNode[]): { places: NodeTransform[]; locals: number[] } {
  const locals: number[] = [];
  const places: NodeTransform[] = [];
  let parent = ORIGIN;
  for (const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } of armature) {
    locals.push(...translation, ...rotation, scale, scale, scale);
    const place = { rotation: new Float64Array(4), position: new Float64Array(3), scale: parent.scale * scale };
    quat.multiply(place.rotation, 0, parent.rotation, 0, rotation, 0);
    vec3.scale(place.position, 0, translation, 0, parent.scale);
    vec3.rotate(place.position, 0, parent.rotation, 0, place.position, 0);
    vec3.add(place.position, 0, place.position, 0, parent.position, 0);
    places.push(place);
    parent = place;
  }
  return { places, locals };
}

/** A body, made up from the options alone: the same options give the same numbers. */
export function makeCharacter(options: CharacterOptions = {}): DemoCharacter {
  const { proportions = ADULT, without = [], extras = [], naming = 'vrm', axes = 'world', skin = true } = options;
  const { armature = [], metersPerUnit = 1, facing = 0, up = '+Y', bindPose = {}, restPose = bindPose } = options;
  const figure = makeFigure(proportions);
  const rig = rigJoints(figure, without, extras, NAMINGS[naming]);
  const above = armature.length;
  const { places, locals } = placeArmature(armature);
  const toFile = fileAxes(facing, up);
  const bind = choosePose(figure, bindPose);
  const bones = new Int32Array(BONE_COUNT).fill(-1);
  const joints = new Float64Array((above + rig.length) * 3);
  const bindDeltas = new Float64Array(rig.length * 4);
  for (const [k, { bone, motionBone, position }] of rig.entries()) {
    if (bone >= 0) bones[bone] = above + k;
    joints.set(position, (above + k) * 3);
    quat.copy(bindDeltas, k * 4, bind.deltas, motionBone * 4);
  }
  const rigAxes = jointAxes(axes, {
    joints: joints.subarray(above * 3),
    tails: Float64Array.from(rig.flatMap(({ tail }) => [...tail])),
    rightSide: rig.map(({ position }) => position[0] < 0),
    bindDeltas,
    toFile,
    base: (places.at(-1) ?? ORIGIN).rotation,
  });
  const nodeAxes = new Float64Array((above + rig.length) * 4);
  nodeAxes.set(rigAxes, above * 4);
  const parts = {
    name: options.name ?? naming,
    figure,
    bones,
    drivers: Int32Array.from([...armature.map(() => -1), ...rig.map(({ motionBone }) => motionBone)]),
    followers: Int32Array.from([...armature.map(() => -1), ...rig.map(({ blendBone }) => blendBone)]),
    skeleton: {
      parents: Int32Array.from([
        ...armature.map((_, k) => k - 1),
        ...rig.map(({ parent }) => (parent < 0 ? above - 1 : above + parent)),
      ]),
    },
    joints,
    axes: nodeAxes,
    armature: places,
    bindPose: bind,
    restPose: choosePose(figure, restPose),
    truth: truthOf(figure, rig, rigAxes, toFile, metersPerUnit),
  };
  const rest = new Float64Array((above + rig.length) * POSE_STRIDE);
  rest.set(locals);
  poseCharacter(rest, parts, parts.restPose);
  return {
    ...parts,
    skeleton: {
      name: armature[0]?.name ?? rig[0].name,
      names: [...armature.map(({ name }) => name), ...rig.map(({ name }) => name)],
      parents: parts.skeleton.parents,
      rest,
      bind: skin ? modelMatrices(parts, bind) : null,
      joints: Uint8Array.from([
        ...armature.map(({ joint }) => (skin && joint === true ? 1 : 0)),
        ...rig.map(() => (skin ? 1 : 0)),
      ]),
    },
  };
}

function truthOf(
  figure: Figure,
  rig: readonly RigJoint[],
  axes: Float64Array,
  toFile: Float64Array,
  metersPerUnit: number,
): Truth {
  const rotations = new Float64Array(BONE_COUNT * 4);
  const positions = new Float64Array(BONE_COUNT * 3);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.identity(rotations, bone * 4);
  for (const [k, { bone, position }] of rig.entries()) {
    if (bone < 0) continue;
    quat.copy(rotations, bone * 4, axes, k * 4);
    positions.set(position, bone * 3);
  }
  const frame = new Float64Array(4);
  quat.conjugate(frame, 0, toFile, 0);
  const height = Math.max(...rig.map(({ position }) => position[1]));
  return { rotations, positions, frame, metersPerUnit, hipsHeight: figure.hipsHeight, height };
}
