import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readBindings, type SkelBinding, skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import { geomBindTransform, hasBlendShapes } from '../../../../src/formats/usd/skel/bound-prim.ts';
import { type DeformedPrim, deformPrim, planPrim } from '../../../../src/formats/usd/skel/deform-prim.ts';
import { mapFlags } from '../../../../src/formats/usd/skel/joint-transforms.ts';
import { animationTimes } from '../../../../src/formats/usd/skel/skel-animation.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../assets.ts';
import { USD_REFERENCE } from '../../../tolerances.ts';
import { stageOfFile } from './scene.ts';

type Matrices = readonly (readonly number[])[];

/** One prim at one time, as `conformance/README.md` describes it. */
interface PrimResult {
  readonly prim: string;
  readonly primWeights?: readonly number[];
  readonly subShapeWeights?: readonly number[];
  readonly blendShapeIndices?: readonly number[];
  readonly subShapeIndices?: readonly number[];
  readonly skinOk?: number;
  readonly skinnedXform?: readonly number[];
  readonly points?: Matrices;
  readonly normals?: Matrices;
  readonly pointCount?: number;
  readonly pointSum?: readonly number[];
  readonly points8?: Matrices;
}

interface Sample {
  readonly t: number | 'default';
  readonly local?: Matrices;
  readonly skel?: Matrices;
  readonly skinning?: Matrices;
  readonly restRelative?: Matrices;
  readonly weights?: readonly number[];
  readonly prims: readonly PrimResult[];
}

interface Binding {
  readonly skeleton: string;
  readonly joints: readonly string[];
  readonly parents: readonly number[];
  readonly hasBind: boolean;
  readonly hasRest: boolean;
  readonly anim: string | null;
  readonly animJoints?: readonly string[];
  readonly blendShapes?: readonly string[];
  readonly mapper?: { readonly identity: number; readonly sparse: number; readonly null: number };
  readonly times: readonly number[];
  readonly targets: readonly {
    readonly prim: string;
    readonly hasInfluences: number;
    readonly rigid: number;
    readonly n: number;
    readonly method: string;
    readonly geomBind: readonly number[];
    readonly hasBlendShapes: number;
    readonly joints?: readonly string[];
    readonly blendShapes?: readonly string[];
  }[];
  readonly samples: readonly Sample[];
}

interface Result {
  readonly file: string;
  readonly roots: readonly { readonly path: string; readonly bindings: readonly Binding[] }[];
}

/**
 * What OpenUSD 24.08 does there is its own bug or unspecified, so that the points cannot be held against it: an inactive target makes it read the next shape,
 * which fails, and of two in-betweens at one weight it takes either. See the test below.
 */
const NOT_COMPARED = new Set(['bs.json']);

function near(found: ArrayLike<number> | null, expected: Matrices | readonly number[] | undefined, what: string): void {
  if (expected === undefined) {
    expect(found, what).toBeNull();
    return;
  }
  const flat = (expected as readonly (number | readonly number[])[]).flat();
  expect(found?.length, what).toBe(flat.length);
  const size = flat.reduce((most, number) => Math.max(most, Math.abs(number)), 1);
  for (const [i, number] of flat.entries()) {
    const off = Math.abs((found as ArrayLike<number>)[i] - number);
    if (!(off <= USD_REFERENCE * size)) expect.fail(`${what}: number ${i} is ${found?.[i]}, expected ${number}`);
  }
}

function comparePoints(deformed: DeformedPrim, expected: PrimResult, what: string): void {
  const { points, normals } = deformed;
  if (expected.points !== undefined) {
    near(points, expected.points, `${what} points`);
    if ((expected.normals?.length ?? 0) > 0) near(normals, expected.normals, `${what} normals`);
    return;
  }
  expect(points.length / 3).toBe(expected.pointCount);
  near(points.subarray(0, 24), expected.points8, `${what} points8`);
  const sum = [0, 1, 2].map((c) => points.filter((_, i) => i % 3 === c).reduce((total, number) => total + number, 0));
  for (let c = 0; c < 3; c++) {
    const off = Math.abs(sum[c] - (expected.pointSum?.[c] ?? Number.NaN)) / (points.length / 3);
    expect(off, `${what} pointSum`).toBeLessThan(USD_REFERENCE * Math.max(1, Math.abs(sum[c])));
  }
}

