/** `anyrig define` on third-party files: canonical axes do not change any vertex; the T-pose option gives T-poses. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { openBytes } from '../../../src/files/open.ts';
import { concatParts, parseGltf, validateHumanoids } from '../../../src/formats/gltf/index.ts';
import { newCodes } from '../../formats/gltf/validator.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN, sampledCases } from '../../support/law-runs.ts';
import { documentOf } from '../../support/make/opened.ts';
import { CANONICAL_AXES, DEFINED_VERTICES, T_POSE_DEGREES } from '../../support/tolerances.ts';
import { type Defined, defined, momentsOf, vertexError } from './defined.ts';
import { threeFile } from './three-vertices.ts';

const FILES = [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrm', 'vrm'),
  ...assetFiles('assets/fbx', 'fbx'),
];
/** Number of compared clips of a file, and the compared fractions of their duration. */
const CLIPS = IS_RELEASE_RUN ? 3 : IS_FULL_RUN ? 2 : 1;
const PARTS = IS_RELEASE_RUN ? [0, 0.43, 0.86] : [0.43];
/** Validator codes of data that the definition leaves unused. */
const LEFT_OVER = ['UNUSED_OBJECT'];
/** Motion files without a mesh: their reference pose comes from a frame of the clip. */
const MOTIONS = ['ozz_pab_run.fbx', 'ozz_pab_walk.fbx', 'm2m_CMU_91_48.fbx', 'mixamo_Walking.fbx'];

const known = new Map<string, Promise<Uint8Array | null>>();

/** Returns the bytes of a humanoid file, an FBX as GLB; null for non-humanoid files. */
function glbOf(path: string): Promise<Uint8Array | null> {
  const make = async (): Promise<Uint8Array | null> => {
    const bytes = new Uint8Array(readFileSync(path));
    const file = await openBytes(bytes, { name: path });
    if (chooseHumanoid(file, 'only', {}).found === null) return null;
    if (file.format === 'gltf') return bytes;
    const { outputs } = await convertFile(file, { output: 'character.glb' });
    return concatParts(outputs[outputs.length - 1].parts);
  };
  const made = known.get(path) ?? make();
  known.set(path, made);
  return made;
}

/** Describes the humanoid of a defined file in its rest pose, by its definition. */
function definedHumanoid({ after, report }: Defined): Humanoid {
  const map = report.definition?.humanoidBones ?? {};
  const { found } = chooseHumanoid(after, 'only', { map, pose: 'node' });
  if (found === null) throw new Error('the defined file has no humanoid');
  return found.humanoid;
}

/** Largest angle between axes of bones and the canonical ones, radians. */
function axesError({ map, reference }: Humanoid): number {
  let worst = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    worst = Math.max(worst, quat.angleBetween(reference.rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone));
  }
  return worst;
}

describe.skipIf(!HAS_ASSETS)('anyrig define on third-party humanoids', () => {
  it.runIf(IS_FULL_RUN)(
    'finds at least 27 humanoid files',
    async () => {
      const humanoids = await Promise.all(FILES.map(glbOf));
      expect(humanoids.filter((bytes) => bytes !== null).length).toBeGreaterThanOrEqual(27);
    },
    60_000,
  );

  it.each(sampledCases(FILES, 8).map((path) => [basename(path), path]))(
    'keeps the vertices of %s with canonical axes, and defines joints only',
    async (name, path) => {
      const bytes = await glbOf(path);
      if (bytes === null) return;
      const result = await defined(bytes, { axes: true }, name.endsWith('.vrm'));
      const { before, after, report } = result;
      const hasMeshes = (documentOf(before).json['meshes'] as unknown[] | undefined) !== undefined;
      if (hasMeshes) expect(await vertexError(result, momentsOf(before, CLIPS, PARTS))).toBeLessThan(DEFINED_VERTICES);
      const codes = await newCodes(bytes, result.bytes.after);
      expect(codes.filter((code) => !LEFT_OVER.includes(code))).toEqual([]);
      // Every bone of the definition is a joint.
      const json = documentOf(after).json as { skins: { joints: number[] }[] };
      const joints = new Set(json.skins.flatMap((skin) => skin.joints));
      const bones = Object.entries(report.definition?.humanoidBones ?? {});
      expect(bones.length).toBeGreaterThan(14);
      expect(bones.filter(([, node]) => !joints.has(node))).toEqual([]);
    },
    60_000,
  );

  it.each(sampledCases(FILES, 8).map((path) => [basename(path), path]))(
    'gives %s a T-pose with canonical axes with both options',
    async (name, path) => {
      const bytes = await glbOf(path);
      if (bytes === null) return;
      const isVrm = name.endsWith('.vrm');
      const result = await defined(bytes, { axes: true, tPose: true }, isVrm);
      // BrainStem has a weapon in place of a hand.
      const { issues } = validateHumanoids(parseGltf(result.bytes.after), { strict: name !== 'BrainStem.glb' });
      expect(issues).toEqual([]);
      const humanoid = definedHumanoid(result);
      expect(axesError(humanoid)).toBeLessThan(CANONICAL_AXES);
      for (const [limb, degrees] of Object.entries(humanoid.reference.deviationDegrees)) {
        expect([limb, degrees < T_POSE_DEGREES]).toEqual([limb, true]);
      }
      const codes = await newCodes(bytes, result.bytes.after);
      expect(codes.filter((code) => !LEFT_OVER.includes(code))).toEqual([]);
      if (MOTIONS.includes(name)) return;
      const bound = chooseHumanoid(result.after, 'only', {
        map: result.report.definition?.humanoidBones ?? {},
        pose: 'bind',
      });
      if (bound.found === null) return;
      expect(axesError(bound.found.humanoid)).toBeLessThan(CANONICAL_AXES);
    },
    60_000,
  );

  it('keeps the vertices in three.js with canonical axes', async () => {
    const point = new Vector3();
    for (const name of sampledCases(['Xbot.glb', 'RobotExpressive.glb', 'pc_lumberjack.glb', 'Godette_vrm_v4.vrm'])) {
      const path = FILES.find((file) => file.endsWith(name)) as string;
      const bytes = (await glbOf(path)) as Uint8Array;
      const { before, after } = await defined(bytes, { axes: true }, name.endsWith('.vrm'));
      const a = await threeFile(documentOf(before));
      const b = await threeFile(documentOf(after));
      const height = chooseHumanoid(before, 'only', {}).found?.humanoid.height ?? 1;
      let worst = 0;
      for (const [clip, time] of momentsOf(before, 3, [0.43])) {
        const shown = new Map<string, number[]>();
        for (const [key, { vertexCount, vertex }] of a.at(clip, time)) {
          shown.set(key, Array.from({ length: vertexCount }, (_, v) => vertex(v, point).toArray()).flat());
        }
        for (const [key, { vertexCount, vertex }] of b.at(clip, time)) {
          const known = shown.get(key) as number[];
          expect(known.length).toBe(3 * vertexCount);
          for (let v = 0; v < vertexCount; v++) {
            vertex(v, point);
            const distance = Math.hypot(point.x - known[3 * v], point.y - known[3 * v + 1], point.z - known[3 * v + 2]);
            worst = Math.max(worst, distance / height);
          }
        }
      }
      expect([name, worst < DEFINED_VERTICES]).toEqual([name, true]);
    }
  }, 120_000);
});
