import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import {
  buildGprims,
  type MaterialNeeds,
  planGprims,
} from '../../../../../src/formats/usd/read/meshes/gprim-meshes.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import { messagesOf } from '../../skel/scene.ts';
import { stageOf } from '../../stage/scene.ts';
import { square } from '../mesh-scene.ts';

function planOf(text: string) {
  const findings: Findings = new Map();
  const issues: Issue[] = [];
  const plan = planGprims(readUsdScene(stageOf(text)), findings, issues);
  expect(messagesOf(issues)).toEqual([]);
  return { plan, findings };
}

const UVS = ['st', 'st1', 'map2'].map((name) => `texCoord2f[] primvars:${name} = [(0, 0)]`).join('\n');
const BOUND = 'prepend apiSchemas = ["MaterialBindingAPI"]';

describe('gprim-meshes', () => {
  it('planGprims: shares a mesh among instances with the same appearance', () => {
    const { plan } = planOf(`class "Proto" {
      ${square('Body')} }
      ${['A', 'B'].map((name) => `def Xform "${name}" (\ninstanceable = true\nreferences = </Proto>\n) {\n}`).join('\n')}
      ${square('Other')}`);
    expect(plan.meshes.map(({ name }) => name)).toEqual(['Body', 'Other']);
    expect(plan.instances.map(({ mesh, skin, morphWeights }) => [mesh, skin, morphWeights])).toEqual([
      [0, -1, null],
      [0, -1, null],
      [1, -1, null],
    ]);
  });

  it('buildGprims: adds UV sets up to the last one that the mesh has or the material needs', () => {
    const material = 'def Material "Red" {\n}';
    const { plan } = planOf(`${square('M', `${UVS}\nrel material:binding = </Red>`, BOUND)}\n${material}`);
    const setCount = (wants: Partial<MaterialNeeds>): number => {
      const all = { uvSets: ['st', 'x', 'st1', 'y', 'z'], neededSets: 0, hasColors: false, ...wants };
      const { meshes } = buildGprims(plan, new Map([['/Red', all]]));
      return meshes[0].primitives[0].uvs.length;
    };
    expect(setCount({})).toBe(3);
    expect(setCount({ neededSets: 4 })).toBe(4);
    expect(setCount({ uvSets: ['x', 'y'] })).toBe(0);
    expect(setCount({ uvSets: ['x', 'y'], neededSets: 1 })).toBe(1);
  });

  it('buildGprims: keeps all UV sets and varying colors without a material', () => {
    const colors = (values: string, by: string): string =>
      square('M', `${UVS}\ncolor3f[] primvars:displayColor = ${values} (\ninterpolation = "${by}"\n)`);
    const primitiveOf = (text: string) => buildGprims(planOf(text).plan, new Map()).meshes[0].primitives[0];
    const four = primitiveOf(colors('[(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]', 'vertex'));
    expect([four.uvs.length, four.colors.length]).toEqual([3, 1]);
    expect(primitiveOf(colors('[(1, 0, 0)]', 'constant')).colors).toEqual([]);
  });

  it('buildGprims: drops meshes without a triangle, with a finding', () => {
    const { plan, findings } = planOf(`def Mesh "Empty" {\n}\n${square('M')}`);
    const { meshes, instances, points } = buildGprims(plan, new Map());
    expect(meshes.map(({ name }) => name)).toEqual(['M']);
    expect(instances.map(({ mesh }) => mesh)).toEqual([0]);
    expect(points.map(([first]) => first.length)).toEqual([4]);
    expect([...findings.keys()]).toContain('Meshes contain no triangle and were dropped');
  });
});
