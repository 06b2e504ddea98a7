/** Applies contacts to a whole clip. */
import type { Clip, Track, TrackPath } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { applyLinear } from '../../retarget/transform-point.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { type BodyFrames, sampleBodyFrames } from '../frames/body-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedBody, type Leg } from '../frames/posed-body.ts';
import { softReach, solveLeg } from '../legs/solve-leg.ts';
import { findFootPlants } from '../plants/find-plants.ts';
import { SIDES, type Side } from '../surface/body-surface.ts';
import type { ContactPlan, ContactReport } from './contact-plan.ts';
import { findFootGoals } from './foot-goals.ts';
import { findHipsGoals } from './hips-goals.ts';
import { extensionAt, FREE_EXTENSION, neededDrop, smoothDrop } from './reach.ts';

/** A change of the feet and hips below this, relative to the leg, is rounding: the clip stays as it is. */
const UNCHANGED = 1e-7;

/** A clip with contacts, and what they changed. */
export interface ContactResult {
  /** The clip; the same object where nothing changed. */
  readonly clip: Clip;
  /** What changed. */
  readonly report: ContactReport;
}

/** The offsets of one foot from plain retargeting: xyz per frame, meters, with the hips already raised. */
interface FootOffsets {
  readonly leg: Leg;
  readonly offsets: Float64Array;
}

/** All changes of a clip. */
interface Changes {
  readonly raise: Float64Array;
  readonly feet: readonly FootOffsets[];
}

const joints = new Float64Array(9);
const hinge = new Float64Array(3);
const goal = new Float64Array(3);
const solved = new Float64Array(8);
const toModel = new Float64Array(4);
const turn = new Float64Array(4);
const world = new Float64Array(4);
const parentWorld = new Float64Array(4);
const moved = new Float64Array(3);

function copyAt(out: Float64Array, o: number, path: Float64Array, frame: number): void {
  vec3.copy(out, o, path, 3 * frame);
}

