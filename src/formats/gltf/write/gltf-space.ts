/** Converts to the coordinate system of glTF (2.0, section 3.4): meters, +Y up, characters face +Z. */
import { changeClipSpace } from '../../../core/animation/change-clip-space.ts';
import type { Clip } from '../../../core/animation/clip.ts';
import { type Asset, isGltfKind } from '../../../core/asset/asset.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import * as quat from '../../../core/math/quat.ts';
import { changeSpace, type SpaceChange } from '../../../core/skeleton/change-space.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';

const UP = [0, 1, 0];

/**
 * Computes the change from the space of a file to the space of glTF. A humanoid is rotated to face +Z. Any other skeleton is rotated by the shortest
 * rotation from the up axis of the file to +Y, or not at all if the file declares none. `humanoid`: humanoid of the skeleton; null for other
 * skeletons. Returns rotation and scale; null for glTF files, which need no change.
 */
export function gltfSpace(
  { format, metersPerUnit, up }: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>,
  humanoid: Humanoid | null,
): SpaceChange | null {
  if (isGltfKind(format)) return null;
  if (humanoid !== null) return { rotation: humanoid.frame, scale: humanoid.metersPerUnit };
  const rotation = Float64Array.of(0, 0, 0, 1);
  if (up !== null) quat.fromTo(rotation, 0, up, 0, UP, 0);
  return { rotation, scale: metersPerUnit ?? 1 };
}

/**
 * Converts a skeleton and its clips to the space of glTF (see {@link gltfSpace}), as `writeMotionDocument` expects them. The transforms themselves
 * are converted; no root node is added.
 */
export function toGltfSpace(
  asset: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>,
  humanoid: Humanoid | null,
  skeleton: Skeleton,
  clips: readonly Clip[],
): {
  /** The converted skeleton. */
  readonly skeleton: Skeleton;
  readonly clips: readonly Clip[];
} {
  const change = gltfSpace(asset, humanoid);
  if (change === null) return { skeleton, clips };
  return {
    skeleton: changeSpace(skeleton, change),
    clips: clips.map((clip) => changeClipSpace(clip, skeleton.parents, change)),
  };
}
