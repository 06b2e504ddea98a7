import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { trimClip } from '../../../../src/core/animation/trim-clip.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { findTouches, type HandContact } from '../../../../src/core/contacts/hands/find-touches.ts';
import { findHandSkin } from '../../../../src/core/contacts/hands/hand-skin.ts';
import { findHandPairs, TOUCH_PARTS, touchParts } from '../../../../src/core/contacts/hands/touch-parts.ts';
import { FRAME_STRIDE, sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { touchMotion } from '../../../contacts/touch-motions.ts';

const FPS = 60;
let adult: DemoBody;

beforeAll(async () => {
  adult = await demoBody();
});

/** Contacts of a hand, with the names of their parts. Of its points, only the first few count; of its skin, all or nothing. */
function contactsOf(
  clip: Clip,
  side: number,
  {
    points: few = Number.POSITIVE_INFINITY,
    hasSkin = true,
    loops = false,
    first = 0,
  }: { points?: number; hasSkin?: boolean; loops?: boolean; first?: number } = {},
): (HandContact & { name: string })[] {
  const { humanoid, surface } = adult;
  const grid = { start: 0, count: Math.round(clip.duration * FPS) + 1, step: 1 / FPS };
  const sampled = sampleBoneFrames(createPosedCharacter(humanoid, surface), clip, grid);
  const period = sampled.length - FRAME_STRIDE;
  const bones = first === 0 ? sampled : sampled.map((_, k) => sampled[(k + FRAME_STRIDE * first) % period]);
  const pair = findHandPairs(adult, adult)[side];
  const parts = touchParts(pair.source.side, humanoid, surface);
  const points = pair.points.slice(0, few);
  const skin = hasSkin ? findHandSkin(pair.source, surface) : [];
  const { contacts } = findTouches(
    { side, points, skin, parts, from: 'skin' },
    bones,
    { step: 1 / FPS, loops },
    humanoid.height,
  );
  return contacts.map((contact) => ({ ...contact, name: TOUCH_PARTS[contact.part] }));
}

describe('findTouches', () => {
  test('finds every clap of both hands at its moment', () => {
    for (const side of [0, 1]) {
      const claps = contactsOf(touchMotion('clap', adult), side).filter(({ name }) => name === 'otherHand');
      expect(claps.length).toBe(5);
      for (const [k, { from, to }] of claps.entries()) {
        expect(from).toBeLessThanOrEqual(30 * k);
        expect(to).toBeGreaterThanOrEqual(30 * k);
        expect(to - from).toBeLessThan(12);
      }
    }
  });

  test('finds a hand that rests on the trunk, the head, and a knee', () => {
    for (const [kind, name] of [
      ['hips', 'trunk'],
      ['head', 'head'],
      ['knees', 'leg'],
    ] as const) {
      const contacts = contactsOf(touchMotion(kind, adult), 0).filter((contact) => contact.name === name);
      expect(contacts.length, kind).toBe(1);
      expect(contacts[0].from).toBeLessThan(60);
      expect(contacts[0].to).toBeGreaterThan(60);
    }
  });

  test('finds one contact across the ends of a loop, and two in a motion that does not loop', () => {
    const hips = touchMotion('hips', adult);
    const trunk = (options: { loops: boolean; first: number }): HandContact[] =>
      contactsOf(hips, 0, options).filter(({ name }) => name === 'trunk');
    const [whole] = trunk({ loops: true, first: 0 });
    const middle = Math.round((whole.from + whole.to) / 2);
    const [across, ...more] = trunk({ loops: true, first: middle });
    expect(more).toEqual([]);
    expect(across.to - across.from).toBe(whole.to - whole.from);
    expect(across.to).toBeGreaterThan(Math.round(hips.duration * FPS));
    expect(trunk({ loops: false, first: middle }).length).toBe(2);
  });

  test('finds one contact of a hand that strokes along a thigh', () => {
    const contacts = contactsOf(touchMotion('stroke', adult), 0).filter(({ name }) => name === 'leg');
    expect(contacts.length).toBe(1);
    expect(contacts[0].from).toBeLessThan(45);
    expect(contacts[0].to).toBeGreaterThan(75);
  });

  test('finds a contact of the edge of a hand whose points are further away', () => {
    const knees = touchMotion('knees', adult);
    const count = (hasSkin: boolean): number =>
      contactsOf(knees, 0, { points: 1, hasSkin }).filter(({ name }) => name === 'otherHand').length;
    expect([count(false), count(true)]).toEqual([0, 1]);
  });

  test('finds no contact in a walk whose hands swing past the thighs without touching them', () => {
    for (const side of [0, 1]) expect(contactsOf(adult.walk, side)).toEqual([]);
  });

  test('weights do not jump where a short contact ends and a long one begins', () => {
    const { humanoid, surface } = adult;
    const clip = touchMotion('head', adult);
    const grid = { start: 0, count: Math.round(clip.duration * FPS) + 1, step: 1 / FPS };
    const sampled = sampleBoneFrames(createPosedCharacter(humanoid, surface), clip, grid);
    const { to } = contactsOf(clip, 0).find(({ name }) => name === 'head')!;
    // Four frames of a touch, 0.4 s just off the head, and a touch of 1.2 s: they blend over 0.3 s and over 0.5 s.
    const frames = [...new Array(4).fill(to - 5), ...new Array(24).fill(to + 1), ...new Array(72).fill(to - 5)];
    const bones = Float64Array.from(
      frames.flatMap((frame) => [...sampled.subarray(FRAME_STRIDE * frame, FRAME_STRIDE * (frame + 1))]),
    );
    const { source, points } = findHandPairs(adult, adult)[0];
    const parts = touchParts(source.side, humanoid, surface);
    const isHead = (part: number): boolean => TOUCH_PARTS[part] === 'head';
    const { contacts, touches } = findTouches(
      { side: 0, points, skin: findHandSkin(source, surface), parts, from: 'skin' },
      bones,
      { step: 1 / FPS, loops: false },
      humanoid.height,
    );
    expect(contacts.filter(({ part }) => isHead(part)).map(({ from, to: last }) => [from, last])).toEqual([
      [0, 3],
      [28, 99],
    ]);
    const weights = new Float64Array(frames.length);
    for (const touch of touches) if (isHead(touch.contact.part)) weights[touch.frame] = Math.max(...touch.weights);
    for (let frame = 4; frame < 27; frame++) {
      // The steepest step of the shorter blend.
      expect(Math.abs(weights[frame + 1] - weights[frame])).toBeLessThan(1.5 / (0.3 * FPS) + 0.001);
    }
    expect(Math.min(...weights.subarray(4, 28))).toBeGreaterThan(0);
  });

  test('tells a hand that rests from one that brushes past, and finds both', () => {
    // Around 1 s hands pass along the thighs at 0.7 heights per second, here at twice that.
    const stroke = trimClip(touchMotion('stroke', adult), 0.95, 1.05);
    const tracks = stroke.tracks.map((track) => ({ ...track, times: track.times.map((time) => time / 2) }));
    const fast = { ...stroke, duration: stroke.duration / 2, tracks };
    const rests = [touchMotion('knees', adult), fast].map((clip) => {
      return contactsOf(clip, 0).find(({ name }) => name === 'leg')!.rest;
    });
    expect(rests[0]).toBe(1);
    expect(rests[1]).toBeLessThan(0.5);
  });
});
