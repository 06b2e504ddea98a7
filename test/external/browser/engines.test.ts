import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { EnginesResult, Rotations } from './engines-page.ts';

const PAGE = fileURLToPath(new URL('engines-page.ts', import.meta.url));

/** Returns the rotations when the same files are retargeted through anyrig/files. */
async function rotationsThroughFiles(motion: string, character: string, times: readonly number[]): Promise<Rotations> {
  const target = await openDemo(character);
  const { clips } = await retargetClips([await openDemo(motion)], target, { contacts: 'off' });
  const [{ skeleton }] = target.asset.skeletons;
  return times.map((time) => {
    const local = restPose(skeleton);
    sampleClip(clips[0].clip, time, local);
    const rotations = new Float64Array(4 * skeleton.names.length);
    localToModelRotations(rotations, skeleton.parents, local);
    return Object.fromEntries(
      skeleton.names.map((name, node) => [name, Array.from(rotations.slice(4 * node, 4 * node + 4))]),
    );
  });
}

/** Returns the largest angle between two rotations of a common node, radians, and the number of common nodes. */
function largestAngle(a: Rotations, b: Rotations): { readonly angle: number; readonly nodes: number } {
  let angle = 0;
  let nodes = 0;
  a.forEach((rotations, moment) => {
    for (const [name, rotation] of Object.entries(rotations)) {
      const other = b[moment][name];
      if (other === undefined) continue;
      nodes++;
      angle = Math.max(angle, quat.angleBetween(rotation, 0, other, 0));
    }
  });
  return { angle, nodes };
}

// test/engines/ compares the same in Node.
describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('anyrig/three and anyrig/babylon in Chromium', () => {
  it.each([
    ['walk.glb', 'mixamo.glb'],
    ['walk.glb', 'fighter.glb'],
  ])(
    '%s on %s: rotates every bone alike in three.js, Babylon.js and through files',
    async (motion, character) => {
      const result = (await runInChromium(PAGE, {
        'motion.glb': demoBytes(motion),
        'character.glb': demoBytes(character),
      })) as EnginesResult;
      expect(result.userAgent).toMatch(/Chrom/);
      const files = await rotationsThroughFiles(motion, character, result.times);
      const engines = largestAngle(result.three, result.babylon);
      expect(engines.nodes).toBeGreaterThan(30 * result.times.length);
      expect(engines.angle).toBeLessThan(SECOND_OPINION);
      const ours = largestAngle(files, result.three);
      expect(ours.nodes).toBeGreaterThan(30 * result.times.length);
      expect(ours.angle).toBeLessThan(SECOND_OPINION);
    },
    180_000,
  );
});
