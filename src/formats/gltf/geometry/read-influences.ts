/** Joints and weights of vertices: glTF 2.0 section 3.7.3.3. */
import { normalizeInfluences } from '../../../core/deform/edit-influences.ts';
import {
  addUpToOne,
  type Influences,
  influenceRuns,
  type JointIndices,
  joinInfluenceSets,
  jointIndices,
} from '../../../core/deform/influences.ts';
import type { Floats } from '../../../core/math/floats.ts';
import type { GltfDocument } from '../document.ts';
import type { ComponentArray } from '../element-layout.ts';
import { note } from './geometry-findings.ts';
import { areBelow, type GeometryReading, type UnsignedArray } from './geometry-reading.ts';
import { keyOfArray, madeArray } from './made-arrays.ts';

/** JOINTS_n and WEIGHTS_n, the same number of both. */
export interface JointSet {
  readonly joints: UnsignedArray;
  readonly weights: Float32Array;
  /** Of the accessor of the joints. */
  readonly pointer: string;
}

/**
 * The sets as one list of influences in the order of the file. Joints past those of the skin become joint 0 with weight 0, which is
 * noted where they had a weight. Then weights that do not add up to 1, which glTF asks for, are divided by their sum, as three.js and
 * Babylon.js do; a vertex without weight goes to its first joint, as in three.js; both are noted. FormatError GLTF_LIMIT.
 */
export function readInfluences(reading: GeometryReading, sets: readonly JointSet[], jointCount: number): Influences {
  const { doc, influences } = reading;
  const sources = sets.flatMap(({ joints, weights }) => [joints, weights]);
  const hasStrays = sets.some(({ joints }) => !areBelow(reading, joints, jointCount));
  const kind = hasStrays ? ` of ${jointCount}` : '';
  const key = [kind, ...sources.map((source) => keyOfArray(doc, source))].join();
  const known = influences.get(key);
  if (known !== undefined) return known;
  if (hasStrays && sets.some((set) => haveWeight(set, jointCount))) {
    note(reading.findings, 'joint', '', sets[0].pointer);
  }
  const isPlain = sets.length === 1 && !hasStrays;
  const joined = isPlain ? oneSet(doc, sets[0]) : joinSets(doc, sets, sources, kind, jointCount);
  const wrong = wrongSums(joined);
  if (wrong > 0) note(reading.findings, 'weightSum', '', sets[0].pointer, wrong);
  const normalized = wrong === 0 ? joined : { ...joined, weights: normalWeights(doc, joined, sources, kind, sets[0]) };
  influences.set(key, normalized);
  return normalized;
}

/** Vertices whose weights do not add up to 1. */
function wrongSums(influences: Influences): number {
  const { jointsPerVertex, weights } = influences;
  let wrong = 0;
  for (let run = 0; run < influenceRuns(influences); run++) {
    if (!addUpToOne(weights, run * jointsPerVertex, jointsPerVertex)) wrong++;
  }
  return wrong;
}

function normalWeights(
  doc: GltfDocument,
  influences: Influences,
  sources: readonly ComponentArray[],
  kind: string,
  { pointer }: JointSet,
): Floats {
  const bytes = influences.weights.byteLength;
  return madeArray(doc, `normal weights${kind}`, sources, bytes, pointer, () => {
    return normalizeInfluences(influences).weights;
  });
}

/** Nearly all characters have one set, which needs no joining. */
function oneSet(doc: GltfDocument, { joints, weights, pointer }: JointSet): Influences {
  const isWide = joints instanceof Uint32Array;
  const make = (): JointIndices => (isWide ? jointIndices(joints) : new Uint16Array(joints));
  const bytes = (isWide ? 4 : 2) * joints.length;
  const indices = joints instanceof Uint16Array ? joints : madeArray(doc, 'joints', [joints], bytes, pointer, make);
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
    if (kind !== '') dropStrays(joined, jointCount);
    return joined;
  };
  const bytes = 4 * sets.length * sets[0].joints.length;
  const { pointer } = sets[0];
  const indices = madeArray(doc, `joints${kind}`, sources, bytes, pointer, () => join().indices);
  const weights = madeArray(doc, `weights${kind}`, sources, bytes, pointer, () => join().weights);
  return { kind: 'vertex', jointsPerVertex: 4 * sets.length, indices, weights };
}

/** Whether any joint that the skin does not have has a weight. */
function haveWeight({ joints, weights }: JointSet, jointCount: number): boolean {
  return joints.some((joint, i) => joint >= jointCount && weights[i] !== 0);
}

function dropStrays({ indices, weights }: Influences, jointCount: number): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < jointCount) continue;
    indices[i] = 0;
    weights[i] = 0;
  }
}
