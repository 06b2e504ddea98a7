import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS, demoFiles } from '../../src/demo/index.ts';

describe('the demo', () => {
  it('has eight characters and three motions with unique names', () => {
    expect(DEMO_CHARACTERS.length).toBe(8);
    expect(DEMO_MOTIONS.map(({ name }) => name)).toEqual(['walk.glb', 'wave.vrma', 'turn.bvh']);
    expect(new Set(demoFiles().map(({ name }) => name)).size).toBe(11);
    for (const { title, about } of demoFiles()) expect(`${title}${about}`.length).toBeGreaterThan(20);
  });

  it('has characters that differ in proportions, names, facing, unit and bones', () => {
    const traits = DEMO_CHARACTERS.map(({ character }) => {
      const { figure, skeleton, bones, frame } = character();
      return [figure.height, figure.proportions.leg, skeleton.names[bones[0]], frame.join(), bones.join()];
    });
    traits.forEach((a, k) => {
      for (const b of traits.slice(k + 1)) expect(a.filter((trait, t) => trait === b[t]).length).toBeLessThan(4);
    });
    expect(new Set(traits.map(([, leg]) => leg)).size).toBe(7);
  });

  it.each(demoFiles().filter(({ name }) => !name.endsWith('.bvh')))('$name is valid', async ({ bytes }) => {
    const { issues } = await validateBytes(bytes(), { maxIssues: 0 });
    expect(issues.numErrors).toBe(0);
  });

  it('generates the same bytes every time', () => {
    for (const { bytes } of [DEMO_MOTIONS[0], DEMO_CHARACTERS[5]]) {
      const once = bytes();
      expect(once.length).toBeGreaterThan(10_000);
      // toEqual takes seconds for bytes.
      expect(Buffer.compare(bytes(), once)).toBe(0);
    }
  });
});
