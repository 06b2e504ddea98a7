/** Makes a motion from joint positions: a skeleton with constant bone lengths, and a clip of rotations. */
import type { Clip, Track } from '../animation/clip.ts';
import { BONE, BONE_COUNT, BONES } from '../humanoid/bones.ts';
import type { DeclaredHumanoid } from '../humanoid/humanoid.ts';
import type { Floats } from '../math/floats.ts';
import { medianOf } from '../math/median.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { type Issue, issue } from '../report/issue.ts';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { fillGaps } from './fill-gaps.ts';
import { fitRest, restHipsHeight } from './fit-rest.ts';
import { JOINT_SETS, type JointSet, parentsOf } from './joint-sets.ts';
import { findPointRoles, missingRoles } from './name-roles.ts';
import { BODY_SIDES, bodyParent, createPointBody, type PointBody } from './point-body.ts';
import { ROLE_COUNT } from './roles.ts';
import { type HingeFrames, smoothHinges } from './smooth-hinges.ts';
import {
  completePoints,
  HINGE_STRIDE,
  HINGES,
  hingeBone,
  hingeChild,
  hingeParent,
  measureHinges,
  predictHinge,
  solveLimbs,
  solveTrunk,
} from './solve-frame.ts';

/** Positions of the joints or markers of one person. */
export interface PointMotion {
  /** Name of the clip. */
  readonly name?: string;
  /** The joints: a known list, or their names in the order of the positions. */
  readonly joints: JointSet | readonly string[];
  /** Parent of each joint, −1 for a root, parents before children; omitted where unknown. Rigs with unusual names need it. */
  readonly parents?: ArrayLike<number>;
  /** Frames × joints × 3: meters, +Y up, right-handed. NaN where a joint is missing. */
  readonly positions: Floats;
  /** Frames × joints: confidence 0…1; a joint below the option `minConfidence` is missing. */
  readonly confidences?: Floats;
  /** Frames per second. */
  readonly frameRate: number;
}

/** How positions become a motion. */
export interface PointOptions {
  /** Confidence below which a position is not used; 0.3 by default. */
  readonly minConfidence?: number;
}

/** Skeleton and clips that were made from positions. */
export interface SolvedMotion {
  /** A T-pose in the canonical frame (facing +Z, +Y up), meters, feet on y = 0: a node per bone, named like it, with the axes of the world. */
  readonly skeleton: Skeleton;
  /** Which node is which bone. */
  readonly declared: DeclaredHumanoid;
  /** A clip per motion: rotations of all bones and the translation of the hips, with a key per frame. */
  readonly clips: readonly Clip[];
  /** What was bridged, lifted or guessed. */
  readonly issues: readonly Issue[];
}

/** Confidence below which a position is not used, without the option. */
export const MIN_CONFIDENCE = 0.3;
/** Most frames of one motion: 70 minutes at 60 per second. */
const MAX_FRAMES = 250_000;
/** Most joints of a person: dense marker sets and whole bodies with hands and face have fewer. */
const MAX_JOINTS = 1024;
const FIT_FRAMES = 600;
/** Hips that move less than this between all frames, and are nearer to the origin than a third of the legs, are the origin, meters. */
const CENTERED = 1e-3;
/** Coordinates beyond this are damaged, meters: a planet is smaller. */
export const MAX_COORDINATE = 1e7;

/** The positions of a person that play a role, without gaps. */
interface UsedPoints {
  readonly name: string;
  readonly roles: Int16Array;
  readonly positions: Float64Array;
  readonly frames: number;
  readonly step: number;
}

function namesOf({ joints }: PointMotion): readonly string[] {
  return typeof joints === 'string' ? JOINT_SETS[joints] : joints;
}

