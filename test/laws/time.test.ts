/** L9, and the other laws for whole clips: exact at keys, within the tolerance between them. */
import { describe } from 'vitest';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONES, REQUIRED_BONES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../src/core/retarget/plan-types.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { regauge } from '../support/make/change-rig.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { type RigOptions, randomRig } from '../support/make/random-rig.ts';
import { angle, apart, read, rotationOf, scaleOf, translationOf } from '../support/reference/plain.ts';
import { hipsPosition } from '../support/reference/world-retarget.ts';
import { LAW_F64, RESAMPLED_HEIGHT, RESAMPLED_RADIANS } from '../support/tolerances.ts';
import { validateClip } from '../support/validate-clip.ts';
import { deltaError, largest, law } from './law.ts';

const REQUIRED = REQUIRED_BONES.map((name) => BONES.indexOf(name));
/** In such rigs one rotation of the source drives each bone. */
const MATCHED: RigOptions = { bones: 'all', detached: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

/** A clip retargeted between two humanoids. */
interface Retarget {
  readonly source: Humanoid;
  readonly target: Humanoid;
  readonly plan: RetargetPlan;
  readonly clip: Clip;
  readonly result: Clip;
}

/** Returns the retargeted pose at a time, and the pose of the retargeted clip at that time. */
function bothWays({ source, target, plan, clip, result }: Retarget, time: number): [Float64Array, Float64Array] {
  const lawful = retargetPose(plan, sampled(source, clip, time), restPose(target.skeleton));
  return [lawful, sampled(target, result, time)];
}

/** Greatest number of keys per track that are compared. */
const KEYS = 8;

/** Returns how far the keys of a track are from the poses at their times: radians, or lengths relative to those of the pose. */
function keyError(track: Track, poseAt: (time: number) => Float64Array): number {
  const step = Math.ceil(track.times.length / KEYS);
  const times = Array.from(track.times).filter((_, key) => key % step === 0);
  return largest(...times.map((time) => valueError(track, sampledTrack(track, time), poseAt(time))));
}

function sampledTrack(track: Track, time: number): Float64Array {
  const local = new Float64Array(10 * (track.target + 1));
  sampleClip({ name: '', duration: time, tracks: [track] }, time, local);
  return local;
}

function valueError({ target, path }: Track, a: Float64Array, b: Float64Array): number {
  if (path === 'rotation') return angle(rotationOf(a, target), rotationOf(b, target));
  const read = path === 'scale' ? scaleOf : translationOf;
  return apart(read(a, target), read(b, target)) / (1 + Math.hypot(...read(b, target)));
}

/** Returns random times of a clip, also before its first and after its last key. */
function moments(random: Random, clip: Clip, count: number): number[] {
  return Array.from({ length: count }, () => between(random, 0, clip.duration + 0.1));
}

describe('L9 time: retargetClip', () => {
  law(
    'matches retargetPose exactly at keys, and between keys within the tolerance',
    1,
    (random) => {
      const source = randomRig(random, { bones: pick(random, [REQUIRED, 'random']) }).humanoid;
      const target = randomRig(random, { bones: REQUIRED }).humanoid;
      const style = random() < 0.2 ? 'wild' : 'smooth';
      const clip = randomClip(random, source, { others: true, style, isShort: !IS_FULL_RUN });
      const plan = planRetarget(source, target);
      const result = retargetClip(plan, clip);
      const { valid, reasons } = validateClip(result, target.skeleton.names.length);
      if (!valid) throw new Error(reasons.join('; '));
      const local = restPose(target.skeleton);
      // Most tracks have the same times.
      const poses = new Map<number, Float64Array>();
      const poseAt = (time: number): Float64Array => {
        const pose = poses.get(time) ?? retargetPose(plan, sampled(source, clip, time), local).slice();
        poses.set(time, pose);
        return pose;
      };
      const atKeys = largest(...result.tracks.map((track) => keyError(track, poseAt)));
      const betweenKeys = moments(random, clip, 4).map((time) => {
        const [lawful, shown] = bothWays({ source, target, plan, clip, result }, time);
        const hips = apart(hipsPosition(target, lawful), hipsPosition(target, shown)) / target.hipsHeight;
        return largest(deltaError(target, lawful, target, shown) / RESAMPLED_RADIANS, hips / RESAMPLED_HEIGHT);
      });
      return largest(atKeys / LAW_F64, ...betweenKeys);
    },
    IS_FULL_RUN ? 1000 : 500,
  );

  law(
    'is exact at any time where one rotation of the source drives a bone, and the hips within their tolerance',
    1,
    (random) => {
      const source = randomRig(random, MATCHED).humanoid;
      const target = randomRig(random, MATCHED).humanoid;
      const clip = randomClip(random, source);
      const plan = planRetarget(source, target);
      const result = retargetClip(plan, clip);
      return largest(
        ...moments(random, clip, 3).map((time) => {
          const [lawful, shown] = bothWays({ source, target, plan, clip, result }, time);
          const hips = apart(hipsPosition(target, lawful), hipsPosition(target, shown)) / target.hipsHeight;
          return largest(deltaError(target, lawful, target, shown) / LAW_F64, hips / RESAMPLED_HEIGHT);
        }),
      );
    },
  );

  law('maps a faster and delayed clip to the faster and delayed result', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const speed = between(random, 0.2, 5);
    const delay = pick(random, [0, between(random, 0, 2)]);
    const plan = planRetarget(source, target);
    const result = retargetClip(plan, clip);
    const later = retargetClip(plan, retimed(clip, speed, delay));
    return largest(
      ...moments(random, clip, 3).map((time) => {
        const when = time / speed + delay;
        return deltaError(target, sampled(target, result, time), target, sampled(target, later, when));
      }),
    );
  });

  law('maps a reversed clip to the reversed result', 1, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source, { interpolations: ['LINEAR', 'CUBICSPLINE'] });
    const plan = planRetarget(source, target);
    const result = retargetClip(plan, clip);
    const back = retargetClip(plan, backward(clip));
    return largest(
      ...moments(random, clip, 3).map((time) => {
        const a = sampled(target, result, Math.min(time, clip.duration));
        const b = sampled(target, back, Math.max(0, clip.duration - time));
        const hips = apart(hipsPosition(target, a), hipsPosition(target, b)) / target.hipsHeight;
        return largest(deltaError(target, a, target, b) / LAW_F64, hips / (2 * RESAMPLED_HEIGHT));
      }),
    );
  });

  law('is exact at every frame with fps', LAW_F64, (random) => {
    const source = randomRig(random, { bones: REQUIRED }).humanoid;
    const target = randomRig(random, { bones: pick(random, [REQUIRED, 'random']) }).humanoid;
    const clip = randomClip(random, source, { others: true, interpolations: ['LINEAR', 'CUBICSPLINE'] });
    const fps = pick(random, [10, 24, 30]);
    const plan = planRetarget(source, target);
    const result = retargetClip(plan, clip, { fps });
    const frames = [0, 1, 5].map((frame) => Math.min(Math.fround(frame / fps), Math.fround(clip.duration)));
    return largest(
      ...frames.map((time) => {
        const [lawful, shown] = bothWays({ source, target, plan, clip, result }, time);
        const hips = apart(hipsPosition(target, lawful), hipsPosition(target, shown));
        return largest(deltaError(target, lawful, target, shown), hips);
      }),
    );
  });
});

