/** Keeps arms out of the trunk, the head and the thighs of a character. */
import type { Clip } from '../../animation/clip.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { FrameGrid } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter, type PosedCharacter, poseCharacter } from '../frames/posed-character.ts';
import { type ChangedChannel, detachedChannels, rewriteClip } from '../frames/rewrite-clip.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { createArmPose, movePoint, rotateArm, trunkBoneOf, UNKNOWNS } from './arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET, referenceBoneFrame, sampleBoneFrames } from './bone-frames.ts';
import { type Arm, findArms, findParts } from './limb-points.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';
import type { SelfCollisionReport } from './self-collision-report.ts';
import { solveArm } from './solve-arm.ts';

/** A rotation below this, radians, is rounding: the clip stays as it is. */
const UNCHANGED = 1e-7;

/** Rotation from which on an arm counts as moved, radians. */
const MOVED = Math.PI / 180;

const pose = createArmPose();
const part = createPartDepth();
const NO_ROTATION = new Float64Array(UNKNOWNS);

/** Writes how deep the points of an arm are in the parts of a character, relative to the radii: 0 outside; per point and part. */
function findRatios(
  out: Float64Array,
  o: number,
  arm: Arm,
  trunkBone: number,
  parts: ReturnType<typeof findParts>,
  bones: Float64Array,
  b: number,
): void {
  rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
  for (const [k, point] of arm.points.entries()) {
    for (let p = 0; p < parts.length; p++) {
      const at = o + k * parts.length + p;
      // A point that the character lacks is as deep as the one before it.
      if (point === null || parts[p].length === 0) {
        out[at] = k === 0 ? 0 : out[at - parts.length];
        continue;
      }
      movePoint(pose, point, bones, b);
      findPartDepth(part, parts[p], bones, b, point, pose.point, 0, pose.delta, 0, 0);
      out[at] = part.size > 0 ? Math.max(0, part.depth / part.size) : 0;
    }
  }
}

/** The depths that an arm of the target may have: those of the source, and those of its own T-pose, relative to the radii. */
function allowedDepths(
  arm: Arm,
  target: { character: PosedCharacter; surface: ContactSurface },
  source: { humanoid: Humanoid; surface: ContactSurface; bones: Float64Array },
): Float64Array {
  const count = source.bones.length / FRAME_STRIDE;
  const parts = findParts(target.surface);
  const size = arm.points.length * parts.length;
  const own = new Float64Array(size);
  const { map } = target.character.humanoid;
  findRatios(own, 0, arm, trunkBoneOf(map.nodes), parts, referenceBoneFrame(target.character), 0);
  const out = new Float64Array(size * count);
  // Radii that are estimated from joints do not tell how deep the source is.
  const armOfSource =
    source.surface.from === 'skin'
      ? findArms(source.humanoid, source.surface).find(({ side }) => side === arm.side)
      : undefined;
  const partsOfSource = findParts(source.surface);
  const trunkOfSource = trunkBoneOf(source.humanoid.map.nodes);
  for (let frame = 0; frame < count; frame++) {
    const o = size * frame;
    if (armOfSource !== undefined) {
      findRatios(out, o, armOfSource, trunkOfSource, partsOfSource, source.bones, FRAME_STRIDE * frame);
    }
    for (let k = 0; k < size; k++) out[o + k] = Math.max(out[o + k], own[k]);
  }
  return out;
}

const toModel = new Float64Array(4);
const upperChange = new Float64Array(4);
const lowerChange = new Float64Array(4);
const parent = new Float64Array(4);

/** Converts a rotation of the canonical frame to model space. */
function toModelRotation(out: Float64Array, rotation: Float64Array, frame: Float64Array): void {
  quat.conjugate(toModel, 0, frame, 0);
  quat.multiply(out, 0, toModel, 0, rotation, 0);
  quat.multiply(out, 0, out, 0, frame, 0);
}

/** Sets the local rotation of a node: `parent⁻¹ · change · rotation`. */
function setLocal(
  local: Float64Array,
  node: number,
  parentRotation: Float64Array,
  change: Float64Array,
  rotations: Float64Array,
): void {
  const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
  quat.conjugate(parentRotation, 0, parentRotation, 0);
  quat.multiply(local, at, change, 0, rotations, 4 * node);
  quat.multiply(local, at, parentRotation, 0, local, at);
  quat.normalize(local, at, local, at);
}

/** Rotates upper arm and forearm in a local pose; `character.rotations` are those before. Hands keep their local rotation. */
function applyArm(local: Float64Array, { humanoid, rotations }: PosedCharacter, { bones }: Arm): void {
  const { map, skeleton, frame } = humanoid;
  const [upper, lower] = [map.nodes[bones[0]], map.nodes[bones[1]]];
  toModelRotation(upperChange, pose.upper, frame);
  toModelRotation(lowerChange, pose.lower, frame);
  const above = (node: number): void => {
    if (skeleton.parents[node] < 0) quat.identity(parent, 0);
    else quat.copy(parent, 0, rotations, 4 * skeleton.parents[node]);
  };
  above(upper);
  setLocal(local, upper, parent, upperChange, rotations);
  above(lower);
  quat.multiply(parent, 0, upperChange, 0, parent, 0);
  setLocal(local, lower, parent, lowerChange, rotations);
}

/** Rotations of one arm in all frames. */
interface MovedArm {
  readonly arm: Arm;
  readonly unknowns: Float64Array;
}

