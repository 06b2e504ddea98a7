/** The algorithm of the Wicked Engine article next to ours: the same for similar characters; and the cases where it fails. */
import { describe, expect, test } from 'vitest';
import { type Clip, lastKeyTime, type Track, type TrackPath } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import type { RetargetOptions } from '../../src/core/retarget/options.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { makeRandom, type Random } from '../../src/demo/random.ts';
import { insertNode, resized, resting, without } from '../support/make/change-rig.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { type RandomRig, type RigOptions, randomRig } from '../support/make/random-rig.ts';
import { retargetByArticle } from '../support/reference/article.ts';
import {
  aboutAxis,
  angle,
  apart,
  IDENTITY,
  product,
  type Quaternion,
  read,
  rotationOf,
} from '../support/reference/plain.ts';
import { expectedDeltas, hipsPosition, worldDeltas } from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** Characters as the article assumes them: rest pose is T-pose, same axes, same unit, every bone below its parent bone. */
const ALIKE: RigOptions = { restIsReference: true, frame: 'canonical', metersPerUnit: 1, detached: false };

function alikePair(random: Random, options: RigOptions = {}): { source: Humanoid; target: Humanoid } {
  const { humanoid: source } = randomRig(random, { ...ALIKE, ...options });
  const bones = Array.from(source.map.nodes.keys()).filter((bone) => source.map.nodes[bone] >= 0);
  return { source, target: randomRig(random, { ...ALIKE, ...options, bones }).humanoid };
}

/** Returns how far the tracks of the article's result are from ours; NaN if one of ours is missing or has another number of values. */
function copyError(ours: Clip, theirs: Clip): number {
  return largest(
    ...theirs.tracks.map((track) => {
      const own = ours.tracks.find(({ target, path }) => target === track.target && path === track.path);
      if (own === undefined || own.values.length !== track.values.length) return Number.NaN;
      return valuesError(own, track);
    }),
  );
}

function valuesError(own: Track, track: Track): number {
  const width = track.path === 'rotation' ? 4 : 3;
  let error = 0;
  for (let i = 0; i < track.values.length; i += width) {
    const [a, b] = [read(own.values, i, width), read(track.values, i, width)];
    error = largest(error, width === 4 ? angle(a, b) : apart(a, b) / (1 + Math.hypot(...b)));
  }
  return error;
}

/** Keeps the non-constant tracks of the paths. */
function changing(clip: Clip, ...paths: readonly TrackPath[]): Clip {
  const tracks = clip.tracks.filter(({ times, path }) => times.length > 1 && paths.includes(path));
  return { ...clip, duration: lastKeyTime(tracks), tracks };
}

/** Cases per law: few, since the article composes and decomposes matrices for every key. */
const CASES = 100;

describe('retargetClip equals the algorithm of the article', () => {
  law(
    'for rotations of similar characters',
    LAW_F64,
    (random) => {
      const { source, target } = alikePair(random);
      const clip = changing(randomClip(random, source, { interpolations: ['STEP', 'LINEAR'] }), 'rotation');
      const ours = retargetClip(planRetarget(source, target), clip);
      return copyError(ours, retargetByArticle(source, target, clip));
    },
    CASES,
  );

  law(
    'for all channels of similar characters with hipsScale none, besides those of the hips, whose pelvis we follow',
    LAW_F64,
    (random) => {
      const { source, target } = alikePair(random);
      const stretched = randomClip(random, source, { interpolations: ['STEP'], stretch: true });
      const clip = changing(stretched, 'translation', 'rotation', 'scale');
      const options: RetargetOptions = { hipsScale: 'none', translation: true, scale: true };
      const ours = retargetClip(planRetarget(source, target, options), clip);
      const theirs = retargetByArticle(source, target, clip);
      const hips = target.map.nodes[BONE.hips];
      return copyError(ours, {
        ...theirs,
        tracks: theirs.tracks.filter((track) => track.target !== hips || track.path !== 'translation'),
      });
    },
    CASES,
  );
});

/** Returns a clip with constant local rotations. */
function rotatedClip(...rotations: readonly (readonly [node: number, rotation: Quaternion])[]): Clip {
  const tracks = rotations.map(([target, rotation]): Track => {
    return {
      target,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: new Float32Array([0, 1]),
      values: Float64Array.from([...rotation, ...rotation.map((c, k) => (k === 3 ? c : c + 1e-9))]),
    };
  });
  return { name: 'turn', duration: 1, tracks };
}

/** Returns the rest rotation of a node times a local rotation. */
function bent({ skeleton }: Humanoid, node: number, rotation: Quaternion): Quaternion {
  return product(rotationOf(skeleton.rest, node), rotation);
}

function firstPose({ skeleton }: Humanoid, clip: Clip): Float64Array {
  const local = restPose(skeleton);
  sampleClip(clip, 0, local);
  return local;
}

