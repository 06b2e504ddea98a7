import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { CAST } from '../../../site/cast/cast.ts';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { DANCE } from '../../../src/demo/index.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { sampledCases } from '../../support/law-runs.ts';

/** Bytes of all of them: the page loads them before anything moves. */
const LIMIT = 1_000_000;

describe('the cast', () => {
  it('has five characters with names for people, which together are less than a megabyte', () => {
    expect(CAST.map(({ title }) => title)).toEqual(['Kid', 'Robot', 'Runner', 'Giant', 'Chibi']);
    expect(CAST.reduce((sum, { bytes }) => sum + bytes().length, 0)).toBeLessThan(LIMIT);
  });

  it.each(CAST)('$name is valid', async ({ bytes }) => {
    const { issues } = await validateBytes(bytes(), { maxIssues: 0 });
    expect(issues.numErrors).toBe(0);
  });

  it.each(CAST)('$name is recognized with all bones that it has', async ({ name, bytes, character }) => {
    const humanoid = chooseHumanoid(await openBytes(bytes(), { name }), 'target', {}).found?.humanoid;
    const { skeleton, bones } = character();
    for (const bone of BONES) {
      const expected = bones[BONE[bone]] < 0 ? undefined : skeleton.names[bones[BONE[bone]]];
      const node = humanoid?.map.nodes[BONE[bone]] ?? -1;
      expect([bone, node < 0 ? undefined : humanoid?.skeleton.names[node]]).toEqual([bone, expected]);
    }
  });

  it.each(sampledCases(CAST.filter(({ name }) => name !== 'robot.glb')))(
    '$name blinks and smiles as the dance does',
    async (member) => {
      const character = await openBytes(member.bytes(), { name: member.name });
      const { outputs } = await retargetMotions([await openBytes(DANCE.bytes(), { name: DANCE.name })], character, {
        output: member.name,
      });
      const { asset } = await openBytes(Uint8Array.from(concatParts(outputs[0].parts)), { name: member.name });
      const [{ morphs }] = asset.clips;
      expect(morphs.map(({ targetNames }) => targetNames)).toEqual([['blink', 'happy']]);
      const [{ times, values }] = morphs;
      expect(times.length).toBeGreaterThan(10);
      const face = DANCE.motion().face!;
      for (const [k, time] of times.entries()) {
        const { blink, happy } = face(time);
        expect(Math.hypot(values[2 * k] - blink, values[2 * k + 1] - happy)).toBeLessThan(1e-5);
      }
    },
  );

  it.each(CAST)('$name stands on the ground and is as tall as its figure', async ({ name, bytes, character }) => {
    const humanoid = chooseHumanoid(await openBytes(bytes(), { name }), 'target', {}).found?.humanoid;
    const { figure } = character();
    expect(Math.abs(humanoid?.ground ?? Number.NaN)).toBeLessThan(0.05 * figure.height);
    // The height of a humanoid ends at the eyes or the head joint.
    expect((humanoid?.height ?? 0) / figure.height).toBeGreaterThan(0.75);
    expect((humanoid?.height ?? 0) / figure.height).toBeLessThan(1.2);
  });
});
