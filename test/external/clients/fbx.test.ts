/**
 * New FBX files of real characters in other programs. What they show is compared with the GLB that the same options give, which the reader of glTF reads: the two
 * files share nothing after the clip. Joints are compared by position and by how far they turned since time 0, so that the axes of joints do not matter.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimationMixer, type Bone, LoopOnce, type Mesh, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import { FBXLoader } from 'three/examples/jsm/loaders/FBXLoader.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAssbin } from '../../../scripts/fbx-oracle/assbin.ts';
import { assimpTransforms } from '../../../scripts/fbx-oracle/assimp-poses.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { findHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile, writeFiles } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { deformedFile } from '../oracle/deformed-vertices.ts';
import { HAS_BLENDER } from './blender.ts';

const HAS_ASSIMP = spawnSync('assimp', ['version']).status === 0;

const PAIRS = [
  ['glb/Xbot.glb', 'fbx/mixamo_Walking.fbx'],
  ['vrm/Godette_vrm_v4.vrm', 'fbx/mixamo_Walking.fbx'],
  ['vrm/cool_loops.vrm', 'bvh/pybvh_cmu_12_01_walk.bvh'],
  ['glb/KayKit_Knight.glb', 'fbx/ozz_pab_walk.fbx'],
  ['glb/quaternius_women_Witch.glb', 'bvh/makehuman_walk1.bvh'],
  ['glb/RobotExpressive.glb', 'fbx/mixamo_Walking.fbx'],
  ['glb/VALID_AIAN_M_1_Casual.glb', 'bvh/AD_fair1_dab.bvh'],
] as const;

/** Frame rate of the clips: all programs interpolate between keys in their own way, so that all compared times are frames. */
const FPS = 30;
const TIMES = 60;
/** Of the height, and degrees. */
const JOINTS = 1e-5;
const DEGREES = 0.005;
const VERTICES = 1e-4;
/**
 * Blender keeps a bone at rest as head, tail and roll in float32 (see scripts/fbx-oracle): that shows in long chains, so that its joints get ten times the limits.
 */
const BLENDER = 10;

/**
 * Joints that Blender does not move as keyed. Its importer connects a bone that is bound exactly at the tail of its parent, and pose bones that are connected ignore
 * keys of their location: `use_connect` of Ring1.L is true, and its location of 23 cm has no effect. assimp and three.js show it where the keys have it.
 */
const CONNECTED_IN_BLENDER: Readonly<Record<string, RegExp>> = { RobotExpressive: /^ring[12]\.l/ };

/** Position xyz and rotation xyzw. */
type Row = readonly number[];
type Pose = ReadonlyMap<string, Row>;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly clip: string;
  readonly times: readonly number[];
  readonly shown: readonly number[];
  readonly height: number;
  /** What the GLB says, in centimeters, facing +Z. */
  readonly poses: readonly Pose[];
  readonly points: readonly Float64Array[];
}

const folder = temporaryFolder();
const cases: Case[] = [];

