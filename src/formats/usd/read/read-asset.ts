/** A USD scene as an asset: skeletons and clips. */
import type { Asset } from '../../../core/asset/asset.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { assetSkeletons } from './asset-skeletons.ts';
import { movedNodes, readAnimations } from './read-animations.ts';
import type { UsdScene } from './scene.ts';

/** What of a scene is to be read. */
export interface ReadUsdOptions {
  /** Whether the keys of an animation are wanted, by its name and index; all are by default. Others are listed by name, without duration and tracks. */
  readonly wantsClip?: (name: string, index: number) => boolean;
}

/**
 * The skeletons and clips of a scene; meshes are left alone.
 *
 * Skeletons: one for each of the scene, with the prims above it; in a scene without joints every tree of more than one prim. Clips: every SkelAnimation of the
 * stage, those that are bound first; of several skeletons under one name as one clip. Axes and unit stay those of the file.
 *
 * `metersPerUnit` and `up` are what the file says. Where it says nothing, OpenUSD takes centimeters, which is wrong for many such files: null then,
 * so that the size of the body decides.
 *
 * @throws FormatError USD_LIMIT for hostile numbers of keys. What is odd is told in `issues`, after those of the scene.
 */
export function readUsdAsset(scene: UsdScene, options: ReadUsdOptions = {}): Asset {
  const { metrics } = scene.stage;
  const issues: Issue[] = [...scene.issues];
  const isMoved = movedNodes(scene);
  const skeletons = assetSkeletons(scene);
  const clips = readAnimations(scene, skeletons, isMoved, options.wantsClip ?? (() => true), issues);
  return {
    format: 'usd',
    metersPerUnit: metrics.isMetersPerUnitAuthored ? metrics.metersPerUnit : null,
    up: metrics.isUpAxisAuthored ? (metrics.upAxis === 'Z' ? [0, 0, 1] : [0, 1, 0]) : null,
    skeletons: skeletons.map(({ skeleton, sourceNodes, declared }) => ({ skeleton, sourceNodes, declared })),
    clips,
    issues,
  };
}