function checkMotion(motion: PointMotion): void {
  const { positions, confidences, parents, frameRate } = motion;
  const names = namesOf(motion);
  if (names === undefined)
    throw new RangeError(
      `The joint list is ${JSON.stringify(motion.joints)}; expected names, or one of ${Object.keys(JOINT_SETS).join(', ')}.`,
    );
  const count = names.length;
  if (!(count > 0 && count <= MAX_JOINTS))
    throw new RangeError(`The motion has ${count} joints; expected 1 to ${MAX_JOINTS}.`);
  if (!(frameRate > 0 && frameRate <= 10_000))
    throw new RangeError(`The frame rate is ${frameRate}; expected a number above 0, up to 10000.`);
  const frames = positions.length / (3 * count);
  if (!(Number.isInteger(frames) && frames > 0 && frames <= MAX_FRAMES)) {
    const expected = `1 to ${MAX_FRAMES} frames of ${count} joints with 3 numbers`;
    throw new RangeError(`There are ${positions.length} coordinates; expected ${expected}.`);
  }
  if (confidences !== undefined && confidences.length !== frames * count)
    throw new RangeError(
      `There are ${confidences.length} confidences; expected ${frames * count}, one per joint and frame.`,
    );
  if (parents === undefined) return;
  let isOrdered = parents.length === count;
  for (let joint = 0; joint < count; joint++) isOrdered &&= parents[joint] < joint && parents[joint] >= -1;
  if (!isOrdered)
    throw new RangeError(`The parents are not an index below the joint, or −1, for each of ${count} joints.`);
}

/** Copies the positions whose joints play a role; missing ones become NaN. */
function usePoints(
  motion: PointMotion,
  roles: Int16Array,
  minConfidence: number,
  wanted: readonly number[],
): UsedPoints {
  const { positions, confidences, frameRate, name = '' } = motion;
  const joints = roles.length;
  const frames = positions.length / (3 * joints);
  const used = new Float64Array(frames * wanted.length * 3).fill(Number.NaN);
  for (let frame = 0; frame < frames; frame++) {
    for (const [k, joint] of wanted.entries()) {
      const at = 3 * (frame * joints + joint);
      const isSure = confidences === undefined || confidences[frame * joints + joint] >= minConfidence;
      let isUsable = true;
      for (let c = 0; c < 3; c++) isUsable &&= Math.abs(positions[at + c]) < MAX_COORDINATE;
      if (!isSure || !isUsable) continue;
      for (let c = 0; c < 3; c++) used[3 * (frame * wanted.length + k) + c] = positions[at + c];
    }
  }
  return {
    name,
    roles: Int16Array.from(wanted, (joint) => roles[joint]),
    positions: used,
    frames,
    step: 1 / frameRate,
  };
}

/** A frame in which most joints have a position, for maps that need a pose. */
function fullestPose({ positions }: PointMotion, joints: number): ArrayLike<number> {
  const frames = positions.length / (3 * joints);
  const stride = Math.max(1, Math.floor(frames / 200));
  let best = 0;
  let bestCount = -1;
  for (let frame = 0; frame < frames && bestCount < joints; frame += stride) {
    let count = 0;
    for (let joint = 0; joint < joints; joint++)
      count += Number.isFinite(positions[3 * (frame * joints + joint)]) ? 1 : 0;
    if (count <= bestCount) continue;
    best = frame;
    bestCount = count;
  }
  return positions.subarray(3 * joints * best, 3 * joints * (best + 1));
}

/** Distances between two points, in frames that are spread evenly. */
function lengthsOf(positions: Float64Array, count: number, from: number, to: number): number[] {
  const frames = positions.length / (3 * count);
  const stride = Math.max(1, Math.floor(frames / 3000));
  const lengths: number[] = [];
  for (let frame = 0; frame < frames; frame += stride)
    lengths.push(vec3.distance(positions, 3 * (frame * count + from), positions, 3 * (frame * count + to)));
  return lengths;
}

function medianLength(positions: Float64Array, count: number, from: number, to: number): number {
  return medianOf(lengthsOf(positions, count, from, to));
}

