/**
 * New FBX files of random rigs, with any axes, units and facings, armatures and nodes between bones, and of the standard rigs in other programs at 60 frames. Joints
 * should be where the rig has them in memory, in centimeters, facing +Z.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { STANDARD_RIG_NAMES } from '../../../src/core/humanoid/rigs/rig-names.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom, type Random } from '../../../src/demo/random.ts';
import { fbxMotionFiles } from '../../../src/files/adapters/fbx/write-new-fbx.ts';
import { findHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import type { OpenFile } from '../../../src/files/open-file.ts';
import { createStandardRig } from '../../../src/files/standard-rig.ts';
import { readFbx } from '../../../src/formats/fbx/index.ts';
import { concatParts } from '../../../src/formats/gltf/document/parts.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { HAS_BLENDER } from './blender.ts';
import {
  expectSame,
  type FbxCase,
  HAS_ASSIMP,
  HAS_FBX_SDK,
  type Pose,
  showInAssimp,
  showInBlender,
  showInSdk,
  showInThree,
} from './fbx-programs.ts';

const RIGS = 24;
const FPS = 30;
const FRAMES = 60;
const TIMES = Array.from({ length: FRAMES }, (_, frame) => frame / FPS);

/** What {@link fbxMotionFiles} writes. */
type Rig = Parameters<typeof fbxMotionFiles>[0] & { readonly humanoid: Humanoid };

const folder = temporaryFolder();
const cases: FbxCase[] = [];

/** Samples a clip at frames, because programs interpolate between keys in their own ways. */
function onFrames({ skeleton }: Humanoid, clip: Clip): Clip {
  const poses = TIMES.map((time) => {
    const pose = restPose(skeleton);
    sampleClip(clip, (time * clip.duration) / TIMES[FRAMES - 1], pose);
    return pose;
  });
  const tracks = clip.tracks.flatMap(({ target, path }): Track[] => {
    if (path === 'scale') return [];
    const [at, width] = path === 'rotation' ? [10 * target + 3, 4] : [10 * target, 3];
    const values = Float64Array.from(poses.flatMap((pose) => [...pose.subarray(at, at + width)]));
    return [{ target, path, interpolation: 'LINEAR', times: Float64Array.from(TIMES), values }];
  });
  return { name: 'clip', duration: TIMES[FRAMES - 1], tracks };
}

/** Where joints of a rig are, by name. */
function poseAt(
  { skeleton, frame, metersPerUnit }: Humanoid,
  clip: Clip,
  time: number,
  names: ReadonlySet<string>,
): Pose {
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  for (let at = 3; at < local.length; at += 10) quat.normalize(local, at, local, at);
  const count = skeleton.parents.length;
  const matrices = new Float64Array(16 * count);
  const rotations = new Float64Array(4 * count);
  localToModelMatrices(matrices, skeleton.parents, local);
  localToModelRotations(rotations, skeleton.parents, local);
  const rows = skeleton.names.flatMap((name, node): [string, number[]][] => {
    if (!names.has(name)) return [];
    const position = new Float64Array(3);
    vec3.rotate(position, 0, frame, 0, matrices, 16 * node + 12);
    const rotation = new Float64Array(4);
    quat.multiply(rotation, 0, frame, 0, rotations, 4 * node);
    return [[name.toLowerCase(), [...position.map((value) => 100 * metersPerUnit * value), ...rotation]]];
  });
  return new Map(rows);
}

/** Writes a rig with a random motion. */
function caseOf(name: string, { file, part, humanoid }: Rig, random: Random, rest: 't-pose' | 'keep'): FbxCase {
  const clip = onFrames(humanoid, randomClip(random, humanoid, { style: 'smooth' }));
  const [{ parts }] = fbxMotionFiles({ file, part, humanoid }, [{ clip }], { path: 'out.fbx', fbx: { rest } }, []);
  const path = folder(`${name}.fbx`);
  const bytes = concatParts(parts);
  writeFileSync(path, bytes);
  const written = new Set(readFbx(bytes).skeletons[0].skeleton.names);
  const poses = TIMES.map((time) => poseAt(humanoid, clip, time, written));
  const heights = [...poses[0].values()].map(([, y]) => y);
  const height = Math.max(...heights) - Math.min(...heights);
  return { name, path, clip: 'clip', times: TIMES, shown: [], height, poses, points: [] };
}

function anyRig(random: Random): Rig {
  const { humanoid: plain } = randomRig(random);
  const names = Array.from(plain.skeleton.parents, (_, node) => `node${node}`);
  const humanoid = { ...plain, skeleton: { ...plain.skeleton, names } };
  const part = { skeleton: humanoid.skeleton, sourceNodes: Int32Array.from(names.keys()), declared: null };
  const asset = { format: 'gltf', metersPerUnit: 1, up: [0, 1, 0], skeletons: [part], clips: [], issues: [] };
  return {
    file: { format: 'gltf', name: 'rig.glb', asset, readResource: null } as unknown as OpenFile,
    part,
    humanoid,
  };
}

describe.skipIf(!IS_FULL_RUN)('new FBX files of random and standard rigs', () => {
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  beforeAll(() => {
    for (let index = 0; index < RIGS; index++) {
      const random = makeRandom(3700 + index);
      cases.push(caseOf(`rig ${index}`, anyRig(random), random, index % 3 === 0 ? 'keep' : 't-pose'));
    }
    for (const name of STANDARD_RIG_NAMES) {
      const file = createStandardRig(name);
      const rig = { file, part: file.asset.skeletons[0], humanoid: findHumanoid(file).humanoid };
      cases.push(caseOf(name, rig, makeRandom(3700), 't-pose'));
    }
  }, 600_000);

  it.skipIf(!HAS_BLENDER)(
    'have the joints of the rigs in Blender',
    () => {
      const found = showInBlender(cases, folder);
      for (const [k, one] of cases.entries()) {
        expect([one.name, found[k].armatures]).toEqual([one.name, 1]);
        expectSame(one, found[k].poses, 1);
      }
    },
    600_000,
  );

  it.skipIf(!HAS_FBX_SDK)(
    "have the joints of the rigs in Autodesk's FBX SDK",
    async () => {
      for (const one of cases) expectSame(one, (await showInSdk(one)).poses, 1);
    },
    600_000,
  );

  it.skipIf(!HAS_ASSIMP)(
    'have the joints of the rigs in assimp',
    () => {
      for (const one of cases) expectSame(one, showInAssimp(one, folder), 1);
    },
    600_000,
  );

  it('have the joints of the rigs in three.js', () => {
    for (const one of cases) expectSame(one, showInThree(one).poses, 1);
  }, 600_000);
});
