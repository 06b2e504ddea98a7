import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../src/core/animation/clip.ts';
import type { Floats } from '../../src/core/math/floats.ts';
import {
  allocateKeys,
  mapRotationTracks,
  type RotationMapper,
  sandwichMatrix,
} from '../../src/core/retarget/map-keys.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { makeRandom, randomRotation } from '../../src/demo/random.ts';
import { createLazyRotationMapper, createRotationMapper } from '../../src/kernels/map-keys.ts';
import { lawRuns } from '../law-runs.ts';
import { randomClip } from '../make/random-clip.ts';
import { randomRig } from '../make/random-rig.ts';
import { KERNEL_KEYS } from '../tolerances.ts';

const mapper = createRotationMapper() as RotationMapper;

/** Returns what a mapper writes. */
function mapped(by: RotationMapper, tracks: readonly (Track | undefined)[], matrices: Float64Array): Floats {
  const out = allocateKeys(tracks, 0);
  by(out, tracks, matrices);
  return out;
}

/** Expects that keys mapped by rotations differ from those of mapRotationTracks by no more than the kernel promises. */
function expectSameKeys(tracks: readonly (Track | undefined)[], matrices: Float64Array): void {
  const [own, twin] = [mapped(mapper, tracks, matrices), mapped(mapRotationTracks, tracks, matrices)];
  const keys = tracks.flatMap((track) => [...(track?.values ?? [])]);
  expect(own.length).toBe(keys.length);
  for (let at = 0; at < keys.length; at += 4) {
    const length = Math.hypot(...keys.slice(at, at + 4));
    for (let c = at; c < at + 4; c++) {
      expect(Math.abs(own[c] - twin[c])).toBeLessThanOrEqual(KERNEL_KEYS * length);
    }
  }
}

/** The matrix of a random map `q ↦ A · q · B`. */
function randomMatrices(random: () => number, count: number): Float64Array {
  const matrices = new Float64Array(16 * count);
  for (let k = 0; k < count; k++) {
    sandwichMatrix(matrices, 16 * k, randomRotation(random), 0, randomRotation(random), 0, k % 2 === 1);
  }
  return matrices;
}

function trackOf(values: Track['values']): Track {
  return { target: 0, path: 'rotation', interpolation: 'LINEAR', times: new Float32Array(values.length / 4), values };
}

describe('createRotationMapper', () => {
  it('gives the values of mapRotationTracks within 4e-7 of the length of a key, and skips undefined entries', () => {
    const anyFloat = fc.float({ noNaN: true, min: -4, max: 4 });
    const list = fc
      .array(anyFloat, { maxLength: 60 })
      .map((values) => trackOf(Float32Array.from(values.slice(0, values.length & ~3))));
    const property = fc.property(
      fc.array(fc.option(list, { nil: undefined }), { maxLength: 6 }),
      fc.nat(),
      (tracks, seed) => {
        expectSameKeys(tracks, randomMatrices(makeRandom(seed), tracks.length));
      },
    );
    fc.assert(property, { seed: 8, numRuns: lawRuns(500) });
  });

  it('grows its memory for long clips, and maps float64 keys in float64', () => {
    const matrices = randomMatrices(makeRandom(1), 2);
    const tracks = [trackOf(Float32Array.from({ length: 400_000 }, (_, i) => Math.sin(i))), undefined];
    const own = mapped(mapper, tracks, matrices);
    expect(own.length).toBe(400_000);
    expect(own[399_999]).toBeCloseTo(mapped(mapRotationTracks, tracks, matrices)[399_999], 6);
    const doubles = [trackOf(Float64Array.of(1, 2, 3, 4)), trackOf(Float32Array.of(0, 0, 0, 1))];
    expect(mapped(mapper, doubles, matrices)).toEqual(mapped(mapRotationTracks, doubles, matrices));
  });

  it('counts rounding errors of matrices as zero, so that no product is subnormal', () => {
    const matrix = Float64Array.of(1, 1e-13, 0, 0, -1e-13, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const own = mapped(mapper, [trackOf(Float32Array.of(1e-30, 1, 0, 0))], matrix);
    expect([...own]).toEqual([Math.fround(1e-30), 1, 0, 0]);
  });

  it('retargets clips as without it', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = makeRandom(seed);
      const [source, target] = [randomRig(random).humanoid, randomRig(random).humanoid];
      const plan = planRetarget(source, target);
      const clip = randomClip(random, source, { style: 'smooth', isShort: true });
      const tracks = clip.tracks.map((track) => ({ ...track, values: Float32Array.from(track.values) }));
      const single = { ...clip, tracks };
      const own = retargetClip(plan, single, { mapRotations: mapper });
      retargetClip(plan, single).tracks.forEach(({ values, ...twin }, k) => {
        expect(own.tracks[k]).toMatchObject(twin);
        const largest = Math.max(1, ...Array.from(values, Math.abs));
        for (let i = 0; i < values.length; i++) {
          expect(Math.abs(own.tracks[k].values[i] - values[i])).toBeLessThanOrEqual(2 * KERNEL_KEYS * largest);
        }
      });
    }
  });
});

describe('createLazyRotationMapper', () => {
  it('gives the same values at every call', () => {
    const lazy = createLazyRotationMapper();
    const matrices = randomMatrices(makeRandom(2), 1);
    const tracks = [trackOf(Float32Array.from({ length: 1200 }, (_, i) => Math.sin(i)))];
    const expected = mapped(mapper, tracks, matrices);
    for (let round = 0; round < 3; round++) expect(mapped(lazy, tracks, matrices)).toEqual(expected);
  });
});
