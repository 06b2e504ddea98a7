/** Node trees, scenes and transforms. glTF 2.0 sections 3.5, 5.25 and 5.27. */
import { type JsonObject, memberAt } from '../../document/json-access.ts';
import { type CoreCheck, find, isNatural, itemAt, itemsAt, objectsOf } from './findings.ts';
import { hasJoints, isSkinned, morphTargetCount } from './mesh-facts.ts';

/** Largest difference of the length of a quaternion from 1, as in the Khronos glTF Validator. */
export const UNIT_LENGTH = 0.00769;
/** Largest difference between a matrix and its decomposition, relative to its largest element. */
const RECOMPOSED = 1e-4;
const TRANSFORMS = ['matrix', 'translation', 'rotation', 'scale'];

/**
 * Checks nodes and scenes.
 *
 * @param check The running check.
 * @returns Parent of each node; −1 for roots.
 */
export function checkNodes(check: CoreCheck): Int32Array {
  const parents = checkParents(check);
  for (const [i, scene] of objectsOf(check, 'scenes')) {
    itemsAt(scene, 'nodes').forEach((node, k) => {
      if (!isNatural(node) || !(parents[node] >= 0)) return;
      find(
        check,
        'SCENE_NON_ROOT_NODE',
        `/scenes/${i}/nodes/${k}`,
        `Node ${node} has the parent ${parents[node]}; only roots are in scenes.`,
      );
    });
  }
  const joints = new Set(objectsOf(check, 'skins').flatMap(([, skin]) => itemsAt(skin, 'joints')));
  let all: SkinnedScenes | null = null;
  for (const [i, node] of objectsOf(check, 'nodes')) {
    const pointer = `/nodes/${i}`;
    checkTransform(check, node, pointer);
    checkMesh(check, node, pointer);
    if (isSkinned(check, node)) {
      all ??= describeScenes(check, parents);
      checkSkinnedNode(check, i, node, all);
    }
    if (
      ['children', 'mesh', 'camera', 'extensions', 'extras'].every((key) => isMissing(check, node, key)) &&
      !joints.has(i)
    ) {
      find(check, 'NODE_EMPTY', pointer, 'The node has no children, no mesh and no other use.');
    }
  }
  return parents;
}

/** Whether a node has no member of a name, or one that refers to nothing. */
function isMissing(check: CoreCheck, node: JsonObject, key: string): boolean {
  const value = memberAt(node, key);
  if (key === 'mesh') return itemAt(check, 'meshes', value) === undefined;
  if (key === 'camera') return itemAt(check, 'cameras', value) === undefined;
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function checkParents(check: CoreCheck): Int32Array {
  const nodes = objectsOf(check, 'nodes');
  const count = itemsAt(check.doc.json, 'nodes').length;
  const parents = new Int32Array(count).fill(-1);
  for (const [i, node] of nodes) {
    itemsAt(node, 'children').forEach((child, k) => {
      if (!isNatural(child) || child >= count) return;
      if (parents[child] >= 0 && parents[child] !== i) {
        const message = `Node ${child} is a child of node ${parents[child]} too; a node has one parent.`;
        find(check, 'NODE_PARENT_OVERRIDE', `/nodes/${i}/children/${k}`, message);
      }
      parents[child] = i;
    });
  }
  // Each node is visited once: a walk stops at nodes of earlier walks.
  const walkOf = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    let at = i;
    while (at >= 0 && walkOf[at] < 0) {
      walkOf[at] = i;
      at = parents[at];
    }
    if (at < 0 || walkOf[at] !== i) continue;
    const first = at;
    do {
      find(check, 'NODE_LOOP', `/nodes/${at}`, 'The node is its own ancestor; nodes must form trees.');
      at = parents[at];
    } while (at !== first);
  }
  return parents;
}

/** The numbers of a member; null unless it is an array of that many finite numbers. */
function numbersOf(object: JsonObject, key: string, length: number): number[] | null {
  const items = itemsAt(object, key);
  return items.length === length && items.every((item) => Number.isFinite(item)) ? (items as number[]) : null;
}

function checkTransform(check: CoreCheck, node: JsonObject, pointer: string): void {
  const rotation = numbersOf(node, 'rotation', 4);
  if (
    rotation?.every((value) => Math.abs(value) <= 1) === true &&
    Math.abs(Math.hypot(...rotation) - 1) > UNIT_LENGTH
  ) {
    find(
      check,
      'ROTATION_NON_UNIT',
      `${pointer}/rotation`,
      `The quaternion has length ${Math.hypot(...rotation)}, expected 1.`,
    );
  }
  const matrix = numbersOf(node, 'matrix', 16);
  if (matrix === null) return;
  if (TRANSFORMS.slice(1).some((key) => memberAt(node, key) !== undefined)) {
    find(
      check,
      'NODE_MATRIX_TRS',
      `${pointer}/matrix`,
      'The node has a matrix and also translation, rotation or scale.',
    );
  }
  if (isDefault(node, 'matrix')) {
    find(
      check,
      'NODE_MATRIX_DEFAULT',
      `${pointer}/matrix`,
      'The matrix is the identity, which is the default; remove it.',
    );
  } else if (!isDecomposable(matrix)) {
    find(
      check,
      'NODE_MATRIX_NON_TRS',
      `${pointer}/matrix`,
      'The matrix has shear or is singular; it must be a translation, rotation and scale.',
    );
  }
}

