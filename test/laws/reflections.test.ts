/**
 * Negative scales: a rig whose nodes have them, with local transforms that keep all joints where they are, gives the same world positions as the rig without.
 * Positions come from forward kinematics with matrices, which know nothing of reflections.
 */
import { describe } from 'vitest';
import type { Clip } from '../../src/core/animation/clip.ts';
import { loopClip } from '../../src/core/animation/loop-clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { createLiveContacts } from '../../src/core/contacts/live/live-contacts.ts';
import { applyContacts } from '../../src/core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import { describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { findRootMotionNode } from '../../src/core/humanoid/root-motion-node.ts';
import * as mat4 from '../../src/core/math/mat4.ts';
import { solveLocalPose } from '../../src/core/normalize/solve-local-pose.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { moveRootMotion } from '../../src/core/root-motion/move-root-motion.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import { setModelRotations } from '../../src/playback/live/model-pose.ts';
import { extractRootMotion } from '../../src/playback/root-motion/extract-root-motion.ts';
import { randomSigns, reflect } from '../support/make/change-rig.ts';
import { randomClip, randomPose } from '../support/make/random-clip.ts';
import { randomRig, randomVector } from '../support/make/random-rig.ts';
import { apart, worldPose } from '../support/reference/plain.ts';
import { LAW_F64, ROOT_MOTION } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** A random rig, some of its nodes with scales that are not uniform, and the same with negative scales. */
function randomPair(random: Random): { plain: Humanoid; reflected: ReturnType<typeof reflect> } {
  const { humanoid } = randomRig(random);
  const rest = Float64Array.from(humanoid.skeleton.rest);
  const share = pick(random, [0, 0.1]);
  for (let at = 7; at < rest.length; at += 10) {
    if (random() < share) for (let c = at; c < at + 3; c++) rest[c] *= between(random, 0.5, 2);
  }
  const bind = new Float64Array(16 * humanoid.skeleton.parents.length);
  localToModelMatrices(bind, humanoid.skeleton.parents, rest);
  const plain = { ...humanoid, skeleton: { ...humanoid.skeleton, rest, bind: pick(random, [null, bind]) } };
  return { plain, reflected: reflect(plain, randomSigns(random, plain)) };
}

/** Largest distance between the nodes of two rigs in their poses, relative to the largest coordinate. */
function distance({ skeleton: { parents } }: Humanoid, a: Float64Array, b: Float64Array): number {
  const [p, q] = [worldPose(parents, a).positions, worldPose(parents, b).positions];
  const size = largest(1, ...p.flat().map(Math.abs));
  return largest(...p.map((point, node) => apart(point, q[node]) / size));
}

/** The same during two clips. */
function distanceOfClips(plain: Humanoid, a: Clip, reflected: Humanoid, b: Clip): number {
  return largest(
    Math.abs(a.duration - b.duration),
    ...[0, 0.21, 0.5, 0.83, 1].map((part) => {
      const [p, q] = [restPose(plain.skeleton), restPose(reflected.skeleton)];
      sampleClip(a, part * a.duration, p);
      sampleClip(b, part * b.duration, q);
      return distance(plain, p, q);
    }),
  );
}

