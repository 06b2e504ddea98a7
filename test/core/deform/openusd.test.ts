/** Reference results: points and normals that OpenUSD 24.08 computes for its own test scenes (format: conformance/README.md). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeDualQuaternionPose, poseDualQuaternions } from '../../../src/core/deform/dual-quaternions.ts';
import { inBetweenWeights, planInBetweens } from '../../../src/core/deform/in-betweens.ts';
import { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from '../../../src/core/deform/morph.ts';
import { skinDualQuaternion } from '../../../src/core/deform/skin-dual-quaternion.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { normalMatrices, skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { expectNear } from '../../support/near.ts';
import { OPENUSD_SKIN } from '../../support/tolerances.ts';

interface PrimResult {
  readonly prim: string;
  readonly primWeights?: readonly number[];
  readonly points?: readonly (readonly number[])[];
  readonly points8?: readonly (readonly number[])[];
  readonly normals?: readonly (readonly number[])[];
}

interface Binding {
  readonly joints: readonly string[];
  readonly targets: readonly { readonly prim: string; readonly n: number; readonly geomBind: readonly number[] }[];
  readonly samples: readonly {
    readonly t: number | 'default';
    readonly skinning: readonly (readonly number[])[];
    readonly prims: readonly PrimResult[];
  }[];
}

function results(name: string): Binding {
  const path = asset('conformance/usd/reference-results', `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')).roots[0].bindings[0];
}

/** Returns the text of a prim including its children, up to the matching brace. */
function primText(text: string, name: string): string {
  const start = text.indexOf('{', text.search(new RegExp(`def \\w+ "${name}"`)));
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}') depth--;
    if (depth === 0) return text.slice(start, at);
  }
  throw new Error(`${name} does not end`);
}

function numbersIn(list: string): number[] {
  return Array.from(list.matchAll(/-?[\d.]+(?:e[-+]?\d+)?/g), ([number]) => Number(number));
}

/** Returns all numbers of an array attribute, the last one of that name. Null where the prim has none. */
function numbers(prim: string, attribute: string): number[] | null {
  const found = [...prim.matchAll(new RegExp(`\\] ${attribute} ?= ?\\[([^\\]]*)\\]`, 'g'))].at(-1);
  return found === undefined ? null : numbersIn(found[1]);
}

/** Returns all numbers of an array attribute by time. */
function timeSamples(prim: string, attribute: string): Map<number, number[]> {
  const [, samples] = new RegExp(`\\] ${attribute}.timeSamples = {([^}]*)}`).exec(prim)!;
  return new Map(
    Array.from(samples.matchAll(/(\d+): \[([^\]]*)\]/g), ([, time, list]) => [Number(time), numbersIn(list)]),
  );
}

const bake = 'conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning';
const images = 'conformance/usd/openusd/pxr/usdImaging/usdImagingGL/testenv/testUsdImagingGLSkelSkinning';

