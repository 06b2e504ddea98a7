import type { Asset, ReadClipsOptions } from '../../core/asset/asset.ts';
import { limitAsset } from '../../core/asset/limit-asset.ts';
import type { Issue } from '../../core/report/issue.ts';
import { encodingIssue } from '../../core/text/decode-text.ts';
import { readFbxClips } from './animation/read-fbx-clips.ts';
import type { FbxTree } from './document/fbx-tree.ts';
import { numberProperty } from './document/object-properties.ts';
import { parseFbx } from './document/parse-fbx.ts';
import { type FbxScene, readScene } from './nodes/fbx-scene.ts';
import { readSkeletons } from './nodes/read-fbx-skeletons.ts';
import { readModels } from './nodes/read-models.ts';

/** UnitScaleFactor is in centimeters. */
const CENTIMETERS_PER_METER = 100;

/**
 * Reads the skeletons and clips of an FBX file, binary or text. For meshes, use `readFbxGeometry`.
 *
 * - Skeletons: each tree of Models with a bone (LimbNode, Limb, Root, or the node of a skin cluster) from its root
 *   down, without meshes, cameras, lights and effectors of control rigs; in a file without bones, each tree of Models.
 *   Several people in one tree are a skeleton each.
 *   The rest pose comes from the `Lcl` values with pre- and post-rotation, pivots and scale inheritance. The bind pose
 *   comes from the TransformLink of the skin clusters, else from the bind pose of the file; it is null without both.
 * - Clips: one per animation stack (7.x) or take (6.1), see `readFbxClips`.
 * - Axes and unit are those of the file; `up` and `metersPerUnit` are what its global settings declare.
 *
 * @param bytes The file.
 * @param options Selects clips.
 * @returns The asset. Its `issues` have FBX_SCENE, NODE_TRANSFORM_REPAIRED and FBX_ANIMATION for what was invalid or
 *   left out.
 * @throws FormatError those of `parseFbx`.
 * @example
 * ```ts
 * const { skeletons, clips, issues } = readFbx(await readFile('walk.fbx'));
 * const { name, duration } = clips[0]; // duration in seconds
 * ```
 */
export function readFbx(bytes: Uint8Array, options: ReadClipsOptions = {}): Asset {
  return readFbxTree(parseFbx(bytes), options);
}

/** Reads the skeletons and clips of a parsed FBX file, as `readFbx` does. */
export function readFbxTree(tree: FbxTree, options: ReadClipsOptions = {}): Asset {
  const issues: Issue[] = [];
  if (tree.legacyEncoding) issues.push(encodingIssue(tree.legacyEncoding));
  const scene = readScene(tree, issues);
  const forest = readModels(scene, issues);
  const skeletons = readSkeletons(scene, forest, issues);
  const clips = readFbxClips(scene, forest, skeletons, issues, options.wantsClip);
  return limitAsset({
    format: 'fbx',
    metersPerUnit: metersPerUnit(scene),
    up: upOf(scene),
    skeletons: skeletons.map(({ modelIndices: _, ...part }) => part),
    clips,
    issues,
  });
}

/** Returns the unit of the file; null if it is missing or not positive. */
function metersPerUnit({ settings }: FbxScene): number | null {
  const factor = numberProperty(settings, 'UnitScaleFactor', 0);
  return factor > 0 ? factor / CENTIMETERS_PER_METER : null;
}

function upOf({ settings }: FbxScene): Asset['up'] {
  const axis = numberProperty(settings, 'UpAxis', -1);
  if (axis !== 0 && axis !== 1 && axis !== 2) return null;
  const sign = numberProperty(settings, 'UpAxisSign', 1) < 0 ? -1 : 1;
  return [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
}
