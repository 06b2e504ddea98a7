/** The node tree of an FBX file: its Models. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { compensateScale, type FbxTransform, isUniform, localPose, readTransform } from './node-transform.ts';
import { type FbxObject, type FbxScene, objectsAbove, objectsBelow } from './scene.ts';

/**
 * All Models of a file, parents first: depth first from the roots, roots and children in the order of the connections.
 * What is called a place here is an index in this order.
 */
export interface ModelForest {
  readonly models: readonly FbxObject[];
  /** Place of each Model by its id. */
  readonly places: ReadonlyMap<string, number>;
  /** Place of the parent, −1 for a root. */
  readonly parents: Int32Array;
  /** The subtree of a place is what lies from it up to, without, its end. */
  readonly ends: Int32Array;
  readonly transforms: readonly FbxTransform[];
  /** Local rest pose (the Lcl values), inheritance of scale worked in: {@link POSE_STRIDE} floats a place. */
  readonly rest: Float64Array;
}

/**
 * Reads the tree and rest pose of all Models. Models that hang on nothing are roots. Reported as FBX_SCENE: Models of
 * several parents (the first is taken), cycles (cut), broken transform properties (left out), spheric rotation orders.
 * NODE_TRANSFORM_REPAIRED where scale is inherited in a way that translation, rotation and scale cannot tell.
 */
export function readModels(scene: FbxScene, issues: Issue[]): ModelForest {
  const list = [...scene.objects.values()].filter(({ kind }) => kind === 'Model');
  const parentIds = parentsOf(scene, list, issues);
  const { models, places, parents, ends } = depthFirst(scene, list, parentIds);
  const transforms = readTransforms(models, issues);
  const rest = readRest(models, parents, transforms, issues);
  return { models, places, parents, ends, transforms, rest };
}

/** Id of the parent of each Model that has one. Two parents and cycles are mended. */
function parentsOf(scene: FbxScene, models: readonly FbxObject[], issues: Issue[]): Map<string, string> {
  const parents = new Map<string, string>();
  const twofold: string[] = [];
  for (const { id, name } of models) {
    const above = objectsAbove(scene, id, 'Model');
    if (above.length > 0) parents.set(id, (above[0] as FbxObject).id);
    if (above.length > 1) twofold.push(name);
  }
  const cut: string[] = [];
  /** Number of the walk that came by. */
  const walks = new Map<string, number>();
  for (const [walk, { id }] of models.entries()) {
    let at: string | undefined = id;
    while (at !== undefined && !walks.has(at)) {
      walks.set(at, walk);
      at = parents.get(at);
    }
    if (at === undefined || walks.get(at) !== walk) continue;
    // The walk has come back to where it was: that Model becomes a root.
    parents.delete(at);
    cut.push(scene.objects.get(at)?.name ?? '');
  }
  reportNodes(issues, twofold, 'several parents; the first was taken');
  reportNodes(issues, cut, 'itself above it; it was made a root');
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
): Pick<ModelForest, 'models' | 'places' | 'parents' | 'ends'> {
  const rooted = objectsBelow(scene, scene.rootId, 'Model').filter(({ id }) => !parentIds.has(id));
  // Those without any connection follow.
  const roots = new Set([...rooted, ...list.filter(({ id }) => !parentIds.has(id))]);
  const models: FbxObject[] = [];
  const places = new Map<string, number>();
  const stack = [...roots].reverse();
  while (stack.length > 0) {
    const model = stack.pop() as FbxObject;
    places.set(model.id, models.length);
    models.push(model);
    const children = objectsBelow(scene, model.id, 'Model').filter(({ id }) => parentIds.get(id) === model.id);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as FbxObject);
  }
  const parents = Int32Array.from(models, ({ id }) => places.get(parentIds.get(id) ?? '') ?? -1);
  const ends = Int32Array.from(models.keys(), (place) => place + 1);
  for (let place = models.length - 1; place >= 0; place--) {
    const parent = parents[place];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[place]);
  }
  return { models, places, parents, ends };
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
  reportNodes(issues, brokenModels, `properties that are not three finite numbers: ${[...brokenNames].join(', ')}`);
  reportNodes(issues, spheric, 'a spheric rotation order; it was read as XYZ');
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
  /** 1 where a node and all above it scale all axes alike. */
  const isEven = new Uint8Array(models.length);
  const inexact: string[] = [];
  const tooLarge: string[] = [];
  for (const [place, transform] of transforms.entries()) {
    const { translation, rotation, scale, inheritType } = transform;
    localPose(rest, place * POSE_STRIDE, transform, translation, rotation, scale);
    const parent = parents[place];
    isEven[place] = isUniform(scale, 0) && (parent < 0 || isEven[parent] === 1) ? 1 : 0;
    let isExact = parent < 0 || inheritType === 'RSrs' || isEven[parent] === 1;
    if (parent >= 0 && inheritType === 'Rrs') {
      const grandparent = parents[parent];
      const compensated = compensateScale(rest, place * POSE_STRIDE, transforms[parent].scale, 0);
      isExact = compensated && (grandparent < 0 || isEven[grandparent] === 1);
    }
    if (!isExact) inexact.push(models[place].name);
    const pose = rest.subarray(place * POSE_STRIDE, (place + 1) * POSE_STRIDE);
    if (pose.every((value) => Math.abs(value) <= FLOAT32_MAX)) continue;
    pose.set(IDENTITY_POSE);
    tooLarge.push(models[place].name);
  }
  reportNodes(issues, tooLarge, 'a transform with numbers too large; it was left out');
  if (inexact.length > 0) {
    const message =
      `${inexact.length} nodes (the first is ${JSON.stringify(inexact[0])}) inherit a scale that differs by axis, or is 0, ` +
      'without shear; the nearest translation, rotation and scale are used';
    issues.push(issue('NODE_TRANSFORM_REPAIRED', message));
  }
  return rest;
}