function compareBinding(stage: Stage, found: SkelBinding, expected: Binding, comparesPoints: boolean): void {
  const issues: Issue[] = [];
  const skeleton = readAnimatedSkeleton(stage, found.skeleton, found.animation, issues);
  if (skeleton === null) throw new Error(`${found.skeleton} is not valid`);
  const { definition, animation, map } = skeleton;
  expect(found.animation).toBe(expected.anim);
  expect(definition.joints).toEqual(expected.joints);
  expect([...definition.parents]).toEqual(expected.parents);
  expect([definition.bind !== null, definition.rest !== null]).toEqual([expected.hasBind, expected.hasRest]);
  if (animation !== null && map !== null) {
    expect(animation.joints).toEqual(expected.animJoints);
    expect(animation.blendShapes).toEqual(expected.blendShapes);
    const flags = Object.entries(mapFlags(map)).map(([name, flag]) => [name, flag ? 1 : 0]);
    expect(Object.fromEntries(flags)).toEqual(expected.mapper);
  }
  expect(animation === null ? [] : [...animationTimes(stage, animation)]).toEqual(expected.times);
  const targets = found.prims.map((bound) => ({
    prim: bound.prim,
    hasInfluences: bound.influences.hasInfluences ? 1 : 0,
    rigid: bound.influences.isRigid ? 1 : 0,
    n: bound.influences.jointsPerVertex,
    method: bound.method,
    geomBind: [...geomBindTransform(stage, bound, 'default')],
    hasBlendShapes: hasBlendShapes(bound) ? 1 : 0,
    ...(bound.joints === null ? {} : { joints: bound.joints }),
    ...(bound.blendShapes === null ? {} : { blendShapes: bound.blendShapes }),
  }));
  expect(targets).toEqual(expected.targets);
  const deformers = found.prims.map((bound) => planPrim(stage, bound, skeleton, issues));
  for (const sample of expected.samples) {
    const at = `${found.skeleton} at ${sample.t}`;
    const now = sampleSkeleton(stage, skeleton, sample.t, issues);
    near(now.local, sample.local, `${at} local`);
    near(now.skel, sample.skel, `${at} skel`);
    near(now.skinning, sample.skinning, `${at} skinning`);
    near(now.restRelative, sample.restRelative, `${at} restRelative`);
    near(now.weights, sample.weights, `${at} weights`);
    for (const prim of sample.prims) {
      const deformer = deformers.find(({ bound }) => bound.prim === prim.prim);
      if (deformer === undefined) throw new Error(`${prim.prim} is not bound`);
      const deformed = deformPrim(stage, deformer, now, sample.t, issues);
      const what = `${prim.prim} at ${sample.t}`;
      if (prim.skinOk !== undefined) expect(deformed.isSkinned, what).toBe(Number(prim.skinOk) === 1);
      if (prim.primWeights !== undefined) near(deformed.weights, prim.primWeights, `${what} primWeights`);
      if (prim.skinnedXform !== undefined) near(deformed.transform, prim.skinnedXform, `${what} skinnedXform`);
      if (!comparesPoints) continue;
      const { shapes } = deformed;
      if (prim.subShapeWeights !== undefined) {
        const column = (of: (shape: NonNullable<typeof shapes>[number]) => number): number[] => (shapes ?? []).map(of);
        near(
          column(({ weight }) => weight),
          prim.subShapeWeights,
          `${what} subShapeWeights`,
        );
        expect(column(({ target }) => target)).toEqual(prim.blendShapeIndices);
        expect(column(({ subShape }) => subShape)).toEqual(prim.subShapeIndices);
      }
      comparePoints(deformed, prim, what);
    }
  }
}

describe.skipIf(!HAS_ASSETS)('numbers of OpenUSD 24.08', () => {
  it('are there', () => {
    expect(assetFiles('conformance/usd/reference-results', 'json').length).toBeGreaterThan(10);
  });

  for (const path of assetFiles('conformance/usd/reference-results', 'json')) {
    const expected: Result = JSON.parse(readFileSync(path, 'utf8'));
    const isProbe = expected.file.startsWith('t/');
    const file = asset('conformance/usd', isProbe ? `reference-results/${basename(expected.file)}` : expected.file);
    it(`come out for ${basename(file)}: bindings, joints, weights, points`, () => {
      const stage = stageOfFile(file);
      expect(skelRoots(stage)).toEqual(expected.roots.map((root) => root.path));
      for (const root of expected.roots) {
        const { bindings } = readBindings(stage, root.path);
        expect(bindings.map(({ skeleton }) => skeleton)).toEqual(root.bindings.map(({ skeleton }) => skeleton));
        for (const [i, binding] of root.bindings.entries()) {
          compareBinding(stage, bindings[i], binding, !NOT_COMPARED.has(basename(path)));
        }
      }
    });
  }
});

describe.skipIf(!HAS_ASSETS)('where OpenUSD 24.08 does something else', () => {
  it('an inactive target adds nothing, and of two in-betweens at one weight the first counts, as the text of UsdSkel asks for', () => {
    const stage = stageOfFile(asset('conformance/usd/reference-results/bs.usda'));
    const issues: Issue[] = [];
    const skeleton = readAnimatedSkeleton(stage, '/R/S', '/R/A', issues);
    if (skeleton === null) throw new Error('the skeleton is not valid');
    const deformer = planPrim(stage, readBindings(stage, '/R').bindings[0].prims[0], skeleton, issues);
    const points = (time: number): Float64Array =>
      deformPrim(stage, deformer, sampleSkeleton(stage, skeleton, time, issues), time, issues).points;
    // x at -0.25, y at 0.5, and the first in-between of the pair alone.
    near(points(0), [-10, 2000, 0, 0, -10, 0.5], 'points at 0');
    // x at 2, and the pair at 0.7: 0.6 of its first in-between, 0.4 of the primary shape.
    near(points(2), [-197, 0.6 * 2000 + 0.4 * 1000, 0, 0, -197, 0], 'points at 2');
    expect(issues.map(({ message }) => message)).toEqual([
      'BlendShape /R/P/X: the in-between bad has weight 1, where the primary shape stands; give it one of its own; it is ignored.',
      'BlendShape /R/P/D: the in-between b has weight 0.5, where the in-between a stands; give it one of its own; it is ignored.',
    ]);
  });
});