function writeArms(
  { target, retarget }: ContactPlan,
  clip: Clip,
  grid: FrameGrid,
  character: PosedCharacter,
  bones: Float64Array,
  moved: readonly MovedArm[],
): Clip {
  const { map, skeleton } = target;
  const trunkBone = trunkBoneOf(map.nodes);
  const rotated = moved.flatMap(({ arm: { bones: all } }) => [map.nodes[all[0]], map.nodes[all[1]]]);
  const affected = [
    ...rotated.map((node): ChangedChannel => ({ node, path: 'rotation' })),
    ...detachedChannels(retarget),
  ];
  return rewriteClip(clip, skeleton.rest, grid, affected, (local, frame) => {
    character.local.set(local);
    poseCharacter(character);
    for (const { arm, unknowns } of moved) {
      rotateArm(pose, arm, trunkBone, bones, FRAME_STRIDE * frame, unknowns, UNKNOWNS * frame);
      applyArm(local, character, arm);
    }
    for (const joint of retarget.detachedJoints) retargetDetachedJoint(local, joint);
  });
}

/** Joints that are where they were, relative to the trunk, at the end of a loop. */
const LOOP_BONES = SIDES.flatMap((side) => [BONE[`${side}LowerArm`], BONE[`${side}Hand`], BONE[`${side}LowerLeg`]]);
/** Greatest difference between the two ends of a loop, relative to the height. */
const LOOP_TOLERANCE = 0.005;

/** Tells whether arms and thighs end where they began, relative to the trunk. */
function isArmLoop({ map, height }: Humanoid, trunkBone: number, bones: Float64Array): boolean {
  const last = bones.length - FRAME_STRIDE;
  if (last < 2 * FRAME_STRIDE) return false;
  const relative = new Float64Array(6);
  const inverse = new Float64Array(4);
  return LOOP_BONES.every((bone) => {
    if (map.nodes[bone] < 0) return true;
    for (const [k, b] of [0, last].entries()) {
      const trunk = b + BONE_STRIDE * trunkBone;
      const joint = b + BONE_STRIDE * bone + POSITION_OFFSET;
      quat.conjugate(inverse, 0, bones, trunk);
      vec3.subtract(relative, 3 * k, bones, joint, bones, trunk + POSITION_OFFSET);
      vec3.rotate(relative, 3 * k, inverse, 0, relative, 3 * k);
    }
    return vec3.distance(relative, 0, relative, 3) <= LOOP_TOLERANCE * height;
  });
}

/** Measures the changes of all arms. */
function reportChanges(
  moved: readonly MovedArm[],
  trunkBone: number,
  bones: Float64Array,
  step: number,
): SelfCollisionReport {
  const count = bones.length / FRAME_STRIDE;
  const wrist = new Float64Array(3);
  let [frames, largestChange] = [0, 0];
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    let isMoved = false;
    for (const { arm, unknowns } of moved) {
      const u = UNKNOWNS * frame;
      if (unknowns.subarray(u, u + UNKNOWNS).some((angle) => Math.abs(angle) > MOVED)) isMoved = true;
      const point = {
        bone: arm.bones[2],
        offset: new Float64Array(3),
        radii: null,
        along: 0,
        thickness: 0,
        thickest: 0,
        isUpper: false,
      };
      rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
      movePoint(pose, point, bones, b);
      vec3.copy(wrist, 0, pose.point, 0);
      rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
      movePoint(pose, point, bones, b);
      largestChange = Math.max(largestChange, vec3.distance(wrist, 0, pose.point, 0));
    }
    if (isMoved) frames++;
  }
  return { seconds: frames * step, largestChange };
}

/**
 * Keeps the arms of a character out of its trunk, head and thighs, as far as those of the source are out of its own, relative to the radii of both.
 * Shoulders and elbows rotate as little and as smoothly as possible; hands keep their rotation relative to the forearm.
 *
 * @param plan From `planContacts`.
 * @param sourceClip The clip of the source.
 * @param clip The clip of the target.
 * @returns The clip, the same object where nothing has to change, and a report; no report for a target without a mesh.
 */
export function avoidSelfCollision(
  plan: ContactPlan,
  sourceClip: Clip,
  clip: Clip,
): { readonly clip: Clip; readonly report: SelfCollisionReport | null } {
  const { source, target, sourceSurface, targetSurface } = plan;
  const arms = findArms(target, targetSurface);
  if (targetSurface.from !== 'skin' || arms.length === 0) return { clip, report: null };
  const character = createPosedCharacter(target, targetSurface);
  const grid = frameGridOf(sourceClip);
  const sourceBones = sampleBoneFrames(createPosedCharacter(source, sourceSurface), sourceClip, grid);
  const bones = sampleBoneFrames(character, clip, grid);
  const trunkBone = trunkBoneOf(target.map.nodes);
  const timing: Timing = { step: grid.step, loops: isArmLoop(target, trunkBone, bones) };
  const parts = findParts(targetSurface);
  const moved = arms.flatMap((arm): MovedArm[] => {
    const allowed = allowedDepths(
      arm,
      { character, surface: targetSurface },
      { humanoid: source, surface: sourceSurface, bones: sourceBones },
    );
    const unknowns = solveArm({ arm, trunkBone, parts, bones, allowed, timing });
    return unknowns.some((angle) => Math.abs(angle) > UNCHANGED) ? [{ arm, unknowns }] : [];
  });
  const report = reportChanges(moved, trunkBone, bones, grid.step);
  if (moved.length === 0) return { clip, report };
  return { clip: writeArms(plan, clip, grid, character, bones, moved), report };
}
