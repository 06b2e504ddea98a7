/** Shows FBX files in Autodesk's FBX SDK, Blender, assimp and three.js, and compares where joints are. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimationMixer, type Bone, LoopOnce, type Mesh, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import { FBXLoader } from 'three/examples/jsm/loaders/FBXLoader.js';
import { expect, vi } from 'vitest';
import { readAssbin } from '../../../scripts/fbx-oracle/assbin.ts';
import { assimpTransforms } from '../../../scripts/fbx-oracle/assimp-poses.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { type OpenFile, openFile } from '../../../src/files/node.ts';
import { deformedFile } from '../oracle/deformed-vertices.ts';

export const HAS_ASSIMP = spawnSync('assimp', ['version']).status === 0;
/** FBX2glTF reads with the FBX SDK, as Maya, MotionBuilder, Unity and Unreal do; the npm package `fbx2gltf` has it. */
export const HAS_FBX_SDK = spawnSync('FBX2glTF', ['--version']).status === 0;

/** Of the height, and degrees. */
const JOINTS = 1e-5;
const DEGREES = 0.005;
/**
 * Factors of the limit of positions in Blender, which keeps a bone at rest as head, tail and roll in float32: fingers of quaternius_women_Witch rest 0.0009° beside the file, and
 * its foot is 1.30e-5 of the height off. The same chain in float64, from the rest bones and poses that Blender stores, is also 1.30e-5 off; with the rest bones of the file
 * instead it is 0.77e-5.
 */
export const BLENDER_FACTORS: Readonly<Record<string, number>> = { quaternius_women_Witch: 1.5 };

/** Position xyz and rotation xyzw. */
export type Row = readonly number[];
export type Pose = ReadonlyMap<string, Row>;

/** An FBX file, and what it should show. */
export interface FbxCase {
  readonly name: string;
  readonly path: string;
  readonly clip: string;
  readonly times: readonly number[];
  readonly shown: readonly number[];
  readonly height: number;
  /** Where joints should be at `times`, by name in lower case: centimeters, facing +Z. */
  readonly poses: readonly Pose[];
  /** Where vertices should be at `shown`. */
  readonly points: readonly ArrayLike<number>[];
}

