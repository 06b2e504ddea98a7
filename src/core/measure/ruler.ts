/**
 * The ruler: measures a result against its source, from joint positions, skins and times only. It shares no code with the reference pose, retargeting and
 * contacts, so that a fault of theirs shows.
 */
import type { Clip } from '../animation/clip.ts';
import { BONE } from '../humanoid/bones.ts';
import { upperMedian } from '../math/median.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { type FootFigures, measureFeet } from './feet.ts';
import { groundFrames, sampleSource } from './ground-frames.ts';
import { type HandGaps, measureHandGaps } from './hand-gaps.ts';
import {
  FRAME_STRIDE,
  frameTimes,
  type JointFrames,
  type MeasuredMotion,
  pelvisAt,
  sampleJoints,
} from './joint-frames.ts';
import { facingErrors, MEASURED_LIMBS, type MeasuredLimb, type SegmentErrors, segmentErrors } from './limb-errors.ts';
import { measurePelvis, type PelvisFigures, type PurposeFrames } from './pelvis.ts';
import { measureSelfPenetration, type SelfPenetration } from './self-penetration.ts';
import { countSpikes, measureSmoothness } from './smoothness.ts';
import { type MeanAndMax, type SidedAngles, type SourceAndResult, spreadOf } from './spread.ts';

/** Options of {@link measureResult}. */
interface RulerOptions {
  /** Samples per second; 60 by default. */
  readonly fps?: number;
  /** What plain retargeting gives on the character of the result. With it, what contacts and arms changed on purpose is no error. */
  readonly plain?: Clip;
  /** What contacts and arms make of `plain`; the result itself by default. */
  readonly changed?: Clip;
  /** Samples per second of skins; 0 leaves out the measures of skin inside skin and of hands; 10 by default. */
  readonly skinFps?: number;
}

/** Angles of a limb, degrees. */
interface LimbFigures {
  /** Mean over its segments and over time. */
  readonly mean: number;
  /** 95th percentile over time of the worst of its segments. */
  readonly p95: number;
  /** Maximum. */
  readonly max: number;
  /** Time of the maximum, seconds. */
  readonly time: number;
  /** How far the limb was changed on purpose: mean and maximum. */
  readonly changed: MeanAndMax;
}

