import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { bonesOfPoints } from '../../../src/core/contacts/surface/surface-bones.ts';
import { countPoints, skinPoint } from '../../../src/core/deform/skin-points.ts';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { triangleDistance } from '../../../src/core/measure/surface-distance.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { ADULT } from '../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../contacts/demo-pair.ts';
import { gapsOf } from '../../contacts/ruler-of.ts';
import { touchMotion } from '../../contacts/touch-motions.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';

let adult: DemoBody;
let wide: DemoBody;

beforeAll(async () => {
  [adult, wide] = await Promise.all([demoBody(), demoBody({ ...ADULT, shoulderWidth: 0.5 })]);
});

/** Least distance between the vertices of a hand and the triangles of some bones at the start, percent of the height: every pair is tried. */
function plainGap({ humanoid, skin }: DemoBody, clip: Clip, hand: RegExp, other: RegExp): number {
  const bones = bonesOfPoints(humanoid, skin);
  const isOf = (point: number, names: RegExp): boolean => bones[point] >= 0 && names.test(BONES[bones[point]]);
  const sampler = createMotionSampler(humanoid, clip);
  sampleMotion(sampler, 0);
  const positions = new Float64Array(3 * countPoints(skin));
  for (let point = 0; point < countPoints(skin); point++) {
    skinPoint(positions, 3 * point, skin, point, sampler.matrices);
  }
  const points = Array.from({ length: countPoints(skin) }, (_, point) => point).filter((point) => isOf(point, hand));
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < skin.triangles.length; k += 3) {
    const [a, b, c] = skin.triangles.subarray(k, k + 3);
    if ([a, b, c].filter((point) => isOf(point, other)).length < 2) continue;
    for (const point of points) {
      least = Math.min(least, triangleDistance(positions, 3 * a, 3 * b, 3 * c, 3 * point));
    }
  }
  return (100 * least * humanoid.metersPerUnit) / humanoid.height;
}

describe('measureHandGaps', () => {
  test.runIf(IS_FULL_RUN)(
    'equals its slow twin at a clap, in the source and after retargeting to wide shoulders',
    () => {
      const clip: Clip = { ...touchMotion('clap', adult, 1), duration: 0 };
      const plain = retargetClip(planRetarget(adult.humanoid, wide.humanoid), clip);
      const { frames, source, result, beyond, worst } = gapsOf({ ...adult, clip }, { ...wide, clip: plain })!;
      const hands = ['left', 'right'].map((side) => new RegExp(`${side}(?:Hand|Thumb|Index|Middle|Ring|Little)`));
      const arms = [/left(?:Upper|Lower)Arm/, /right(?:Upper|Lower)Arm/];
      // Stretched fingers of one hand reach past the palm of the other: each hand also touches the other wrist.
      const pairs = [hands, [hands[0], arms[1]], [hands[1], hands[0]], [hands[1], arms[0]]];
      const twin = (body: DemoBody, of: Clip): number[] =>
        pairs.map(([hand, other]) => plainGap(body, of, hand, other));
      const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value / values.length, 0);
      const [before, after] = [twin(adult, clip), twin(wide, plain)];
      expect(frames).toBeGreaterThan(3);
      expect(beyond).toBeCloseTo(result - source, 9);
      // Which parts touch is found by distance alone, so that more pairs than these count; heights are those of the ruler.
      expect(source).toBeLessThanOrEqual(2);
      expect(worst).toBeGreaterThan(0.9 * Math.max(...after));
      expect(mean(after)).toBeGreaterThan(mean(before));
      expect(source).toBeLessThan(1);
      expect(result).toBeGreaterThan(3);
    },
  );

  test('measures a part of the vertices on request', () => {
    const clip = touchMotion('head', adult, 1.6);
    const motion = { ...adult, clip };
    const [all, few] = [Number.POSITIVE_INFINITY, 30].map((mostVertices) => {
      return gapsOf(motion, motion, { fps: 4, mostVertices })!;
    });
    expect(few.source).toBeGreaterThanOrEqual(all.source);
    expect(few.source).toBeLessThan(all.source + 2);
    expect(few.beyond).toBe(0);
  });

  test('is null where no hand touches', () => {
    expect(gapsOf({ ...adult, clip: adult.walk }, { ...wide, clip: adult.walk })).toBeNull();
  });
});
