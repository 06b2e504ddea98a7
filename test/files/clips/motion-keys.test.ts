/** Keys of outputs of whole jobs: the file's own times, as few as the error allows, and frame rates of the motion. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import type { ClipEdits } from '../../../src/files/clips/clip-edits.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { parseGltf } from '../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { openDemo } from '../../support/make/demo-files.ts';

/** Greatest change of a rotation track by default keys, radians. */
const TRACK_RADIANS = (0.1 * Math.PI) / 180;

async function bytesOf(motion: OpenFile, character: OpenFile, output: string, edits: ClipEdits = {}) {
  const { report, outputs } = await retargetMotions([motion], character, { output, edits, face: false });
  return { report, bytes: new Uint8Array(Buffer.concat(outputs[outputs.length - 1].parts)) };
}

async function tracksOf(bytes: Uint8Array, name: string): Promise<readonly Track[]> {
  const { asset: read } = await openBytes(bytes, { name });
  return read.clips[0].clips.find(({ tracks }) => tracks.length > 0)!.tracks;
}

function largestChange(exact: readonly Track[], linear: readonly Track[], duration: number): number {
  const [a, b] = [new Float64Array(4), new Float64Array(4)];
  let largest = 0;
  for (const track of exact.filter(({ path }) => path === 'rotation')) {
    const other = linear.find(({ target, path }) => target === track.target && path === 'rotation')!;
    for (let k = 0; k < 997; k++) {
      sampleTrack(track, ((k + 0.5) / 997) * duration, a, 0);
      sampleTrack(other, ((k + 0.5) / 997) * duration, b, 0);
      largest = Math.max(largest, quat.angleBetween(a, 0, b, 0));
    }
  }
  return largest;
}

describe('keys of outputs', () => {
  const fbx = (): Promise<OpenFile> => openBytes(walkFbx(), { name: 'walk.fbx' });

  it('are LINEAR by default, within 0.1° of exact ones, and those in the report are those in the file', async () => {
    const [motion, character] = [await fbx(), await openDemo('mixamo.glb')];
    const linear = await bytesOf(motion, character, 'a.glb');
    const exact = await bytesOf(motion, character, 'a.glb', { keys: 'exact' });
    const { json } = parseGltf(linear.bytes);
    const [{ samplers }] = json['animations'] as { samplers: { input: number; interpolation: string }[] }[];
    expect(samplers.some(({ interpolation }) => interpolation === 'CUBICSPLINE')).toBe(false);
    const accessors = json['accessors'] as { count: number }[];
    const keys = samplers.reduce((sum, { input }) => sum + accessors[input].count, 0);
    expect([linear.report.clips[0].keys, linear.report.bytes]).toEqual([keys, linear.bytes.length]);
    const [a, b] = [await tracksOf(exact.bytes, 'a.glb'), await tracksOf(linear.bytes, 'a.glb')];
    expect(largestChange(a, b, exact.report.clips[0].duration)).toBeLessThan(TRACK_RADIANS);
  });

  it.runIf(IS_FULL_RUN)(
    'have the frame rate of the motion in BVH and USD, also where contacts need more keys',
    async () => {
      for (const motion of [await fbx(), await openDemo('walk.glb')]) {
        const character = await openDemo('giant.glb');
        const bvh = await bytesOf(motion, character, 'a.bvh');
        expect(Buffer.from(bvh.bytes).toString()).toMatch(/Frame Time: 0\.033333/);
        const usd = await bytesOf(motion, character, 'a.usda');
        expect(Buffer.from(usd.bytes).toString()).toMatch(/timeCodesPerSecond = 30\n/);
      }
    },
  );
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('keys of VRMAs of third-party motions', () => {
  const open = (path: string): Promise<OpenFile> => openBytes(readFileSync(asset('assets', path)), { name: path });

  // With keys at 0.005° they were 209 and 777 kB, with values on the curve 70 and 307 kB.
  it.each([
    ['fbx/mixamo_Walking.fbx', 60_000],
    ['bvh/AD_rokoko_jesse_dance.bvh', 180_000],
  ])('%s: are within 0.1° of exact ones, in at most %i bytes', async (path, most) => {
    const [motion, character] = [await open(path), await open('vrm/Godette_vrm_v4.vrm')];
    const linear = await bytesOf(motion, character, 'a.vrma');
    const exact = await bytesOf(motion, character, 'a.vrma', { keys: 'exact' });
    expect(linear.bytes.length).toBeLessThan(most);
    const [a, b] = [await tracksOf(exact.bytes, 'a.vrma'), await tracksOf(linear.bytes, 'a.vrma')];
    expect(largestChange(a, b, exact.report.clips[0].duration)).toBeLessThan(TRACK_RADIANS);
  });
});