/** Changes speed and start of a clip. Times are float64: rounded ones would be other times of the motion. */
function retimed(clip: Clip, speed: number, delay: number): Clip {
  const tracks = clip.tracks.map((track): Track => {
    const times = Float64Array.from(track.times, (time) => time / speed + delay);
    if (track.interpolation !== 'CUBICSPLINE') return { ...track, times };
    const width = PATH_WIDTH[track.path];
    const isTangent = (k: number): boolean => Math.floor(k / width) % 3 !== 1;
    return { ...track, times, values: track.values.map((value, k) => (isTangent(k) ? value * speed : value)) };
  });
  return { ...clip, duration: lastKeyTime(tracks), tracks };
}

function backward(clip: Clip): Clip {
  const tracks = clip.tracks.map((track): Track => {
    const isCubic = track.interpolation === 'CUBICSPLINE';
    const width = PATH_WIDTH[track.path];
    const elements: number[][] = [];
    for (let i = 0; i < track.values.length; i += width) elements.push(read(track.values, i, width));
    // Reversing swaps in- and out-tangents and changes their sign.
    const values = elements.reverse().flatMap((e, k) => (isCubic && k % 3 !== 1 ? e.map((x) => -x) : e));
    const times = Float64Array.from(track.times, (time) => clip.duration - time).reverse();
    return { ...track, times, values: Float64Array.from(values) };
  });
  return { ...clip, duration: lastKeyTime(tracks), tracks };
}

