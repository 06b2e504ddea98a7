import { beforeAll, describe, expect, it } from 'vitest';
import { sampleCharacterFrames } from '../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../src/core/contacts/frames/posed-character.ts';
import { applyContacts } from '../../src/core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import { findFloors } from '../../src/core/contacts/plants/find-floors.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { CHIBI, HEAVY, TALL } from '../../src/demo/figure/proportions.ts';
import { sampledCases } from '../support/law-runs.ts';
import { repeatClip } from '../support/make/repeat-clip.ts';
import { type DemoBody, demoBody } from './demo-pair.ts';
import { SEAT_TIME, sitDown, walkOnFloors } from './on-floors.ts';

/** Floors of a step: its height in meters by its number. */
const FLOORS: readonly (readonly [name: string, heightOf: (step: number) => number])[] = [
  ['stairs', (step) => 0.16 * Math.max(0, step - 1)],
  ['stairs that go down again', (step) => 0.16 * Math.min(step, 7 - step)],
  ['a box', (step) => (step > 2 && step < 6 ? 0.3 : 0)],
  ['a slope', (step) => 0.05 * step],
];

let source: DemoBody;
let targets: readonly (readonly [name: string, body: DemoBody])[];

beforeAll(async () => {
  source = await demoBody();
  targets = [
    ['a chibi', await demoBody(CHIBI)],
    ['a tall one', await demoBody(TALL)],
    ['a heavy one', await demoBody(HEAVY)],
  ];
});

/** Most that a sole is above or below where it belongs on its floor, in rests, percent of the height. */
function worstRest(body: DemoBody, heightOf: (step: number) => number): number {
  const { clip, rests } = walkOnFloors(source, repeatClip(source.walk, 4), heightOf);
  const retarget = planRetarget(source.humanoid, body.humanoid);
  const options = { sourceSurface: source.surface, targetSurface: body.surface } as const;
  const plan = planContacts(retarget, source.humanoid, body.humanoid, options);
  const { clip: result } = applyContacts(plan, clip, retargetClip(retarget, clip));
  const grid = { start: 0, count: Math.floor(clip.duration * 60) + 1, step: 1 / 60 };
  const { legs } = sampleCharacterFrames(createPosedCharacter(body.humanoid, body.surface), result, grid);
  const { legs: own } = sampleCharacterFrames(createPosedCharacter(source.humanoid, source.surface), clip, grid);
  let worst = 0;
  for (const { side, from, to, height } of rests) {
    // The first step of the walk is cut: too short to be a rest.
    if (to - from < 0.15) continue;
    // At both ends of a rest the foot lands or lifts.
    for (let frame = Math.ceil((from + 0.05) / grid.step); frame < (to - 0.05) / grid.step; frame++) {
      if (own[side]!.clearance[frame] - height > 0.01) continue;
      const wanted = retarget.hipsScale * own[side]!.clearance[frame];
      worst = Math.max(worst, Math.abs(legs[side]!.clearance[frame] - wanted));
    }
  }
  expect(rests.length).toBeGreaterThan(5);
  return (100 * worst) / body.humanoid.height;
}

describe.each(FLOORS)('contacts on %s', (_, heightOf) => {
  it.each(sampledCases([0, 1, 2], 3))('keep the feet of other bodies on it (%s)', (index) => {
    const [, body] = targets[index];
    expect(worstRest(body, heightOf)).toBeLessThan(1);
  });
});

it('a walk over flat ground has no floor but the ground', () => {
  const walk = repeatClip(source.walk, 3);
  const grid = { start: 0, count: 181, step: walk.duration / 180 };
  const frames = sampleCharacterFrames(createPosedCharacter(source.humanoid, source.surface), walk, grid);
  expect(findFloors(frames)).toBeNull();
});

/** Drop of the pelvis and height of the feet, legs. */
const SEATS: readonly (readonly [name: string, drop: number, pegs: number])[] = [
  ['a chair', 0.45, 0],
  ['a stool', 0.6, 0],
  ['a saddle with pegs', 0.3, 0.25],
];

describe.each(SEATS)('contacts on %s', (_, drop, pegs) => {
  it.each(sampledCases([0, 1, 2], 3))('keep pelvis and feet of other bodies where they rest (%s)', (index) => {
    const [, body] = targets[index];
    const clip = sitDown(source, drop, pegs);
    const retarget = planRetarget(source.humanoid, body.humanoid);
    const options = { sourceSurface: source.surface, targetSurface: body.surface } as const;
    const contacts = planContacts(retarget, source.humanoid, body.humanoid, options);
    const { clip: result } = applyContacts(contacts, clip, retargetClip(retarget, clip));
    const grid = { start: 0, count: 121, step: 1 / 30 };
    const own = sampleCharacterFrames(createPosedCharacter(source.humanoid, source.surface), clip, grid);
    const made = sampleCharacterFrames(createPosedCharacter(body.humanoid, body.surface), result, grid);
    const off: number[] = [];
    for (let frame = Math.ceil(SEAT_TIME[0] / grid.step); frame <= SEAT_TIME[1] / grid.step; frame++) {
      off.push(made.pelvis[frame] - retarget.hipsScale * own.pelvis[frame]);
      off.push(made.legs.left!.clearance[frame] - retarget.hipsScale * own.legs.left!.clearance[frame]);
      off.push(made.legs.right!.clearance[frame] - retarget.hipsScale * own.legs.right!.clearance[frame]);
    }
    expect((100 * Math.max(...off.map(Math.abs))) / body.humanoid.height).toBeLessThan(1);
  });
});
