import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../src/core/animation/sample.ts';
import * as quat from '../../src/core/math/quat.ts';
import { localToModelRotations, restPose } from '../../src/core/skeleton/pose.ts';
import { retargetClips } from '../../src/files/jobs/retarget-clips.ts';
import { demoBytes, openDemo } from '../make/demo-files.ts';
import { SECOND_OPINION } from '../tolerances.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { DoorsResult, Turns } from './doors-page.ts';

const PAGE = fileURLToPath(new URL('doors-page.ts', import.meta.url));

/** How the same files turn the nodes of the character when they are retargeted as files. */
async function byFiles(motion: string, character: string, times: readonly number[]): Promise<Turns> {
  const target = await openDemo(character);
  const { clips } = retargetClips([await openDemo(motion)], target);
  const [{ skeleton }] = target.asset.skeletons;
  return times.map((time) => {
    const local = restPose(skeleton);
    sampleClip(clips[0].clip, time, local);
    const turns = new Float64Array(4 * skeleton.names.length);
    localToModelRotations(turns, skeleton.parents, local);
    return Object.fromEntries(
      skeleton.names.map((name, node) => [name, Array.from(turns.slice(4 * node, 4 * node + 4))]),
    );
  });
}

/** The largest angle between two turns of a node that both have, radians. */
function largestAngle(a: Turns, b: Turns): { readonly angle: number; readonly nodes: number } {
  let angle = 0;
  let nodes = 0;
  a.forEach((turns, moment) => {
    for (const [name, turn] of Object.entries(turns)) {
      const other = b[moment][name];
      if (other === undefined) continue;
      nodes++;
      angle = Math.max(angle, quat.angleBetween(turn, 0, other, 0));
    }
  });
  return { angle, nodes };
}

describe.skipIf(CHROMIUM === null)('the doors in a page of Chromium', () => {
  it.each([
    ['walk.glb', 'mixamo.glb'],
    ['walk.glb', 'fighter.glb'],
  ])(
    '%s turns every bone of %s alike in three.js, Babylon.js and files',
    async (motion, character) => {
      const result = (await runInChromium(PAGE, {
        'motion.glb': demoBytes(motion),
        'character.glb': demoBytes(character),
      })) as DoorsResult;
      expect(result.userAgent).toMatch(/Chrom/);
      const files = await byFiles(motion, character, result.times);
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
