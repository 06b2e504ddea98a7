import type { Clip } from '../../../core/animation/clip.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { BvhTree } from '../../../formats/bvh/bvh-tree.ts';
import { emitBvh } from '../../../formats/bvh/serialize-bvh.ts';
import { writeBvh } from '../../../formats/bvh/write-bvh.ts';
import { writeBvhClip } from '../../../formats/bvh/write-clip.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import { encodeTextParts } from '../../outputs/text-parts.ts';
import type { AnimatedSkeleton, Destination, MotionClip } from '../format-adapter.ts';

const NO_CLIP: Clip = { name: '', duration: 0, tracks: [] };

/** Serializes a BVH. Extreme input values can exceed what BVH text holds. */
function serialize(tree: BvhTree): Uint8Array[] {
  try {
    return encodeTextParts((emit) => emitBvh(tree, {}, (line) => emit(`${line}\n`)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FormatError('BVH_SYNTAX', `The skeleton cannot be written as BVH: ${error.message}`);
  }
}

/**
 * Writes a skeleton with one clip as BVH. A skeleton that was read from a BVH keeps its hierarchy and channels; any other gets a new hierarchy.
 * `fps`: frames per second; undefined takes the rate of the keys. Throws FormatError `BVH_SYNTAX` for numbers that BVH text cannot hold.
 */
export function writeBvhMotion(
  { file, part, humanoid }: AnimatedSkeleton,
  clips: readonly MotionClip[],
  { path }: Destination,
  fps: number | undefined,
  issues: Issue[],
): OutputFile[] {
  const { skeleton } = part;
  const clip = clips[0]?.clip ?? null;
  const options = fps === undefined ? {} : { fps };
  const written =
    file.format === 'bvh'
      ? writeBvhClip(file.tree, part, clip ?? NO_CLIP, options)
      : writeBvh(humanoid ?? { skeleton, metersPerUnit: file.asset.metersPerUnit }, clip, options);
  issues.push(...written.issues);
  return [{ path, parts: serialize(written.tree) }];
}
