import { describe, expect, it } from 'vitest';
import { humanoidLines, metres, referenceWords } from '../../src/cli/show-humanoid.ts';
import { inspectFile } from '../../src/files/inspect-file.ts';
import { openDemo } from '../make/demo-files.ts';

it('metres are written as short as they can be', () => {
  expect([0, 1, 1.5, 1.23456, 0.0254, 120, -0.25].map(metres)).toEqual([
    '0 m',
    '1 m',
    '1.5 m',
    '1.235 m',
    '0.0254 m',
    '120 m',
    '-0.25 m',
  ]);
});

it('reference poses are told in words', () => {
  const words = (kind: string, from: string): string => referenceWords({ kind, from } as never);
  expect(words('estimated', 'bind')).toBe('estimated from bind');
  expect(words('declared', 'vrm0')).toBe('declared (vrm0)');
  expect(words('bind', 'bind')).toBe('bind');
});

describe('humanoidLines', () => {
  it('show every bone below the one it hangs on, aligned', async () => {
    const [humanoid] = inspectFile(await openDemo('odd-axes.glb')).humanoids;
    const lines = humanoidLines(humanoid);
    const table = lines.slice(lines.indexOf('') + 1);
    expect(table).toHaveLength(1 + Object.keys(humanoid.bones).length);
    const bones = table.slice(1).map((line) => line.slice(0, line.search(/ {2,}\d/)));
    expect(bones[0]).toBe('hips');
    expect(bones.indexOf('  leftLowerLeg')).toBe(bones.indexOf(' leftUpperLeg') + 1);
    expect(bones.map((bone) => bone.trim()).sort()).toEqual(Object.keys(humanoid.bones).sort());
  });

  it('tell what a body is measured from', async () => {
    const [humanoid] = inspectFile(await openDemo('chibi.vrm')).humanoids;
    const text = humanoidLines(humanoid).join('\n');
    expect(text).toMatch(/reference pose {2,}declared \(vrm0\)/);
    expect(text).toMatch(/facing {2,}-Z, up \+Y/);
    expect(text).toMatch(/off a T-pose {2,}leftArm \d+\.\d°/);
  });
});
