import { PATH_WIDTH, TRACK_PATHS, type Track, type TrackPath } from '../../../../core/animation/clip.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper, mapJoints } from '../../../../core/skeleton/joint-mapper.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import {
  JOINT_ATTRIBUTES,
  type JointComponents,
  jointComponents,
  jointTimes,
  type MissingComponents,
  type SkelAnimation,
} from '../../skel/skel-animation.ts';
import type { SkeletonDefinition } from '../../skel/skeleton-definition.ts';
import { numbersOf } from '../../skel/typed-values.ts';
import { attributeSamples, hasAuthoredValue } from '../../stage/attribute-values.ts';
import type { Stage } from '../../stage/stage.ts';
import type { TimeCodes } from '../../time-codes.ts';
import { collapseConstantTrack, normalizeRotation } from './collapse-track.ts';
import { type KeyLimit, takeKeys } from './key-limit.ts';
import { attributeKeys, keyTimes, type SampledKeys } from './sampled-keys.ts';

/** Numbers per joint in each attribute. */
const WIDTHS = { translations: 3, rotations: 4, scales: 3 } as const;

/** Fraction of a segment: the left limit at a gap is sampled this far before the gap. */
const LEFT_LIMIT = 1e-9;

export interface KeyReading {
  readonly stage: Stage;
  readonly timeCodes: TimeCodes;
  readonly keyLimit: KeyLimit;
  readonly issues: Issue[];
}

/**
 * Converts the translations, rotations and scales of an animation to joint tracks.
 *
 * Each attribute keeps its own times. A joint that stays at its rest pose has no track; a constant property has one key. An attribute that
 * is not authored is reported: scales are 1, translations and rotations at rest. While any of the three has no value or the wrong size, all joints are
 * at rest, as in UsdSkelAnimQuery; wrong sizes are reported.
 *
 * @param rest Rest pose of the skeleton: {@link POSE_STRIDE} floats per joint, local space.
 */
export function jointTracks(
  { stage, timeCodes, keyLimit, issues }: KeyReading,
  definition: SkeletonDefinition,
  animation: SkelAnimation,
  rest: Float64Array,
): Track[] {
  const map = createJointMapper(animation.joints, definition.joints);
  if (map.kind === 'null') return [];
  const sources = new Float64Array(definition.joints.length).fill(-1);
  mapJoints(
    map,
    animation.joints.map((_, joint) => joint),
    1,
    sources,
  );
  const missing = missingComponents(stage, animation, sources, rest, issues);
  const keys = componentKeys(stage, animation, timeCodes, missing, issues);
  if (keys === null) return [];
  const moved = sources.reduce((count, source) => count + (source < 0 ? 0 : 1), 0);
  const tracks: Track[] = [];
  for (const [component, path] of TRACK_PATHS.entries()) {
    takeKeys(keyLimit, keys[component].codes.length * moved, animation.prim);
    const timed = { ...keys[component], ...keyTimes(timeCodes, keys[component].codes) };
    for (const [joint, source] of sources.entries()) {
      if (source < 0) continue;
      const track = trackOf(timed, path, joint, source, rest);
      if (track !== null) tracks.push(track);
    }
  }
  return tracks;
}

/**
 * Creates tracks that hold the joints of an animation at rest, one key per property. They keep a clip whose samples never leave the rest pose usable
 * as a pose to blend with.
 */
export function restTracks(
  stage: Stage,
  { joints }: SkeletonDefinition,
  animation: SkelAnimation,
  rest: Float64Array,
  keyLimit: KeyLimit,
): Track[] {
  const codes = jointTimes(stage, animation);
  if (codes.length === 0 || jointComponents(stage, animation, codes[0]).components === null) return [];
  const own = new Set(animation.joints);
  const kept = [...joints.keys()].filter((joint) => own.has(joints[joint]));
  takeKeys(keyLimit, TRACK_PATHS.length * kept.length, animation.prim);
  return TRACK_PATHS.flatMap((path) =>
    kept.map((joint): Track => {
      const at = POSE_STRIDE * joint + PATH_OFFSET[path];
      const values = Float32Array.from(rest.subarray(at, at + PATH_WIDTH[path]));
      return { target: joint, path, interpolation: 'LINEAR', times: Float64Array.of(0), values };
    }),
  );
}

/**
 * Returns values instead of the attributes that an animation does not author: scales are 1, translations and rotations those at rest. UsdSkel needs all
 * three, but exporters leave constant ones out. An animation without any of them animates no joints.
 */