/** Returns the largest difference between two clips; NaN if their tracks or times differ. */
function clipError(a: Clip, b: Clip): number {
  if (a.tracks.length !== b.tracks.length) return Number.NaN;
  const others = new Map(b.tracks.map((track) => [`${track.target} ${track.path}`, track]));
  return largest(
    ...a.tracks.map((track) => {
      const other = others.get(`${track.target} ${track.path}`);
      if (other === undefined || other.interpolation !== track.interpolation) return Number.NaN;
      if (track.times.some((time, key) => time !== other.times[key])) return Number.NaN;
      return valuesError(track, other);
    }),
  );
}

/** Returns the largest difference between the values of two tracks. A rotation track may be negated as a whole. */
function valuesError(a: Track, b: Track): number {
  if (a.values.length !== b.values.length) return Number.NaN;
  const size = 1 + largest(...a.values.map(Math.abs));
  const plus = largest(...a.values.map((value, k) => Math.abs(value - b.values[k])));
  if (a.path !== 'rotation') return plus / size;
  return Math.min(plus, largest(...a.values.map((value, k) => Math.abs(value + b.values[k])))) / size;
}

describe('retargetClip', () => {
  law('L1: returns the clip itself for the same humanoid, key by key, tangent by tangent', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { detached: false });
    const clip = randomClip(random, humanoid);
    const moving = clip.tracks.filter(({ path, times }) => path !== 'scale' && times.length > 1);
    const result = retargetClip(planRetarget(humanoid, humanoid), clip);
    const kept = result.tracks.filter((track) =>
      moving.some((m) => m.target === track.target && m.path === track.path),
    );
    return clipError({ ...clip, tracks: moving }, { ...result, tracks: kept });
  });

  law('L2: other local axes of both humanoids only rotate keys and tangents', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const otherSource = regauge(
      source,
      source.skeleton.names.map(() => randomRotation(random)),
    );
    const otherTarget = regauge(
      target,
      target.skeleton.names.map(() => randomRotation(random)),
    );
    const result = retargetClip(planRetarget(source, target), clip);
    const other = retargetClip(planRetarget(otherSource.humanoid, otherTarget.humanoid), otherSource.clip(clip));
    return clipError(otherTarget.clip(result), other);
  });

  law('L6: gives the same numbers to the last bit for another track order', 0, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const plan = planRetarget(source, target);
    const tracks = [...clip.tracks].sort(() => random() - 0.5);
    return clipError(retargetClip(plan, clip), retargetClip(plan, { ...clip, tracks }));
  });

  law('L14: treats q and −q as one rotation in keys of STEP and LINEAR tracks', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source, { interpolations: ['STEP', 'LINEAR'] });
    const tracks = clip.tracks.map((track): Track => {
      if (track.path !== 'rotation') return track;
      const signs = Array.from(track.times, () => (random() < 0.5 ? -1 : 1));
      return { ...track, values: track.values.map((value, k) => value * signs[Math.floor(k / 4)]) };
    });
    const plan = planRetarget(source, target);
    const result = retargetClip(plan, clip);
    const other = retargetClip(plan, { ...clip, tracks });
    return largest(
      ...moments(random, clip, 3).map((time) =>
        deltaError(target, sampled(target, result, time), target, sampled(target, other, time)),
      ),
    );
  });
});
