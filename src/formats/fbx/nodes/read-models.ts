import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { limitRest } from '../../../core/skeleton/limit-rest.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { childObjects, type FbxObject, type FbxScene, parentObjects } from './fbx-scene.ts';
import { compensateScale, type FbxTransform, isUniform, localPose, readTransform } from './node-transform.ts';

/**
 * All Models of a file, parents before children: depth first from the roots; roots and children are in the order of the
 * connections. Indices of nodes refer to this order.
 */
export interface ModelForest {
  readonly models: readonly FbxObject[];
  readonly indexById: ReadonlyMap<string, number>;
  /** Index of each node's parent, −1 for a root. */
  readonly parents: Int32Array;
  /** End of each node's subtree, exclusive. The subtree starts at the node itself. */
  readonly ends: Int32Array;
  readonly transforms: readonly FbxTransform[];
  /** Local rest pose (the Lcl values) with scale inheritance applied: {@link POSE_STRIDE} floats per node. */
  readonly rest: Float64Array;
}

/**
 * Reads the node tree and the rest pose. Models without a parent are roots. `issues` receives FBX_SCENE for Models with several parents (the first
 * is used), cycles (cut), invalid transform properties (replaced by defaults) and spheric rotation orders; NODE_TRANSFORM_REPAIRED if translation,
 * rotation and scale cannot represent the inherited scale.
 */
export function readModels(scene: FbxScene, issues: Issue[]): ModelForest {
  const list = [...scene.objects.values()].filter(({ kind }) => kind === 'Model');
  const parentIds = parentsOf(scene, list, issues);
  const { models, indexById, parents, ends } = depthFirst(scene, list, parentIds);
  const transforms = readTransforms(models, issues);
  const rest = readRest(models, parents, transforms, issues);
  const names = models.map(({ name }) => name);
  issues.push(...limitRest(parents, rest, names));
  return { models, indexById, parents, ends, transforms, rest };
}

/** Returns the id of the parent of each Model that has one. Repairs multiple parents and cycles. */
function parentsOf(scene: FbxScene, models: readonly FbxObject[], issues: Issue[]): Map<string, string> {
  const parents = new Map<string, string>();
  const twofold: string[] = [];
  for (const { id, name } of models) {
    const above = parentObjects(scene, id, 'Model');
    if (above.length > 0) parents.set(id, (above[0] as FbxObject).id);
    if (above.length > 1) twofold.push(name);
  }
  const cut: string[] = [];
  const walks = new Map<string, number>();
  for (const [walk, { id }] of models.entries()) {
    let at: string | undefined = id;
    while (at !== undefined && !walks.has(at)) {
      walks.set(at, walk);
      at = parents.get(at);
    }
    if (at === undefined || walks.get(at) !== walk) continue;
    // The walk has returned to a Model that it visited before: that Model becomes a root.
    parents.delete(at);
    cut.push(scene.objects.get(at)?.name ?? '');
  }
  reportNodes(issues, twofold, 'several parents; the first one was used. Keep one parent.');
  reportNodes(issues, cut, 'itself among its ancestors; the cycle was cut there. Parent it to another Model.');
  return parents;
}

function reportNodes(issues: Issue[], names: readonly string[], what: string): void {
  if (names.length === 0) return;
  const whose =
    names.length === 1
      ? `The Model ${JSON.stringify(names[0])} has`
      : `${names.length} Models (the first is ${JSON.stringify(names[0])}) have`;
  issues.push(issue('FBX_SCENE', `${whose} ${what}`));
}

function depthFirst(
  scene: FbxScene,
  list: readonly FbxObject[],
  parentIds: ReadonlyMap<string, string>,
): Pick<ModelForest, 'models' | 'indexById' | 'parents' | 'ends'> {
  const rooted = childObjects(scene, scene.rootId, 'Model').filter(({ id }) => !parentIds.has(id));
  // Models without any connection follow.
  const roots = new Set([...rooted, ...list.filter(({ id }) => !parentIds.has(id))]);
  const models: FbxObject[] = [];
  const indexById = new Map<string, number>();
  const stack = [...roots].reverse();
  while (stack.length > 0) {
    const model = stack.pop() as FbxObject;
    indexById.set(model.id, models.length);
    models.push(model);
    const children = childObjects(scene, model.id, 'Model').filter(({ id }) => parentIds.get(id) === model.id);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as FbxObject);
  }
  const parents = Int32Array.from(models, ({ id }) => indexById.get(parentIds.get(id) ?? '') ?? -1);
  const ends = Int32Array.from(models.keys(), (node) => node + 1);
  for (let node = models.length - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return { models, indexById, parents, ends };
}

function readTransforms(models: readonly FbxObject[], issues: Issue[]): FbxTransform[] {
  const brokenNames = new Set<string>();
  const brokenModels: string[] = [];
  const spheric: string[] = [];
  const transforms = models.map(({ name, properties }) => {
    const broken = new Set<string>();
    const transform = readTransform(properties, broken);
    if (broken.size > 0) brokenModels.push(name);
    for (const property of broken) brokenNames.add(property);
    if (transform.isSpheric) spheric.push(name);
    return transform;
  });
  reportNodes(
    issues,
    brokenModels,
    `properties other than three finite numbers: ${[...brokenNames].join(', ')}. The defaults were used; correct the values.`,
  );
  reportNodes(
    issues,
    spheric,
    'a spheric rotation order; it was read as XYZ. Convert the rotation order before exporting.',
  );
  return transforms;
}

const IDENTITY_POSE = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

function readRest(
  models: readonly FbxObject[],
  parents: Int32Array,
  transforms: readonly FbxTransform[],
  issues: Issue[],
): Float64Array {
  const rest = new Float64Array(models.length * POSE_STRIDE);
  /** 1 for nodes with a uniform scale whose ancestors all have a uniform scale. */
  const isEven = new Uint8Array(models.length);
  const inexact: string[] = [];
  const tooLarge: string[] = [];
  for (const [node, transform] of transforms.entries()) {
    const { translation, rotation, scale, inheritType } = transform;
    localPose(rest, node * POSE_STRIDE, transform, translation, rotation, scale);
    const parent = parents[node];
    isEven[node] = isUniform(scale, 0) && (parent < 0 || isEven[parent] === 1) ? 1 : 0;
    let isExact = parent < 0 || inheritType === 'RSrs' || isEven[parent] === 1;
    if (parent >= 0 && inheritType === 'Rrs') {
      const grandparent = parents[parent];
      const compensated = compensateScale(rest, node * POSE_STRIDE, transforms[parent].scale, 0);
      isExact = compensated && (grandparent < 0 || isEven[grandparent] === 1);
    }
    if (!isExact) inexact.push(models[node].name);
    const pose = rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE);
    if (pose.every((value) => Math.abs(value) <= FLOAT32_MAX)) continue;
    pose.set(IDENTITY_POSE);
    tooLarge.push(models[node].name);
  }
  reportNodes(
    issues,
    tooLarge,
    'a transform with numbers beyond float32; it was replaced by the identity. Correct the values.',
  );
  if (inexact.length > 0) {
    const message =
      `${inexact.length} nodes (the first is ${JSON.stringify(inexact[0])}) inherit a non-uniform or zero scale without shear; ` +
      'the nearest translation, rotation and scale were used. Apply the scale before exporting to get exact transforms.';
    issues.push(issue('NODE_TRANSFORM_REPAIRED', message));
  }
  return rest;
}
