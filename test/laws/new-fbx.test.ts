/**
 * New FBX files: what is written of a random rig or a random scene is read back where it was, whatever scales, reflections, armatures and roots it has.
 * Joints are compared by world positions and by world matrices relative to a first pose, which do not depend on the axes of joints.
 */
import { describe } from 'vitest';
import type { Clip } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { Asset, MorphTrack } from '../../src/core/asset/asset.ts';
import type { Geometry } from '../../src/core/asset/geometry.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../src/core/math/mat4.ts';
import * as quat from '../../src/core/math/quat.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import { localToModelMatrices, restPose } from '../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import { fbxCharacterFiles, fbxMotionFiles } from '../../src/files/adapters/fbx/write-new-fbx.ts';
import type { OpenFile } from '../../src/files/open-file.ts';
import { parseFbx } from '../../src/formats/fbx/document/parse-fbx.ts';
import { readFbxTree } from '../../src/formats/fbx/read-fbx.ts';
import { readFbxTreeVertices } from '../../src/formats/fbx/read-fbx-geometry.ts';
import { validateFbxTree } from '../../src/formats/fbx/validate/validate-fbx.ts';
import { concatParts } from '../../src/formats/gltf/document/parts.ts';
import { deformedFile } from '../external/oracle/deformed-vertices.ts';
import { randomSigns, reflect } from '../support/make/change-rig.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { randomGeometry } from '../support/make/random-geometry.ts';
import { randomRig } from '../support/make/random-rig.ts';
import { largest, law } from './law.ts';

/**
 * Distance of joints, as a fraction of the size, and angle, radians: at keys only rounding. Between keys joints of a chain add up what each may be off, 0.0025°
 * (4.4e-5) or 0.4e-5 of the size at its end: six rotated joints above each other. 1.8e-4 was the worst of 300 rigs whose joints turn by any angle from key to key.
 */
const AT_KEYS = 1e-6;
const BETWEEN_KEYS = 2.6e-4;

function fakeFile(asset: Partial<Asset>): OpenFile {
  const whole: Asset = {
    format: 'gltf',
    metersPerUnit: 1,
    up: [0, 1, 0],
    skeletons: [],
    clips: [],
    issues: [],
    ...asset,
  } as Asset;
  return { format: 'gltf', name: 'hero.glb', asset: whole, readResource: null } as unknown as OpenFile;
}

/** Chooses the rest pose of the file, which its motion does not depend on. */
function destination(random: Random) {
  return { path: 'out.fbx', fbx: { rest: pick(random, ['t-pose', 'keep'] as const) } };
}

/** Names every node by its index, so that nodes are found again. */
function named(humanoid: Humanoid): Humanoid {
  const names = Array.from(humanoid.skeleton.parents, (_, node) => `node ${node}`);
  return { ...humanoid, skeleton: { ...humanoid.skeleton, names } };
}

function worldsAt(skeleton: Skeleton, clip: Clip, time: number): Map<string, Float64Array> {
  const pose = restPose(skeleton);
  sampleClip(clip, time, pose);
  for (let at = 3; at < pose.length; at += 10) quat.normalize(pose, at, pose, at);
  const worlds = new Float64Array(16 * skeleton.parents.length);
  localToModelMatrices(worlds, skeleton.parents, pose);
  return new Map(skeleton.names.map((name, node) => [name, worlds.slice(16 * node, 16 * node + 16)]));
}

/** Times at and between the keys of a clip, a few of many. */
function someTimes(random: Random, { tracks }: Clip): { at: number[]; within: number[] } {
  const keys = [...new Set(tracks.flatMap(({ times }) => Array.from(times)))].sort((a, b) => a - b);
  const chosen = keys.map((_, k) => k).filter((k) => k === 0 || random() < 6 / keys.length);
  const isStep = tracks.some(({ interpolation }) => interpolation === 'STEP');
  return {
    at: isStep ? [] : chosen.map((k) => keys[k]),
    within: chosen
      .filter((k) => k + 1 < keys.length && keys[k + 1] - keys[k] > 1e-3)
      .map((k) => keys[k] + 0.41 * (keys[k + 1] - keys[k])),
  };
}

/** Rotates and scales matrices of the source to the space of the file: centimeters, facing +Z. */
function moved(matrix: Float64Array, rotation: ArrayLike<number>, scale: number): Float64Array {
  const out = new Float64Array(16);
  mat4.compose(out, 0, [0, 0, 0, ...Array.from(rotation), 1, 1, 1], 0);
  mat4.multiply(out, 0, out, 0, matrix, 0);
  vec3.scale(out, 12, out, 12, scale);
  return out;
}

/** Change of a world matrix since a first pose: without the axes and scale of the joint. */
function changeSince(now: Float64Array, first: Float64Array): Float64Array {
  const out = new Float64Array(16);
  mat4.invertAffine(out, 0, first, 0);
  mat4.multiply(out, 0, now, 0, out, 0);
  return out;
}

