import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { skinLinear } from '../../src/core/deform/skin-linear.ts';
import { planSkin, type SkinPlan } from '../../src/core/deform/skin-plan.ts';
import { normalMatrices } from '../../src/core/deform/skinning-matrices.ts';
import type { Vertices } from '../../src/core/deform/vertices.ts';
import {
  type KernelSkin,
  loadSkinKernel,
  prepareKernelSkin,
  type SkinKernel,
  skinLinearByKernel,
} from '../../src/kernels/skin-linear.ts';
import { emptyVertices, packInfluences, packVertices, type Skin, skin } from '../core/deform/skins.ts';
import { lawRuns } from '../law-runs.ts';
import { type Influence, matrixOf, moved, rotatedBy } from '../reference/skinning.ts';
import { KERNEL_SKIN } from '../tolerances.ts';

const runs = { seed: 53, numRuns: lawRuns(300) };
const kernel = (await loadSkinKernel()) as SkinKernel;

/** Arbitrary lists of 1…8 influences, including repeated joints, weights of 0 or less and vertices without weights; sums of 1 where possible. */
function anyInfluences(joints: number, vertices: number): fc.Arbitrary<Influence[][]> {
  const influence = fc.tuple(fc.nat(joints - 1), fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 100 })));
  const list = fc.array(influence, { minLength: 1, maxLength: 8 }).map((pairs) => {
    const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
    return pairs.map(([joint, weight]) => [joint, weight / Math.max(1, total)] as const);
  });
  return fc.array(list, { minLength: vertices, maxLength: vertices });
}

/** Arbitrary skins with arbitrary influences; in half of them every second vertex shares the influences of the previous one. */
function anySkin(): fc.Arbitrary<Skin> {
  return fc.tuple(fc.oneof(skin('rigid'), skin('uniform'), skin('stretched')), fc.boolean()).chain(([sample, shares]) =>
    anyInfluences(sample.joints.length, sample.points.length).map((influences) => ({
      ...sample,
      influences: shares ? influences.map((_, v) => influences[v - (v % 2)]) : influences,
    })),
  );
}

interface Prepared {
  readonly plan: SkinPlan;
  readonly skinning: Float64Array;
  readonly normals: Float64Array | null;
  readonly base: Vertices;
  readonly own: KernelSkin;
}

function prepared(sample: Skin): Prepared {
  const plan = planSkin(packInfluences(sample.influences), sample.points.length, sample.joints.length);
  const skinning = Float64Array.from(sample.joints.flatMap(matrixOf));
  const normals = new Float64Array(skinning.length);
  const areShared = normalMatrices(normals, skinning);
  const base = packVertices(sample);
  return { plan, skinning, normals: areShared ? null : normals, base, own: prepareKernelSkin(kernel, plan, base) };
}

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);
const apart = (a: Vertices['positions'], b: Vertices['positions'], v: number): number =>
  lengthOf([0, 1, 2].map((c) => a[3 * v + c] - b[3 * v + c]));
/** Splits a flat array into matrices. */
const matricesOf = (flat: Float64Array): number[][] =>
  Array.from({ length: flat.length / 16 }, (_, joint) => [...flat.subarray(16 * joint, 16 * joint + 16)]);

/** Asserts that the kernel matches skinLinear within its documented error. */
function expectTwin(sample: Skin, { plan, skinning, normals, base, own }: Prepared): void {
  const twin = emptyVertices(base);
  skinLinear(plan, skinning, normals, base, twin);
  skinLinearByKernel(own, skinning, normals);
  const movers = matricesOf(skinning);
  const turners = matricesOf(normals ?? skinning);
  sample.influences.forEach((list, v) => {
    // The largest term of the sum, which determines the rounding error of float32.
    const size = movers.reduce(
      (most, m) => Math.max(most, lengthOf(moved(m, sample.points[v])), lengthOf(m.slice(12, 15))),
      lengthOf(sample.points[v]),
    );
    expect(apart(own.out.positions, twin.positions, v)).toBeLessThanOrEqual(KERNEL_SKIN * size);
    const turned = list.map(([joint, weight]) => rotatedBy(turners[joint], sample.normals[v]).map((x) => x * weight));
    const sum = lengthOf([0, 1, 2].map((c) => turned.reduce((total, t) => total + t[c], 0)));
    const parts = turners.reduce((most, m) => Math.max(most, lengthOf(m.slice(0, 12))), 0);
    if (sum < 1e-3 * parts) return;
    expect(apart(own.out.normals!, twin.normals!, v)).toBeLessThanOrEqual((KERNEL_SKIN * parts) / sum);
  });
}

