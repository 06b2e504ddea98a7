/** Every case in which three-vrm-animation departs from the world law, and the result of anyrig. Characters and motions of the demo. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { CharacterOptions, DemoCharacter } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { VRM0_RIG, VRM1_RIG, VRMA_RIG } from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from '../../../src/demo/files/vrm.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { makeRandomMotion } from '../../support/make/demo-motion.ts';
import { apart } from '../../support/reference/plain.ts';
import { RESAMPLED_RADIANS, SECOND_OPINION } from '../../support/tolerances.ts';
import { differenceToLaw, differenceToThreeVrm, hipsApart, openPair, restOffset, type VrmPair } from './vrm-pair.ts';

/** Radians, far above any rounding error. */
const PLAIN_TO_SEE = 0.05;

beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

/** A VRM 1.0 with all bones that the motions below move. */
const character = glbBytes(vrm1Document(makeCharacter(VRM1_RIG)));

interface MotionOptions {
  readonly rig?: CharacterOptions;
  readonly animateInBetweens?: boolean;
  /** Edits of the clip and of the file. */
  readonly clip?: (clip: Clip) => Clip;
  readonly nodes?: (nodes: { translation?: number[] }[], character: DemoCharacter) => void;
}

/** Serializes a VRMA that rotates every bone. */
function motion({ rig = {}, animateInBetweens = false, clip = (same) => same, nodes }: MotionOptions): Uint8Array {
  const performer = makeCharacter({ ...VRMA_RIG, ...rig });
  const encoded = encodeMotion(performer, makeRandomMotion(performer.figure, 5), { animateInBetweens });
  const doc = vrmaDocument(performer, { clips: [clip(encoded)] });
  nodes?.(doc.json['nodes'] as { translation?: number[] }[], performer);
  return glbBytes(doc);
}

function toThreeVrm(pair: VrmPair, bone: keyof typeof BONE): number {
  return differenceToThreeVrm(pair, (b) => b === BONE[bone]).largest;
}

function expectLaw(pair: VrmPair): void {
  expect(differenceToLaw(pair).largest).toBeLessThan(RESAMPLED_RADIANS + SECOND_OPINION);
}

describe('three-vrm-animation beside anyrig', () => {
  it('agrees on a motion without the cases below', async () => {
    const pair = await openPair(motion({}), character);
    expect(differenceToThreeVrm(pair, () => true).largest).toBeLessThan(SECOND_OPINION);
    expectLaw(pair);
  });

  it('drops the rotation of bones that the character lacks; anyrig adds it to their descendants', async () => {
    const lacking = glbBytes(vrm0Document(makeCharacter({ ...VRM0_RIG, without: ['chest', 'upperChest'] })));
    const pair = await openPair(motion({}), lacking);
    expect(toThreeVrm(pair, 'spine')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('drops the rotation of nodes between bones; anyrig adds it to the bones below', async () => {
    const pair = await openPair(motion({ rig: { extras: ['spine'] }, animateInBetweens: true }), character);
    expect(toThreeVrm(pair, 'leftLowerLeg')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('ignores the rest rotation of nodes between bones; anyrig uses it', async () => {
    const pair = await openPair(motion({ rig: { extras: ['spine'], axes: { seed: 3 } } }), character);
    expect(toThreeVrm(pair, 'leftLowerLeg')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'spine')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('offsets the hips by the scaled rest position of the motion; anyrig scales only their displacement', async () => {
    const aside = motion({
      nodes: (nodes) => shiftHips(nodes, [0.4, 0, -0.3]),
      clip: (clip) => shifted(clip, [0.4, 0, -0.3]),
    });
    const pair = await openPair(aside, character);
    const offset = restOffset(pair);
    expect(Math.hypot(...offset)).toBeGreaterThan(0.2);
    for (const time of [0, 0.4, 1]) {
      expect(apart(hipsApart(pair, time), offset)).toBeLessThan(SECOND_OPINION);
    }
    expectLaw(pair);
  });

  it('loses the hips of a motion with hips height 0; anyrig keeps their displacement unscaled', async () => {
    const { joints, bones } = makeCharacter(VRMA_RIG);
    const hipsHeight = joints[3 * bones[0] + 1];
    const low = motion({
      nodes: (nodes) => shiftHips(nodes, [0, -hipsHeight, 0]),
      clip: (clip) => shifted(clip, [0, -hipsHeight, 0]),
    });
    const pair = await openPair(low, character);
    pair.player.show(0.4);
    expect(Math.hypot(...pair.player.hips())).toSatisfy((far: number) => !(far < 1e3));
    expect(pair.source.humanoid.issues.map(({ code }) => code)).toContain('HIPS_HEIGHT_ZERO');
    const translation = pair.clip.tracks.find(({ path }) => path === 'translation')!;
    expect(translation.values.every((value) => Math.abs(value) < 3)).toBe(true);
    expectLaw(pair);
  });

  it('plays STEP keys as LINEAR; anyrig keeps STEP', async () => {
    const jumping = motion({ clip: (clip) => thinned(clip, 'STEP') });
    const pair = await openPair(jumping, character);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('reads in-tangents of CUBICSPLINE keys as rotations; anyrig keeps values and tangents', async () => {
    const smooth = motion({ clip: (clip) => thinned(clip, 'CUBICSPLINE') });
    const pair = await openPair(smooth, character);
    pair.player.show(0.4);
    // The tangents are 0, so three-vrm shows no rotation.
    expect(Math.hypot(...pair.player.rotation('head'))).toBeLessThan(0.1);
    expectLaw(pair);
  });

  it('agrees on a walk, hips included', async () => {
    const walker = makeCharacter(VRMA_RIG);
    const walk = glbBytes(vrmaDocument(walker, { clips: [encodeMotion(walker, makeWalk(walker.figure))] }));
    const pair = await openPair(walk, character);
    expect(differenceToThreeVrm(pair, () => true).largest).toBeLessThan(SECOND_OPINION);
    expect(Math.hypot(...hipsApart(pair, 0.5))).toBeLessThan(SECOND_OPINION);
  });
});

/** Moves the root node. */
function shiftHips(nodes: { translation?: number[] }[], by: readonly number[]): void {
  nodes[0].translation = by.map((offset, c) => offset + (nodes[0].translation?.[c] ?? 0));
}

/** Adds an offset to the translations of a clip. */
function shifted(clip: Clip, by: readonly number[]): Clip {
  const move = (track: Track): Track =>
    track.path === 'translation' ? { ...track, values: track.values.map((value, i) => value + by[i % 3]) } : track;
  return { ...clip, tracks: clip.tracks.map(move) };
}

/** Keeps every fifth key with another interpolation; tangents are 0, as at the extremes of a motion. */
function thinned(clip: Clip, interpolation: 'STEP' | 'CUBICSPLINE'): Clip {
  const thin = (track: Track): Track => {
    const width = track.path === 'rotation' ? 4 : 3;
    const keys = Array.from(track.times.keys()).filter((key) => key % 5 === 0);
    const zeros = interpolation === 'CUBICSPLINE' ? new Array<number>(width).fill(0) : [];
    const values = keys.flatMap((key) => [
      ...zeros,
      ...track.values.subarray(key * width, (key + 1) * width),
      ...zeros,
    ]);
    const times = Float64Array.from(keys, (key) => track.times[key]);
    return { ...track, interpolation, times, values: Float64Array.from(values) };
  };
  return { ...clip, tracks: clip.tracks.map(thin) };
}
