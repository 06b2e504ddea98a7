/** An FBX tree as an Asset. */
import type { Asset } from '../../core/asset/asset.ts';
import type { Issue } from '../../core/report/issue.ts';
import { numberProperty } from './properties.ts';
import { readModels } from './read-models.ts';
import { readSkeletons } from './read-skeletons.ts';
import { type FbxScene, readScene } from './scene.ts';
import type { FbxTree } from './tree.ts';

/** Metres of the unit that UnitScaleFactor counts. */
const CENTIMETRE = 0.01;

/** The Asset that {@link readFbx} returns, of a file that is parsed already. */
export function readFbxTree(tree: FbxTree): Asset {
  const issues: Issue[] = [];
  const scene = readScene(tree, issues);
  const forest = readModels(scene, issues);
  const skeletons = readSkeletons(scene, forest, issues);
  return {
    format: 'fbx',
    metresPerUnit: metresPerUnit(scene),
    up: upOf(scene),
    skeletons: skeletons.map(({ skeleton, sourceNodes, declared }) => ({ skeleton, sourceNodes, declared })),
    clips: [],
    issues,
  };
}

/** Null where the file does not say it, or says nonsense. */
function metresPerUnit({ settings }: FbxScene): number | null {
  const factor = numberProperty(settings, 'UnitScaleFactor', 0);
  return factor > 0 ? factor * CENTIMETRE : null;
}

function upOf({ settings }: FbxScene): Asset['up'] {
  const axis = numberProperty(settings, 'UpAxis', -1);
  if (axis !== 0 && axis !== 1 && axis !== 2) return null;
  const sign = numberProperty(settings, 'UpAxisSign', 1) < 0 ? -1 : 1;
  return [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
}