/** Finds all changes, from the frames of source and target. */
function findChanges(plan: ContactPlan, a: BodyFrames, b: BodyFrames): { changes: Changes; report: ContactReport } {
  const { mode, retarget, sourceSurface } = plan;
  const { count, step } = a.grid;
  const factor = retarget.hipsScale;
  const pairs = SIDES.flatMap((side) => {
    const [from, to] = [a.legs[side], b.legs[side]];
    return from === null || to === null ? [] : [{ side, from, to }];
  });
  const legLength = Math.max(0, ...pairs.map(({ from }) => from.leg.length)) || plan.source.hipsHeight;
  const canMove = retarget.hips !== null;
  const hips = canMove ? findHipsGoals(a, b, factor, legLength, mode) : null;
  const raise = hips?.raise ?? new Float64Array(count);
  const plants: Record<Side, number> = { left: 0, right: 0 };
  let reach = 0;
  const drops = new Float64Array(count);
  const feet = pairs.map(({ side, from, to }) => {
    const found = findFootPlants(from, sourceSurface.floor, step);
    plants[side] = Math.max(found.ball.length, found.heel.length);
    const { shift, grounded, touching } = findFootGoals(from, to, sourceSurface.floor, factor, found, mode, step);
    return { side, from, to, shift, grounded, touching };
  });
  /** Vertical offset of a foot beyond that of the hips. */
  const liftOf = ({ from, to, grounded, touching }: (typeof feet)[number], frame: number): number => {
    const clearance = to.clearance[frame] + raise[frame];
    if (mode === 'ground') return Math.max(0, -clearance);
    const bySole = factor * from.clearance[frame] - clearance;
    const byBall = factor * (from.ball[3 * frame + 1] - sourceSurface.floor - from.leg.ballHeight) - (to.ball[3 * frame + 1] + raise[frame] - plan.targetSurface.floor - to.leg.ballHeight);
    const wanted = grounded[frame] * (touching[frame] * bySole + (1 - touching[frame]) * byBall);
    return Math.max(wanted, Math.min(0, factor * from.clearance[frame]) - clearance);
  };
  for (const foot of feet) {
    const { from, to, shift, grounded } = foot;
    for (let frame = 0; frame < count; frame++) {
      if (!(grounded[frame] > 0)) continue;
      const lift = liftOf(foot, frame);
      copyAt(joints, 0, to.hip, frame);
      joints[1] += raise[frame];
      copyAt(goal, 0, to.ankle, frame);
      goal[0] += shift[2 * frame];
      goal[1] += raise[frame] + lift;
      goal[2] += shift[2 * frame + 1];
      const length =
        vec3.distance(to.hip, 3 * frame, to.knee, 3 * frame) + vec3.distance(to.knee, 3 * frame, to.ankle, 3 * frame);
      const allowed = Math.max(FREE_EXTENSION, Math.min(1, extensionAt(from, frame)));
      reach = Math.max(reach, vec3.distance(goal, 0, joints, 0) / length);
      const body = hips?.contact[frame] ?? 0;
      const drop = grounded[frame] * (1 - body) * neededDrop(joints, goal, allowed * length);
      drops[frame] = Math.max(drops[frame], drop);
    }
  }
  if (canMove && mode !== 'ground' && drops.some((drop) => drop > UNCHANGED * legLength)) {
    const smooth = smoothDrop(drops, legLength * factor, step);
    for (let frame = 0; frame < count; frame++) raise[frame] -= smooth[frame];
  }
  let largestChange = 0;
  const results = feet.map((foot): FootOffsets => {
    const { from, to, shift } = foot;
    const offsets = new Float64Array(3 * count);
    for (let frame = 0; frame < count; frame++) {
      copyAt(joints, 0, to.hip, frame);
      joints[1] += raise[frame];
      copyAt(goal, 0, to.ankle, frame);
      goal[0] += shift[2 * frame];
      goal[1] += raise[frame] + liftOf(foot, frame);
      goal[2] += shift[2 * frame + 1];
      const length =
        vec3.distance(to.hip, 3 * frame, to.knee, 3 * frame) + vec3.distance(to.knee, 3 * frame, to.ankle, 3 * frame);
      const start = Math.max(FREE_EXTENSION, extensionAt(from, frame), extensionAt(to, frame));
      const extension = vec3.distance(goal, 0, joints, 0) / length;
      if (extension > start) {
        const factorOfReach = (start < 1 ? softReach(extension, start) : 1) / extension;
        for (let c = 0; c < 3; c++) goal[c] = joints[c] + (goal[c] - joints[c]) * factorOfReach;
      }
      vec3.subtract(offsets, 3 * frame, goal, 0, to.ankle, 3 * frame);
      offsets[3 * frame + 1] -= raise[frame];
      largestChange = Math.max(
        largestChange,
        Math.hypot(offsets[3 * frame], offsets[3 * frame + 1] + raise[frame], offsets[3 * frame + 2]),
      );
    }
    return { leg: to.leg, offsets };
  });
  const report: ContactReport = {
    mode,
    plants,
    bodySeconds: hips === null ? 0 : hips.contact.filter((weight) => weight > 0.5).length * step,
    reach,
    largestChange,
    hipsRaised: Math.max(0, ...raise),
    hipsLowered: Math.max(0, ...raise.map((value) => -value)),
  };
  return { changes: { raise, feet: results }, report };
}

/** Multiplies the local rotations of a node and its ancestors: its model rotation. */
function modelRotation(out: Float64Array, parents: Int32Array, local: Float64Array, node: number): void {
  quat.identity(out, 0);
  for (let at = node; at >= 0; at = parents[at]) {
    quat.multiply(out, 0, local, POSE_STRIDE * at + PATH_OFFSET.rotation, out, 0);
  }
  quat.normalize(out, 0, out, 0);
}

/** Writes the local rotation with which a node has the model rotation in `world`. */
function setModelRotation(parents: Int32Array, local: Float64Array, node: number): void {
  modelRotation(parentWorld, parents, local, parents[node]);
  quat.conjugate(parentWorld, 0, parentWorld, 0);
  const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
  quat.multiply(local, at, parentWorld, 0, world, 0);
  quat.normalize(local, at, local, at);
}

/** A channel that contacts write. */
interface Channel {
  readonly node: number;
  readonly path: TrackPath;
  readonly values: Float64Array;
  isChanged: boolean;
}

