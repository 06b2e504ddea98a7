import { describe, expect, test } from 'vitest';
import { about, correctionOf, direction, estimate, finding, pointsOf } from '../../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY, product, rotated } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

/** A shoe around the left ankle: a flat sole from the heel to the toes, and a top. */
const SHOE = [-0.06, 0, 0.1, 0.2].flatMap((z) =>
  [-0.04, 0.04].flatMap((x) => [
    [x, -0.1, z],
    [x, -0.04, z],
  ]),
);
/** No toes: the node has a name of another bone. */
const TOELESS = { leftToes: { name: 'end', parent: 'hips' } };
const STEP: Record<string, Partial<TinyNode>> = {
  leftUpperLeg: { turn: about.x(-0.7) },
  rightUpperLeg: { turn: about.x(0.5) },
};

describe('alignFoot', () => {
  test('keeps the pitch of a foot when the leg is straightened', () => {
    const found = estimate(tPoseHumanoid({ leftUpperLeg: { turn: about.x(-0.3) }, leftFoot: { turn: about.x(0.3) } }));
    expectSameRotation(correctionOf(found, 'leftFoot'), IDENTITY, EXACT);
    expectSameRotation(correctionOf(found, 'leftToes'), IDENTITY, EXACT);
    expect(finding(found, 'leftFoot')?.confidence).toBe(1);
  });

  test.each([0, 0.05])(
    'rolls feet back that were spread with their legs and are parallel, %s rad off the front',
    (yaw) => {
      const spread = (...[left, right]: readonly Partial<TinyNode>[]) =>
        tPoseHumanoid({
          leftUpperLeg: { turn: about.z(0.35) },
          rightUpperLeg: { turn: about.z(-0.2) },
          leftFoot: { turn: about.y(yaw), ...left },
          rightFoot: { turn: about.y(yaw), ...right },
        });
      const rolled = estimate(spread());
      expectNear(rotated(correctionOf(rolled, 'leftFoot'), rotated(about.z(0.35), [0, 1, 0])), [0, 1, 0], EXACT);
      expectNear(rotated(correctionOf(rolled, 'rightFoot'), rotated(about.z(-0.2), [0, 1, 0])), [0, 1, 0], EXACT);
      const flat = estimate(spread({ turn: about.z(-0.35) }, { turn: about.z(0.2) }));
      expectNear(rotated(correctionOf(flat, 'leftFoot'), [0, 1, 0]), [0, 1, 0], EXACT);
      const body = spread();
      const onSoles = estimate(body, { vertices: () => pointsOf(body, 'leftFoot', SHOE) });
      expectNear(rotated(correctionOf(onSoles, 'rightFoot'), [0, 1, 0]), [0, 1, 0], EXACT);
    },
  );

  test('keeps the angle of feet to shins in a step when ankles do not bend', () => {
    const legs = {
      leftUpperLeg: { turn: product(about.z(0.4), about.x(-0.6)) },
      leftLowerLeg: { turn: about.x(0.9) },
      rightUpperLeg: { turn: about.z(-0.2) },
      rightLowerLeg: { turn: about.x(0.8) },
    };
    const rigid = estimate(tPoseHumanoid(legs));
    expect(rigid.stance).toBe('moving');
    for (const side of ['left', 'right'] as const) {
      expectSameRotation(correctionOf(rigid, `${side}Foot`), correctionOf(rigid, `${side}LowerLeg`), EXACT);
    }
    const bent = estimate(tPoseHumanoid({ ...legs, leftFoot: { turn: product(about.x(-0.3), about.z(-0.4)) } }));
    expectSameRotation(correctionOf(bent, 'leftFoot'), IDENTITY, EXACT);
  });

  test('points the toes to the front', () => {
    const found = estimate(tPoseHumanoid({ leftFoot: { turn: about.y(0.5) } }));
    expectSameRotation(correctionOf(found, 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(correctionOf(found, 'leftToes'), about.y(-0.5), EXACT);
  });

  test('uses child nodes ahead of the ankle as heading without toes', () => {
    const toeless = (...at: readonly (readonly number[])[]) => {
      const tips = at.map((point, k) => ({ name: `tip${k}`, parent: 'leftFoot', at: point }));
      return estimate(tPoseHumanoid({ leftFoot: { turn: about.y(0.5) }, ...TOELESS }, ...tips));
    };
    expectSameRotation(correctionOf(toeless([0, -0.05, 0.1]), 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(
      correctionOf(toeless([-0.03, -0.05, 0.1], [0.03, -0.05, 0.1]), 'leftFoot'),
      about.y(-0.5),
      EXACT,
    );
    // The heel is behind.
    expectSameRotation(correctionOf(toeless([0, -0.05, 0.1], [0, -0.05, -0.06]), 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(correctionOf(toeless([0, -0.05, -0.06]), 'leftFoot'), IDENTITY, EXACT);
    const unknown = toeless([0, -0.1, 0.01]);
    expectSameRotation(correctionOf(unknown, 'leftFoot'), IDENTITY, EXACT);
    expect(finding(unknown, 'leftFoot')).toMatchObject({
      confidence: 0.5,
      reason: expect.stringContaining('heading unknown'),
    });
  });

  test('uses the vertices as heading without a joint ahead', () => {
    const body = tPoseHumanoid({ leftFoot: { turn: about.y(0.6) }, ...TOELESS });
    const found = estimate(body, {
      vertices: () =>
        pointsOf(
          body,
          'leftFoot',
          SHOE.filter(([x, , z]) => z < 0.2 || x < 0),
        ),
    });
    const heading = Math.atan2(-0.04, 0.2);
    expectSameRotation(correctionOf(found, 'leftFoot'), about.y(-0.6 - heading), 1e-6);
  });

  test('lays a foot that points down flat by the sole of the mesh', () => {
    const body = tPoseHumanoid({ leftFoot: { turn: about.x(0.7) } });
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftFoot', SHOE) });
    expectSameRotation(correctionOf(found, 'leftFoot'), about.x(-0.7), 1e-6);
    expect(finding(found, 'leftFoot')).toMatchObject({
      confidence: 1,
      reason: expect.stringContaining('sole of the mesh'),
    });
  });

  test('reports an out-of-range slope without a mesh and uses a typical one', () => {
    const found = estimate(tPoseHumanoid({ leftFoot: { turn: about.x(0.7) } }));
    expectNear(direction(found, 'leftFoot', 'leftToes'), [0, -0.5, Math.sqrt(0.75)], EXACT);
    expect(found.issues.some(({ message }) => message.startsWith('leftFoot is ambiguous'))).toBe(true);
  });

  test('ignores a sole that is one degree off', () => {
    const body = tPoseHumanoid({ ...STEP, leftFoot: { turn: about.x(0.7) } });
    const tilted = SHOE.map(([x, y, z]) => [x, y + 0.02 * z, z]);
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftFoot', tilted) });
    expectSameRotation(correctionOf(found, 'leftFoot'), IDENTITY, EXACT);
  });

  test('uses the slope of planted feet of the motion in a step', () => {
    const found = estimate(tPoseHumanoid(STEP), { plantedSlope: () => 0.4 });
    for (const side of ['left', 'right'] as const) {
      expectNear(direction(found, `${side}Foot`, `${side}Toes`), [0, -Math.sin(0.4), Math.cos(0.4)], EXACT);
    }
    expect(finding(found, 'leftFoot')?.confidence).toBe(0.8);
  });

  test('keeps a plausible slope in a step without a motion', () => {
    const flat = estimate(tPoseHumanoid({ ...STEP, leftFoot: { turn: about.x(0.7) } }));
    expectSameRotation(correctionOf(flat, 'leftFoot'), IDENTITY, EXACT);
    expect(finding(flat, 'leftFoot')?.confidence).toBe(0.6);
  });

  test('starts from the shin for a foot in the air', () => {
    const kicked = tPoseHumanoid({ ...STEP, rightLowerLeg: { turn: about.x(1.5) } });
    const found = estimate(kicked, { plantedSlope: () => Math.atan2(0.08, 0.15) });
    expectSameRotation(correctionOf(found, 'rightFoot'), correctionOf(found, 'rightLowerLeg'), EXACT);
  });
});
