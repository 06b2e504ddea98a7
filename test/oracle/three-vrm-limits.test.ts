/** Where three-vrm-animation departs from the world law, case by case, and what we do there. Bodies and motions of the demo. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { CharacterOptions, DemoCharacter } from '../../src/demo/characters/character.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { VRM0_RIG, VRM1_RIG, VRMA_RIG } from '../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../src/demo/files/encode.ts';
import { glbBytes } from '../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from '../../src/demo/files/vrm.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import { makeRandomMotion } from '../make/demo-motion.ts';
import { apart } from '../reference/plain.ts';
import { RESAMPLED_RADIANS, SECOND_OPINION } from '../tolerances.ts';
import { differenceToLaw, differenceToThreeVrm, hipsApart, openPair, restOffset, type VrmPair } from './vrm-pair.ts';

/** Radians that nobody would call an error of rounding. */
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
  readonly nodes?: (nodes: { translation?: number[] }[], body: DemoCharacter) => void;
}

/** A VRMA in which every bone turns. */
function motion({ rig = {}, animateInBetweens = false, clip = (same) => same, nodes }: MotionOptions): Uint8Array {
  const body = makeCharacter({ ...VRMA_RIG, ...rig });
  const encoded = encodeMotion(body, makeRandomMotion(body.figure, 5), { animateInBetweens });
  const doc = vrmaDocument(body, { clips: [clip(encoded)] });
  nodes?.(doc.json['nodes'] as { translation?: number[] }[], body);
  return glbBytes(doc);
}

function toThreeVrm(pair: VrmPair, bone: keyof typeof BONE): number {
  return differenceToThreeVrm(pair, (b) => b === BONE[bone]).largest;
}

function expectLaw(pair: VrmPair): void {
  expect(differenceToLaw(pair).largest).toBeLessThan(RESAMPLED_RADIANS + SECOND_OPINION);
}

describe('three-vrm', () => {
  it('agrees on a motion without any of what follows', async () => {
    const pair = await openPair(motion({}), character);
    expect(differenceToThreeVrm(pair, () => true).largest).toBeLessThan(SECOND_OPINION);
    expectLaw(pair);
  });

  it('drops the turn of bones that the character lacks, where we fold it into the bones below', async () => {
    const lacking = glbBytes(vrm0Document(makeCharacter({ ...VRM0_RIG, without: ['chest', 'upperChest'] })));
    const pair = await openPair(motion({}), lacking);
    expect(toThreeVrm(pair, 'spine')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('drops the turn of nodes between bones, where we fold it into the bones below', async () => {
    const pair = await openPair(motion({ rig: { extras: ['spine'] }, animateInBetweens: true }), character);
    expect(toThreeVrm(pair, 'leftLowerLeg')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('takes nodes between bones for unturned at rest, where we take their rest rotation', async () => {
    const pair = await openPair(motion({ rig: { extras: ['spine'], axes: { seed: 3 } } }), character);
    expect(toThreeVrm(pair, 'leftLowerLeg')).toBeLessThan(SECOND_OPINION);
    expect(toThreeVrm(pair, 'spine')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('puts the hips off by the scaled place of the motion, where we scale their way alone', async () => {
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

  it('loses the hips of a motion whose rest is at height 0, where we carry their way over unscaled', async () => {
    const hipsHeight = makeCharacter(VRMA_RIG).truth.hipsHeight;
    const low = motion({
      nodes: (nodes) => shiftHips(nodes, [0, -hipsHeight, 0]),
      clip: (clip) => shifted(clip, [0, -hipsHeight, 0]),
    });
    const pair = await openPair(low, character);
    pair.player.show(0.4);
    expect(Math.hypot(...pair.player.hips())).toSatisfy((far: number) => !(far < 1e3));
    expect(pair.source.humanoid.issues.map(({ code }) => code)).toContain('HIPS_HEIGHT_ZERO');
    const way = pair.clip.tracks.find(({ path }) => path === 'translation')!;
    expect(way.values.every((value) => Math.abs(value) < 3)).toBe(true);
    expectLaw(pair);
  });

  it('plays STEP keys as LINEAR, where we keep them', async () => {
    const jumping = motion({ clip: (clip) => thinned(clip, 'STEP') });
    const pair = await openPair(jumping, character);
    expect(toThreeVrm(pair, 'head')).toBeGreaterThan(PLAIN_TO_SEE);
    expectLaw(pair);
  });

  it('takes in-tangents of CUBICSPLINE keys for rotations, where we carry values and tangents over', async () => {
    const smooth = motion({ clip: (clip) => thinned(clip, 'CUBICSPLINE') });
    const pair = await openPair(smooth, character);
    pair.player.show(0.4);
    // The tangents are 0: no rotation at all.
    expect(Math.hypot(...pair.player.rotation('head'))).toBeLessThan(0.1);
    expectLaw(pair);
  });

  it('agrees on a walk, hips included', async () => {
    const body = makeCharacter(VRMA_RIG);
    const walk = glbBytes(vrmaDocument(body, { clips: [encodeMotion(body, makeWalk(body.figure))] }));
    const pair = await openPair(walk, character);
    expect(differenceToThreeVrm(pair, () => true).largest).toBeLessThan(SECOND_OPINION);
    expect(Math.hypot(...hipsApart(pair, 0.5))).toBeLessThan(SECOND_OPINION);
  });
});

/** Moves the root of the body. */
function shiftHips(nodes: { translation?: number[] }[], by: readonly number[]): void {
  nodes[0].translation = by.map((offset, c) => offset + (nodes[0].translation?.[c] ?? 0));
}

/** The clip of a body that was moved. */
function shifted(clip: Clip, by: readonly number[]): Clip {
  const move = (track: Track): Track =>
    track.path === 'translation' ? { ...track, values: track.values.map((value, i) => value + by[i % 3]) } : track;
  return { ...clip, tracks: clip.tracks.map(move) };
}

/** Every fifth key, to be interpolated in another way; tangents are 0, as at the turning points of a motion. */
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
