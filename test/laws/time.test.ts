/** L9, and the other laws for whole clips: what is true of poses is true of motions, at keys exactly and between them within the bound. */
import { describe } from 'vitest';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { validateClip } from '../../src/core/animation/validate-clip.ts';
import { BONES, REQUIRED_BONES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import { regauge } from '../make/change-rig.ts';
import { randomClip } from '../make/random-clip.ts';
import { type RigOptions, randomRig } from '../make/random-rig.ts';
import { angle, apart, read, rotationOf, scaleOf, translationOf } from '../reference/plain.ts';
import { hipsPosition } from '../reference/world-law.ts';
import { LAW_F64, RESAMPLED_HEIGHT, RESAMPLED_RADIANS } from '../tolerances.ts';
import { deltaError, largest, law } from './law.ts';

const REQUIRED = REQUIRED_BONES.map((name) => BONES.indexOf(name));
/** Every bone of such rigs is driven by one rotation of the source. */
const MATCHED: RigOptions = { bones: 'all', tangled: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

/** The result for the pose at a time, and the pose of the result at that time. */
function bothWays(
  source: Humanoid,
  target: Humanoid,
  clip: Clip,
  result: Clip,
  time: number,
): [Float64Array, Float64Array] {
  const pose = sampled(source, clip, time);
  const lawful = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
  return [lawful, sampled(target, result, time)];
}

/** Keys of a track that are looked at. */
const KEYS = 8;

/** How far keys of a track are from the poses at their times: radians, or lengths relative to those of the pose. */
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

/** Random moments of a clip, before its first key and after its last one too. */
function moments(random: Random, clip: Clip, count: number): number[] {
  return Array.from({ length: count }, () => between(random, 0, clip.duration + 0.1));
}

describe('L9 time', () => {
  law(
    'the keys of a result are the results for the poses at their times; between them the world is within the bound',
    1,
    (random) => {
      const source = randomRig(random, { bones: pick(random, [REQUIRED, 'random']) }).humanoid;
      const target = randomRig(random, { bones: REQUIRED }).humanoid;
      const style = random() < 0.2 ? 'wild' : 'smooth';
      const clip = randomClip(random, source, { others: true, style });
      const plan = planRetarget(source, target);
      const result = retargetClip(plan, clip);
      const { valid, reasons } = validateClip(result, target.skeleton.names.length);
      if (!valid) throw new Error(reasons.join('; '));
      const local = restPose(target.skeleton);
      // Tracks mostly have the same times.
      const poses = new Map<number, Float64Array>();
      const poseAt = (time: number): Float64Array => {
        const pose = poses.get(time) ?? retargetPose(plan, sampled(source, clip, time), local).slice();
        poses.set(time, pose);
        return pose;
      };
      const atKeys = largest(...result.tracks.map((track) => keyError(track, poseAt)));
      const betweenKeys = moments(random, clip, 4).map((time) => {
        const [lawful, shown] = bothWays(source, target, clip, result, time);
        const hips = apart(hipsPosition(target, lawful), hipsPosition(target, shown)) / target.hipsHeight;
        return largest(deltaError(target, lawful, target, shown) / RESAMPLED_RADIANS, hips / RESAMPLED_HEIGHT);
      });
      return largest(atKeys / LAW_F64, ...betweenKeys);
    },
  );

  law('where one rotation of the source drives a bone it is exact at any time, wild or smooth', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const result = retargetClip(planRetarget(source, target), clip);
    return largest(
      ...moments(random, clip, 3).map((time) => {
        const [lawful, shown] = bothWays(source, target, clip, result, time);
        return largest(
          deltaError(target, lawful, target, shown),
          apart(hipsPosition(target, lawful), hipsPosition(target, shown)),
        );
      }),
    );
  });

  law('a motion played faster and later gives the result played faster and later', LAW_F64, (random) => {
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

  law('a motion played backward gives the result played backward', LAW_F64, (random) => {
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
        return largest(
          deltaError(target, a, target, b),
          apart(hipsPosition(target, a), hipsPosition(target, b)) / target.hipsHeight,
        );
      }),
    );
  });

  law('on a grid every frame is exact', LAW_F64, (random) => {
    const source = randomRig(random, { bones: REQUIRED }).humanoid;
    const target = randomRig(random, { bones: pick(random, [REQUIRED, 'random']) }).humanoid;
    const clip = randomClip(random, source, { others: true, interpolations: ['LINEAR', 'CUBICSPLINE'] });
    const fps = pick(random, [10, 24, 30]);
    const result = retargetClip(planRetarget(source, target), clip, { fps });
    const frames = [0, 1, 5].map((frame) => Math.min(Math.fround(frame / fps), Math.fround(clip.duration)));
    return largest(
      ...frames.map((time) => {
        const [lawful, shown] = bothWays(source, target, clip, result, time);
        const hips = apart(hipsPosition(target, lawful), hipsPosition(target, shown));
        return largest(deltaError(target, lawful, target, shown), hips);
      }),
    );
  });
});

/** Times as float64: rounded ones would be other moments of the motion. */
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
    // In- and out-tangents change places with the order; they also change their sign.
    const values = elements.reverse().flatMap((e, k) => (isCubic && k % 3 !== 1 ? e.map((x) => -x) : e));
    const times = Float64Array.from(track.times, (time) => clip.duration - time).reverse();
    return { ...track, times, values: Float64Array.from(values) };
  });
  return { ...clip, duration: lastKeyTime(tracks), tracks };
}

/** The largest difference between two clips with the same tracks and times; NaN when they have not. */
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

/** Whole tracks of rotations may be written as −q. */
function valuesError(a: Track, b: Track): number {
  if (a.values.length !== b.values.length) return Number.NaN;
  const size = 1 + largest(...a.values.map(Math.abs));
  const plus = largest(...a.values.map((value, k) => Math.abs(value - b.values[k])));
  if (a.path !== 'rotation') return plus / size;
  return Math.min(plus, largest(...a.values.map((value, k) => Math.abs(value + b.values[k])))) / size;
}

describe('clips', () => {
  law('L1: a clip put on its own body is itself, key by key, tangent by tangent', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { tangled: false });
    const clip = randomClip(random, humanoid);
    const moving = clip.tracks.filter(({ path, times }) => path !== 'scale' && times.length > 1);
    const result = retargetClip(planRetarget(humanoid, humanoid), clip);
    const kept = result.tracks.filter((track) =>
      moving.some((m) => m.target === track.target && m.path === track.path),
    );
    return clipError({ ...clip, tracks: moving }, { ...result, tracks: kept });
  });

  law('L2: other local axes of both bodies turn keys and tangents, and nothing else', LAW_F64, (random) => {
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

  law('L6: another order of the tracks gives the same numbers to the last bit', 0, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const plan = planRetarget(source, target);
    const tracks = [...clip.tracks].sort(() => random() - 0.5);
    return clipError(retargetClip(plan, clip), retargetClip(plan, { ...clip, tracks }));
  });

  law('L14: keys of STEP and LINEAR tracks may be written as −q', LAW_F64, (random) => {
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
