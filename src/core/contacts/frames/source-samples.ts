import type { Clip } from '../../animation/clip.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import type { TouchedHand } from '../hands/find-touches.ts';
import type { SurfacedHumanoid } from '../surface/contact-surface.ts';
import { type CharacterFrames, type FrameGrid, sampleCharacterFrames } from './character-frames.ts';
import { createPosedCharacter } from './posed-character.ts';

/** Numbers per frame that are sampled of a leg: six vectors and its clearance. */
const FLOATS_OF_LEG = 19;

/** Samples of the clips of one humanoid with one surface. They are released with their clips, and are not modified. */
export interface SourceSamples {
  /**
   * Legs and clearances, by clip, then by frames and what was sampled.
   *
   * @internal
   */
  readonly frames: WeakMap<Clip, Map<string, CharacterFrames>>;
  /**
   * Depths of both arms inside the character, by clip.
   *
   * @internal
   */
  readonly armDepths: WeakMap<Clip, Readonly<Record<Side, Float64Array | null>>>;
  /**
   * What both hands touch, by clip.
   *
   * @internal
   */
  readonly touches: WeakMap<Clip, readonly TouchedHand[]>;
  /** Bytes of all samples, those of released clips included. */
  bytes: number;
}

/**
 * Creates an empty store for the samples of a humanoid.
 *
 * @returns The store, for `planContacts` with the same source and surface.
 */
export function createSourceSamples(): SourceSamples {
  return { frames: new WeakMap(), armDepths: new WeakMap(), touches: new WeakMap(), bytes: 0 };
}

interface Store<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => unknown;
}

export function getOrCreate<Key, Value>(store: Store<Key, Value>, key: Key, create: () => Value): Value {
  const known = store.get(key);
  if (known !== undefined) return known;
  const created = create();
  store.set(key, created);
  return created;
}

interface SampledSource extends SurfacedHumanoid {
  /** Its samples; null to keep none. */
  readonly samples: SourceSamples | null;
}

/**
 * Samples the contact points of a clip of a source, or returns the samples that are kept. `half`: samples at half the rate, reused for even frames.
 * `hasArms`: whether arms are sampled, too. Returns joints of the legs and heights above the ground; to be read only.
 */
export function sampleSourceFrames(
  { humanoid, surface, samples: kept }: SampledSource,
  clip: Clip,
  grid: FrameGrid,
  heights: 'all' | 'feet',
  half: CharacterFrames | null = null,
  hasArms = false,
): CharacterFrames {
  const samples = kept ?? createSourceSamples();
  const known = getOrCreate(samples.frames, clip, () => new Map<string, CharacterFrames>());
  return getOrCreate(known, `${grid.start} ${grid.count} ${grid.step} ${heights} ${hasArms}`, () => {
    const sampled = sampleCharacterFrames(createPosedCharacter(humanoid, surface), clip, grid, heights, half, hasArms);
    const legs = [sampled.legs, sampled.arms].flatMap((limbs) => SIDES.filter((side) => limbs[side] !== null)).length;
    samples.bytes += (2 + FLOATS_OF_LEG * legs) * sampled.clearance.byteLength;
    return sampled;
  });
}