/** Compares poses; returns the largest distance (of the height) and angle (degrees) and the number of joints. */
function poseErrors(
  { poses, height }: FbxCase,
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

function lowerCase(pose: Readonly<Record<string, number[]>>): Pose {
  return new Map(Object.entries(pose).map(([name, row]) => [name.toLowerCase(), row]));
}

/** Expects joints where the case has them; `factor` widens the limit of positions. */
export function expectSame(one: FbxCase, theirs: readonly Pose[], factor: number): void {
  const { far, degrees, joints, where } = poseErrors(one, theirs);
  expect(joints, one.name).toBeGreaterThanOrEqual(15);
  expect(far, one.name).toBeLessThan(JOINTS * factor);
  expect(degrees, `${one.name} ${where}`).toBeLessThan(DEGREES);
}

/** What a program shows of a file. */
interface Shown {
  readonly poses: readonly Pose[];
  /** Vertices of all meshes at `shown`. */
  readonly points: readonly ArrayLike<number>[];
}

/** What Blender shows of files, and the number of armatures. */
export function showInBlender(
  cases: readonly FbxCase[],
  folder: (name: string) => string,
): (Shown & { readonly armatures: number })[] {
  const jobs = folder('fbx-jobs.json');
  writeFileSync(jobs, JSON.stringify(cases.map(({ path, clip, times, shown }) => ({ path, clip, times, shown }))));
  const script = join(import.meta.dirname, 'fbx.py');
  const args = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', jobs];
  const { stdout, stderr } = spawnSync('blender', args, { encoding: 'utf8', maxBuffer: 1 << 29 });
  const result = stdout.split('\n').find((line) => line.startsWith('RESULT '));
  if (result === undefined) throw new Error(`${stderr}\n${stdout.slice(-2000)}`);
  const found = JSON.parse(result.slice('RESULT '.length)) as {
    armatures: string[];
    poses: Record<string, number[]>[];
    points: number[][];
  }[];
  return found.map(({ armatures, poses, points }) => ({
    armatures: armatures.length,
    poses: poses.map(lowerCase),
    points,
  }));
}

/** Poses in assimp. */
export function showInAssimp({ name, path, clip, times }: FbxCase, folder: (name: string) => string): Pose[] {
  const dump = folder(`${name}.assbin`);
  const { stdout } = spawnSync('assimp', ['export', path, dump], { encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(stdout).toContain('Exporting file ...                   OK');
  const scene = readAssbin(readFileSync(dump));
  const animation = scene.animations.find((one) => one.name.includes(clip)) ?? scene.animations[0];
  return times.map((time) => lowerCase(Object.fromEntries(assimpTransforms(scene, animation, time))));
}

/** Converts an FBX file with the FBX SDK, which bakes it at 30 frames per second. Returns the path of a GLB in meters, +Y up, beside it. */
export function convertInSdk(path: string): string {
  const args = ['--binary', '--anim-framerate', 'bake30', '--input', path, '--output', `${path}-sdk`];
  const { status, stdout } = spawnSync('FBX2glTF', args, { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
  return `${path}-sdk.glb`;
}

/** What the reader of glTF shows of a GLB, in the space of the FBX: centimeters, facing +Z. `frame`, `scale`: rotation and factor from the GLB to it. */
export async function shownInGltf(
  glb: OpenFile,
  { times, shown }: Pick<FbxCase, 'times' | 'shown'>,
  frame: Float64Array,
  scale: number,
): Promise<Shown> {
  const [{ clips }] = glb.asset.clips;
  const turned = (points: Float64Array): Float64Array => {
    const out = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
      vec3.rotate(out, i, frame, 0, points, i);
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
        quat.multiply(trs, 3, frame, 0, trs, 3);
        rows.set(joint.toLowerCase(), [...turned(worlds.slice(16 * node + 12, 16 * node + 15)), ...trs.subarray(3, 7)]);
      }
    }
    for (const one of repeated) rows.delete(one);
    return rows;
  };
  if (shown.length === 0) return { poses: times.map(poseAt), points: [] };
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
  return { poses: times.map(poseAt), points: shown.map(pointsAt) };
}

/** What Autodesk's FBX SDK shows. */
export async function showInSdk(one: FbxCase): Promise<Shown> {
  return shownInGltf(await openFile(convertInSdk(one.path)), one, Float64Array.of(0, 0, 0, 1), 100);
}

/** What three.js shows. The caller restores the globals of vitest. */
export function showInThree({ path, clip, times, shown }: FbxCase): Shown {
  // Images are of no interest here.
  vi.stubGlobal('window', { URL: { createObjectURL: () => '' } });
  const image = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('document', { createElementNS: () => image });
  const bytes = readFileSync(path);
  const group = new FBXLoader().parse(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    '',
  );
  const mixer = new AnimationMixer(group);
  const action = mixer.clipAction(group.animations.find(({ name }) => name === clip) ?? group.animations[0]);
  action.setLoop(LoopOnce, 1).clampWhenFinished = true;
  action.play();
  const at = (time: number): void => {
    mixer.setTime(time);
    group.updateMatrixWorld(true);
  };
  const poses = times.map((time): Pose => {
    at(time);
    const rows = new Map<string, Row>();
    group.traverse((node) => {
      if (!(node as Bone).isBone) return;
      const [position, rotation] = [node.getWorldPosition(new Vector3()), node.getWorldQuaternion(new Quaternion())];
      rows.set(String(node.userData['originalName'] ?? node.name).toLowerCase(), [
        ...position.toArray(),
        ...rotation.toArray(),
      ]);
    });
    return rows;
  });
  const points = shown.map((time) => {
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
  return { poses, points };
}