async function caseOf(character: string, motion: string): Promise<Case> {
  const name = character.replace(/.*\/|\..*/g, '');
  const source = await openFile(asset('assets', character));
  const take = await openFile(asset('assets', motion));
  const write = async (output: string): Promise<string> => {
    const path = folder(output);
    const { outputs } = await retargetMotions([take], source, { output: path, replace: true, fps: FPS });
    await writeFiles(outputs, { force: true });
    return path;
  };
  const path = await write(`${name}.fbx`);
  const glb = await openFile(await write(`${name}.glb`));
  const { humanoid } = findHumanoid(glb);
  // Nodes with meshes are not joints in the FBX.
  const { asset: written } = await openFile(path);
  const joints = new Set(written.skeletons.flatMap(({ skeleton }) => skeleton.names.map((one) => one.toLowerCase())));
  const [{ name: clip, duration, clips }] = glb.asset.clips;
  const frames = Math.floor(duration * FPS + 1e-3);
  const step = Math.max(1, Math.floor(frames / TIMES));
  const times = Array.from({ length: Math.min(TIMES, frames) }, (_, k) => (k * step) / FPS);
  const shown = [0.4, 0.9].map((part) => times[Math.floor(part * (times.length - 1))]);
  const scale = 100 * humanoid.metersPerUnit;
  const turned = (points: Float64Array): Float64Array => {
    const out = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
      vec3.rotate(out, i, humanoid.frame, 0, points, i);
      vec3.scale(out, i, out, i, scale);
    }
    return out;
  };
  const poseAt = (time: number): Pose => {
    const rows = new Map<string, Row>();
    const repeated = new Set<string>();
    for (const [s, { skeleton }] of glb.asset.skeletons.entries()) {
      const pose = restPose(skeleton);
      sampleClip(clips[s], time, pose);
      for (let at = 3; at < pose.length; at += 10) quat.normalize(pose, at, pose, at);
      const worlds = new Float64Array(16 * skeleton.parents.length);
      localToModelMatrices(worlds, skeleton.parents, pose);
      for (const [node, joint] of skeleton.names.entries()) {
        if (rows.has(joint.toLowerCase())) repeated.add(joint.toLowerCase());
        const trs = new Float64Array(10);
        mat4.decompose(trs, 0, worlds, 16 * node);
        quat.multiply(trs, 3, humanoid.frame, 0, trs, 3);
        rows.set(joint.toLowerCase(), [...turned(worlds.slice(16 * node + 12, 16 * node + 15)), ...trs.subarray(3, 7)]);
      }
    }
    for (const one of rows.keys()) if (repeated.has(one) || !joints.has(one)) rows.delete(one);
    return rows;
  };
  const { geometry } = (await geometryOf(glb))!;
  const deformed = deformedFile(glb, geometry, null);
  const used = geometry.instances.flatMap(({ mesh }) =>
    geometry.meshes[mesh].primitives.map(({ indices, vertexCount }) => {
      return new Set(indices ?? Array.from({ length: vertexCount }, (_, vertex) => vertex));
    }),
  );
  const pointsAt = (time: number): Float64Array => {
    const parts = deformed
      .at(0, time)
      .map(({ positions }, p) =>
        Array.from(used[p]).flatMap((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)]),
      );
    return turned(Float64Array.from(parts.flat()));
  };
  return {
    name,
    path,
    clip,
    times,
    shown,
    height: humanoid.height * 100,
    poses: times.map(poseAt),
    points: shown.map(pointsAt),
  };
}

/** Largest distance from a point of `a` to the nearest one of `b`. */
function farthest(a: ArrayLike<number>, b: ArrayLike<number>, cell: number): number {
  const keyOf = (i: number, list: ArrayLike<number>, dx = 0, dy = 0, dz = 0): string =>
    `${Math.floor(list[i] / cell) + dx} ${Math.floor(list[i + 1] / cell) + dy} ${Math.floor(list[i + 2] / cell) + dz}`;
  const grid = new Map<string, number[]>();
  for (let i = 0; i < b.length; i += 3) {
    const key = keyOf(i, b);
    const list = grid.get(key);
    if (list === undefined) grid.set(key, [i]);
    else list.push(i);
  }
  let worst = 0;
  for (let i = 0; i < a.length; i += 3) {
    let best = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 27; n++) {
      const near = grid.get(keyOf(i, a, (n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1)) ?? [];
      for (const j of near) best = Math.min(best, Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]));
    }
    worst = Math.max(worst, best);
  }
  return worst;
}

/** Compares poses; returns the largest distance (of the height) and angle (degrees) and the number of joints. */
function poseErrors(
  { poses, height }: Case,
  theirs: readonly Pose[],
): { far: number; degrees: number; joints: number; where: string } {
  let far = 0;
  let degrees = 0;
  let turnedAt = '';
  let farthestAt = '';
  const names = [...poses[0].keys()].filter((name) => theirs[0].has(name));
  const since = (row: Row, first: Row): Float64Array => {
    const out = new Float64Array(4);
    quat.conjugate(out, 0, first, 3);
    quat.multiply(out, 0, row, 3, out, 0);
    quat.normalize(out, 0, out, 0);
    return out;
  };
  for (const [t, ours] of poses.entries()) {
    for (const name of names) {
      const a = ours.get(name)!;
      const b = theirs[t].get(name)!;
      const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / height;
      if (distance > far) [far, farthestAt] = [distance, `${name} at ${t}`];
      const angle =
        quat.angleBetween(since(a, poses[0].get(name)!), 0, since(b, theirs[0].get(name)!), 0) * (180 / Math.PI);
      if (angle > degrees) [degrees, turnedAt] = [angle, `${name} at ${t}`];
    }
  }
  return { far, degrees, joints: names.length, where: `${farthestAt}, ${turnedAt}` };
}

/** Leaves out joints. */
function without(pose: Pose, left: RegExp | undefined): Pose {
  return left === undefined ? pose : new Map([...pose].filter(([name]) => !left.test(name)));
}

function lowerCase(pose: Readonly<Record<string, number[]>>): Pose {
  return new Map(Object.entries(pose).map(([name, row]) => [name.toLowerCase(), row]));
}

function expectSame(one: Case, theirs: readonly Pose[], factor: number): void {
  const { far, degrees, joints, where } = poseErrors(one, theirs);
  expect(joints, one.name).toBeGreaterThan(15);
  expect(far, one.name).toBeLessThan(JOINTS * factor);
  expect(degrees, `${one.name} ${where}`).toBeLessThan(DEGREES * factor);
}