/** Error of the place of a joint, meters: bones have constant lengths, so the spread of the measured ones is that of two joints. */
export function placeError(positions: Float64Array, count: number, from: number, to: number): number {
  const lengths = lengthsOf(positions, count, from, to);
  const median = medianOf(lengths);
  // 1.4826: the standard deviation of a normal distribution from its median deviation.
  return (1.4826 * medianOf(lengths.map((length) => Math.abs(length - median)))) / Math.SQRT2;
}

/** Lengths between joints that show a direction, relative to the error of their places: 10° at 6 times. */
const LEAST_LEVER = 6;
/** Shorter lengths between joints show no direction, meters: rigs put joints at the same place. */
const SHORTEST_LEVER = 0.01;

/** Joints of the trunk that are too near to the next one to show a direction: without them, the direction comes from joints further apart. */
function findWeakRoles(people: readonly UsedPoints[]): Set<number> {
  const [{ roles }] = people;
  const at = (role: number): number => roles.indexOf(role);
  const measure = (from: number, to: number, of: typeof placeError): number =>
    medianOf(people.map(({ positions }) => of(positions, roles.length, at(from), at(to))));
  const limbs = BODY_SIDES.flatMap(({ upperArm, lowerArm, upperLeg, lowerLeg, foot }) => [
    [upperArm, lowerArm],
    [upperLeg, lowerLeg],
    [lowerLeg, foot],
  ]).filter(([from, to]) => at(from) >= 0 && at(to) >= 0);
  const error = limbs.length === 0 ? 0 : medianOf(limbs.map(([from, to]) => measure(from, to, placeError)));
  const isShort = (from: number, to: number): boolean =>
    at(from) >= 0 && at(to) >= 0 && measure(from, to, medianLength) < Math.max(SHORTEST_LEVER, LEAST_LEVER * error);
  const weak = new Set<number>();
  let below: number = BONE.hips;
  for (const role of [BONE.spine, BONE.chest, BONE.upperChest]) {
    if (at(role) < 0) continue;
    if (isShort(below, role)) weak.add(role);
    else below = role;
  }
  if (below !== BONE.hips && isShort(below, BONE.neck)) weak.add(below);
  const [left, right] = BODY_SIDES;
  if (isShort(left.shoulder, right.shoulder)) weak.add(left.shoulder).add(right.shoulder);
  return weak;
}

function frameReader(body: PointBody, used: UsedPoints): (frame: number, out: Float64Array) => void {
  const { roles, positions } = used;
  return (frame, out) => {
    for (let k = 0; k < roles.length; k++) vec3.copy(out, 3 * roles[k], positions, 3 * (frame * roles.length + k));
    completePoints(body, out);
  };
}

/** The skeleton of a fitted body: nodes in the order of the bones. */
function createSkeleton(body: PointBody, hipsHeight: number): { skeleton: Skeleton; nodes: Int32Array } {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const list = Array.from({ length: BONE_COUNT }, (_, bone) => bone).filter((bone) => body.bones[bone] === 1);
  const rest = new Float64Array(POSE_STRIDE * list.length);
  const parents = new Int32Array(list.length);
  for (const [node, bone] of list.entries()) {
    nodes[bone] = node;
    const above = bodyParent(body, bone);
    parents[node] = above < 0 ? -1 : nodes[above];
    const at = POSE_STRIDE * node;
    rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], at);
    if (above < 0) rest[at + 1] = hipsHeight;
    else vec3.subtract(rest, at, body.rest, 3 * bone, body.rest, 3 * above);
  }
  const names = list.map((bone) => BONES[bone]);
  const joints = new Uint8Array(list.length).fill(1);
  return { skeleton: { name: 'points', names, parents, rest, bind: null, joints }, nodes };
}

