import { beforeAll, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { sampleCharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import type { LiveGround } from '../../../../src/core/contacts/live/live-contacts.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { SIDES } from '../../../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { CHIBI, TALL } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { playLive } from '../../../contacts/play-live.ts';
import { repeatClip } from '../../../support/make/repeat-clip.ts';

const FPS = 60;

let adult: DemoBody;
let others: readonly (readonly [string, DemoBody])[];
let walk: Clip;

beforeAll(async () => {
  adult = await demoBody();
  others = [
    ['an adult', adult],
    ['a chibi', await demoBody(CHIBI)],
    ['a tall one', await demoBody(TALL)],
  ];
  walk = repeatClip(adult.walk, 3);
});

type Height = (x: number, z: number) => number;

/** The ground as a character sees it that is `k` times as large. */
const scaled =
  (ground: Height, k: number): Height =>
  (x, z) =>
    k * ground(x / k, z / k);

/** Plays a motion of the adult on another body. */
function play(body: DemoBody, clip: Clip, groundOf: (k: number) => LiveGround) {
  const retarget = planRetarget(adult.humanoid, body.humanoid);
  const surfaces = { sourceSurface: adult.surface, targetSurface: body.surface };
  const plan = planContacts(retarget, adult.humanoid, body.humanoid, surfaces);
  return { k: retarget.hipsScale, ...playLive(plan, clip, FPS, groundOf(retarget.hipsScale)) };
}

/** Distances of the soles from where they belong above the ground in frames in which the same end of the foot has been planted for a tenth of a second, percent of the height. */
function offsets(
  body: DemoBody,
  clip: Clip,
  source: Clip,
  plants: ReturnType<typeof play>['plants'],
  k: number,
  ground: Height,
  own: Height,
): number[] {
  const grid = { start: 0, count: plants.left.length, step: 1 / FPS };
  const [made, from] = [
    sampleCharacterFrames(createPosedCharacter(body.humanoid, body.surface), clip, grid),
    sampleCharacterFrames(createPosedCharacter(adult.humanoid, adult.surface), source, grid),
  ];
  const above = (
    { clearance, ball, heel }: NonNullable<typeof made.legs.left>,
    frame: number,
    height: Height,
  ): number => clearance[frame] - Math.max(...[ball, heel].map((tip) => height(tip[3 * frame], tip[3 * frame + 2])));
  return SIDES.flatMap((side) => {
    const off: number[] = [];
    for (let frame = 6; frame < grid.count; frame++) {
      const recent = plants[side].subarray(frame - 6, frame + 1);
      if (recent[0] === 0 || recent.some((one) => one !== recent[0])) continue;
      const difference = above(made.legs[side]!, frame, ground) - k * above(from.legs[side]!, frame, own);
      off.push((100 * Math.abs(difference)) / body.humanoid.height);
    }
    return off;
  });
}

const flat: Height = () => 0;
const GROUNDS: readonly (readonly [string, Height])[] = [
  ['a slope', (x, z) => 0.12 * z + 0.05 * x],
  ['stairs', (_, z) => 0.12 * Math.floor(z / 0.4)],
  ['a plane two meters below', () => -2],
];

it.each(GROUNDS)('live contacts keep the feet of a walk over flat ground on %s', (_, ground) => {
  for (const [, body] of others) {
    const { clip, plants, k } = play(body, walk, () => ({ ground }));
    const off = offsets(body, clip, walk, plants, k, ground, flat).sort((a, b) => a - b);
    expect(off.length).toBeGreaterThan(40);
    expect(off[Math.floor(0.95 * off.length)]).toBeLessThan(1);
  }
});

it('live contacts keep the feet of a walk up stairs on the stairs of other bodies', () => {
  const stairs = GROUNDS[1][1];
  const { clip: climb } = play(adult, walk, () => ({ ground: stairs }));
  for (const [, body] of others) {
    const { clip, plants, k } = play(body, climb, (scale) => ({ sourceGround: stairs, ground: scaled(stairs, scale) }));
    const off = offsets(body, clip, climb, plants, k, scaled(stairs, k), stairs).sort((a, b) => a - b);
    expect(off.length).toBeGreaterThan(40);
    expect(off[Math.floor(0.95 * off.length)]).toBeLessThan(1);
  }
});

it('live contacts over a plane given as heights are those without', () => {
  const [plain, given] = [
    play(adult, walk, () => ({})),
    play(adult, walk, () => ({ ground: flat, sourceGround: () => Number.NaN })),
  ];
  expect(given.clip).toEqual(plain.clip);
});
