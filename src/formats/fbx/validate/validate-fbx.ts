/** Validates FBX files by what importers trip over: Unity, Unreal Engine, Blender, Maya. */
import type { Issue } from '../../../core/report/issue.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { creationFaults } from '../document/binary-tree.ts';
import type { FbxProperty, FbxTree } from '../document/fbx-tree.ts';
import { splitName } from '../document/object-names.ts';
import { textOf } from '../document/records.ts';
import { type FbxScene, idOf, readScene } from '../nodes/fbx-scene.ts';
import { readBindPose } from '../nodes/read-fbx-bind-pose.ts';
import { LIMB_TYPES } from '../nodes/read-fbx-skeletons.ts';
import { readModels } from '../nodes/read-models.ts';
import { unlistedKinds } from '../nodes/unlisted-kinds.ts';
import { checkCurves } from './check-curves.ts';
import { checkSettings, type DeclaredAxes, declaredAxes } from './check-settings.ts';
import { checkSkins } from './check-skins.ts';
import { addFinding, type FbxValidation } from './validation.ts';

function nameOf(properties: readonly FbxProperty[]): string {
  return splitName(properties.map(textOf).find((text) => text !== undefined) ?? '').name;
}

function checkIds(tree: FbxTree, { objects, rootId }: FbxScene, issues: Issue[]): void {
  const section = (name: string) =>
    tree.records.filter((record) => record.name === name).flatMap(({ records }) => records);
  const ids = new Set<string>();
  const repeated: string[] = [];
  for (const { name: kind, properties } of section('Objects')) {
    const id = idOf(properties[0]);
    if (id === undefined || kind === 'GlobalSettings') continue;
    if (ids.has(id)) repeated.push(`${kind} ${nameOf(properties)}`);
    ids.add(id);
  }
  const advice = 'Importers take one of them, or stop; give each its own id.';
  addFinding(issues, 'FBX_ID_REPEATED', repeated, 'Objects with the id of another object', advice);
  const broken: string[] = [];
  for (const { properties } of section('Connections')) {
    const [kind, source = '', destination = ''] = [properties[0], idOf(properties[1]), idOf(properties[2])];
    if (kind !== 'OO' && kind !== 'OP') continue;
    const property = kind === 'OP' ? (textOf(properties[3]) ?? '') : '';
    const hasSource = ids.has(source);
    const hasDestination = ids.has(destination) || destination === rootId;
    // Maya leaves out objects that no file needs, but not the connections between them, nor those to attributes.
    const isRemnant =
      !hasSource && (!hasDestination || (property !== '' && objects.get(destination)?.kind === 'Model'));
    if ((hasSource && hasDestination) || (isRemnant && !property.startsWith('Lcl '))) continue;
    broken.push(`${source} to ${destination} ${property}`.trim());
  }
  const lost = 'Importers leave them out, or stop; export the file again.';
  addFinding(issues, 'FBX_CONNECTION_BROKEN', broken, 'Connections with an end that is not in the file', lost);
}

/** First version of binary files and of Definitions as they are today. */
const CURRENT_FORMAT = 7000;

/** Checks what Autodesk's FBX SDK wants before it reads anything. Found by removing each part from files that the SDK reads. */
function checkSdk(tree: FbxTree, scene: FbxScene, issues: Issue[]): void {
  if (tree.version < CURRENT_FORMAT) return;
  const faults = tree.encoding === 'binary' ? creationFaults(tree) : [];
  const empty = 'Programs with the FBX SDK, such as Maya, open an empty scene; put a clip on it, or write it as text.';
  addFinding(issues, 'FBX_SDK', faults, 'Parts of a binary file that are missing or belong to another file', empty);
  const cut = 'Programs with the FBX SDK, such as Maya, leave out these objects; put a clip on it, or list them there.';
  addFinding(issues, 'FBX_SDK', unlistedKinds(tree, scene), 'Kinds of objects that Definitions do not list', cut);
}

/** The node name that Unreal Engine takes for the root that Blender adds, and leaves out. */
const LEFT_OUT = 'Armature';

function checkNames({ forest: { models }, isJoint, issues }: FbxValidation): void {
  const counts = new Map<string, number>();
  for (const { name } of models) counts.set(name, (counts.get(name) ?? 0) + 1);
  const repeated = [...counts].filter(([name, count]) => count > 1 && name !== '').map(([name]) => name);
  addFinding(
    issues,
    'FBX_NAME',
    repeated,
    'Names that several nodes share',
    'Unity and Unreal Engine rename or refuse joints that share a name; give each its own.',
  );
  const unnamed = [...models.keys()].filter((node) => isJoint[node] === 1 && models[node]?.name === '').map(String);
  addFinding(issues, 'FBX_NAME', unnamed, 'Joints without a name, by index', 'Name every joint.');
  const dropped = models.filter(({ name }) => name === LEFT_OUT).map(({ name }) => name);
  addFinding(issues, 'FBX_NAME', dropped, 'Nodes with a name that Unreal Engine leaves out', 'Rename it.');
}

interface FbxFindings {
  /** The findings. What the reader finds (`readFbx`, `readFbxGeometry`) is not repeated. */
  readonly issues: readonly Issue[];
  /** The axes that the file declares; null where they are invalid. */
  readonly axes: DeclaredAxes | null;
}

/**
 * Validates a parsed FBX file: ids, connections, what the FBX SDK wants, names, axes and unit, root nodes, joints, skin clusters against the bind pose, curves and the
 * ranges of takes. The rules are those by which Unity, Unreal Engine, Blender and Maya refuse or change files.
 */
export function validateFbxTree(tree: FbxTree): FbxFindings {
  const known: Issue[] = [];
  const issues: Issue[] = [];
  const scene = readScene(tree, known);
  const forest = readModels(scene, known);
  const worlds = modelMatrices(forest.parents, forest.rest);
  const { linked } = readBindPose(scene, forest, worlds, known);
  const isJoint = linked.map((isLinked, node) => (isLinked === 1 || LIMB_TYPES.has(forest.models[node].type) ? 1 : 0));
  const validation: FbxValidation = { scene, forest, worlds, isJoint, issues };
  checkIds(tree, scene, issues);
  checkSdk(tree, scene, issues);
  checkNames(validation);
  checkSettings(validation);
  checkSkins(validation);
  checkCurves(validation);
  return { issues, axes: declaredAxes(validation) };
}
