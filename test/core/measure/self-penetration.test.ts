import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { HEAVY } from '../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../contacts/demo-pair.ts';
import { insideOf } from '../../contacts/ruler-of.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { aboutAxis, product, rotationOf } from '../../support/reference/plain.ts';
import { plainPenetration } from '../../support/reference/self-penetration.ts';

const T_POSE: Clip = { name: '', duration: 0, tracks: [] };

/** A clip of one key: the left arm, stretched in the T-pose, lowered by an angle: above 90° into the trunk and the thigh. */
function loweredArm({ humanoid }: DemoBody, degrees: number): Clip {
  const node = humanoid.map.nodes[BONE.leftUpperArm];
  const rest = rotationOf(humanoid.skeleton.rest, node);
  const values = Float64Array.from(product(aboutAxis([0, 0, 1], (-degrees * Math.PI) / 180), rest));
  return {
    name: '',
    duration: 0,
    tracks: [{ target: node, path: 'rotation', interpolation: 'LINEAR', times: Float64Array.of(0), values }],
  };
}

describe('measureSelfPenetration', () => {
  test('is 0 in the T-pose', async () => {
    const figures = insideOf({ ...(await demoBody()), clip: T_POSE })!;
    expect(figures.mean).toBe(0);
    expect(figures.vertices).toBeGreaterThan(50);
  });

  test.skipIf(!IS_FULL_RUN)(
    'equals its slow twin: arms in the trunk, and a walk of an adult on a wide character',
    async () => {
      const [adult, heavy] = [await demoBody(), await demoBody(HEAVY)];
      for (const degrees of [105, 120]) {
        const clip = loweredArm(adult, degrees);
        const { mean } = insideOf({ ...adult, clip })!;
        expect(mean).toBeGreaterThan(5);
        expect(mean).toBeCloseTo(plainPenetration(adult, clip, 0), 9);
      }
      const walk = retargetClip(planRetarget(adult.humanoid, heavy.humanoid), adult.walk);
      const fps = 1 / walk.duration;
      const { mean, worst } = insideOf({ ...heavy, clip: walk }, { fps })!;
      const frames = [0, 1].map((frame) => plainPenetration(heavy, walk, frame / fps));
      expect(mean).toBeCloseTo((frames[0] + frames[1]) / 2, 9);
      expect(worst).toBeCloseTo(Math.max(...frames), 9);
    },
  );

  test('tests a part of the vertices on request', async () => {
    const body = await demoBody();
    const figures = insideOf({ ...body, clip: loweredArm(body, 105) }, { mostVertices: 40 })!;
    expect(figures.vertices).toBeLessThanOrEqual(40);
    expect(figures.mean).toBeGreaterThan(10);
  });

  test('a tool that is part of a hand does not count', async () => {
    const body = await demoBody();
    const { humanoid, skin } = body;
    const hand = humanoid.map.nodes[BONE.leftHand];
    const own = [...skin.nodes.keys()].filter((i) => skin.nodes[i] === hand && skin.offsets[4 * i + 3] === 1);
    // A few vertices of the hand are moved to where a long tool ends.
    const offsets = skin.offsets.slice();
    for (const i of own.slice(0, 5)) for (let c = 0; c < 3; c++) offsets[4 * i + c] *= 20;
    const figures = (one: typeof skin) => insideOf({ ...body, skin: one, clip: T_POSE })!.vertices;
    expect(figures({ ...skin, offsets })).toBe(figures(skin) - 5);
  });

  test('is null without triangles', async () => {
    const body = await demoBody();
    const skin = { ...body.skin, triangles: new Int32Array(0) };
    expect(insideOf({ ...body, skin, clip: T_POSE })).toBeNull();
  });
});
