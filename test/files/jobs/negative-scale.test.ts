/** Rigs with negative scales, from files: they must move as the same character without them. Judged by joint positions of an independent forward kinematics. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { aboutAxis, minus, rotated, type Vector, worldPose } from '../../support/reference/plain.ts';

const FOLDER = '02-negative-scale';
const LIMBS = ['Left', 'Right'].flatMap((side) =>
  [
    ['Arm', 'ForeArm'],
    ['ForeArm', 'Hand'],
    ['HandIndex1', 'HandIndex2'],
    ['HandThumb2', 'HandThumb3'],
    ['UpLeg', 'Leg'],
    ['Leg', 'Foot'],
    ['Foot', 'ToeBase'],
  ].map((ends) => ends.map((name) => `mixamorig:${side}${name}`)),
);
const TIMES = [0, 0.4, 0.8, 1.3, 1.9];

const openCase = (name: string, folder = FOLDER): Promise<OpenFile> =>
  openBytes(readFileSync(asset('cases', folder, name)), { name });

/** Positions of the joints by name during the last clip of a file, facing the same way: the hip joints of the rest pose are along x. */
function positionsOf({ asset: { skeletons, clips } }: OpenFile, time: number): (name: string) => Vector {
  const index = skeletons.findIndex(({ skeleton }) => skeleton.names.some((name) => name.endsWith('LeftUpLeg')));
  const { skeleton } = skeletons[index];
  const nodeOf = (name: string): number =>
    skeleton.names.findIndex((one) => one.replace('mixamorig_', 'mixamorig:') === name);
  const rest = worldPose(skeleton.parents, skeleton.rest).positions;
  const across = minus(rest[nodeOf('mixamorig:LeftUpLeg')], rest[nodeOf('mixamorig:RightUpLeg')]);
  const facing = aboutAxis([0, 1, 0], Math.atan2(across[2], across[0]));
  const pose = restPose(skeleton);
  const clip = clips.at(-1)?.clips[index];
  if (clip !== undefined) sampleClip(clip, time, pose);
  const { positions } = worldPose(skeleton.parents, pose);
  return (name) => rotated(facing, positions[nodeOf(name)]);
}

/** Largest angle between the limbs of two files during their clips, degrees. */
function limbError(a: OpenFile, b: OpenFile): number {
  let worst = 0;
  for (const time of TIMES) {
    const [p, q] = [positionsOf(a, time), positionsOf(b, time)];
    for (const [from, to] of LIMBS) {
      const [x, y] = [minus(p(to), p(from)), minus(q(to), q(from))];
      const cosine = (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) / (Math.hypot(...x) * Math.hypot(...y));
      worst = Math.max(worst, (Math.acos(Math.min(1, cosine)) * 180) / Math.PI);
      if (Number.isNaN(cosine)) return Number.NaN;
    }
  }
  return worst;
}

async function retargeted(motion: OpenFile, character: OpenFile, output: string, options = {}): Promise<OpenFile> {
  const { outputs } = await retargetMotions([motion], character, { output, contacts: 'off', ...options });
  return openBytes(Buffer.concat(outputs[outputs.length - 1].parts), { name: output });
}

async function converted(file: OpenFile, output: string): Promise<OpenFile> {
  const { outputs } = await convertFile(file, { output });
  return openBytes(Buffer.concat(outputs[outputs.length - 1].parts), { name: output });
}

describe.skipIf(!HAS_ASSETS)('characters with negative scales', () => {
  let plain: OpenFile;
  beforeAll(async () => {
    plain = await retargeted(await openCase('walk.glb'), await openCase('mixamo.glb'), 'a.glb', { contacts: 'auto' });
  });

  for (const name of ['root_scale_pair.glb', 'root_rot180.glb', 'babylon_root.glb']) {
    it(`${name} moves as the source does, in GLB, USD and BVH`, async () => {
      const [walk, character] = [await openCase('walk.glb'), await openCase(name)];
      expect(limbError(walk, await retargeted(walk, character, 'a.glb'))).toBeLessThan(0.01);
      expect(limbError(walk, await retargeted(walk, character, 'a.usda'))).toBeLessThan(0.01);
      expect(limbError(walk, await retargeted(walk, character, 'a.bvh'))).toBeLessThan(0.01);
      const usd = await converted(character, 'character.usda');
      expect(limbError(walk, await retargeted(walk, usd, 'b.usda'))).toBeLessThan(0.01);
    });

    it(`${name} keeps contacts as the same character without them`, async () => {
      const [walk, character] = [await openCase('walk.glb'), await openCase(name)];
      const b = await retargeted(walk, character, 'a.glb', { contacts: 'auto' });
      expect(limbError(plain, b)).toBeLessThan(0.05);
    });
  }

  it('mirrored_root.fbx moves as the source does', async () => {
    const [walk, character] = [await openCase('walk.glb'), await openCase('mirrored_root.fbx')];
    expect(limbError(walk, await retargeted(walk, character, 'a.glb', { mesh: false }))).toBeLessThan(0.01);
  });

  it('source_root_scale_pair.glb moves others as the same motion without them', async () => {
    const [walk, source] = [await openCase('walk.glb'), await openCase('source_root_scale_pair.glb')];
    expect(limbError(walk, source)).toBeLessThan(0.01);
    for (const name of ['mixamo.glb', 'root_scale_pair.glb', 'babylon_root.glb']) {
      expect(limbError(walk, await retargeted(source, await openCase(name), 'a.glb'))).toBeLessThan(0.01);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('characters with scales that differ between axes', () => {
  it('are reported with the angle by which limbs are off', async () => {
    const [walk, character] = [
      await openCase('walk.glb'),
      await openCase('armature_nonuniform_scale.glb', '15-armature-scale'),
    ];
    const { report, outputs } = await retargetMotions([walk], character, { output: 'a.glb', contacts: 'off' });
    const message = report.issues.find(({ code }) => code === 'NON_UNIFORM_SCALE')?.message ?? '';
    const degrees = Number(/up to about ([\d.]+)°/.exec(message)?.[1]);
    const error = limbError(walk, await openBytes(Buffer.concat(outputs[outputs.length - 1].parts)));
    expect(message).toContain('"Armature" above bones has the scale 0.01, 0.01, 0.012');
    expect(error).toBeGreaterThan(1);
    expect(error).toBeLessThan(degrees + 0.1);
  });
});
