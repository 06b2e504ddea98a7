import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { Findings } from '../../../../src/formats/usd/read/geometry-findings.ts';
import { type MaterialWants, makeGprims, planGprims } from '../../../../src/formats/usd/read/place-gprims.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { messagesOf } from '../skel/scene.ts';
import { stageOf } from '../stage/scene.ts';
import { square } from './meshes.ts';

function planOf(text: string) {
  const findings: Findings = new Map();
  const issues: Issue[] = [];
  const plan = planGprims(readUsdScene(stageOf(text)), findings, issues);
  expect(messagesOf(issues)).toEqual([]);
  return { plan, findings };
}

const UVS = ['st', 'st1', 'map2'].map((name) => `texCoord2f[] primvars:${name} = [(0, 0)]`).join('\n');
const BOUND = 'prepend apiSchemas = ["MaterialBindingAPI"]';

describe('gprims of a scene', () => {
  it('are planned once for all instances that look the same', () => {
    const { plan } = planOf(`class "Proto" {
      ${square('Body')} }
      ${['A', 'B'].map((name) => `def Xform "${name}" (\ninstanceable = true\nreferences = </Proto>\n) {\n}`).join('\n')}
      ${square('Other')}`);
    expect(plan.meshes.map(({ name }) => name)).toEqual(['Body', 'Other']);
    expect(plan.placed.map(({ mesh, skin, morphWeights }) => [mesh, skin, morphWeights])).toEqual([
      [0, -1, null],
      [0, -1, null],
      [1, -1, null],
    ]);
  });

  it('have the uv sets that their material counts, up to the last that there is or that it needs', () => {
    const material = 'def Material "Red" {\n}';
    const { plan } = planOf(`${square('M', `${UVS}\nrel material:binding = </Red>`, BOUND)}\n${material}`);
    const setCount = (wants: Partial<MaterialWants>): number => {
      const all = { uvSets: ['st', 'x', 'st1', 'y', 'z'], neededSets: 0, hasColors: false, ...wants };
      const { meshes } = makeGprims(plan, new Map([['/Red', all]]));
      return meshes[0].primitives[0].uvs.length;
    };
    expect(setCount({})).toBe(3);
    expect(setCount({ neededSets: 4 })).toBe(4);
    expect(setCount({ uvSets: ['x', 'y'] })).toBe(0);
    expect(setCount({ uvSets: ['x', 'y'], neededSets: 1 })).toBe(1);
  });

  it('without a material have all their uv sets, and colors where these differ', () => {
    const colors = (values: string, by: string): string =>
      square('M', `${UVS}\ncolor3f[] primvars:displayColor = ${values} (\ninterpolation = "${by}"\n)`);
    const primitiveOf = (text: string) => makeGprims(planOf(text).plan, new Map()).meshes[0].primitives[0];
    const four = primitiveOf(colors('[(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]', 'vertex'));
    expect([four.uvs.length, four.colors.length]).toEqual([3, 1]);
    expect(primitiveOf(colors('[(1, 0, 0)]', 'constant')).colors).toEqual([]);
  });

  it('without a triangle are nowhere, and told of', () => {
    const { plan, findings } = planOf(`def Mesh "Empty" {\n}\n${square('M')}`);
    const { meshes, instances, points } = makeGprims(plan, new Map());
    expect(meshes.map(({ name }) => name)).toEqual(['M']);
    expect(instances.map(({ mesh }) => mesh)).toEqual([0]);
    expect(points.map(([first]) => first.length)).toEqual([4]);
    expect([...findings.keys()]).toContain('Meshes without a triangle were left out');
  });
});
