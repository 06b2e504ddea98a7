/** Joints and weights of vertices: glTF 2.0 section 3.7.3.3. */
import { normalizeInfluences } from '../../../core/deform/edit-influences.ts';
import {
  countInfluenceRuns,
  type Influences,
  type JointIndices,
  joinInfluenceSets,
  jointIndices,
  weightsSumToOne,
} from '../../../core/deform/influences.ts';
import type { Floats } from '../../../core/math/floats.ts';
import type { ComponentArray } from '../accessors/element-layout.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayKey, derivedArray } from './derived-arrays.ts';
import { countIssue } from './geometry-issues.ts';
import { areBelow, type GeometryReader, type UnsignedArray } from './geometry-reader.ts';

/** Attributes JOINTS_n and WEIGHTS_n of a primitive, equal in length. */
export interface JointSet {
  /** 4 joint indices per vertex. */
  readonly joints: UnsignedArray;
  readonly weights: Float32Array;
  readonly pointer: string;
}

/**
 * Joins sets of joints and weights, in file order. Joints that the skin does not have become joint 0 with weight 0. Weights that do not sum to 1,
 * as glTF requires, are divided by their sum, like three.js and Babylon.js do; a vertex without weights is bound to its first joint, like in
 * three.js. Both repairs are counted. Throws FormatError GLTF_LIMIT.
 */
export function readInfluences(reader: GeometryReader, sets: readonly JointSet[], jointCount: number): Influences {
  const { doc, influences } = reader;
  const sources = sets.flatMap(({ joints, weights }) => [joints, weights]);
  const hasInvalidJoints = sets.some(({ joints }) => !areBelow(reader, joints, jointCount));
  const kind = hasInvalidJoints ? ` of ${jointCount}` : '';
  const key = [kind, ...sources.map((source) => arrayKey(doc, source))].join();
  const known = influences.get(key);
  if (known !== undefined) return known;
  if (hasInvalidJoints && sets.some((set) => hasWeightOnInvalidJoint(set, jointCount))) {
    countIssue(reader.issueCounts, 'joint', '', sets[0].pointer);
  }
  const isPlain = sets.length === 1 && !hasInvalidJoints;
  const joined = isPlain ? oneSet(doc, sets[0]) : joinSets(doc, sets, sources, kind, jointCount);
  const invalid = invalidSums(joined);
  if (invalid > 0) countIssue(reader.issueCounts, 'weightSum', '', sets[0].pointer, invalid);
  const normalized =
    invalid === 0 ? joined : { ...joined, weights: normalWeights(doc, joined, sources, kind, sets[0]) };
  influences.set(key, normalized);
  return normalized;
}

function invalidSums(influences: Influences): number {
  const { jointsPerVertex, weights } = influences;
  const end = jointsPerVertex * countInfluenceRuns(influences);
  let invalid = 0;
  for (let start = 0; start < end; start += jointsPerVertex) {
    if (!weightsSumToOne(weights, start, jointsPerVertex)) invalid++;
  }
  return invalid;
}

function normalWeights(
  doc: GltfDocument,
  influences: Influences,
  sources: readonly ComponentArray[],
  kind: string,
  { pointer }: JointSet,
): Floats {
  const bytes = influences.weights.byteLength;
  return derivedArray(doc, `normal weights${kind}`, sources, bytes, pointer, () => {
    return normalizeInfluences(influences).weights;
  });
}

/** Nearly all characters have one set, which needs no joining. */
function oneSet(doc: GltfDocument, { joints, weights, pointer }: JointSet): Influences {
  const isWide = joints instanceof Uint32Array;
  const make = (): JointIndices => (isWide ? jointIndices(joints) : new Uint16Array(joints));
  const bytes = (isWide ? 4 : 2) * joints.length;
  const indices = joints instanceof Uint16Array ? joints : derivedArray(doc, 'joints', [joints], bytes, pointer, make);
  return { kind: 'vertex', jointsPerVertex: 4, indices, weights };
}

function joinSets(
  doc: GltfDocument,
  sets: readonly JointSet[],
  sources: readonly ComponentArray[],
  kind: string,
  jointCount: number,
): Influences {
  let joined: Influences | null = null;
  const join = (): Influences => {
    joined ??= joinInfluenceSets(sets.map(({ joints, weights }) => ({ indices: joints, weights })));
    if (kind !== '') dropInvalidJoints(joined, jointCount);
    return joined;
  };
  const bytes = 4 * sets.length * sets[0].joints.length;
  const { pointer } = sets[0];
  const indices = derivedArray(doc, `joints${kind}`, sources, bytes, pointer, () => join().indices);
  const weights = derivedArray(doc, `weights${kind}`, sources, bytes, pointer, () => join().weights);
  return { kind: 'vertex', jointsPerVertex: 4 * sets.length, indices, weights };
}

function hasWeightOnInvalidJoint({ joints, weights }: JointSet, jointCount: number): boolean {
  return joints.some((joint, i) => joint >= jointCount && weights[i] !== 0);
}

function dropInvalidJoints({ indices, weights }: Influences, jointCount: number): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < jointCount) continue;
    indices[i] = 0;
    weights[i] = 0;
  }
}