function findHinges(body: PointBody, used: UsedPoints): Float64Array {
  const { frames, step, roles, positions } = used;
  const read = frameReader(body, used);
  const stride = HINGES * HINGE_STRIDE;
  const hinges = new Float64Array(stride * frames);
  const points = new Float64Array(3 * ROLE_COUNT);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const axis = new Float64Array(3);
  const parts = Array.from({ length: HINGES }, (_, limb) => ({
    limb,
    carriers: new Float64Array(4 * frames),
    directions: new Float64Array(3 * frames),
    predicted: new Float64Array(3 * frames),
  }));
  for (let frame = 0; frame < frames; frame++) {
    read(frame, points);
    solveTrunk(body, points, rotations);
    measureHinges(body, points, hinges, stride * frame);
    for (const { limb, carriers, directions, predicted } of parts) {
      quat.copy(carriers, 4 * frame, rotations, 4 * hingeParent(body, limb));
      vec3.subtract(directions, 3 * frame, points, 3 * hingeChild(limb), points, 3 * hingeBone(limb));
      vec3.normalize(directions, 3 * frame, directions, 3 * frame);
      predictHinge(body, limb, points, rotations, axis);
      vec3.copy(predicted, 3 * frame, axis, 0);
    }
  }
  for (const part of parts) {
    const [upper, lower] = [hingeBone(part.limb), hingeChild(part.limb)];
    if (body.has[lower] === 0) continue;
    const length = vec3.distance(body.rest, 3 * upper, body.rest, 3 * lower);
    const noise = placeError(positions, roles.length, roles.indexOf(upper), roles.indexOf(lower));
    const data: HingeFrames = { ...part, step, hinges, noise, length };
    smoothHinges(data);
  }
  return hinges;
}

/** Solves all frames of one person. */
function solveClip(body: PointBody, nodes: Int32Array, used: UsedPoints, lift: number | null): Clip {
  const { frames, step, name } = used;
  const read = frameReader(body, used);
  const hinges = findHinges(body, used);
  const points = new Float64Array(3 * ROLE_COUNT);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const times = Float64Array.from({ length: frames }, (_, frame) => frame * step);
  const hips = new Float64Array(3 * frames);
  const bones = Array.from({ length: BONE_COUNT }, (_, bone) => bone).filter((bone) => nodes[bone] >= 0);
  const values = bones.map(() => new Float64Array(4 * frames));
  const local = new Float64Array(4);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.identity(rotations, 4 * bone);
  for (let frame = 0; frame < frames; frame++) {
    read(frame, points);
    solveTrunk(body, points, rotations);
    solveLimbs(body, points, hinges, HINGES * HINGE_STRIDE * frame, rotations);
    for (const [k, bone] of bones.entries()) {
      const above = bodyParent(body, bone);
      if (above < 0) quat.copy(local, 0, rotations, 4 * bone);
      else {
        quat.conjugate(local, 0, rotations, 4 * above);
        quat.multiply(local, 0, local, 0, rotations, 4 * bone);
      }
      quat.normalize(local, 0, local, 0);
      const out = values[k];
      const isFlipped = frame > 0 && quat.dot(out, 4 * frame - 4, local, 0) < 0;
      for (let c = 0; c < 4; c++) out[4 * frame + c] = isFlipped ? -local[c] : local[c];
    }
    vec3.copy(hips, 3 * frame, points, 3 * BONE.hips);
    if (lift !== null) hips[3 * frame + 1] += heightAboveSoles(body, points, lift);
  }
  const tracks: Track[] = [
    { target: nodes[BONE.hips], path: 'translation', interpolation: 'LINEAR', times, values: hips },
  ];
  for (const [k, bone] of bones.entries())
    tracks.push({ target: nodes[bone], path: 'rotation', interpolation: 'LINEAR', times, values: values[k] });
  return { name, duration: times[frames - 1], tracks, keyTimes: times };
}

/** Height of the origin above the lowest point of the feet. `restHeight`: of the hips in the T-pose, for bodies without feet. */
export function heightAboveSoles(
  { has, rest, bones }: PointBody,
  points: ArrayLike<number>,
  restHeight: number,
): number {
  let lowest = Infinity;
  for (const side of BODY_SIDES) {
    for (const role of [side.heel, side.bigToe, side.smallToe, side.toeTip, side.toes, side.foot]) {
      if (has[role] === 0) continue;
      // A point is as high above the ground as it is in the T-pose.
      lowest = Math.min(lowest, points[3 * role + 1] - (rest[3 * role + 1] + restHeight));
    }
    if (bones[side.foot] === 0) lowest = Math.min(lowest, -restHeight);
  }
  return -lowest;
}