function isDecomposable(matrix: readonly number[]): boolean {
  const columns = [0, 4, 8].map((at) => matrix.slice(at, at + 3));
  const lengths = columns.map((column) => Math.hypot(...column));
  if (lengths.some((length) => length === 0) || ![3, 7, 11, 15].every((at) => matrix[at] === (at === 15 ? 1 : 0)))
    return false;
  const cosine = (a: number, b: number): number => {
    return columns[a].reduce((sum, value, i) => sum + value * columns[b][i], 0) / (lengths[a] * lengths[b]);
  };
  return [cosine(0, 1), cosine(0, 2), cosine(1, 2)].every((value) => Math.abs(value) < RECOMPOSED);
}

function checkMesh(check: CoreCheck, node: JsonObject, pointer: string): void {
  const mesh = itemAt(check, 'meshes', memberAt(node, 'mesh'));
  if (mesh === undefined) return;
  const hasSkin = itemAt(check, 'skins', memberAt(node, 'skin')) !== undefined;
  if (hasSkin && !hasJoints(mesh)) {
    find(
      check,
      'NODE_SKIN_WITH_NON_SKINNED_MESH',
      pointer,
      'The node has a skin, but its mesh has no joints and weights.',
    );
  } else if (memberAt(node, 'skin') === undefined && hasJoints(mesh)) {
    find(
      check,
      'NODE_SKINNED_MESH_WITHOUT_SKIN',
      pointer,
      'The mesh of the node has joints and weights, but the node has no skin.',
    );
  }
  const weights = itemsAt(node, 'weights').length;
  const targets = morphTargetCount(mesh);
  if (weights > 0 && weights !== targets) {
    find(
      check,
      'NODE_WEIGHTS_INVALID',
      `${pointer}/weights`,
      `There are ${weights} weights for ${targets} morph targets.`,
    );
  }
}

/** Transforms without an effect, by property. */
const DEFAULTS: Readonly<Record<string, readonly number[]>> = {
  matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

/** Whether a member has the default value, after rounding to float32 as the Khronos glTF Validator does. */
function isDefault(node: JsonObject, key: string): boolean {
  const values = itemsAt(node, key);
  return DEFAULTS[key].every((value, i) => Math.fround(Number(values[i])) === value);
}

/** Whether a node has a transform other than the identity. */
function isTransformed(node: JsonObject | undefined): boolean {
  return node !== undefined && TRANSFORMS.some((key) => memberAt(node, key) !== undefined && !isDefault(node, key));
}

/** What the checks of all skinned nodes have in common: a file may have thousands of them. */
interface SkinnedScenes {
  readonly parents: Int32Array;
  /** The topmost ancestor of every node; a node of a loop where there is none. */
  readonly roots: Int32Array;
  /** The nearest ancestor of every node that has a transform; −1 without one. */
  readonly transformed: Int32Array;
  /** Root nodes of every scene. */
  readonly scenes: readonly ReadonlySet<unknown>[];
  /** Roots of the joints of every skin that was asked for. */
  readonly skinRoots: Map<JsonObject, ReadonlySet<number>>;
}

function describeScenes(check: CoreCheck, parents: Int32Array): SkinnedScenes {
  const count = parents.length;
  const roots = new Int32Array(count).fill(-1);
  const transformed = new Int32Array(count).fill(-1);
  const isMoved = Uint8Array.from(parents, (_, node) => (isTransformed(itemAt(check, 'nodes', node)) ? 1 : 0));
  for (let node = 0; node < count; node++) {
    const path: number[] = [];
    let at = node;
    // A loop ends at a node of the same walk.
    for (; at >= 0 && roots[at] < 0; at = parents[at]) {
      roots[at] = at;
      path.push(at);
    }
    for (const below of path.reverse()) {
      const parent = parents[below];
      if (parent < 0) continue;
      roots[below] = roots[parent];
      transformed[below] = isMoved[parent] === 1 ? parent : transformed[parent];
    }
  }
  const scenes = Array.from(objectsOf(check, 'scenes'), ([, scene]) => new Set(itemsAt(scene, 'nodes')));
  return { parents, roots, transformed, scenes, skinRoots: new Map() };
}

function rootsOfSkin({ parents, roots, skinRoots }: SkinnedScenes, skin: JsonObject): ReadonlySet<number> {
  const known = skinRoots.get(skin);
  if (known !== undefined) return known;
  const joints = itemsAt(skin, 'joints').filter((joint) => isNatural(joint) && joint < parents.length);
  const found = new Set(joints.map((joint) => roots[joint as number]));
  skinRoots.set(skin, found);
  return found;
}

/** Transforms that do not affect skinned meshes, and joints outside the scene of the mesh. */
function checkSkinnedNode(check: CoreCheck, index: number, node: JsonObject, all: SkinnedScenes): void {
  const pointer = `/nodes/${index}`;
  if (isTransformed(node)) {
    find(
      check,
      'NODE_SKINNED_MESH_LOCAL_TRANSFORMS',
      pointer,
      'The transform of a node with a skinned mesh has no effect.',
    );
  }
  if (all.parents[index] >= 0) {
    find(
      check,
      'NODE_SKINNED_MESH_NON_ROOT',
      pointer,
      'Parents of a node with a skinned mesh have no effect; make it a root.',
    );
  }
  if (all.transformed[index] >= 0) {
    find(
      check,
      'NODE_SKINNED_MESH_PARENT_TRANSFORMS',
      pointer,
      `The transform of the ancestor ${all.transformed[index]} has no effect on the skinned mesh.`,
    );
  }
  const skin = itemAt(check, 'skins', memberAt(node, 'skin'))!;
  const roots = rootsOfSkin(all, skin);
  if (all.scenes.some((scene) => scene.has(all.roots[index]) && ![...roots].every((root) => scene.has(root))))
    find(check, 'NODE_SKIN_NO_SCENE', pointer, 'The node is in a scene that does not contain all joints of its skin.');
}