describe.skipIf(!HAS_ASSETS)('skinning and blend shapes against OpenUSD', () => {
  it.each([
    ['lbs_usda', `${bake}/lbs.usda`, 'Mesh', 'linear'],
    ['lbs_usda', `${bake}/lbs.usda`, 'MeshWithNormals', 'linear'],
    ['dqs_usda', `${bake}/dqs.usda`, 'Mesh', 'dual'],
    ['dqs_usda', `${bake}/dqs.usda`, 'MeshWithNormals', 'dual'],
    ['test_lbs_usda', `${images}/test_lbs.usda`, 'Mesh', 'linear'],
    ['test_dqs_usda', `${images}/test_dqs.usda`, 'Mesh', 'dual'],
  ] as const)('skins %s %s %s as we do (%s)', (name, scene, meshName, method) => {
    const { joints, targets, samples } = results(name);
    const mesh = primText(readFileSync(asset(scene), 'utf8'), meshName);
    const { n, geomBind, prim } = targets.find((target) => target.prim === `/Root/${meshName}`)!;
    const points = Float32Array.from(numbers(mesh, 'points')!);
    const givenNormals = numbers(mesh, 'normals');
    const indices = Uint16Array.from(numbers(mesh, 'primvars:skel:jointIndices')!);
    const weights = Float32Array.from(numbers(mesh, 'primvars:skel:jointWeights')!);
    const plan = planSkin({ kind: 'vertex', jointsPerVertex: n, indices, weights }, points.length / 3, joints.length);
    const places = Array.from(joints.keys());
    let compared = 0;
    for (const { skinning, prims } of samples) {
      const result = prims.find((one) => one.prim === prim)!;
      const base = { positions: points, normals: givenNormals && Float32Array.from(givenNormals), tangents: null };
      const out = {
        positions: new Float32Array(points.length),
        normals: base.normals?.slice() ?? null,
        tangents: null,
      };
      const given = Float64Array.from(skinning.flat());
      if (method === 'linear') {
        const matrices = new Float64Array(given.length);
        skinningMatrices(matrices, given, places, null, geomBind);
        const normals = new Float64Array(given.length);
        normalMatrices(normals, matrices);
        skinLinear(plan, matrices, normals, base, out);
      } else {
        const pose = makeDualQuaternionPose(joints.length);
        poseDualQuaternions(pose, given, geomBind);
        skinDualQuaternion(plan, pose, base, out);
      }
      const expected = (result.points ?? result.points8)!.flat();
      expectNear(out.positions.slice(0, expected.length), expected, OPENUSD_SKIN);
      if (result.normals !== undefined) expectNear(out.normals!, result.normals.flat(), OPENUSD_SKIN);
      compared += expected.length;
    }
    expect(compared).toBeGreaterThan(100);
    expect(givenNormals !== null).toBe(meshName === 'MeshWithNormals');
  });

  it('in-betweens and sparse shapes match, far beyond their weights', () => {
    const text = readFileSync(asset('conformance/usd/reference-results/bs.usda'), 'utf8');
    const shape = (name: string, attribute: string): Float32Array =>
      Float32Array.from(numbers(primText(text, name), attribute)!);
    const still = { normals: null, tangents: null };
    const sparse = { ...still, vertices: Int32Array.of(1), positions: shape('Y', 'offsets') };
    const dense = ['offsets', 'inbetweens:q', 'inbetweens:h', 'inbetweens:bad'].map((attribute) => ({
      ...still,
      vertices: null,
      positions: shape('X', attribute),
    }));
    const plan = planInBetweens([0.25, 0.5, 1]);
    expect(plan.ignored.length).toBe(1);
    const { samples } = results('bs');
    for (const { prims } of samples.slice(1)) {
      const [{ primWeights, points }] = prims;
      const weights = new Float64Array(5);
      weights[0] = primWeights![0];
      inBetweenWeights(weights, 1, plan, primWeights![1]);
      const out = { ...still, positions: new Float32Array(6) };
      morph([sparse, ...dense], weights, { ...still, positions: new Float32Array(6) }, out);
      // The two other shapes of the scene only move the first point up; a bug in 24.08 omits one of them.
      const [[x], second] = points!;
      expectNear([out.positions[0], ...out.positions.slice(3)], [x, ...second], 100 * OPENUSD_SKIN);
    }
    expect(samples.length).toBe(6);
  });

  it('blended normals match', () => {
    const text = readFileSync(asset(bake, 'blendshapesWithNormals.usda'), 'utf8');
    const mesh = primText(text, 'Mesh');
    const positions = Float32Array.from(numbers(mesh, 'points')!);
    const normals = Float32Array.from(numbers(mesh, 'normals')!);
    const plan = planInBetweens([0.5]);
    const targets = ['twirl_a', 'twirl_b', 'twirl_c', 'twirl_d'].flatMap((name) => {
      const prim = primText(mesh, name);
      const vertices = Int32Array.from(numbers(prim, 'pointIndices')!);
      return ['normalOffsets', 'inbetweens:half:normalOffsets'].map((attribute): MorphTarget => {
        const offsets = Float32Array.from(numbers(prim, attribute)!);
        return { vertices, positions: null, normals: offsets, tangents: null };
      });
    });
    expect(validateMorphTargets(targets, 100).valid).toBe(true);
    const weightSamples = timeSamples(text, 'blendShapeWeights');
    const baked = primText(readFileSync(asset(bake, 'baseline/blendshapesWithNormals.baked.usda'), 'utf8'), 'Mesh');
    const expected = timeSamples(baked, 'normals');
    for (const [time, expectedNormals] of expected) {
      // The file has weights at odd times; at even times they are interpolated halfway.
      const before = weightSamples.get(time % 2 === 0 ? time - 1 : time)!;
      const after = weightSamples.get(time % 2 === 0 ? time + 1 : time)!;
      const weights = new Float64Array(8);
      for (let shape = 0; shape < 4; shape++) {
        inBetweenWeights(weights, 2 * shape, plan, (before[shape] + after[shape]) / 2);
      }
      const out = { positions: positions.slice(), normals: normals.slice(), tangents: null };
      morph(targets, weights, { positions, normals, tangents: null }, out);
      normalizeDirections(out.normals, out.normals);
      expectNear(out.normals, expectedNormals, OPENUSD_SKIN);
      expectNear(out.positions, positions, 0);
    }
    expect(expected.size).toBe(17);
  });
});
