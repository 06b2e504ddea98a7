/** The tracks of joints that a SkelAnimation moves. */
import { PATH_OFFSET, PATH_WIDTH, TRACK_PATHS, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { planOrderMap, remap } from '../../../core/skeleton/order-map.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import {
  JOINT_ATTRIBUTES,
  type JointComponents,
  jointComponents,
  jointTimes,
  type SkelAnimation,
} from '../skel/skel-animation.ts';
import type { SkeletonDefinition } from '../skel/skeleton-definition.ts';
import { numbersOf } from '../skel/stage-reading.ts';
import type { Stage } from '../stage/stage.ts';
import { attributeSamples } from '../stage/values.ts';
import { type KeyBudget, spend } from './key-budget.ts';
import { attributeKeys, type Clock, keyTimes, type Numbers, type SampledKeys } from './sampled-keys.ts';
import { makeUnit, settled } from './settled-track.ts';

/** Numbers of a joint in each attribute. */
const WIDTHS = { translations: 3, rotations: 4, scales: 3 } as const;

/** How near the end of a segment its left side is looked up where what follows is no value, as part of it. */
const LEFT_SIDE = 1e-9;

/**
 * The tracks of the joints that an animation moves; `target` is the joint. `rest`: {@link POSE_STRIDE} floats a joint. Translations, rotations and scales
 * keep their own times. A joint that keeps its rest has no track, what is constant one key. While any of the three is missing or has another
 * size, all joints are at rest, as UsdSkel has it; sizes that do not fit are told in `issues`.
 */
export function jointTracks(
  stage: Stage,
  definition: SkeletonDefinition,
  animation: SkelAnimation,
  rest: Float64Array,
  clock: Clock,
  budget: KeyBudget,
  issues: Issue[],
): Track[] {
  const map = planOrderMap(animation.joints, definition.joints);
  if (map.kind === 'null') return [];
  const places = new Float64Array(definition.joints.length).fill(-1);
  remap(
    map,
    animation.joints.map((_, joint) => joint),
    1,
    places,
  );
  const keys = componentKeys(stage, animation, clock, issues);
  if (keys === null) return [];
  const moved = places.reduce((count, place) => count + (place < 0 ? 0 : 1), 0);
  const tracks: Track[] = [];
  for (const [component, path] of TRACK_PATHS.entries()) {
    spend(budget, keys[component].codes.length * moved, animation.prim);
    const timed = keyTimes(clock, keys[component].codes);
    for (const [joint, place] of places.entries()) {
      if (place < 0) continue;
      const track = trackOf(keys[component], timed, path, joint, place, rest, joint * POSE_STRIDE + PATH_OFFSET[path]);
      if (track !== null) tracks.push(track);
    }
  }
  return tracks;
}

/**
 * The joints of an animation at rest, one key each: what a clip is whose samples never leave the rest. It is a pose that players blend with. None
 * where nothing is sampled or valid.
 */
export function restTracks(
  stage: Stage,
  { joints }: SkeletonDefinition,
  animation: SkelAnimation,
  rest: Float64Array,
  budget: KeyBudget,
): Track[] {
  const codes = jointTimes(stage, animation);
  if (codes.length === 0 || jointComponents(stage, animation, codes[0]).components === null) return [];
  const own = new Set(animation.joints);
  const kept = [...joints.keys()].filter((joint) => own.has(joints[joint]));
  spend(budget, TRACK_PATHS.length * kept.length, animation.prim);
  return TRACK_PATHS.flatMap((path) =>
    kept.map((joint): Track => {
      const at = POSE_STRIDE * joint + PATH_OFFSET[path];
      const values = Float32Array.from(rest.subarray(at, at + PATH_WIDTH[path]));
      return { target: joint, path, interpolation: 'LINEAR', times: Float64Array.of(0), values };
    }),
  );
}

/** The keys of the three attributes; null where they never go together. */
function componentKeys(
  stage: Stage,
  animation: SkelAnimation,
  clock: Clock,
  issues: Issue[],
): SampledKeys<Numbers>[] | null {
  const { prim } = animation;
  const allKeys = (): SampledKeys<Numbers>[] =>
    JOINT_ATTRIBUTES.map((name) => attributeKeys(stage, prim, name, WIDTHS[name], clock));
  if (isAlwaysWhole(stage, animation)) return allKeys();
  const sampled = jointTimes(stage, animation);
  const codes = sampled.length === 0 ? [clock.origin] : Array.from(sampled);
  const whole: JointComponents[] = codes.map((code) => jointComponents(stage, animation, code));
  const reason = whole.find((at) => at.reason !== null)?.reason;
  if (reason !== undefined) {
    const message = `SkelAnimation ${prim}: ${reason}; the rest pose was taken.`;
    issues.push(issue('USD_ANIMATION_INVALID', message, { pointer: prim }));
  }
  if (whole.every(({ components }) => components === null)) return null;
  if (whole.every(({ components }) => components !== null)) return allKeys();
  return withGaps(stage, animation, codes, whole);
}

/** Whether the three attributes have a value of the right size at every sample, as nearly all have; false where it would take a look at every time. */
function isAlwaysWhole(stage: Stage, { prim, joints }: SkelAnimation): boolean {
  return JOINT_ATTRIBUTES.every((name) => {
    const found = attributeSamples(stage, prim, name);
    const size = WIDTHS[name] * joints.length;
    return size > 0 && found?.samples.values.every((value) => numbersOf(value, WIDTHS[name])?.length === size) === true;
  });
}

/** Keys at all times of all three, with null where they do not go together. */
function withGaps(
  stage: Stage,
  animation: SkelAnimation,
  codes: readonly number[],
  whole: readonly JointComponents[],
): SampledKeys<Numbers>[] {
  const isHeld = stage.interpolation === 'held';
  const all: { code: number; components: JointComponents['components'] }[] = [];
  for (const [k, { components }] of whole.entries()) {
    const before = whole[k - 1]?.components ?? null;
    if (k > 0 && !isHeld && (before === null) !== (components === null)) {
      const left = codes[k] - (codes[k] - codes[k - 1]) * LEFT_SIDE;
      all.push({ code: codes[k], components: jointComponents(stage, animation, left).components });
    }
    all.push({ code: codes[k], components });
  }
  return TRACK_PATHS.map((_, component) => ({
    interpolation: isHeld ? 'STEP' : 'LINEAR',
    codes: all.map(({ code }) => code),
    samples: all.map(({ components }) => components?.[component] ?? null),
  }));
}

/** The track of one path of a joint; null where it keeps its rest. */
function trackOf(
  { interpolation, samples }: SampledKeys<Numbers>,
  { times, places }: { readonly times: Float64Array; readonly places: readonly number[] },
  path: TrackPath,
  joint: number,
  place: number,
  rest: Float64Array,
  restAt: number,
): Track | null {
  const width = PATH_WIDTH[path];
  const values = new Float32Array(times.length * width);
  for (let key = 0; key < places.length; key++) {
    const numbers = samples[places[key]];
    const at = key * width;
    for (let c = 0; c < width; c++) {
      const value = numbers === null ? rest[restAt + c] : numbers[place * width + c];
      values[at + c] = Math.abs(value) <= FLOAT32_MAX ? value : rest[restAt + c];
    }
    if (path === 'rotation') makeUnit(values, at);
  }
  return settled({ target: joint, path, interpolation, times, values }, rest, restAt);
}