function expectSamePoints({ name, points, height }: Case, theirs: readonly ArrayLike<number>[]): void {
  for (const [t, ours] of points.entries()) {
    const error = Math.max(farthest(ours, theirs[t], height / 100), farthest(theirs[t], ours, height / 100)) / height;
    expect(error, `${name}, vertices`).toBeLessThan(VERTICES);
  }
}

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('new FBX files of real characters', () => {
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  beforeAll(async () => {
    for (const [character, motion] of PAIRS) cases.push(await caseOf(character, motion));
  }, 600_000);

  it.skipIf(!HAS_BLENDER)(
    'have the joints and vertices of the GLB in Blender',
    () => {
      const jobs = folder('fbx-jobs.json');
      writeFileSync(jobs, JSON.stringify(cases.map(({ path, clip, times, shown }) => ({ path, clip, times, shown }))));
      const script = join(import.meta.dirname, 'fbx.py');
      const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', jobs];
      const { stdout, stderr } = spawnSync('blender', args, { encoding: 'utf8', maxBuffer: 1 << 29 });
      const result = stdout.split('\n').find((line) => line.startsWith('RESULT '));
      if (result === undefined) throw new Error(`${stderr}\n${stdout.slice(-2000)}`);
      const found = JSON.parse(result.slice('RESULT '.length)) as {
        armatures: string[];
        actions: string[];
        poses: Record<string, number[]>[];
        points: number[][];
      }[];
      for (const [k, one] of cases.entries()) {
        expect([one.name, found[k].armatures.length]).toEqual([one.name, 1]);
        const connected = CONNECTED_IN_BLENDER[one.name];
        const poses = found[k].poses.map((pose) => without(lowerCase(pose), connected));
        expectSame(one, poses, BLENDER);
        if (connected === undefined) expectSamePoints(one, found[k].points);
      }
    },
    600_000,
  );

  it.skipIf(!HAS_ASSIMP)(
    'have the joints of the GLB in assimp',
    () => {
      for (const one of cases) {
        const dump = folder(`${one.name}.assbin`);
        const { stdout } = spawnSync('assimp', ['export', one.path, dump], { encoding: 'utf8', maxBuffer: 1 << 28 });
        expect(stdout).toContain('Exporting file ...                   OK');
        const scene = readAssbin(readFileSync(dump));
        const animation = scene.animations.find(({ name }) => name.includes(one.clip)) ?? scene.animations[0];
        const poses = one.times.map((time) => lowerCase(Object.fromEntries(assimpTransforms(scene, animation, time))));
        expectSame(one, poses, 1);
      }
    },
    600_000,
  );

  it('have the joints and vertices of the GLB in three.js', () => {
    // Images are of no interest here.
    vi.stubGlobal('window', { URL: { createObjectURL: () => '' } });
    const image = { addEventListener: () => {}, removeEventListener: () => {} };
    vi.stubGlobal('document', { createElementNS: () => image });
    for (const one of cases) {
      const bytes = readFileSync(one.path);
      const group = new FBXLoader().parse(
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
        '',
      );
      const mixer = new AnimationMixer(group);
      const action = mixer.clipAction(group.animations.find(({ name }) => name === one.clip) ?? group.animations[0]);
      action.setLoop(LoopOnce, 1).clampWhenFinished = true;
      action.play();
      const at = (time: number): void => {
        mixer.setTime(time);
        group.updateMatrixWorld(true);
      };
      const poses = one.times.map((time): Pose => {
        at(time);
        const rows = new Map<string, Row>();
        group.traverse((node) => {
          if (!(node as Bone).isBone) return;
          const [position, rotation] = [
            node.getWorldPosition(new Vector3()),
            node.getWorldQuaternion(new Quaternion()),
          ];
          rows.set(String(node.userData['originalName'] ?? node.name).toLowerCase(), [
            ...position.toArray(),
            ...rotation.toArray(),
          ]);
        });
        return rows;
      });
      expectSame(one, poses, 1);
      const points = one.shown.map((time) => {
        at(time);
        const out: number[] = [];
        const vertex = new Vector3();
        group.traverse((node) => {
          if (!(node as Mesh).isMesh) return;
          (node as SkinnedMesh).skeleton?.update();
          const count = (node as Mesh).geometry.getAttribute('position').count;
          for (let v = 0; v < count; v++) {
            (node as Mesh).getVertexPosition(v, vertex).applyMatrix4(node.matrixWorld);
            out.push(vertex.x, vertex.y, vertex.z);
          }
        });
        return out;
      });
      expectSamePoints(one, points);
    }
  }, 600_000);
});
