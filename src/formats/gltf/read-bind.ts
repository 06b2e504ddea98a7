/** The bind pose of all nodes of a file, from the inverse bind matrices of its skins. glTF 2.0 section 3.7.3. */
import * as mat4 from '../../core/math/mat4.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { fillBind } from '../../core/skeleton/fill-bind.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { agrees, extentOf, isUsable, solveBindShape } from '../../core/skeleton/solve-bind.ts';
import type { NodeForest } from './read-nodes.ts';
import type { FileSkin } from './read-skins.ts';

/** Bind pose of a file, at the places of its node forest. */
export interface FileBind {
  /** Model-space matrices, {@link MATRIX_STRIDE} floats a place; nodes that no skin binds follow their parent by their rest pose. */
  readonly matrices: Float64Array;
  /** 1 where a skin binds the node. */
  readonly bound: Uint8Array;
}

/** How many mesh nodes and how many nodes above the joints are tried as the bind-shape factor. */
const OFFERED_MESHES = 8;
const OFFERED_ANCESTORS = 24;
/** An inverse bind matrix this close to the identity was never set. */
const IDENTITY_TOLERANCE = 1e-9;

/**
 * Solves the skins of each group, those that share a skeleton, the one with most joints first: where skins share joints
 * the former decides and gives the factor of the latter. Reports BIND_SHAPE_UNSOLVED, and as GLTF_SKIN matrices that
 * cannot be used (not finite, singular, mirrored) and skins that contradict each other.
 */
export function readBind(
  forest: NodeForest,
  worlds: Float64Array,
  groups: readonly (readonly FileSkin[])[],
  issues: Issue[],
): FileBind {
  const bind: FileBind = { matrices: worlds.slice(), bound: new Uint8Array(forest.parents.length) };
  for (const group of groups) {
    const extent = sizeOf(worlds, group);
    const sorted = [...group].sort((a, b) => b.joints.length - a.joints.length || a.index - b.index);
    for (const skin of sorted) bindSkin(forest, worlds, bind, skin, extent, issues);
  }
  fillBind(bind.matrices, bind.bound, forest.parents, forest.rest, worlds);
  return bind;
}

/** Above 0: the extent of all joints, of a single one its distance from the origin. */
function sizeOf(worlds: Float64Array, group: readonly FileSkin[]): number {
  const places = group.flatMap((skin) => Array.from(skin.joints));
  const extent = extentOf(gather(worlds, places));
  if (extent > 0) return extent;
  const at = places[0] * MATRIX_STRIDE;
  return Math.hypot(worlds[at + 12], worlds[at + 13], worlds[at + 14]) || 1;
}

function gather(matrices: Float64Array, places: readonly number[]): Float64Array {
  const out = new Float64Array(places.length * MATRIX_STRIDE);
  places.forEach((place, i) => {
    mat4.copy(out, i * MATRIX_STRIDE, matrices, place * MATRIX_STRIDE);
  });
  return out;
}

