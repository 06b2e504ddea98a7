/** Lets hands of different people touch as those of their sources do: handshakes, high fives, dances hand in hand. */
import type { Clip } from '../../animation/clip.ts';
import { reflectClip } from '../../animation/reflect-clip.ts';
import { BONE, type BoneName } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { straightHumanoid, straightMotion } from '../../humanoid/straight-humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import type { FrameGrid } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter, type PosedCharacter } from '../frames/posed-character.ts';
import { solveLeg } from '../legs/solve-leg.ts';
import { smoothstep } from '../paths/ease.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET, sampleBoneFrames } from '../self-collision/bone-frames.ts';
import { type Arm, findArms } from '../self-collision/limb-points.ts';
import { NO_CHANGE, rewriteArms } from '../self-collision/write-arms.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';

/**
 * Distances between two palms of the source, relative to the height, below which they touch and above which they do not. Palms of a handshake are 2 to 4 % of the
 * height apart, as hands are 3 cm thick and meet at an angle.
 */
const TOUCHING = 0.06;
const APART = 0.12;
/** Rounds over the pairs of hands of a frame. Each halves what is left where one arm is at its end. */
const ROUNDS = 12;
/** Greatest distance from shoulder to wrist, lengths of the arm. */
const REACH = 0.999;
/** Where the palm is between the wrist and the knuckle of the middle finger; without fingers it is as far beyond the wrist as this part of the forearm. */
const PALM = 0.5;
const PALM_OF_FOREARM = 0.2;

export interface TakePerson {
  readonly plan: RetargetPlan;
  readonly source: Humanoid;
  readonly sourceSurface: ContactSurface;
  readonly motion: Clip;
  /** Angle about the vertical from the canonical frame of the source to that of the first person, radians. */
  readonly yaw: number;
  readonly target: Humanoid;
  readonly targetSurface: ContactSurface;
  /** The retargeted clip, at its place beside those of the others. */
  readonly clip: Clip;
}

interface Hand {
  readonly person: number;
  readonly arm: Arm;
  /** Palm of the source and of the target, xyz per frame, meters; axes of the first person. */
  readonly sourcePalm: Float64Array;
  readonly palm: Float64Array;
  readonly bones: Float64Array;
  /** How far the hand is moved, xyz per frame. */
  readonly moved: Float64Array;
  readonly count: number;
}

/** Offset of the palm from the wrist in the reference pose, meters. */
function palmOffset({ map, reference: { positions } }: Humanoid, side: string): Float64Array {
  const [lower, hand, knuckle] = ['LowerArm', 'Hand', 'MiddleProximal'].map(
    (name) => BONE[`${side}${name}` as BoneName],
  );
  const out = new Float64Array(3);
  const hasFingers = map.nodes[knuckle] >= 0;
  if (hasFingers) vec3.subtract(out, 0, positions, 3 * knuckle, positions, 3 * hand);
  else vec3.subtract(out, 0, positions, 3 * hand, positions, 3 * lower);
  vec3.scale(out, 0, out, 0, hasFingers ? PALM : PALM_OF_FOREARM);
  return out;
}

/** Positions of a palm in all frames, turned about the vertical. */
function palmsOf(humanoid: Humanoid, { side, bones: [, , hand] }: Arm, bones: Float64Array, yaw: number): Float64Array {
  const offset = palmOffset(humanoid, side);
  const count = bones.length / FRAME_STRIDE;
  const out = new Float64Array(3 * count);
  const [sine, cosine] = [Math.sin(yaw), Math.cos(yaw)];
  for (let frame = 0; frame < count; frame++) {
    const at = FRAME_STRIDE * frame + BONE_STRIDE * hand;
    vec3.rotate(out, 3 * frame, bones, at, offset, 0);
    vec3.add(out, 3 * frame, out, 3 * frame, bones, at + POSITION_OFFSET);
    const [x, z] = [out[3 * frame], out[3 * frame + 2]];
    out[3 * frame] = cosine * x + sine * z;
    out[3 * frame + 2] = cosine * z - sine * x;
  }
  return out;
}

function limitReach({ arm, bones, moved }: Hand, frame: number): void {
  const [shoulder, , wrist] = arm.bones.map((bone) => FRAME_STRIDE * frame + BONE_STRIDE * bone + POSITION_OFFSET);
  const at = 3 * frame;
  vec3.add(goal, 0, bones, wrist, moved, at);
  vec3.subtract(goal, 0, goal, 0, bones, shoulder);
  const before = vec3.distance(bones, wrist, bones, shoulder);
  const distance = vec3.length(goal, 0);
  const most = Math.max(REACH * arm.length, before);
  if (distance <= most) return;
  vec3.scale(goal, 0, goal, 0, most / distance);
  vec3.add(goal, 0, goal, 0, bones, shoulder);
  vec3.subtract(moved, at, goal, 0, bones, wrist);
}

const goal = new Float64Array(3);
const wanted = new Float64Array(3);
const error = new Float64Array(3);

interface HandPair {
  readonly one: Hand;
  readonly other: Hand;
  /** Height of the sources, meters, and meters of the targets per meter of them. */
  readonly height: number;
  readonly scale: number;
}

/** How far the second hand of a pair is from where it should be relative to the first, after plain retargeting. */
function findError(out: Float64Array, { one, other, scale }: HandPair, frame: number): void {
  const at = 3 * frame;
  vec3.subtract(wanted, 0, other.sourcePalm, at, one.sourcePalm, at);
  vec3.subtract(out, 0, other.palm, at, one.palm, at);
  vec3.addScaled(out, 0, out, 0, wanted, 0, -scale);
}

