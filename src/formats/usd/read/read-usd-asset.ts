import type { Asset, ReadClipsOptions } from '../../../core/asset/asset.ts';
import { limitAsset } from '../../../core/asset/limit-asset.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { movedNodes, readAnimations } from './animation/read-animations.ts';
import type { UsdScene } from './scene.ts';
import { assetSkeletons } from './skeletons/asset-skeletons.ts';

/**
 * Reads the skeletons and clips of a scene. `readUsdGeometry` reads its meshes.
 *
 * - Skeletons: one for each skeleton of the scene, including the prims above it. If there are no joints, each tree of more than one prim.
 * - Clips: each SkelAnimation of the stage, bound ones first. Animations with the same name on several skeletons are one clip.
 * - Space: the axes and the unit of the file.
 * - `metersPerUnit` and `up` are the authored values, else null: OpenUSD's fallback for the unit, centimeters, is wrong for many files without one.
 *
 * @param options Selects the clips to read.
 * @returns The asset. Its issues are those of the scene, followed by those of the animations.
 * @throws FormatError USD_LIMIT if there are too many keys, tracks or clips.
 * @example
 * const scene = readUsdScene(openStage(parseUsda(text)));
 * const { skeletons, clips } = readUsdAsset(scene, { wantsClip: (name) => name === 'walk' });
 */
export function readUsdAsset(scene: UsdScene, options: ReadClipsOptions = {}): Asset {
  const { metrics } = scene.stage;
  const issues: Issue[] = [...scene.issues];
  const isMoved = movedNodes(scene);
  const skeletons = assetSkeletons(scene);
  const clips = readAnimations(scene, skeletons, isMoved, options.wantsClip ?? (() => true), issues);
  return limitAsset({
    format: 'usd',
    metersPerUnit: metrics.isMetersPerUnitAuthored ? metrics.metersPerUnit : null,
    up: metrics.isUpAxisAuthored ? (metrics.upAxis === 'Z' ? [0, 0, 1] : [0, 1, 0]) : null,
    skeletons: skeletons.map(({ skeleton, sourceNodes, declared }) => ({ skeleton, sourceNodes, declared })),
    clips,
    issues,
  });
}
