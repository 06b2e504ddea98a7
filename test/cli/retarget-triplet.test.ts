import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbersOf } from '../../src/formats/usd/skel/typed-values.ts';
import { attributeValue } from '../../src/formats/usd/stage/attribute-values.ts';
import type { Stage } from '../../src/formats/usd/stage/stage.ts';
import { stageOfFile } from '../formats/usd/skel/scene.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { expectNear, expectSameRotation } from '../support/near.ts';
import { USD_QUATF } from '../support/tolerances.ts';
import { runHere } from './run-here.ts';

const FOLDER = 'conformance/usd/retarget-triplet/docs/design/fixtures/motion';
const BONES = {
  'motion.json': { hips: 'hips', spine: 'spine', chest: 'chest' },
  'avatar.json': { hips: 'Pelvis', spine: 'SpineA', chest: 'ChestA' },
};
const FLAT = '["Root", "Pelvis", "SpineA", "ChestA"]';
const NESTED = '["Root", "Root/Pelvis", "Root/Pelvis/SpineA", "Root/Pelvis/SpineA/ChestA"]';

/** Reads the numbers of a SkelAnimation attribute at a time in seconds. */
function valuesAt(stage: Stage, animation: string, name: string, second: number): number[] {
  const code = second * stage.metrics.timeCodesPerSecond;
  return Array.from(numbersOf(attributeValue(stage, animation, name, code), name === 'rotations' ? 4 : 3) ?? []);
}

describe.skipIf(!HAS_ASSETS)(
  'anyrig retarget on the retarget triplet: three bones without legs, explicit maps, rest poses as reference, hips scale 1',
  () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'anyrig-triplet-'));
      for (const [name, bones] of Object.entries(BONES)) {
        writeFileSync(join(folder, name), JSON.stringify({ bones }));
      }
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it.each([
      ['with flat joints', FLAT, true],
      ['with nested joints', NESTED, false],
    ] as const)('gives the expected result on the avatar %s', async (_, joints, isInferred) => {
      const avatar = readFileSync(asset(FOLDER, 'avatar.usda'), 'utf8');
      expect(avatar).toContain(FLAT);
      writeFileSync(join(folder, 'avatar.usda'), avatar.replace(FLAT, joints));
      const out = join(folder, 'out.usda');
      const ran = await runHere([
        ...['retarget', asset(FOLDER, 'canonical_walk.usda'), join(folder, 'avatar.usda'), '-o', out, '--force'],
        ...['--source-map', join(folder, 'motion.json'), '--target-map', join(folder, 'avatar.json')],
        ...['--source-pose', 'node', '--target-pose', 'node', '--hips-scale', 'none'],
      ]);
      expect(ran.exit).toBe(0);
      expect(ran.stderr.includes('JOINT_HIERARCHY_INFERRED') || ran.stdout.includes('JOINT_HIERARCHY_INFERRED')).toBe(
        isInferred,
      );
      const found = stageOfFile(out);
      const wanted = stageOfFile(asset(FOLDER, 'expected_retargeted.usda'));
      const clip = '/Avatar/TargetSkeleton/BodyAnimation';
      const expectedClip = '/Avatar/RetargetedWalk';
      for (const second of [0, 0.25, 0.5, 1]) {
        for (const name of ['translations', 'scales']) {
          expectNear(valuesAt(found, clip, name, second), valuesAt(wanted, expectedClip, name, second), USD_QUATF);
        }
        const rotations = valuesAt(found, clip, 'rotations', second);
        const expected = valuesAt(wanted, expectedClip, 'rotations', second);
        expect([rotations.length, expected.length]).toEqual([16, 16]);
        for (let k = 0; k < 16; k += 4) {
          expectSameRotation(rotations.slice(k, k + 4), expected.slice(k, k + 4), USD_QUATF);
        }
      }
    });
  },
);
