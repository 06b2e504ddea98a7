import type { Asset } from '../../core/asset/asset.ts';
import type { Issue } from '../../core/report/issue.ts';
import { parseFbx } from './parse.ts';
import { numberProperty } from './properties.ts';
import { readClips } from './read-clips.ts';
import { readModels } from './read-models.ts';
import { readSkeletons } from './read-skeletons.ts';
import { type FbxScene, readScene } from './scene.ts';
import type { FbxTree } from './tree.ts';

/** UnitScaleFactor counts centimeters. */
const CENTIMETERS_PER_METER = 100;

/** What of a file is to be read. */
export interface ReadFbxOptions {
  /**
   * Whether the keys of an animation are wanted, by its name and index; all are by default. Others are listed by name,
   * without duration and tracks: reading keys is what takes longest.
   */
  readonly wantsClip?: (name: string, index: number) => boolean;
}

/**
 * Reads an FBX file, binary or text: its skeletons and clips; meshes are left alone.
 *
 * Skeletons: every tree of Models with a bone (LimbNode, Limb, Root, or the node of a skin cluster) from its root down,
 * without meshes, cameras, lights and effectors of control rigs; in a file without bones every tree of Models. Rest = the
 * `Lcl` values with pre- and post-rotation, pivots and inheritance of scale worked in. Bind = the TransformLink of the
 * skin clusters, else the bind pose of the file; null without both.
 *
 * Clips: one for each animation stack (7.x) or take (6.1), see `readClips`.
 *
 * Axes and unit stay those of the file; `up` and `metersPerUnit` are what its global settings declare.
 *
 * @throws FormatError of `parseFbx`. What is odd inside a readable file is an issue (`FBX_SCENE`, `FBX_ANIMATION`).
 */
export function readFbx(bytes: Uint8Array, options: ReadFbxOptions = {}): Asset {
  return readFbxTree(parseFbx(bytes), options);
}

/** The same of a file that is parsed already. */
export function readFbxTree(tree: FbxTree, options: ReadFbxOptions = {}): Asset {
  const issues: Issue[] = [];
  const scene = readScene(tree, issues);
  const forest = readModels(scene, issues);
  const skeletons = readSkeletons(scene, forest, issues);
  const clips = readClips(scene, forest, skeletons, issues, options.wantsClip);
  return {
    format: 'fbx',
    metersPerUnit: metersPerUnit(scene),
    up: upOf(scene),
    skeletons: skeletons.map(({ skeleton, sourceNodes, declared }) => ({ skeleton, sourceNodes, declared })),
    clips,
    issues,
  };
}

/** Null where the file does not say it, or says nonsense. */
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