/** Samples the clip again, changes every frame, and returns the clip with new tracks for hips and legs. */
function rewriteClip(plan: ContactPlan, clip: Clip, frames: BodyFrames, { raise, feet }: Changes): Clip {
  const { retarget, target } = plan;
  const { parents } = target.skeleton;
  const { count, step } = frames.grid;
  const channels: Channel[] = [];
  const addChannel = (node: number, path: TrackPath): void => {
    if (channels.some((one) => one.node === node && one.path === path)) return;
    channels.push({ node, path, values: new Float64Array((path === 'rotation' ? 4 : 3) * count), isChanged: false });
  };
  for (const { leg } of feet) for (const node of [leg.thigh, leg.shin, leg.foot]) addChannel(node, 'rotation');
  const { hips } = retarget;
  if (hips !== null) addChannel(hips.targetNode, 'translation');
  for (const { targetNode, rotation } of retarget.detachedJoints) {
    addChannel(targetNode, 'translation');
    if (rotation !== null) addChannel(targetNode, 'rotation');
  }
  const local = new Float64Array(target.skeleton.rest.length);
  local.set(target.skeleton.rest);
  const before = new Float64Array(local.length);
  const cursors = new Int32Array(clip.tracks.length);
  quat.conjugate(toModel, 0, target.frame, 0);
  const footWorld = new Float64Array(4);
  for (let frame = 0; frame < count; frame++) {
    local.set(target.skeleton.rest);
    sampleClip(clip, frame * step, local, cursors);
    before.set(local);
    for (const { leg, offsets } of feet) {
      const legFrames = frames.legs[leg.side];
      if (legFrames === null) continue;
      if (vec3.length(offsets, 3 * frame) <= 1e-12 * leg.length) continue;
      copyAt(joints, 0, legFrames.hip, frame);
      copyAt(joints, 3, legFrames.knee, frame);
      copyAt(joints, 6, legFrames.ankle, frame);
      copyAt(hinge, 0, legFrames.hinge, frame);
      vec3.add(goal, 0, joints, 6, offsets, 3 * frame);
      solveLeg(solved, joints, goal, hinge);
      modelRotation(footWorld, parents, local, leg.foot);
      const nodes = [leg.thigh, leg.shin];
      const worlds = nodes.map((node, k) => {
        const rotated = new Float64Array(4);
        modelRotation(rotated, parents, local, node);
        quat.multiply(turn, 0, toModel, 0, solved, 4 * k);
        quat.multiply(turn, 0, turn, 0, target.frame, 0);
        quat.multiply(rotated, 0, turn, 0, rotated, 0);
        return rotated;
      });
      for (const [k, node] of nodes.entries()) {
        world.set(worlds[k]);
        setModelRotation(parents, local, node);
      }
      world.set(footWorld);
      setModelRotation(parents, local, leg.foot);
    }
    if (hips !== null && raise[frame] !== 0) {
      vec3.set(moved, 0, 0, raise[frame], 0);
      applyLinear(moved, 0, hips.targetLinear, moved, 0);
      vec3.add(local, POSE_STRIDE * hips.targetNode, local, POSE_STRIDE * hips.targetNode, moved, 0);
    }
    for (const joint of retarget.detachedJoints) retargetDetachedJoint(local, joint);
    for (const channel of channels) {
      const { node, path, values } = channel;
      const at = POSE_STRIDE * node + PATH_OFFSET[path];
      const width = path === 'rotation' ? 4 : 3;
      const sign = width === 4 && frame > 0 && quat.dot(local, at, values, 4 * (frame - 1)) < 0 ? -1 : 1;
      for (let c = 0; c < width; c++) {
        values[width * frame + c] = sign * local[at + c];
        if (Math.abs(local[at + c] - before[at + c]) > 1e-12) channel.isChanged = true;
      }
    }
  }
  const times = Float64Array.from({ length: count }, (_, frame) => frame * step);
  const written = channels.filter(({ isChanged }) => isChanged);
  const kept = clip.tracks.filter(
    ({ target: node, path }) => !written.some((channel) => channel.node === node && channel.path === path),
  );
  const tracks = written.map(
    ({ node, path, values }): Track => ({ target: node, path, interpolation: 'LINEAR', times, values }),
  );
  return { ...clip, tracks: [...kept, ...tracks] };
}

/**
 * Makes a retargeted clip touch the ground as its source does: feet, and the body where it sits, kneels or lies.
 *
 * @param plan From `planContacts`.
 * @param sourceClip The clip of the source.
 * @param targetClip The same clip after `retargetClip`.
 * @returns The clip with new keys for hips and legs, and a report. Where nothing has to change, the clip itself.
 */
export function applyContacts(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
  const grid = frameGridOf(sourceClip);
  const a = sampleBodyFrames(createPosedBody(plan.source, plan.sourceSurface), sourceClip, grid);
  const b = sampleBodyFrames(createPosedBody(plan.target, plan.targetSurface), targetClip, grid);
  const { changes, report } = findChanges(plan, a, b);
  const scale = UNCHANGED * plan.target.height;
  if (!(Math.max(report.largestChange, report.hipsRaised, report.hipsLowered) > scale))
    return { clip: targetClip, report };
  return { clip: rewriteClip(plan, targetClip, b, changes), report };
}
