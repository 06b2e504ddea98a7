import { describe, expect, test } from 'vitest';
import { about, direction, estimate, finding, pointsOf, turnOf } from '../../../make/estimate.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { IDENTITY } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

/** A shoe around the left ankle: a flat sole from the heel to the toes, and a top. */
const SHOE = [-0.06, 0, 0.1, 0.2].flatMap((z) =>
  [-0.04, 0.04].flatMap((x) => [
    [x, -0.1, z],
    [x, -0.04, z],
  ]),
);
/** Without toes, as a bone of another name takes their place. */
const TOELESS = { leftToes: { name: 'end', parent: 'hips' } };
const STEP: Record<string, Partial<TinyNode>> = {
  leftUpperLeg: { turn: about.x(-0.7) },
  rightUpperLeg: { turn: about.x(0.5) },
};

describe('feet', () => {
  test('keep their pitch when the leg is straightened', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.x(-0.3) }, leftFoot: { turn: about.x(0.3) } }));
    expectSameRotation(turnOf(found, 'leftFoot'), IDENTITY, EXACT);
    expectSameRotation(turnOf(found, 'leftToes'), IDENTITY, EXACT);
    expect(finding(found, 'leftFoot')?.confidence).toBe(1);
  });

  test('turn their toes to the front', () => {
    const found = estimate(tBody({ leftFoot: { turn: about.y(0.5) } }));
    expectSameRotation(turnOf(found, 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(turnOf(found, 'leftToes'), about.y(-0.5), EXACT);
  });

  test('without toes turn by the nodes at their tip, if these lie ahead', () => {
    const toeless = (...at: readonly (readonly number[])[]) => {
      const tips = at.map((point, k) => ({ name: `tip${k}`, parent: 'leftFoot', at: point }));
      return estimate(tBody({ leftFoot: { turn: about.y(0.5) }, ...TOELESS }, ...tips));
    };
    expectSameRotation(turnOf(toeless([0, -0.05, 0.1]), 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(turnOf(toeless([-0.03, -0.05, 0.1], [0.03, -0.05, 0.1]), 'leftFoot'), about.y(-0.5), EXACT);
    const blind = toeless([0, -0.1, 0.01]);
    expectSameRotation(turnOf(blind, 'leftFoot'), IDENTITY, EXACT);
    expect(finding(blind, 'leftFoot')).toMatchObject({
      confidence: 0.5,
      reason: expect.stringContaining('nothing shows its heading'),
    });
  });

  test('without any joint ahead turn by their mesh', () => {
    const body = tBody({ leftFoot: { turn: about.y(0.6) }, ...TOELESS });
    const found = estimate(body, {
      vertices: () =>
        pointsOf(
          body,
          'leftFoot',
          SHOE.filter(([x, , z]) => z < 0.2 || x < 0),
        ),
    });
    const heading = Math.atan2(-0.04, 0.2);
    expectSameRotation(turnOf(found, 'leftFoot'), about.y(-0.6 - heading), 1e-6);
  });

  test('that point at the ground while the body stands are laid flat by their sole', () => {
    const body = tBody({ leftFoot: { turn: about.x(0.7) } });
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftFoot', SHOE) });
    expectSameRotation(turnOf(found, 'leftFoot'), about.x(-0.7), 1e-6);
    expect(finding(found, 'leftFoot')).toMatchObject({
      confidence: 1,
      reason: expect.stringContaining('sole of the mesh'),
    });
  });

  test('that do without a mesh slope as feet usually do, which is reported', () => {
    const found = estimate(tBody({ leftFoot: { turn: about.x(0.7) } }));
    expectNear(direction(found, 'leftFoot', 'leftToes'), [0, -0.5, Math.sqrt(0.75)], EXACT);
    expect(found.issues.some(({ message }) => message.startsWith('leftFoot: '))).toBe(true);
  });

  test('whose sole is a degree off are left alone', () => {
    const body = tBody({ ...STEP, leftFoot: { turn: about.x(0.7) } });
    const tilted = SHOE.map(([x, y, z]) => [x, y + 0.02 * z, z]);
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftFoot', tilted) });
    expectSameRotation(turnOf(found, 'leftFoot'), IDENTITY, EXACT);
  });

  test('in a step slope as they do where the motion plants them', () => {
    const found = estimate(tBody(STEP), { plantedSlope: () => 0.4 });
    for (const side of ['left', 'right'] as const) {
      expectNear(direction(found, `${side}Foot`, `${side}Toes`), [0, -Math.sin(0.4), Math.cos(0.4)], EXACT);
    }
    expect(finding(found, 'leftFoot')?.confidence).toBe(0.8);
  });

  test('in a step without a motion slope as they stand, if a foot can', () => {
    const flat = estimate(tBody({ ...STEP, leftFoot: { turn: about.x(0.7) } }));
    expectSameRotation(turnOf(flat, 'leftFoot'), IDENTITY, EXACT);
    expect(finding(flat, 'leftFoot')?.confidence).toBe(0.6);
  });

  test('that are in the air start from the shin: theirs is no foot that stands', () => {
    const kicked = tBody({ ...STEP, rightLowerLeg: { turn: about.x(1.5) } });
    const found = estimate(kicked, { plantedSlope: () => Math.atan2(0.08, 0.15) });
    expectSameRotation(turnOf(found, 'rightFoot'), turnOf(found, 'rightLowerLeg'), EXACT);
  });
});
