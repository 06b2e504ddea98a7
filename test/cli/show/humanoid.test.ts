import { describe, expect, it } from 'vitest';
import { humanoidLines, meters, referencePoseText } from '../../../src/cli/show/humanoid.ts';
import { inspectFile } from '../../../src/files/jobs/inspect-file.ts';
import type { HumanoidReport } from '../../../src/files/reports/humanoid-report.ts';
import { openDemo } from '../../support/make/demo-files.ts';

it('meters: formats lengths without trailing zeros', () => {
  expect([0, 1, 1.5, 1.23456, 0.0254, 120, -0.25].map(meters)).toEqual([
    '0 m',
    '1 m',
    '1.5 m',
    '1.235 m',
    '0.0254 m',
    '120 m',
    '-0.25 m',
  ]);
});

it('referencePoseText: describes the origin of a reference pose', () => {
  const words = (kind: string, from: string): string => referencePoseText({ kind, from } as never);
  expect(words('estimated', 'bind')).toBe('estimated from bind');
  expect(words('declared', 'vrm0')).toBe('declared (vrm0)');
  expect(words('bind', 'bind')).toBe('bind');
});

describe('humanoidLines', () => {
  it('lists every bone after its parent, aligned', async () => {
    const [humanoid] = inspectFile(await openDemo('odd-axes.glb')).humanoids;
    const lines = humanoidLines(humanoid);
    const start = lines.findIndex((line) => line.startsWith('bone '));
    const table = lines.slice(start, lines.indexOf('', start) < 0 ? undefined : lines.indexOf('', start));
    expect(table).toHaveLength(1 + Object.keys(humanoid.bones).length);
    const bones = table.slice(1).map((line) => line.slice(0, line.search(/ {2,}\d/)));
    expect(bones[0]).toBe('hips');
    expect(bones.indexOf('  leftLowerLeg')).toBe(bones.indexOf(' leftUpperLeg') + 1);
    expect(bones.map((bone) => bone.trim()).sort()).toEqual(Object.keys(humanoid.bones).sort());
  });

  it('describes reference pose, facing and deviation from a T-pose', async () => {
    const [humanoid] = inspectFile(await openDemo('chibi.vrm')).humanoids;
    const text = humanoidLines(humanoid).join('\n');
    expect(text).toMatch(/reference pose {2,}declared \(vrm0\)/);
    expect(text).toMatch(/facing {2,}-Z, up \+Y/);
    expect(text).toMatch(/off a T-pose {2,}leftArm \d+\.\d°/);
  });

  it('explains parts and bones with low confidence, and with why all of them', async () => {
    const [found] = inspectFile(await openDemo('mixamo.glb')).humanoids;
    const hips = { node: 1, name: 'A', confidence: 0.3, why: 'no better node' };
    const humanoid: HumanoidReport = {
      ...found,
      bones: { hips, spine: { node: 2, name: 'B', confidence: 1, why: 'above the hips' } },
      referencePose: {
        ...found.referencePose,
        findings: [
          { part: 'leftPalm', confidence: 0.2, reason: 'no knuckles' },
          { part: 'leftArm', confidence: 1, reason: 'straight' },
        ],
      },
    };
    const short = humanoidLines(humanoid).join('\n');
    expect(short).toMatch(/parts of the reference pose to check\n {2}leftPalm {2}20 % {2}no knuckles/);
    expect(short).toMatch(/bones to check\n {2}hips {2}30 % {2}A, no better node/);
    expect(short).not.toMatch(/straight|above the hips/);
    const long = humanoidLines(humanoid, true).join('\n');
    for (const reason of ['no knuckles', 'straight', 'no better node', 'above the hips'])
      expect(long).toContain(reason);
  });
});