function bindSkin(
  forest: NodeForest,
  worlds: Float64Array,
  bind: FileBind,
  skin: FileSkin,
  extent: number,
  issues: Issue[],
): void {
  const { matrices, bound } = bind;
  const pointer = `/skins/${skin.index}/inverseBindMatrices`;
  const usable = usableJoints(skin, issues);
  if (usable.length === 0) return;
  const inShape = new Float64Array(usable.length * MATRIX_STRIDE);
  usable.forEach(({ joint }, i) => {
    mat4.invertAffine(inShape, i * MATRIX_STRIDE, skin.inverseBind as Float64Array, joint * MATRIX_STRIDE);
  });
  const shared = usable.flatMap(({ place }, i) => (bound[place] === 1 ? [i] : []));
  const asked = shared.length > 0 ? shared : usable.map((_, i) => i);
  const places = asked.map((i) => usable[i].place);
  const expected = expectedAt(forest, worlds, bind, places);
  const { matrix: shape, kind } = solveBindShape({
    bindInShape: gather(inShape, asked),
    expected,
    parents: parentsAmong(forest, places),
    offered: offeredShapes(forest, worlds, skin),
    extent,
  });
  if (kind === 'guessed') {
    const message =
      `The inverse bind matrices of skin ${skin.index} do not fit the node tree by one common transform; ` +
      'the bind pose is a guess, take the pose of the nodes if it looks wrong';
    issues.push(issue('BIND_SHAPE_UNSOLVED', message, { pointer }));
  }
  let contradicting = 0;
  let mirrored = 0;
  const found = new Float64Array(MATRIX_STRIDE);
  usable.forEach(({ place }, i) => {
    const at = place * MATRIX_STRIDE;
    mat4.multiply(found, 0, shape, 0, inShape, i * MATRIX_STRIDE);
    if (bound[place] === 1) {
      if (!agrees(found, 0, matrices, at, extent)) contradicting++;
    } else if (mat4.determinant(found, 0) < 0 !== mat4.determinant(worlds, at) < 0) mirrored++;
    else {
      mat4.copy(matrices, at, found, 0);
      bound[place] = 1;
    }
  });
  if (contradicting > 0) {
    const message = `Skin ${skin.index} binds ${contradicting} joints elsewhere than a skin with more joints does, which was followed`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
  if (mirrored > 0) {
    const message = `Skin ${skin.index} has ${mirrored} inverse bind matrices that mirror their joint; it takes its rest pose`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
}

/** Joints whose inverse bind matrix says something, by rising place. */
function usableJoints(skin: FileSkin, issues: Issue[]): { joint: number; place: number }[] {
  const { inverseBind, joints } = skin;
  if (inverseBind === null) return [];
  const usable: { joint: number; place: number }[] = [];
  const identities: { joint: number; place: number }[] = [];
  let broken = 0;
  joints.subarray(0, inverseBind.length / MATRIX_STRIDE).forEach((place, joint) => {
    const at = joint * MATRIX_STRIDE;
    if (!isUsable(inverseBind, at)) broken++;
    else (mat4.isIdentity(inverseBind, at, IDENTITY_TOLERANCE) ? identities : usable).push({ joint, place });
  });
  if (broken > 0) {
    const message = `Skin ${skin.index} has ${broken} inverse bind matrices that are singular or not finite; the joints take their rest pose`;
    issues.push(issue('GLTF_SKIN', message, { pointer: `/skins/${skin.index}/inverseBindMatrices` }));
  }
  // Several joints cannot all be bound at the origin: exporters leave the identity where a joint deforms nothing.
  if (identities.length === 1) usable.push(...identities);
  else if (identities.length > 1 && usable.length === 0) {
    const message = `All inverse bind matrices of skin ${skin.index} are the identity, so it has no bind pose; the rest pose is used`;
    issues.push(issue('GLTF_SKIN', message, { pointer: `/skins/${skin.index}/inverseBindMatrices` }));
  }
  return usable.sort((a, b) => a.place - b.place);
}

const matrix = new Float64Array(MATRIX_STRIDE);

/** Where joints are bound or, as far as joints above them are bound, are to be expected. Places rise. */
function expectedAt(
  { parents }: NodeForest,
  worlds: Float64Array,
  { matrices, bound }: FileBind,
  places: readonly number[],
): Float64Array {
  let first = places[0];
  while (parents[first] >= 0) first = parents[first];
  /** The place or the nearest above that is bound, −1 for none, from `first` on. */
  const nearest = new Int32Array(places[places.length - 1] - first + 1);
  for (let i = 0; i < nearest.length; i++) {
    const place = first + i;
    nearest[i] = bound[place] === 1 ? place : parents[place] < 0 ? -1 : nearest[parents[place] - first];
  }
  const expected = gather(worlds, places);
  places.forEach((place, i) => {
    const above = nearest[place - first];
    if (above < 0) return;
    const o = i * MATRIX_STRIDE;
    if (above === place) mat4.copy(expected, o, matrices, place * MATRIX_STRIDE);
    else if (mat4.invertAffine(matrix, 0, worlds, above * MATRIX_STRIDE)) {
      mat4.multiply(matrix, 0, matrices, above * MATRIX_STRIDE, matrix, 0);
      mat4.multiply(expected, o, matrix, 0, worlds, place * MATRIX_STRIDE);
    }
  });
  return expected;
}

/** The nearest of the given places above each of them, as an index among them; −1 for none. Places rise. */
function parentsAmong({ ends }: NodeForest, places: readonly number[]): Int32Array {
  const stack: number[] = [];
  return Int32Array.from(places, (place, i) => {
    while (stack.length > 0 && ends[places[stack[stack.length - 1]]] <= place) stack.pop();
    const parent = stack.length > 0 ? stack[stack.length - 1] : -1;
    stack.push(i);
    return parent;
  });
}

/** World matrices of the skin's mesh nodes, then of the nodes above its first joint: the spaces that vertices come in. */
function offeredShapes({ parents }: NodeForest, worlds: Float64Array, skin: FileSkin): Float64Array {
  const places = skin.meshPlaces.slice(0, OFFERED_MESHES);
  let above = parents[skin.joints[0]];
  for (let i = 0; i < OFFERED_ANCESTORS && above >= 0; i++) {
    places.push(above);
    above = parents[above];
  }
  return gather(
    worlds,
    places.filter((place) => isUsable(worlds, place * MATRIX_STRIDE)),
  );
}