/** Tells whether the hips are the origin of all positions: detectors report a body around its hips. */
function isCentered(used: UsedPoints, body: PointBody): boolean {
  const read = frameReader(body, used);
  const points = new Float64Array(3 * ROLE_COUNT);
  const stride = Math.max(1, Math.floor(used.frames / 1000));
  const leg = vec3.distance(body.rest, 3 * BODY_SIDES[0].upperLeg, body.rest, 3 * BODY_SIDES[0].foot);
  const first = new Float64Array(3);
  for (let frame = 0; frame < used.frames; frame += stride) {
    read(frame, points);
    if (frame === 0) vec3.copy(first, 0, points, 0);
    if (vec3.distance(points, 0, first, 0) > CENTERED || vec3.length(points, 0) > leg / 3) return false;
  }
  return true;
}

function reportGaps(used: UsedPoints, names: readonly string[], wanted: readonly number[]): Issue[] {
  const { count, longest, point } = fillGaps(used.positions, used.roles);
  if (count === 0) return [];
  const share = (100 * count) / (used.frames * wanted.length);
  const amount = share < 0.1 ? `${count} positions` : `${share.toFixed(1)} % of the positions`;
  const message =
    `${amount} are missing and were bridged from their neighbors in time; the longest gap is ${(longest * used.step).toFixed(2)} s of ` +
    `${JSON.stringify(names[wanted[point]])}. Record it again where the bridged part matters.`;
  return [issue('POINTS_BRIDGED', message)];
}

export function declaredBones(nodes: Int32Array): DeclaredHumanoid {
  return { format: 'points', nodes, facing: '+Z' };
}

/** The body that was fitted to positions. */
interface FittedBody {
  readonly names: readonly string[];
  /** Joints that play a role. */
  readonly wanted: readonly number[];
  /** Role of each joint, −1 without. */
  readonly roles: Int16Array;
  /** The positions of each motion, without gaps. */
  readonly people: readonly UsedPoints[];
  readonly body: PointBody;
  readonly skeleton: Skeleton;
  /** Node of each bone, −1 without. */
  readonly nodes: Int32Array;
  /** Of the T-pose, meters. */
  readonly hipsHeight: number;
  /** The motions whose origin is the hips in every frame. */
  readonly centered: readonly UsedPoints[];
  readonly issues: readonly Issue[];
}

/** Fits one body to the positions of motions (see {@link motionsFromPoints}). */
export function fitBody(motions: readonly PointMotion[], options: PointOptions): FittedBody {
  const { minConfidence = MIN_CONFIDENCE } = options;
  if (motions.length === 0) throw new RangeError('There are no motions; expected one or more.');
  for (const motion of motions) checkMotion(motion);
  const [first] = motions;
  const names = namesOf(first);
  const known = typeof first.joints === 'string' ? parentsOf(first.joints) : null;
  const parents = first.parents === undefined ? known : Int32Array.from(first.parents);
  const found = findPointRoles(names, parents, fullestPose(first, names.length));
  for (const motion of motions)
    if (namesOf(motion).length !== names.length)
      throw new RangeError(
        `One motion has ${namesOf(motion).length} joints and another ${names.length}; expected the same.`,
      );
  // A joint without any position plays no role.
  const isSeen = (joint: number): boolean =>
    motions.every(({ positions, confidences }) => {
      for (let at = joint; 3 * at < positions.length; at += names.length) {
        if (confidences !== undefined && !(confidences[at] >= minConfidence)) continue;
        if ([0, 1, 2].every((c) => Math.abs(positions[3 * at + c]) < MAX_COORDINATE)) return true;
      }
      return false;
    });
  const wanted = Array.from(names.keys()).filter((joint) => found[joint] >= 0 && isSeen(joint));
  const missing = missingRoles(wanted.map((joint) => found[joint]));
  if (missing.length > 0) {
    const shown = names
      .slice(0, 8)
      .map((name) => JSON.stringify(name))
      .join(', ');
    throw new RangeError(
      `No position is that of ${missing.join(' and ')} (joints: ${shown}${names.length > 8 ? ' …' : ''}); ` +
        'expected at least both shoulders and both hip joints of a person. Name the joints, with parents if the names are unusual.',
    );
  }
  const issues: Issue[] = [];
  const people = motions.map((motion) => {
    const used = usePoints(motion, found, minConfidence, wanted);
    issues.push(...reportGaps(used, names, wanted));
    return used;
  });
  const weak = findWeakRoles(people);
  const body = createPointBody(wanted.map((joint) => found[joint]).filter((role) => !weak.has(role)));
  fitRest(body, sampleFrames(people, body));
  const hipsHeight = restHipsHeight(body);
  const { skeleton, nodes } = createSkeleton(body, hipsHeight);
  const centered = people.filter((used) => isCentered(used, body));
  if (centered.length > 0) {
    issues.push(
      issue(
        'POINTS_CENTERED',
        'The hips are the origin of all positions, so the motion does not show where the person goes. The hips were raised so that the lowest foot is on the ' +
          'ground in every frame. Use positions in the world if the person travels or jumps.',
      ),
    );
  }
  return { names, wanted, roles: found, people, body, skeleton, nodes, hipsHeight, centered, issues };
}

