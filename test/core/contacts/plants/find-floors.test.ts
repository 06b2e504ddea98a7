import { describe, expect, it } from 'vitest';
import type { CharacterFrames, LegFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { findFloors } from '../../../../src/core/contacts/plants/find-floors.ts';

const COUNT = 121;
const STEP = 1 / 60;

/** A leg of a meter whose foot is as high as a function of the frame says; its hip joint is as high above the foot as `extension`. */
function leg(heightAt: (frame: number) => number, extension = 0.95): LegFrames {
  const points = (lift: number): Float64Array =>
    Float64Array.from({ length: 3 * COUNT }, (_, k) => (k % 3 === 1 ? heightAt(Math.floor(k / 3)) + lift : 0));
  const clearance = Float64Array.from({ length: COUNT }, (_, frame) => heightAt(frame));
  const [ball, heel, ankle, hip] = [points(0), points(0), points(0.08), points(0.08 + extension)];
  const knee = points(0.08 + extension / 2);
  return { leg: { length: 1 }, ball, heel, ankle, knee, hip, clearance } as unknown as LegFrames;
}

/** What the floors are found in: two legs, and the height of the trunk. */
function frames(left: LegFrames, right: LegFrames, trunk = 0.5): CharacterFrames {
  const clearance = new Float64Array(COUNT).fill(trunk);
  return {
    grid: { start: 0, count: COUNT, step: STEP },
    legs: { left, right },
    arms: { left: null, right: null },
    floors: new Float64Array(COUNT),
    clearance,
    pelvis: clearance,
    seated: new Uint8Array(COUNT),
  };
}

/** An arm of a meter with its hand at a height, `x` meters beside the legs; its shoulder is as high above it as a function of the frame says. */
function arm(height: number, shoulderAt: (frame: number) => number, x = 2): LegFrames {
  const limb = leg(() => height);
  const hip = limb.hip.map((_, k) => [x, height + shoulderAt(Math.floor(k / 3)), 0][k % 3]);
  const ball = limb.ball.map((value, k) => [x, value, 0][k % 3]);
  return { ...limb, hip, ball, leg: { ...limb.leg, isArm: true } };
}

/** A body that sits on a seat of 40 cm until a frame, its thighs level, and then stands. */
function sitting(until: number): CharacterFrames {
  const path = (seated: readonly number[], standing: readonly number[]): Float64Array =>
    Float64Array.from({ length: 3 * COUNT }, (_, k) => (k < 3 * until ? seated : standing)[k % 3]);
  const limb: LegFrames = {
    ...leg(() => 0),
    hip: path([0, 0.5, -0.45], [0, 0.98, 0]),
    knee: path([0, 0.5, 0], [0, 0.53, 0]),
  };
  const pelvis = Float64Array.from({ length: COUNT }, (_, frame) => (frame < until ? 0.4 : 0.9));
  return { ...frames(limb, limb), clearance: pelvis, pelvis };
}

/** Stands on the ground for half a second, then on a step of 30 cm. */
const up = (frame: number): number => 0.3 * Math.min(1, Math.max(0, (frame - 30) / 20));

describe('findFloors', () => {
  it('finds the step that both feet climb', () => {
    const floors = findFloors(
      frames(
        leg(up),
        leg((frame) => up(frame - 30)),
      ),
    )!;
    expect([0, 55, 120].map((frame) => floors.left[frame])).toEqual([0, 0.3, 0.3]);
    expect([0, 55, 120].map((frame) => floors.right[frame])).toEqual([0, 0, 0.3]);
    expect([0, 55, 120].map((frame) => floors.trunk[frame])).toEqual([0, 0, 0.3]);
  });

  it.each<[string, CharacterFrames]>([
    [
      'feet that stay on the ground',
      frames(
        leg(() => 0),
        leg(() => 0.004),
      ),
    ],
    [
      'a foot that is held up beside one that stands',
      frames(
        leg(() => 0.4),
        leg(() => 0),
      ),
    ],
    [
      'feet of someone who sits on a chair',
      frames(
        leg(() => 0.3, 0.45),
        leg(() => 0.3, 0.45),
      ),
    ],
    [
      'feet of someone who lies on the back',
      frames(
        leg(() => 0.4),
        leg(() => 0.4),
        0,
      ),
    ],
    [
      'feet that always hang below the ground, as in the pose of a jump',
      frames(
        leg(() => -0.3),
        leg(() => -0.3),
      ),
    ],
    [
      'feet that rise all the time',
      frames(
        leg((frame) => 0.01 * frame),
        leg((frame) => 0.01 * frame),
      ),
    ],
  ])('finds none below %s', (_, character) => {
    expect(findFloors(character)).toBeNull();
  });

  it('leads a swinging foot below its sole from one floor to the next', () => {
    const swing = (frame: number): number => up(frame) + (frame > 30 && frame < 50 ? 0.1 : 0);
    const { left } = findFloors(
      frames(
        leg(swing),
        leg((frame) => up(frame - 30)),
      ),
    )!;
    for (let frame = 31; frame < 50; frame++) expect(left[frame]).toBeLessThan(swing(frame));
  });
});

describe('findFloors: hands', () => {
  const standing = frames(
    leg(() => 0),
    leg(() => 0),
  );
  const climbing = frames(
    leg(up),
    leg((frame) => up(frame - 30)),
  );
  const handOf = (one: LegFrames, body = standing) =>
    findFloors({ ...body, arms: { left: one, right: null } })?.hands.left ?? null;
  const restsOf = (one: LegFrames, body = standing) => handOf(one, body)?.rests ?? [];
  const restAt = (level: number) => [{ from: 0, to: COUNT - 1, level }];
  const still = (): number => 0.9;
  const sinking = (frame: number): number => 0.9 - 0.004 * frame;

  it('rest on the ground, and on what stays while the shoulder moves', () => {
    expect(handOf(arm(0, () => 0.9))).toEqual({
      rests: [{ from: 0, to: COUNT - 1, level: 0 }],
      heights: new Float64Array(COUNT),
    });
    const held = handOf(arm(0.5, (frame) => 0.9 - 0.004 * frame))!;
    expect(held.rests).toEqual([{ from: 0, to: COUNT - 1, level: 0.5 }]);
    expect(held.heights[60]).toBe(0.5);
  });

  it.each<[string, LegFrames]>([
    ['still in the air, beside a still shoulder', arm(0.5, () => 0.9)],
    ['still a little above the ground', arm(0.05, () => 0.9)],
    ['above a shoulder that moves', arm(0.9, (frame) => -0.2 - 0.004 * frame)],
    ['far below the ground', arm(-0.2, still)],
  ])('do not rest %s', (_, one) => {
    expect(handOf(one)).toBeNull();
  });

  it('a palm that is sunk in the ground by 4 % of the arm rests on the ground', () => {
    expect(handOf(arm(-0.04, still))).toEqual({ rests: restAt(0), heights: new Float64Array(COUNT) });
  });

  it('a hand that is still while its shoulder moves does not rest near the legs of its own body', () => {
    expect(restsOf(arm(0.5, sinking, 0.2))).toEqual([]);
  });

  it('a hand that is still while its shoulder moves rests a little away from the legs of its own body', () => {
    expect(restsOf(arm(0.5, sinking, 0.3))).toEqual(restAt(0.5));
  });

  it('a hand near the legs of its own body does not rest there at the height of a box that bears a foot', () => {
    expect(restsOf(arm(0.3, still, 0.1), climbing)).toEqual([]);
  });

  it('a hand at the height of the seat rests beside the thigh while the body sits', () => {
    expect(restsOf(arm(0.4, still, 0.1), sitting(COUNT))).toEqual(restAt(0.4));
  });

  it("a hand does not rest a hand's breadth above the seat while the body sits", () => {
    expect(restsOf(arm(0.48, still), sitting(COUNT))).toEqual([]);
  });

  it('a hand at the height of a seat does not rest when nobody sits', () => {
    expect(restsOf(arm(0.4, still), sitting(0))).toEqual([]);
  });

  it('a hand that hangs beside the leg at the height of the seat does not rest once the body stands', () => {
    const hand = arm(0.4, still, 0.1);
    const clearance = hand.clearance.map((height, frame) => height + 0.02 * Math.max(0, 90 - frame));
    expect(restsOf({ ...hand, clearance }, sitting(60))).toEqual([]);
  });

  it('a hand beside a still shoulder rests at the height of a box that bears a foot', () => {
    expect(restsOf(arm(0.3, still), climbing)).toEqual(restAt(0.3));
  });

  it("a hand beside a still shoulder does not rest a hand's breadth above a box that bears a foot", () => {
    expect(restsOf(arm(0.38, still), climbing)).toEqual([]);
  });

  it('a hand above its shoulder does not rest at the height of a box that bears a foot', () => {
    expect(
      restsOf(
        arm(0.3, () => -0.2),
        climbing,
      ),
    ).toEqual([]);
  });
});
