/** The article's own form beside ours: the same where two bodies are alike, and where it is known to fail. */
import { describe, expect, test } from 'vitest';
import { type Clip, lastKeyTime, type Track, type TrackPath } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import type { RetargetOptions } from '../../src/core/retarget/options.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { makeRandom, type Random } from '../../src/demo/random.ts';
import { insertNode, resized, resting, without } from '../make/change-rig.ts';
import { randomClip } from '../make/random-clip.ts';
import { type RandomRig, type RigOptions, randomRig } from '../make/random-rig.ts';
import { retargetAsTheArticleDoes } from '../reference/article.ts';
import { aboutAxis, angle, apart, IDENTITY, product, type Quaternion, read, rotationOf } from '../reference/plain.ts';
import { hipsPosition, lawfulDeltas, worldDeltas } from '../reference/world-law.ts';
import { LAW_F64 } from '../tolerances.ts';
import { largest, law } from './law.ts';

/** Bodies as the article takes them: resting in their T-pose, in one world, with one unit, the same bones one below the other. */
const ALIKE: RigOptions = { restIsReference: true, frame: 'canonical', metersPerUnit: 1, tangled: false };

function alikePair(random: Random, options: RigOptions = {}): { source: Humanoid; target: Humanoid } {
  const { humanoid: source } = randomRig(random, { ...ALIKE, ...options });
  const bones = Array.from(source.map.nodes.keys()).filter((bone) => source.map.nodes[bone] >= 0);
  return { source, target: randomRig(random, { ...ALIKE, ...options, bones }).humanoid };
}

/** How far the tracks of the article's copy are from ours. NaN where one of ours is missing, has other times or an other interpolation. */
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

/** The tracks of a clip that change (constant ones of ours have one key) and are of the paths. */
function changing(clip: Clip, ...paths: readonly TrackPath[]): Clip {
  const tracks = clip.tracks.filter(({ times, path }) => times.length > 1 && paths.includes(path));
  return { ...clip, duration: lastKeyTime(tracks), tracks };
}

/** The article composes and decomposes matrices for every key: fewer rigs have to do. */
const FEW_RIGS = 100;

describe('where the article’s form is right', () => {
  law(
    'every key of every rotation is ours',
    LAW_F64,
    (random) => {
      const { source, target } = alikePair(random);
      const clip = changing(randomClip(random, source, { interpolations: ['STEP', 'LINEAR'] }), 'rotation');
      const ours = retargetClip(planRetarget(source, target), clip);
      return copyError(ours, retargetAsTheArticleDoes(source, target, clip));
    },
    FEW_RIGS,
  );

  law(
    'every key of every channel is ours when meters are not scaled and all channels are asked for',
    LAW_F64,
    (random) => {
      const { source, target } = alikePair(random);
      const stretched = randomClip(random, source, { interpolations: ['STEP'], stretch: true });
      const clip = changing(stretched, 'translation', 'rotation', 'scale');
      const options: RetargetOptions = { hipsScale: 'none', translation: true, scale: true };
      const ours = retargetClip(planRetarget(source, target, options), clip);
      return copyError(ours, retargetAsTheArticleDoes(source, target, clip));
    },
    FEW_RIGS,
  );
});

/** A clip that turns nodes to given local rotations. */
function turning(...turns: readonly (readonly [node: number, rotation: Quaternion])[]): Clip {
  const tracks = turns.map(([target, rotation]): Track => {
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

/** The rotation of a node in the rest pose, turned in its own space. */
function bent({ skeleton }: Humanoid, node: number, turn: Quaternion): Quaternion {
  return product(rotationOf(skeleton.rest, node), turn);
}

function firstPose({ skeleton }: Humanoid, clip: Clip): Float64Array {
  const local = restPose(skeleton);
  sampleClip(clip, 0, local);
  return local;
}

/** By how many degrees a bone of the result misses the world delta that it should show, by the article and by us. */
function missed(source: Humanoid, target: Humanoid, clip: Clip, bone: number): { article: number; ours: number } {
  const lawful = lawfulDeltas(source, target, firstPose(source, clip));
  const degrees = (result: Clip): number =>
    (angle(worldDeltas(target, firstPose(target, result))[bone]!, lawful[bone]!) * 180) / Math.PI;
  return {
    article: degrees(retargetAsTheArticleDoes(source, target, clip)),
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

describe('where the article’s form fails', () => {
  test('it drops the motion of a node between two bones; we show it in the bone below', () => {
    const { source, target } = alikeWithAllBones(1);
    const forearm = source.humanoid.map.nodes[BONE.leftLowerArm];
    const still = { translation: [0, 0, 0], rotation: IDENTITY, scale: 1 };
    const { humanoid } = insertNode(source.humanoid, forearm, still);
    const clip = turning([forearm, QUARTER]);
    const { article, ours } = missed(humanoid, target.humanoid, clip, BONE.leftLowerArm);
    expect(article).toBeCloseTo(90, 6);
    expect(ours).toBeLessThan(1e-6);
  });

  test('it has no hips scale: a body of half the size goes as far as the full one; we scale its way by the ratio of the heights', () => {
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
    const way = (result: Clip): number =>
      apart(hipsPosition(half, firstPose(half, result)), read(half.reference.positions, 0, 3));
    expect(way(retargetAsTheArticleDoes(source.humanoid, half, clip))).toBeCloseTo(1, 9);
    expect(way(retargetClip(planRetarget(source.humanoid, half), clip))).toBeCloseTo(0.5, 9);
  });

  test('it drops the motion of a bone that the target lacks; we fold it into the bones below', () => {
    const { source, target } = alikeWithAllBones(3);
    const chest = source.humanoid.map.nodes[BONE.chest];
    const less = without(target.humanoid, [BONE.chest]);
    const clip = turning([chest, bent(source.humanoid, chest, QUARTER)], ...stillBelow(source.humanoid, BONE.chest));
    const { article, ours } = missed(source.humanoid, less, clip, BONE.head);
    expect(article).toBeCloseTo(90, 6);
    expect(ours).toBeLessThan(1e-6);
  });

  test('it takes the rest for a T-pose: a source stored with lowered arms lifts the arms of the target by as much', () => {
    const { source, target } = alikeWithAllBones(4);
    const arm = source.humanoid.map.nodes[BONE.leftUpperArm];
    const lowered = Float64Array.from(source.referenceLocal);
    lowered.set(bent(source.humanoid, arm, SIXTH), 10 * arm + 3);
    const stored = resting(source.humanoid, lowered);
    // The motion shows the T-pose.
    const clip = turning([arm, rotationOf(source.referenceLocal, arm)]);
    const { article, ours } = missed(stored, target.humanoid, clip, BONE.leftUpperArm);
    expect(article).toBeCloseTo(60, 6);
    expect(ours).toBeLessThan(1e-6);
  });
});

/** Tracks that hold the bones below a bone at rest. */
function stillBelow({ skeleton, map }: Humanoid, bone: number): [number, Quaternion][] {
  const top = map.nodes[bone];
  const isBelow = (node: number): boolean => node >= 0 && (node === top || isBelow(skeleton.parents[node]));
  return Array.from(map.nodes)
    .filter((node) => node >= 0 && node !== top && isBelow(node))
    .map((node) => [node, rotationOf(skeleton.rest, node)]);
}