/** Moves the hands of a frame towards each other, half each; an arm at its end leaves the rest to the other. */
function meetInFrame(pairs: readonly HandPair[], weights: readonly number[], frame: number): void {
  const at = 3 * frame;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [k, pair] of pairs.entries()) {
      if (weights[k] === 0) continue;
      const { one, other } = pair;
      findError(error, pair, frame);
      vec3.scale(error, 0, error, 0, weights[k]);
      vec3.add(error, 0, error, 0, other.moved, at);
      vec3.subtract(error, 0, error, 0, one.moved, at);
      vec3.addScaled(one.moved, at, one.moved, at, error, 0, 0.5);
      limitReach(one, frame);
      vec3.addScaled(other.moved, at, other.moved, at, error, 0, -0.5);
      limitReach(other, frame);
    }
  }
}

/** Rotates the arms of a person so that their hands are where they are moved to. */
function writeHands(
  { plan, target, clip }: TakePerson,
  hands: readonly Hand[],
  grid: FrameGrid,
  character: PosedCharacter,
): Clip {
  const straight = straightMotion(target, clip);
  const joints = new Float64Array(9);
  const hinge = new Float64Array(3);
  const rotations = new Float64Array(8);
  const none = new Float64Array(1);
  const moved = hands.map((hand) => ({ ...hand, isHandFree: true, isShoulderFree: false }));
  const made = rewriteArms(
    { target: straight.humanoid, retarget: plan },
    straight.clip,
    grid,
    character,
    moved,
    ({ arm, bones, moved: distance }, frame) => {
      if (vec3.length(distance, 3 * frame) === 0) return null;
      const b = FRAME_STRIDE * frame;
      for (const [k, bone] of arm.bones.entries())
        vec3.copy(joints, 3 * k, bones, b + BONE_STRIDE * bone + POSITION_OFFSET);
      vec3.rotate(hinge, 0, bones, b + BONE_STRIDE * arm.bones[0], arm.hinge, 0);
      vec3.add(goal, 0, joints, 6, distance, 3 * frame);
      solveLeg(rotations, joints, goal, hinge, none, 0);
      return { upper: rotations.subarray(0, 4), lower: rotations.subarray(4), hand: NO_CHANGE, shoulder: NO_CHANGE };
    },
  );
  return reflectClip(made, straight.signs);
}

/**
 * Moves hands of different people that touch in the motions so that they touch again, each by half of what is missing. Elbows bend and stretch; trunks and feet stay, and
 * hands keep their world rotation. `apart`: greatest remaining distance of a hand from where it should be relative to the other, in heights of the
 * character; `time`: when that is, seconds.
 */
export function meetHands(people: readonly TakePerson[]): {
  readonly clips: readonly Clip[];
  readonly apart: number;
  readonly time: number;
} {
  const step = Math.min(...people.map(({ motion, source }) => frameGridOf(motion, source).step));
  const prepared = people.map((person, index) => {
    const { source, sourceSurface, motion, target, targetSurface, clip, yaw } = person;
    const grid = { start: 0, count: Math.max(1, Math.round(motion.duration / step) + 1), step };
    const from = sampleBoneFrames(createPosedCharacter(source, sourceSurface), motion, grid);
    const character = createPosedCharacter(target, targetSurface);
    const bones = sampleBoneFrames(character, clip, grid);
    const straight = [source, target].map((humanoid) => straightHumanoid(humanoid).humanoid);
    const sourceArms = findArms(straight[0], sourceSurface);
    const hands = findArms(straight[1], targetSurface).flatMap((arm): Hand[] => {
      const own = sourceArms.find(({ side }) => side === arm.side);
      if (own === undefined) return [];
      const [sourcePalm, palm] = [palmsOf(straight[0], own, from, yaw), palmsOf(straight[1], arm, bones, 0)];
      const moved = new Float64Array(3 * grid.count);
      return [{ person: index, arm, sourcePalm, palm, bones, moved, count: grid.count }];
    });
    return { person, grid, character, hands };
  });
  const hands = prepared.flatMap((one) => one.hands);
  const pairs = hands.flatMap((one, k) =>
    hands.slice(k + 1).flatMap((other): HandPair[] => {
      if (one.person === other.person) return [];
      const both = [people[one.person], people[other.person]];
      const mean = (of: (person: TakePerson) => number): number => (of(both[0]) + of(both[1])) / 2;
      return [{ one, other, height: mean(({ source }) => source.height), scale: mean(({ plan }) => plan.hipsScale) }];
    }),
  );
  const height = Math.max(...people.map(({ target }) => target.height));
  let [apart, time] = [0, 0];
  for (let frame = 0; frame < Math.max(...hands.map(({ count }) => count), 0); frame++) {
    const weights = pairs.map(({ one, other, height: size }) => {
      if (frame >= Math.min(one.count, other.count)) return 0;
      return smoothstep(APART, TOUCHING, vec3.distance(one.sourcePalm, 3 * frame, other.sourcePalm, 3 * frame) / size);
    });
    if (!weights.some((weight) => weight > 0)) continue;
    meetInFrame(pairs, weights, frame);
    const met = pairs.filter((_, k) => weights[k] === 1);
    for (const pair of met) {
      findError(error, pair, frame);
      vec3.add(error, 0, error, 0, pair.other.moved, 3 * frame);
      vec3.subtract(error, 0, error, 0, pair.one.moved, 3 * frame);
      const distance = vec3.length(error, 0) / height;
      if (distance > apart) [apart, time] = [distance, frame * step];
    }
  }
  const clips = prepared.map((one) => {
    const moved = one.hands.filter(({ moved: distances }) => distances.some((value) => value !== 0));
    return moved.length === 0 ? one.person.clip : writeHands(one.person, moved, one.grid, one.character);
  });
  return { clips, apart, time };
}