/** Returns the error of the world delta of a bone, degrees, of the article and of anyrig. */
function missed(source: Humanoid, target: Humanoid, clip: Clip, bone: number): { article: number; ours: number } {
  const lawful = expectedDeltas(source, target, firstPose(source, clip));
  const degrees = (result: Clip): number =>
    (angle(worldDeltas(target, firstPose(target, result))[bone]!, lawful[bone]!) * 180) / Math.PI;
  return {
    article: degrees(retargetByArticle(source, target, clip)),
    ours: degrees(retargetClip(planRetarget(source, target), clip)),
  };
}

const QUARTER = aboutAxis([1, 0, 0], Math.PI / 2);
const SIXTH = aboutAxis([0, 0, 1], Math.PI / 3);
const NO_OTHERS: RigOptions = { ...ALIKE, bones: 'all', others: false };

function alikeWithAllBones(seed: number): { source: RandomRig; target: RandomRig } {
  const random = makeRandom(seed);
  return { source: randomRig(random, NO_OTHERS), target: randomRig(random, NO_OTHERS) };
}

describe('retargetClip is right where the algorithm of the article fails', () => {
  test('motion of a node between two bones: the article drops it, anyrig adds it to the bone below', () => {
    const { source, target } = alikeWithAllBones(1);
    const forearm = source.humanoid.map.nodes[BONE.leftLowerArm];
    const still = { translation: [0, 0, 0], rotation: IDENTITY, scale: 1 };
    const { humanoid } = insertNode(source.humanoid, forearm, still);
    const clip = rotatedClip([forearm, QUARTER]);
    const { article, ours } = missed(humanoid, target.humanoid, clip, BONE.leftLowerArm);
    expect(article).toBeCloseTo(90, 6);
    expect(ours).toBeLessThan(1e-6);
  });

  test('a target of half the size: the article moves it as far as the source, anyrig scales by the ratio of the hips heights', () => {
    const { source } = alikeWithAllBones(2);
    const { humanoid: half } = resized(source.humanoid, 0.5);
    const hips = source.humanoid.map.nodes[0];
    const start = read(source.humanoid.skeleton.rest, 10 * hips, 3);
    const clip: Clip = {
      name: 'walk',
      duration: 1,
      tracks: [
        {
          target: hips,
          path: 'translation',
          interpolation: 'LINEAR',
          times: new Float32Array([0, 1]),
          values: Float64Array.from([start[0] + 1, start[1], start[2], ...start]),
        },
      ],
    };
    const travel = (result: Clip): number =>
      apart(hipsPosition(half, firstPose(half, result)), read(half.reference.positions, 0, 3));
    expect(travel(retargetByArticle(source.humanoid, half, clip))).toBeCloseTo(1, 9);
    expect(travel(retargetClip(planRetarget(source.humanoid, half), clip))).toBeCloseTo(0.5, 9);
  });

  test('a bone that the target lacks: the article drops its motion, anyrig adds it to the bones below', () => {
    const { source, target } = alikeWithAllBones(3);
    const chest = source.humanoid.map.nodes[BONE.chest];
    const less = without(target.humanoid, [BONE.chest]);
    const clip = rotatedClip([chest, bent(source.humanoid, chest, QUARTER)], ...restBelow(source.humanoid, BONE.chest));
    const { article, ours } = missed(source.humanoid, less, clip, BONE.head);
    expect(article).toBeCloseTo(90, 6);
    expect(ours).toBeLessThan(1e-6);
  });

  test('a source with lowered arms at rest: the article raises the arms of the target by as much, anyrig does not', () => {
    const { source, target } = alikeWithAllBones(4);
    const arm = source.humanoid.map.nodes[BONE.leftUpperArm];
    const lowered = Float64Array.from(source.referenceLocal);
    lowered.set(bent(source.humanoid, arm, SIXTH), 10 * arm + 3);
    const stored = resting(source.humanoid, lowered);
    // The clip shows the T-pose.
    const clip = rotatedClip([arm, rotationOf(source.referenceLocal, arm)]);
    const { article, ours } = missed(stored, target.humanoid, clip, BONE.leftUpperArm);
    expect(article).toBeCloseTo(60, 6);
    expect(ours).toBeLessThan(1e-6);
  });
});

/** Returns the rest rotations of the bones below a bone. */
function restBelow({ skeleton, map }: Humanoid, bone: number): [number, Quaternion][] {
  const top = map.nodes[bone];
  const isBelow = (node: number): boolean => node >= 0 && (node === top || isBelow(skeleton.parents[node]));
  return Array.from(map.nodes)
    .filter((node) => node >= 0 && node !== top && isBelow(node))
    .map((node) => [node, rotationOf(skeleton.rest, node)]);
}