function motionError(random: Random, humanoid: Humanoid, clip: Clip): number {
  const { skeleton, frame, metersPerUnit } = humanoid;
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  const part = { skeleton, sourceNodes, declared: null };
  const file = fakeFile({ skeletons: [part], clips: [] });
  const [{ parts }] = fbxMotionFiles({ file, part, humanoid }, [{ clip }], destination(random), []);
  const tree = parseFbx(concatParts(parts));
  const { skeletons, clips, issues } = readFbxTree(tree);
  const faults = validateFbxTree(tree).issues.filter(({ severity }) => severity === 'error' || severity === 'warning');
  if (issues.length + faults.length > 0 || skeletons.length !== 1 || clips.length !== 1) {
    throw new Error(`${skeletons.length} skeletons, ${clips.length} clips, ${JSON.stringify([issues, faults])}`);
  }
  const written = skeletons[0].skeleton;
  const scale = 100 * metersPerUnit;
  const { at, within } = someTimes(random, clip);
  const start = worldsAt(skeleton, clip, 0);
  const writtenStart = worldsAt(written, clips[0].clips[0], 0);
  const size = largest(...[...start.values()].flatMap((m) => [0, 1, 2].map((c) => Math.abs(m[12 + c])))) * scale;
  const errors = (time: number, tolerance: number): number[] => {
    const ours = worldsAt(skeleton, clip, time);
    const theirs = worldsAt(written, clips[0].clips[0], time);
    return [...ours].flatMap(([name, matrix]) => {
      const other = theirs.get(name);
      if (other === undefined) return [];
      const expected = moved(matrix, frame, scale);
      const distance = vec3.distance(expected, 12, other, 12) / size;
      const change = changeSince(expected, moved(start.get(name) as Float64Array, frame, scale));
      const found = changeSince(other, writtenStart.get(name) as Float64Array);
      const most = change.slice(0, 12).reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
      const turned = change.slice(0, 12).reduce((sum, value, c) => Math.max(sum, Math.abs(value - found[c])), 0);
      return [distance / tolerance, turned / most / tolerance];
    });
  };
  return largest(
    ...at.flatMap((time) => errors(time, AT_KEYS)),
    ...within.flatMap((time) => errors(time, BETWEEN_KEYS)),
  );
}

describe('a new FBX of a skeleton', () => {
  law(
    'has all joints where the source has them at all times',
    1,
    (random) => {
      const humanoid = named(randomRig(random).humanoid);
      return motionError(random, humanoid, randomClip(random, humanoid, { isShort: true, others: random() < 0.5 }));
    },
    300,
  );

  law(
    'has all joints where the source with negative scales has them',
    1,
    (random) => {
      const plain = named(randomRig(random).humanoid);
      const { humanoid, clip } = reflect(plain, randomSigns(random, plain));
      return motionError(random, humanoid, clip(randomClip(random, plain, { isShort: true, stretch: random() < 0.3 })));
    },
    300,
  );
});

/** Corners of all triangles, xyz. */
function cornersAt(geometry: Geometry, positions: readonly Float64Array[]): Float64Array {
  const primitives = geometry.instances.flatMap(({ mesh }) => geometry.meshes[mesh].primitives);
  return Float64Array.from(
    primitives.flatMap(({ indices, vertexCount }, p) => {
      const corners = indices ?? Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex);
      return Array.from(corners).flatMap((vertex) => [...positions[p].subarray(3 * vertex, 3 * vertex + 3)]);
    }),
  );
}

/** Largest distance between corners of two lists of triangles, whose second and third corners may be exchanged. */
function triangleDistance(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length) return Number.NaN;
  let worst = 0;
  const apart = (i: number, j: number): number => vec3.distance(a, i, b, j);
  for (let i = 0; i < a.length; i += 9) {
    const same = Math.max(apart(i, i), apart(i + 3, i + 3), apart(i + 6, i + 6));
    const turned = Math.max(apart(i, i), apart(i + 3, i + 6), apart(i + 6, i + 3));
    worst = Math.max(worst, Math.min(same, turned));
  }
  return worst;
}

describe('a new FBX of a character', () => {
  law(
    'has all vertices where the source has them at all times, skinned, rigid and morphed',
    1,
    (random) => {
      const geometry = randomGeometry(random);
      const { nodes, sourceNodes } = geometry;
      for (let at = 7; at < nodes.rest.length; at++)
        if (at % 10 >= 7 && random() < 0.2) (nodes.rest as Float64Array)[at] *= -1;
      const times = Float64Array.of(0, 0.2, 0.7);
      const animated = [0, 1, 2, 3, 4].filter(() => random() < 0.6);
      const tracks = animated.map((target) => ({
        target,
        path: 'rotation' as const,
        interpolation: 'LINEAR' as const,
        times,
        values: Float64Array.from([...times].flatMap(() => randomRotation(random))),
      }));
      const morph: MorphTrack = {
        sourceNode: sourceNodes[5],
        nodeName: 'body',
        targetCount: 3,
        interpolation: 'LINEAR',
        times,
        values: Float64Array.from({ length: 9 }, () => between(random, 0, 1)),
      };
      const clip: Clip = { name: 'clip', duration: 0.7, tracks };
      const part = { skeleton: nodes, sourceNodes, declared: null };
      const file = fakeFile({
        skeletons: [part],
        clips: [{ name: 'clip', duration: 0.7, clips: [clip], morphs: [morph], otherChannels: 0 }],
      });
      const character = { file, geometry, part: pick(random, [part, null]), humanoid: null };
      const animation = { name: 'clip', clip, sourceNodes, morphs: [morph] };
      const [{ parts }] = fbxCharacterFiles(character, [animation], destination(random), []);
      const tree = parseFbx(concatParts(parts));
      const written = readFbxTreeVertices(tree);
      const asset = readFbxTree(tree);
      const source = { ...file, format: 'bvh' } as OpenFile;
      const ours = deformedFile(source, geometry, null);
      const theirs = deformedFile({ format: 'fbx', asset } as OpenFile, written, null);
      return largest(
        ...[0, 0.2, 0.5, 0.7].map((time) => {
          const expected = cornersAt(
            geometry,
            ours.at(0, time).map(({ positions }) => positions),
          ).map((x) => 100 * x);
          const found = cornersAt(
            written,
            theirs.at(0, time).map(({ positions }) => positions),
          );
          const size = largest(1, ...expected.map(Math.abs));
          return triangleDistance(expected, found) / size / (time === 0.5 ? BETWEEN_KEYS : 1e-5);
        }),
      );
    },
    300,
  );
});
