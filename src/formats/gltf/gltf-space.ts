/** The space of glTF (2.0, section 3.4): meters, +Y up; a character faces +Z. */
import { changeClipSpace } from '../../core/animation/change-clip-space.ts';
import type { Clip } from '../../core/animation/clip.ts';
import type { Asset } from '../../core/asset/asset.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as quat from '../../core/math/quat.ts';
import { changeSpace, type SpaceChange } from '../../core/skeleton/change-space.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';

const UP = [0, 1, 0];

/**
 * The change that brings skeletons of a file into the space of glTF; null for files that are glTF, which keep theirs as it is. A
 * humanoid gets its frame and its unit (so that it faces +Z); anything else (`humanoid` null) what the file says of its up and
 * its unit, by the shortest turn, and where it says nothing its own.
 */
export function gltfSpace(
  { format, metersPerUnit, up }: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>,
  humanoid: Humanoid | null,
): SpaceChange | null {
  if (format !== 'bvh' && format !== 'fbx' && format !== 'usd') return null;
  if (humanoid !== null) return { rotation: humanoid.frame, scale: humanoid.metersPerUnit };
  const rotation = Float64Array.of(0, 0, 0, 1);
  if (up !== null) quat.fromTo(rotation, 0, up, 0, UP, 0);
  return { rotation, scale: metersPerUnit ?? 1 };
}

/**
 * A skeleton of a file and clips on it, in the space of glTF (see {@link gltfSpace}): what `writeMotionDocument` is to get. Exact,
 * without a node on top; the very same objects for files that are glTF.
 */
export function toGltfSpace(
  asset: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>,
  humanoid: Humanoid | null,
  skeleton: Skeleton,
  clips: readonly Clip[],
): { readonly skeleton: Skeleton; readonly clips: readonly Clip[] } {
  const change = gltfSpace(asset, humanoid);
  if (change === null) return { skeleton, clips };
  return {
    skeleton: changeSpace(skeleton, change),
    clips: clips.map((clip) => changeClipSpace(clip, skeleton.parents, change)),
  };
}
