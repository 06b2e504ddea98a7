/** Validates FBX files by what importers trip over: Unity, Unreal Engine, Blender, Maya. */
import type { Issue } from '../../../core/report/issue.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { FbxTree } from '../document/fbx-tree.ts';
import { readScene } from '../nodes/fbx-scene.ts';
import { readBindPose } from '../nodes/read-fbx-bind-pose.ts';
import { LIMB_TYPES } from '../nodes/read-fbx-skeletons.ts';
import { readModels } from '../nodes/read-models.ts';
import { checkCurves } from './check-curves.ts';
import { checkSettings, type DeclaredAxes, declaredAxes } from './check-settings.ts';
import { checkSkins } from './check-skins.ts';
import { checkIds, checkNames } from './check-structure.ts';
import type { FbxValidation } from './validation.ts';

interface FbxFindings {
  /** The findings. What the reader finds (`readFbx`, `readFbxGeometry`) is not repeated. */
  readonly issues: readonly Issue[];
  /** The axes that the file declares; null where they are invalid. */
  readonly axes: DeclaredAxes | null;
}

/**
 * Validates a parsed FBX file: ids, connections, names, axes and unit, root nodes, joints, skin clusters against the bind pose, curves and the
 * ranges of takes. The rules are those by which Unity, Unreal Engine, Blender and Maya refuse or change files.
 */
export function validateFbxTree(tree: FbxTree): FbxFindings {
  const known: Issue[] = [];
  const issues: Issue[] = [];
  const scene = readScene(tree, known);
  const forest = readModels(scene, known);
  const worlds = new Float64Array(forest.models.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, forest.parents, forest.rest);
  const { linked } = readBindPose(scene, forest, worlds, known);
  const isJoint = linked.map((isLinked, node) => (isLinked === 1 || LIMB_TYPES.has(forest.models[node].type) ? 1 : 0));
  const validation: FbxValidation = { scene, forest, worlds, isJoint, issues };
  checkIds(tree, scene, issues);
  checkNames(validation);
  checkSettings(validation);
  checkSkins(validation);
  checkCurves(validation);
  return { issues, axes: declaredAxes(validation) };
}
