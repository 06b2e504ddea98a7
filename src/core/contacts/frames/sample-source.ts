import type { Clip } from '../../animation/clip.ts';
import { SIDES } from '../../humanoid/bones.ts';
import { getOrCreate } from '../../math/get-or-create.ts';
import type { SurfacedHumanoid } from '../surface/contact-surface.ts';
import { type CharacterFrames, type FrameGrid, sampleCharacterFrames } from './character-frames.ts';
import { createPosedCharacter } from './posed-character.ts';
import { createSourceSamples, type SourceSamples } from './source-samples.ts';

/** Numbers per frame that are sampled of a leg: six vectors and its clearance. */
const FLOATS_OF_LEG = 19;

/**
 * Samples the contact points of a clip of a source, or returns the samples that are kept. `half`: samples at half the rate, reused for even frames.
 * `hasArms`: whether arms are sampled, too. Returns joints of the legs and heights above the ground; to be read only.
 */
export function sampleSourceFrames(
  { humanoid, surface, samples: kept }: SurfacedHumanoid & { readonly samples: SourceSamples | null },
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