/**
 * Makes motions from the joint positions of people or takes: one skeleton, with the median bone lengths of all, and a clip each. Places are kept, so that people
 * of one take stay where they are.
 *
 * Directions of limbs are exactly those of the points; the twist of arms and legs comes from the bend of elbows and knees, and from their neighbors in time where
 * they are straight; trunk, head, hands and feet turn with their points. Missing positions are bridged.
 *
 * @param motions One or more motions with the same joints.
 * @returns The skeleton, its bones, a clip per motion, and issues.
 * @throws RangeError for lists of wrong lengths, a frame rate that is not above 0, or joints that are not those of a body.
 * @experimental
 */
export function motionsFromPoints(motions: readonly PointMotion[], options: PointOptions = {}): SolvedMotion {
  const { body, people, skeleton, nodes, hipsHeight, centered, issues } = fitBody(motions, options);
  const clips = people.map((used) => solveClip(body, nodes, used, centered.includes(used) ? hipsHeight : null));
  return { skeleton, declared: declaredBones(nodes), clips, issues };
}

/** Frames of all people that are spread evenly. */
function sampleFrames(people: readonly UsedPoints[], body: PointBody): Parameters<typeof fitRest>[1] {
  const total = people.reduce((sum, { frames }) => sum + frames, 0);
  const stride = Math.max(1, total / FIT_FRAMES);
  const chosen: [reader: ReturnType<typeof frameReader>, frame: number][] = [];
  let at = 0;
  for (const used of people) {
    const reader = frameReader(body, used);
    for (; at < used.frames; at += stride) chosen.push([reader, Math.floor(at)]);
    at -= used.frames;
  }
  return { count: chosen.length, read: (k, out) => chosen[k][0](chosen[k][1], out) };
}

/** Skeleton and clip that were made from the positions of one person. */
export interface PersonMotion extends Omit<SolvedMotion, 'clips'> {
  /** Rotations of all bones and the translation of the hips, with a key per frame. */
  readonly clip: Clip;
}

/**
 * Makes a motion from the joint positions of one person, as {@link motionsFromPoints}.
 *
 * @param motion Joints, positions and frame rate.
 * @returns The skeleton, its bones, the clip, and issues.
 * @throws RangeError for lists of wrong lengths, a frame rate that is not above 0, or joints that are not those of a body.
 * @experimental
 */
export function motionFromPoints(motion: PointMotion, options: PointOptions = {}): PersonMotion {
  const { clips, ...solved } = motionsFromPoints([motion], options);
  return { ...solved, clip: clips[0] };
}