describe('a rig with negative scales', () => {
  law('has its joints where the rig without them has them', LAW_F64, (random) => {
    const { plain, reflected } = randomPair(random);
    const pose = randomPose(random, plain, { others: true, stretch: true });
    return largest(
      distance(plain, restPose(plain.skeleton), restPose(reflected.humanoid.skeleton)),
      distance(plain, pose, reflected.pose(pose)),
    );
  });

  law('gives the same poses by retargetPose, as source and as target', LAW_F64, (random) => {
    const [source, target] = [randomPair(random), randomPair(random)];
    const options = pick(random, [{}, { translation: true, scale: true }, { distribute: true }]);
    const pose = randomPose(random, source.plain, { others: true, stretch: true });
    const expected = retargetPose(
      planRetarget(source.plain, target.plain, options),
      pose,
      restPose(target.plain.skeleton),
    );
    const { humanoid } = target.reflected;
    const plan = planRetarget(source.reflected.humanoid, humanoid, options);
    const result = retargetPose(plan, source.reflected.pose(pose), restPose(humanoid.skeleton));
    return distance(target.plain, expected, result);
  });

  law('takes a pose of its bones as the rig without them does', LAW_F64, (random) => {
    const { plain, reflected } = randomPair(random);
    const space = new Float64Array(16);
    mat4.compose(space, 0, [...randomVector(random, 2), ...randomRotation(random), 2, 2, 2], 0);
    const expected = solveLocalPose(plain, plain.reference, space);
    return distance(plain, expected, solveLocalPose(reflected.humanoid, plain.reference, space));
  });

  law(
    'gives the same clips by retargetClip, as source and as target',
    LAW_F64,
    (random) => {
      const [source, target] = [randomPair(random), randomPair(random)];
      const options = pick(random, [{}, { translation: true, scale: true }]);
      const clip = randomClip(random, source.plain, { others: random() < 0.2, stretch: random() < 0.2, isShort: true });
      const expected = retargetClip(planRetarget(source.plain, target.plain, options), clip);
      const { humanoid } = target.reflected;
      const plan = planRetarget(source.reflected.humanoid, humanoid, options);
      return distanceOfClips(target.plain, expected, humanoid, retargetClip(plan, source.reflected.clip(clip)));
    },
    300,
  );

  law(
    'keeps the keys of its clips',
    0,
    (random) => {
      const [source, target] = [randomPair(random), randomPair(random)];
      const clip = randomClip(random, source.plain, { isShort: true });
      const expected = retargetClip(planRetarget(source.plain, target.plain), clip);
      const plan = planRetarget(source.reflected.humanoid, target.reflected.humanoid);
      const { tracks } = retargetClip(plan, source.reflected.clip(clip));
      const form = (list: Clip['tracks']): string =>
        list
          .map(({ target: node, path, interpolation, times }) => `${node} ${path} ${interpolation} ${times}`)
          .join('\n');
      return form(tracks) === form(expected.tracks) ? 0 : 1;
    },
    300,
  );

  law(
    'is described as the same humanoid, and keeps its base pose',
    LAW_F64,
    (random) => {
      const { plain, reflected } = randomPair(random);
      const clip = randomClip(random, plain, { isShort: true });
      const vertices = Array.from({ length: 300 }, () => ({
        node: Math.floor(between(random, 0, plain.skeleton.parents.length - 1e-9)),
        position: randomVector(random, 0.1),
      }));
      const describe = (skeleton: Skeleton, motion: Clip, signOf: (node: number, axis: number) => number) => {
        const bound = {
          positions: Float64Array.from(
            vertices.flatMap(({ node, position }) => position.map((x, axis) => x * signOf(node, axis))),
          ),
          nodes: Int32Array.from(vertices, ({ node }) => node),
          moves: new Uint8Array(skeleton.parents.length),
        };
        return describeHumanoid(skeleton, { map: plain.map, motion, vertices: () => bound });
      };
      const a = describe(plain.skeleton, clip, () => 1);
      const b = describe(reflected.humanoid.skeleton, reflected.clip(clip), reflected.matrix);
      if (a.humanoid === null || b.humanoid === null) return a.reason === b.reason ? 0 : Number.NaN;
      const [p, q] = [a.humanoid, b.humanoid];
      const poses = [p.basePose, q.basePose && reflected.pose(q.basePose)];
      if ((poses[0] === null) !== (poses[1] === null)) return Number.NaN;
      const both = (of: (one: Humanoid) => ArrayLike<number>): number =>
        largest(...Array.from(of(p), (value, k) => Math.abs(value - of(q)[k]) / (1 + Math.abs(value))));
      return largest(
        both(({ reference }) => reference.rotations),
        both(({ reference }) => reference.positions),
        both(({ frame, ground, hipsHeight, height }) => [...frame, ground, hipsHeight, height]),
        ...Array.from(poses[0] ?? [], (value, k) => Math.abs(value - poses[1]![k]) / (1 + Math.abs(value))),
      );
    },
    300,
  );

  law(
    'has the same loops and the same root motion',
    ROOT_MOTION,
    (random) => {
      const { plain, reflected } = randomPair(random);
      const { humanoid } = reflected;
      const clip = randomClip(random, plain, { others: random() < 0.5, style: 'smooth', isShort: true });
      const same = reflected.clip(clip);
      const hips = findRootMotionNode(plain);
      const to = pick(random, ['hips', 'root-bone', 'in-place'] as const);
      const [a, b] = [extractRootMotion(plain.skeleton, clip, hips), extractRootMotion(humanoid.skeleton, same, hips)];
      return largest(
        distanceOfClips(plain, loopClip(plain.skeleton, clip, hips), humanoid, loopClip(humanoid.skeleton, same, hips)),
        distanceOfClips(plain, moveRootMotion(plain, clip, to).clip, humanoid, moveRootMotion(humanoid, same, to).clip),
        distanceOfClips(plain, a.clip, humanoid, b.clip),
        ...Array.from(
          a.rootMotion.samples,
          (value, k) => Math.abs(value - b.rootMotion.samples[k]) / (1 + Math.abs(value)),
        ),
      );
    },
    100,
  );

  law('takes model-space rotations', LAW_F64, (random) => {
    const { plain, reflected } = randomPair(random);
    const pose = randomPose(random, plain, { others: true });
    const rotations = new Float64Array(4 * plain.skeleton.parents.length);
    const result = restPose(reflected.humanoid.skeleton);
    localToModelRotations(rotations, plain.skeleton.parents, pose);
    setModelRotations(result, plain.skeleton.parents, rotations);
    const expected = restPose(plain.skeleton);
    for (let at = 0; at < expected.length; at += 10) expected.set(pose.subarray(at + 3, at + 7), at + 3);
    return distance(plain, expected, result);
  });
});

