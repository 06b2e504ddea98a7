import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { sampleCharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { fitGround } from '../../../../src/core/contacts/plants/fit-ground.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { walkOnFloors } from '../../../contacts/on-floors.ts';
import { repeatClip } from '../../../support/make/repeat-clip.ts';

let body: DemoBody;
beforeAll(async () => {
  body = await demoBody();
});

/** The clip with its hips higher by some meters. */
function lifted(clip: Clip, height: number): Clip {
  const tracks = clip.tracks.map((track) =>
    track.path === 'translation'
      ? { ...track, values: Float64Array.from(track.values, (value, k) => value + (k % 3 === 1 ? height : 0)) }
      : track,
  );
  return { ...clip, tracks };
}

/** Height of the lowest sole in a clip, meters. */
function lowestSole(clip: Clip): number {
  const grid = { start: 0, count: 61, step: clip.duration / 60 };
  const { legs } = sampleCharacterFrames(createPosedCharacter(body.humanoid, body.surface), clip, grid);
  return Math.min(...legs.left!.clearance, ...legs.right!.clearance);
}

describe('fitGround', () => {
  it.each([0.35, -0.2])('puts a walk that is %s m off back on the ground', (height) => {
    const walk = repeatClip(body.walk, 2);
    const { clip, raised } = fitGround(body.humanoid, body.surface, lifted(walk, height));
    expect(raised).toBeCloseTo(-height, 2);
    expect(lowestSole(clip)).toBeCloseTo(lowestSole(walk), 2);
  });

  it('returns the clip itself where it stands on the ground', () => {
    const walk = repeatClip(body.walk, 2);
    expect(fitGround(body.humanoid, body.surface, walk)).toEqual({ clip: walk, raised: 0 });
  });

  it('takes the lowest of several floors', () => {
    const { clip } = walkOnFloors(body, repeatClip(body.walk, 4), (step) => (step > 4 && step < 8 ? 0.3 : 0));
    expect(fitGround(body.humanoid, body.surface, lifted(clip, 0.5)).raised).toBeCloseTo(-0.5, 2);
  });

  it('gives a motion without a path of the root one', () => {
    const floating = lifted(body.walk, 0.3);
    const turned = { ...floating, tracks: floating.tracks.filter(({ path }) => path === 'rotation') };
    const { clip, raised } = fitGround(body.humanoid, body.surface, turned);
    expect(clip.tracks.length).toBe(turned.tracks.length + (raised === 0 ? 0 : 1));
    expect(Math.abs(lowestSole(clip))).toBeLessThan(0.02);
  });
});