function missingComponents(
  stage: Stage,
  { prim, joints }: SkelAnimation,
  sources: Float64Array,
  rest: Float64Array,
  issues: Issue[],
): MissingComponents {
  const names = JOINT_ATTRIBUTES.filter((name) => !hasAuthoredValue(stage, prim, name));
  if (names.length === JOINT_ATTRIBUTES.length) return JOINT_ATTRIBUTES.map(() => null);
  for (const name of names) {
    const used = name === 'scales' ? 'scale 1 was used' : `the ${name} of the rest pose were used`;
    const message = `${prim} has no \`${name}\`. UsdSkel needs translations, rotations and scales; ${used}. Author \`${name}\`.`;
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim }));
  }
  return JOINT_ATTRIBUTES.map((name, k) => {
    if (!names.includes(name)) return null;
    const width = WIDTHS[name];
    const values = new Float64Array(width * joints.length).fill(1);
    if (name === 'scales') return values;
    for (const [joint, source] of sources.entries()) {
      if (source < 0) continue;
      const at = joint * POSE_STRIDE + PATH_OFFSET[TRACK_PATHS[k]];
      values.set(rest.subarray(at, at + width), source * width);
    }
    return values;
  });
}

/** Reads the keys of the three attributes; null if they are never valid together. */
function componentKeys(
  stage: Stage,
  animation: SkelAnimation,
  timeCodes: TimeCodes,
  missing: MissingComponents,
  issues: Issue[],
): SampledKeys<ArrayLike<number>>[] | null {
  const { prim } = animation;
  const allKeys = (): SampledKeys<ArrayLike<number>>[] =>
    JOINT_ATTRIBUTES.map((name, k) => {
      const constant = missing[k];
      if (constant !== null) return { interpolation: 'LINEAR', codes: [timeCodes.origin], samples: [constant] };
      return attributeKeys(stage, prim, name, WIDTHS[name], timeCodes);
    });
  if (isCompleteAtEverySample(stage, animation, missing)) return allKeys();
  const sampled = jointTimes(stage, animation);
  const codes = sampled.length === 0 ? [timeCodes.origin] : Array.from(sampled);
  const whole: JointComponents[] = codes.map((code) => jointComponents(stage, animation, code, missing));
  const reason = whole.find((at) => at.reason !== null)?.reason;
  if (reason !== undefined) {
    const message = `SkelAnimation ${prim} has invalid joint transforms: ${reason}. The rest pose is used instead. Fix the animation.`;
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim }));
  }
  if (whole.every(({ components }) => components === null)) return null;
  if (whole.every(({ components }) => components !== null)) return allKeys();
  return withGaps(stage, animation, codes, whole, missing);
}

/** Checks that the three attributes have a value of the right size at every sample, the common case. If false, each time has to be checked. */
function isCompleteAtEverySample(stage: Stage, { prim, joints }: SkelAnimation, missing: MissingComponents): boolean {
  return JOINT_ATTRIBUTES.every((name, k) => {
    if (missing[k] !== null) return true;
    const found = attributeSamples(stage, prim, name);
    const size = WIDTHS[name] * joints.length;
    return size > 0 && found?.samples.values.every((value) => numbersOf(value, WIDTHS[name])?.length === size) === true;
  });
}

/** Creates keys at the union of the times of the three attributes, null where they are not valid together. */
function withGaps(
  stage: Stage,
  animation: SkelAnimation,
  codes: readonly number[],
  whole: readonly JointComponents[],
  missing: MissingComponents,
): SampledKeys<ArrayLike<number>>[] {
  const isStepped = stage.interpolation === 'held';
  const all: { code: number; components: JointComponents['components'] }[] = [];
  for (const [k, { components }] of whole.entries()) {
    const before = whole[k - 1]?.components ?? null;
    if (k > 0 && !isStepped && (before === null) !== (components === null)) {
      const left = codes[k] - (codes[k] - codes[k - 1]) * LEFT_LIMIT;
      all.push({ code: codes[k], components: jointComponents(stage, animation, left, missing).components });
    }
    all.push({ code: codes[k], components });
  }
  return TRACK_PATHS.map((_, component) => ({
    interpolation: isStepped ? 'STEP' : 'LINEAR',
    codes: all.map(({ code }) => code),
    samples: all.map(({ components }) => components?.[component] ?? null),
  }));
}

/** Creates the track of one path of a joint, which is number `source` in the animation; null if it stays at rest. */
function trackOf(
  { interpolation, samples, times, codeIndices }: SampledKeys<ArrayLike<number>> & ReturnType<typeof keyTimes>,
  path: TrackPath,
  joint: number,
  source: number,
  rest: Float64Array,
): Track | null {
  const restAt = joint * POSE_STRIDE + PATH_OFFSET[path];
  const width = PATH_WIDTH[path];
  const values = new Float32Array(times.length * width);
  for (let key = 0; key < codeIndices.length; key++) {
    const numbers = samples[codeIndices[key]];
    const at = key * width;
    for (let c = 0; c < width; c++) {
      const value = numbers === null ? rest[restAt + c] : numbers[source * width + c];
      values[at + c] = Math.abs(value) <= FLOAT32_MAX ? value : rest[restAt + c];
    }
    if (path === 'rotation') normalizeRotation(values, at);
  }
  return collapseConstantTrack({ target: joint, path, interpolation, times, values }, rest, restAt);
}