describe('contacts of a rig with negative scales', () => {
  law(
    'are those of the rig without them, in clips and frame by frame',
    1e-6,
    (random) => {
      const bones = { bones: 'all', detached: false, frame: 'upright' } as const;
      const pairs = [0, 1].map(() => {
        const plain = randomRig(random, bones).humanoid;
        return { plain, reflected: reflect(plain, randomSigns(random, plain)) };
      });
      const [source, target] = pairs;
      const clip = randomClip(random, source.plain, { style: 'smooth', isShort: true });
      const run = (from: Humanoid, to: Humanoid, motion: Clip) => {
        const plan = planRetarget(from, to);
        const contacts = planContacts(plan, from, to, { mode: 'lock', armSpace: 5, legSpace: 3 });
        const retargeted = retargetClip(plan, motion);
        const live = createLiveContacts(contacts);
        const [sourcePose, targetPose] = [restPose(from.skeleton), restPose(to.skeleton)];
        for (let frame = 0; frame < 10; frame++) {
          sampleClip(motion, frame / 30, sourcePose);
          sampleClip(retargeted, frame / 30, targetPose);
          live.update(sourcePose, targetPose, 1 / 30);
        }
        return { clip: applyContacts(contacts, motion, retargeted).clip, pose: targetPose };
      };
      const a = run(source.plain, target.plain, clip);
      const b = run(source.reflected.humanoid, target.reflected.humanoid, source.reflected.clip(clip));
      return largest(
        distanceOfClips(target.plain, a.clip, target.reflected.humanoid, b.clip),
        distance(target.plain, a.pose, b.pose),
      );
    },
    60,
  );
});
