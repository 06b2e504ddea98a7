/** Generates characters of any proportions with any rig, for the demo, the tests and the benchmarks. */
import { BONE_COUNT } from '../../core/humanoid/bones.ts';
import { DEGREE } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type Figure, makeFigure } from '../figure/figure.ts';
import type { Pose } from '../figure/pose.ts';
import { makePosture } from '../figure/posture.ts';
import { ADULT } from '../figure/proportions.ts';
import { jointAxes } from './axes.ts';
import type { ArmatureNode, CharacterOptions, DemoCharacter, NodeTransform, PoseChoice } from './character.ts';
import { characterMatrices, ORIGIN, poseCharacter } from './character-pose.ts';
import { NAMINGS } from './naming.ts';
import { rigJoints } from './rig.ts';

const QUARTER = Float64Array.of(Math.SQRT1_2, 0, 0, Math.SQRT1_2);

function choosePose(figure: Figure, choice: PoseChoice): Pose {
  return typeof choice === 'function' ? choice(figure) : makePosture(figure, choice);
}

/** Rotation from the canonical frame into the axes of the file, xyzw; `facing` in degrees. */
function fileAxes(facing: number, up: '+Y' | '+Z'): Float64Array {
  const out = Float64Array.of(0, Math.sin((facing * DEGREE) / 2), 0, Math.cos((facing * DEGREE) / 2));
  if (up === '+Z') quat.multiply(out, 0, QUARTER, 0, out, 0);
  return out;
}

/** Computes world and local transforms of the armature nodes; no pose changes them. */
function armatureTransforms(armature: readonly ArmatureNode[]): { transforms: NodeTransform[]; locals: number[] } {
  const locals: number[] = [];
  const transforms: NodeTransform[] = [];
  let parent = ORIGIN;
  for (const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 } of armature) {
    locals.push(...translation, ...rotation, scale, scale, scale);
    const transform = { rotation: new Float64Array(4), position: new Float64Array(3), scale: parent.scale * scale };
    quat.multiply(transform.rotation, 0, parent.rotation, 0, rotation, 0);
    vec3.scale(transform.position, 0, translation, 0, parent.scale);
    vec3.rotate(transform.position, 0, parent.rotation, 0, transform.position, 0);
    vec3.add(transform.position, 0, transform.position, 0, parent.position, 0);
    transforms.push(transform);
    parent = transform;
  }
  return { transforms, locals };
}

/** Generates a character. The same options give the same numbers on every machine. */
export function makeCharacter(options: CharacterOptions = {}): DemoCharacter {
  const { proportions = ADULT, without = [], extras = [], naming = 'vrm', axes = 'world', skin = true } = options;
  const { armature = [], metersPerUnit = 1, facing = 0, up = '+Y', bindPose = {}, restPose = bindPose } = options;
  const figure = makeFigure(proportions);
  const rig = rigJoints(figure, without, extras, NAMINGS[naming]);
  const above = armature.length;
  const { transforms, locals } = armatureTransforms(armature);
  const toFile = fileAxes(facing, up);
  const frame = quat.conjugated(toFile);
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
    base: (transforms.at(-1) ?? ORIGIN).rotation,
  });
  const nodeAxes = new Float64Array((above + rig.length) * 4);
  nodeAxes.set(rigAxes, above * 4);
  const parts = {
    name: options.name ?? naming,
    figure,
    bones,
    motionBones: Int32Array.from([...armature.map(() => -1), ...rig.map(({ motionBone }) => motionBone)]),
    blendBones: Int32Array.from([...armature.map(() => -1), ...rig.map(({ blendBone }) => blendBone)]),
    skeleton: {
      parents: Int32Array.from([
        ...armature.map((_, k) => k - 1),
        ...rig.map(({ parent }) => (parent < 0 ? above - 1 : above + parent)),
      ]),
    },
    joints,
    axes: nodeAxes,
    armature: transforms,
    bindPose: bind,
    restPose: choosePose(figure, restPose),
    frame,
    metersPerUnit,
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
      bind: skin ? characterMatrices(parts, bind) : null,
      joints: Uint8Array.from([
        ...armature.map(({ joint }) => (skin && joint === true ? 1 : 0)),
        ...rig.map(() => (skin ? 1 : 0)),
      ]),
    },
  };
}