describe('loadSkinKernel', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('compiles in this environment', () => {
    expect(kernel.module).toBeInstanceOf(WebAssembly.Module);
  });

  it('returns null without WebAssembly, without SIMD, and where the CSP forbids compiling', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await loadSkinKernel()).toBeNull();
    vi.stubGlobal('WebAssembly', { validate: () => false });
    expect(await loadSkinKernel()).toBeNull();
    vi.unstubAllGlobals();
    const forbidden = new WebAssembly.CompileError('blocked by CSP');
    const compile = vi.spyOn(WebAssembly, 'compile').mockRejectedValue(forbidden);
    expect(await loadSkinKernel()).toBeNull();
    compile.mockRejectedValue(new Error('something else'));
    await expect(loadSkinKernel()).rejects.toThrow('something else');
    compile.mockRestore();
  });
});

describe('skinLinearByKernel', () => {
  it('matches skinLinear for any influences', () => {
    fc.assert(
      fc.property(anySkin(), (sample) => expectTwin(sample, prepared(sample))),
      runs,
    );
  });

  it('matches skinLinear in a second call with different matrices and modified base vertices', () => {
    const property = fc.property(anySkin(), (sample) => {
      const first = prepared(sample);
      const views = { ...first.own.out };
      skinLinearByKernel(first.own, first.skinning, first.normals);
      const joints = [...sample.joints.slice(1), sample.joints[0]];
      const points = sample.points.map(([x, y, z]) => [y, z, x]);
      const other = { ...sample, joints, points };
      const second = { ...prepared(other), own: first.own };
      first.own.base.positions.set(second.base.positions);
      expectTwin(other, second);
      expect(first.own.out.positions).toBe(views.positions);
      expect(first.own.out.normals).toBe(views.normals);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });

  it('does not modify base vertices or other meshes of the kernel', () => {
    const property = fc.property(anySkin(), anySkin(), (one, other) => {
      const [a, b] = [prepared(one), prepared(other)];
      skinLinearByKernel(b.own, b.skinning, b.normals);
      const before = b.own.out.positions.slice();
      skinLinearByKernel(a.own, a.skinning, a.normals);
      expect(b.own.out.positions).toEqual(before);
      expect(a.own.base.positions).toEqual(Float32Array.from(a.base.positions));
      expect(a.own.base.normals).toEqual(Float32Array.from(a.base.normals!));
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });

  it('skins a mesh that spans many memory pages, with separate and with shared influences', () => {
    const count = 30_000;
    const skinning = Float64Array.of(
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      8,
      0,
      0,
      1,
    );
    const positions = Float32Array.from({ length: 3 * count }, (_, i) => i % 1000);
    const indices = Uint16Array.from({ length: 2 * count }, (_, i) => i % 2);
    const weights = Float32Array.from(
      { length: 2 * count },
      (_, i) => (i % 2 === 0 ? count - (i >> 1) : i >> 1) / count,
    );
    const vertices = { positions, normals: null, tangents: null };
    const each = planSkin({ kind: 'vertex', jointsPerVertex: 2, indices, weights }, count, 2);
    const own = prepareKernelSkin(kernel, each, vertices);
    skinLinearByKernel(own, skinning, null);
    expect(own.out.normals).toBeNull();
    let off = 0;
    for (let v = 0; v < count; v++) {
      const expected = [positions[3 * v] + (8 * v) / count, positions[3 * v + 1], positions[3 * v + 2]];
      expected.forEach((x, c) => {
        off = Math.max(off, Math.abs(own.out.positions[3 * v + c] - x));
      });
    }
    expect(off).toBeLessThan(KERNEL_SKIN * 1000);
    const rigid = {
      kind: 'constant',
      jointsPerVertex: 1,
      indices: Uint16Array.of(1),
      weights: Float32Array.of(1),
    } as const;
    const whole = prepareKernelSkin(kernel, planSkin(rigid, count, 2), vertices);
    skinLinearByKernel(whole, skinning, null);
    expect(whole.out.positions).toEqual(positions.map((x, i) => (i % 3 === 0 ? x + 8 : x)));
  });

  it('collapses a vertex without weights to the origin with a zero normal, and skins an empty mesh', () => {
    const none = {
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: Uint16Array.of(0),
      weights: Float32Array.of(0),
    } as const;
    const vertices = { positions: Float32Array.of(1, 2, 3), normals: Float32Array.of(0, 0, 1), tangents: null };
    const own = prepareKernelSkin(kernel, planSkin(none, 1, 1), vertices);
    own.out.positions.fill(7);
    own.out.normals!.fill(7);
    skinLinearByKernel(own, new Float64Array(16).fill(1), null);
    expect([...own.out.positions, ...own.out.normals!]).toEqual([0, 0, 0, 0, 0, 0]);
    const empty = {
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: new Uint16Array(),
      weights: new Float32Array(),
    } as const;
    const nothing = { positions: new Float32Array(), normals: null, tangents: null };
    const still = prepareKernelSkin(kernel, planSkin(empty, 0, 0), nothing);
    skinLinearByKernel(still, new Float64Array(), null);
    expect(still.out.positions).toHaveLength(0);
  });

  it('ignores the last row of the matrices', () => {
    const property = fc.property(anySkin(), (sample) => {
      const { own, skinning, normals } = prepared(sample);
      skinLinearByKernel(own, skinning, normals);
      const [positions, directions] = [own.out.positions.slice(), own.out.normals!.slice()];
      const spoilt = (matrices: Float64Array): Float64Array => matrices.map((x, i) => (i % 4 === 3 ? Number.NaN : x));
      skinLinearByKernel(own, spoilt(skinning), normals && spoilt(normals));
      expect(own.out.positions).toEqual(positions);
      expect(own.out.normals).toEqual(directions);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });

  it('does not throw for a wrong number of matrices', () => {
    const rigid = {
      kind: 'constant',
      jointsPerVertex: 1,
      indices: Uint16Array.of(0),
      weights: Float32Array.of(1),
    } as const;
    const vertices = { positions: Float32Array.of(1, 2, 3), normals: null, tangents: null };
    const own = prepareKernelSkin(kernel, planSkin(rigid, 1, 1), vertices);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    skinLinearByKernel(own, Float64Array.of(...identity, ...identity), null);
    expect([...own.out.positions]).toEqual([1, 2, 3]);
    skinLinearByKernel(own, new Float64Array(), null);
    expect([...own.out.positions]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe('prepareKernelSkin', () => {
  const rigid = {
    kind: 'constant',
    jointsPerVertex: 1,
    indices: Uint16Array.of(0),
    weights: Float32Array.of(1),
  } as const;

  it('throws for a number of vertices that differs from the plan', () => {
    const plan = planSkin(rigid, 2, 1);
    const three = new Float32Array(9);
    const two = new Float32Array(6);
    const prepare = (positions: Float32Array, normals: Float32Array) => (): KernelSkin =>
      prepareKernelSkin(kernel, plan, { positions, normals, tangents: null });
    expect(prepare(three, two)).toThrow(/9 numbers of positions; the plan has 2 vertices, expected 6/);
    expect(prepare(two, three)).toThrow(/9 numbers of normals/);
  });

  it('throws for a mesh that exceeds 4 GiB', () => {
    const plan = { ...planSkin(rigid, 0, 1), jointCount: 2 ** 27 };
    const vertices = { positions: new Float32Array(), normals: null, tangents: null };
    expect(() => prepareKernelSkin(kernel, plan, vertices)).toThrow(/expected at most 4 GiB/);
  });
});