/** Joints whose way from plain retargeting is measured. */
const MOVED_PARTS = ['pelvis', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const;
type MovedPart = (typeof MOVED_PARTS)[number];

/** Figures of a result beside its source. Lengths in percent of the height of the result, from the lowest foot joint to the joint of the head. */
export interface ResultFigures {
  /** Errors and deliberate changes of every limb that both characters have. */
  readonly limbs: Readonly<Partial<Record<MeasuredLimb, LimbFigures>>>;
  /** Mean error of all limbs, degrees. */
  readonly meanError: number;
  /** how far the result is rotated about the vertical against the source, degrees; null where a file does not say which way it faces. */
  readonly yaw: number | null;
  /** Mean angle of arms and legs as they are, and with left and right swapped, degrees. */
  readonly sides: SidedAngles;
  /** The pelvis; null where one of the characters has no legs. */
  readonly pelvis: PelvisFigures | null;
  /** The feet in the contacts of the source; null without feet. */
  readonly feet: FootFigures | null;
  /** Vertices of hands and forearms inside trunk, head and thighs; null without a skin. */
  readonly inside: SourceAndResult<SelfPenetration | null, SelfPenetration> | null;
  /** Hands and what those of the source touch; null where they touch nothing. */
  readonly hands: HandGaps | null;
  /** Mean jerk, heights per second cubed. */
  readonly jerk: SourceAndResult;
  /** Flips of knees and elbows. */
  readonly flips: SourceAndResult;
  /** Samples in which an arm or a leg rotates much more suddenly than in the source. */
  readonly spikes: number;
  /** Seconds. */
  readonly duration: SourceAndResult;
  /** Number of keys. */
  readonly keys: SourceAndResult;
  /** Whether all positions are finite numbers. */
  readonly isFinite: boolean;
  /** How far contacts moved joints from where plain retargeting puts them; null where that is unknown. */
  readonly moved: Readonly<Partial<Record<MovedPart, MeanAndMax>>> | null;
}

/** Figures, and the course of errors over time. */
export interface MeasuredResult {
  /** The figures. */
  readonly figures: ResultFigures;
  /** Seconds of the samples. */
  readonly times: Float64Array;
  /** Error of every limb over time: the largest of its segments, degrees. */
  readonly errors: ReadonlyMap<MeasuredLimb, Float64Array>;
  /** Error of every segment over time. */
  readonly segments: readonly SegmentErrors[];
}

/** Key intervals of a source, seconds, that jerk is measured at: finer samples would measure the kinks of linear keys. */
const JERK_STEPS = [1 / 60, 1 / 10] as const;

/** Median interval of the keys of a clip. */
function keyStep({ tracks }: Clip): number {
  const steps: number[] = [];
  for (const { times } of tracks) for (let k = 1; k < times.length; k++) steps.push(times[k] - times[k - 1]);
  const [least, most] = JERK_STEPS;
  return Math.min(most, Math.max(least, upperMedian(steps) ?? least));
}

const countKeys = ({ tracks }: Clip): number => tracks.reduce((sum, { times }) => sum + times.length, 0);

function rotatedBy(frames: JointFrames, degrees: number): JointFrames {
  const angle = (degrees * Math.PI) / 180;
  const q = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  const positions = frames.positions.slice();
  for (let k = 0; k < positions.length; k += 3) vec3.rotate(positions, k, q, 0, positions, k);
  const rotations = new Map(
    [...frames.rotations].map(([bone, rotations]) => {
      const out = new Float64Array(rotations.length);
      for (let k = 0; k < out.length; k += 4) quat.multiply(out, k, q, 0, rotations, k);
      return [bone, out] as const;
    }),
  );
  return { ...frames, positions, rotations };
}

/** What a deliberate change explains of an error: the limb follows `changed`, and what is left is the error of plain retargeting. */
function splitErrors(
  segment: SegmentErrors,
  toChanged: SegmentErrors | undefined,
  ofPlain: SegmentErrors | undefined,
  fromPlain: SegmentErrors | undefined,
): { error: Float64Array; changed: Float64Array } {
  const error = segment.degrees.slice();
  const changed = new Float64Array(error.length);
  if (toChanged === undefined || ofPlain === undefined || fromPlain === undefined) return { error, changed };
  for (let frame = 0; frame < error.length; frame++) {
    const explained = toChanged.degrees[frame] + ofPlain.degrees[frame];
    if (!(explained < error[frame] || toChanged.degrees[frame] < LEAST)) continue;
    error[frame] = Math.min(explained, error[frame]);
    changed[frame] = fromPlain.degrees[frame];
  }
  return { error, changed };
}

/** An angle below which limbs point the same way, degrees. */
const LEAST = 1e-3;

function movedFrom(plain: JointFrames, result: JointFrames): ResultFigures['moved'] {
  const { nodes, height } = result.body;
  const [p, q] = [new Float64Array(3), new Float64Array(3)];
  const moved: Partial<Record<MovedPart, MeanAndMax>> = {};
  for (const part of MOVED_PARTS) {
    const bone = part === 'pelvis' ? BONE.hips : BONE[part];
    if (nodes[bone] < 0) continue;
    const ways = new Float64Array(result.times.length);
    for (let frame = 0; frame < ways.length; frame++) {
      const at = FRAME_STRIDE * frame + 3 * bone;
      if (part === 'pelvis') {
        pelvisAt(p, 0, plain, frame);
        pelvisAt(q, 0, result, frame);
        ways[frame] = vec3.distance(p, 0, q, 0);
      } else ways[frame] = vec3.distance(plain.positions, at, result.positions, at);
    }
    const { mean, max } = spreadOf(ways);
    moved[part] = { mean: (100 * mean) / height, max: (100 * max) / height };
  }
  return moved;
}

/**
 * Measures a result against its source.
 *
 * @param source The source: a body, and a clip on its skeleton.
 * @param result The result; its body may be that of other results.
 * @param options Sampling rates, and what plain retargeting and contacts give.
 * @returns Figures and errors over time.
 * @experimental
 * @example
 * const from = { body: describeBody({ skeleton, nodes: humanoid.map.nodes }), clip };
 * const { figures } = measureResult(from, { body: characterBody, clip: retargeted });
 * const { level, findings } = judgeFigures(figures);
 */
export function measureResult(
  source: MeasuredMotion,
  result: MeasuredMotion,
  options: RulerOptions = {},
): MeasuredResult {
  const { fps = 60, plain, changed, skinFps = 10 } = options;
  const times = frameTimes(source.clip.duration, fps);
  let to = groundFrames(sampleJoints(result, times));
  const { ground } = to.body;
  const sample = (clip: Clip): JointFrames => sampleJoints({ body: { ...result.body, ground }, clip }, times);
  const from = sampleSource(source, times, to);
  const isFacingKnown = from.body.isStanding && result.body.isStanding;
  const facing = facingErrors(from, to);
  let purpose: PurposeFrames | null = null;
  if (plain !== undefined) {
    purpose = {
      plain: sample(plain),
      changed: changed === undefined || changed === result.clip ? to : sample(changed),
    };
  }
  if (!isFacingKnown) {
    const isSame = purpose?.changed === to;
    to = rotatedBy(to, facing.yaw);
    if (purpose !== null) {
      const around = rotatedBy(purpose.plain, facing.yaw);
      purpose = { plain: around, changed: isSame ? to : rotatedBy(purpose.changed, facing.yaw) };
    }
  }
  const segments = segmentErrors(from, to);
  const toChanged = purpose === null ? [] : segmentErrors(purpose.changed, to);
  const ofPlain = purpose === null ? [] : segmentErrors(from, purpose.plain);
  const fromPlain = purpose === null ? [] : segmentErrors(purpose.plain, to);
  const matching = (list: readonly SegmentErrors[], { limb, bone }: SegmentErrors): SegmentErrors | undefined =>
    list.find((one) => one.limb === limb && one.bone === bone);
  const split = segments.map((segment) => ({
    ...segment,
    ...splitErrors(segment, matching(toChanged, segment), matching(ofPlain, segment), matching(fromPlain, segment)),
  }));
  const errors = new Map<MeasuredLimb, Float64Array>();
  const limbs: Partial<Record<MeasuredLimb, LimbFigures>> = {};
  for (const limb of MEASURED_LIMBS) {
    const own = split.filter((one) => one.limb === limb);
    if (own.length === 0) continue;
    const worst = new Float64Array(times.length);
    for (const { error } of own) for (const [k, value] of error.entries()) worst[k] = Math.max(worst[k], value);
    const spreads = own.map(({ error }) => spreadOf(error));
    const max = Math.max(...spreads.map((spread) => spread.max));
    const changes = own.map((one) => spreadOf(one.changed));
    errors.set(limb, worst);
    limbs[limb] = {
      mean: spreads.reduce((sum, spread) => sum + spread.mean, 0) / own.length,
      p95: Math.max(...spreads.map((spread) => spread.p95)),
      max,
      time: times[worst.indexOf(max)] ?? 0,
      changed: {
        mean: changes.reduce((sum, spread) => sum + spread.mean, 0) / own.length,
        max: Math.max(...changes.map((spread) => spread.max)),
      },
    };
  }
  const means = Object.values(limbs).map(({ mean }) => mean);
  const smooth = (motion: MeasuredMotion, fpsOfKeys: number) =>
    measureSmoothness(sampleJoints(motion, frameTimes(source.clip.duration, fpsOfKeys)));
  const jerkFps = 1 / keyStep(source.clip);
  const [before, after] = [smooth(withoutSkin(source), jerkFps), smooth(withoutSkin(result), jerkFps)];
  const inside = skinFps > 0 ? measureSelfPenetration(result, { fps: skinFps, mostVertices: MOST_VERTICES }) : null;
  const insideSource =
    inside === null ? null : measureSelfPenetration(source, { fps: skinFps, mostVertices: MOST_VERTICES });
  const figures: ResultFigures = {
    limbs,
    meanError: means.reduce((sum, mean) => sum + mean, 0) / Math.max(1, means.length),
    yaw: isFacingKnown ? facing.yaw : null,
    sides: { straight: facing.straight, crossed: facing.crossed },
    pelvis: measurePelvis(from, to, purpose),
    feet: measureFeet(from, to),
    inside: inside === null ? null : { source: insideSource, result: inside },
    hands: skinFps > 0 ? measureHandGaps(source, result, { fps: skinFps }) : null,
    jerk: { source: before.jerk, result: after.jerk },
    flips: { source: before.flips, result: after.flips },
    spikes: Math.max(0, countSpikes(after, before) - countSpikes(before, before)),
    duration: { source: source.clip.duration, result: result.clip.duration },
    keys: { source: countKeys(source.clip), result: countKeys(result.clip) },
    isFinite: to.positions.every(Number.isFinite),
    moved: purpose === null ? null : movedFrom(purpose.plain, to),
  };
  return { figures, times, errors, segments };
}

/** Most vertices of hands and forearms that are tested: enough for percentages. */
const MOST_VERTICES = 400;

/** Leaves out the skin, where only joints are measured. */
export function withoutSkin({ body, clip }: MeasuredMotion): MeasuredMotion {
  return { body: { ...body, outlines: [] }, clip };
}
