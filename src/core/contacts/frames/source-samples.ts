import type { Clip } from '../../animation/clip.ts';
import type { Side } from '../../humanoid/bones.ts';
import type { TouchedHand } from '../hands/find-touches.ts';
import type { CharacterFrames } from './character-frames.ts';

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
