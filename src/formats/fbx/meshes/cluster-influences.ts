import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import {
  mergeRepeatedJoints,
  normalizeInfluences,
  resizeInfluences,
  sortInfluences,
} from '../../../core/deform/edit-influences.ts';
import { type Influences, jointIndices } from '../../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { numbersIn } from '../document/records.ts';
import type { FbxObject } from '../nodes/fbx-scene.ts';
import { countIn, integersIn } from './read-polygons.ts';

/** Skin weights of the control points of a mesh. */
export interface ClusterInfluences {
  /** One run per control point, the heaviest joint first. */
  readonly influences: Influences;
  /** 1 for control points without a weight, which follow the topmost joint of the skin. */
  readonly unweighted: Uint8Array;
}

/**
 * Reads the skin weights of clusters. Each joint occurs once per control point, and the weights of a control point sum
 * to 1. Weights that are not positive are left out.
 */
export function readInfluences(
  clusters: readonly { readonly object: FbxObject }[],
  jointOfCluster: Int32Array,
  defaultJoint: number,
  pointCount: number,
  faults: IssueTally,
  budget: GeometryBudget,
): ClusterInfluences {
  for (const { object } of clusters) {
    const { records } = object.record;
    budget.take(countIn(records, 'Indexes') + 2 * countIn(records, 'Weights'));
  }
  const tables = clusters.map(({ object: { record } }) => ({
    points: integersIn(record.records, 'Indexes'),
    weights: numbersIn(record.records, 'Weights'),
  }));
  const counts = new Int32Array(pointCount);
  let strays = 0;
  let broken = 0;
  const isUsed = (point: number, weight: number): boolean =>
    point >= 0 && point < pointCount && weight > 0 && weight <= FLOAT32_MAX;
  for (const { points, weights } of tables) {
    for (let i = 0; i < points.length; i++) {
      if (isUsed(points[i], weights[i])) counts[points[i]]++;
      else if (!(points[i] >= 0 && points[i] < pointCount)) strays++;
      else if (weights[i] !== 0) broken++;
    }
  }
  tallyIssue(faults, 'skin weights refer to missing control points; they were left out', strays);
  tallyIssue(faults, 'skin weights are missing, negative or not finite; they were left out', broken);
  const jointsPerVertex = Math.max(1, largestOf(counts));
  budget.take(2 * jointsPerVertex * pointCount);
  const indices = new Int32Array(pointCount * jointsPerVertex);
  const weights = new Float32Array(pointCount * jointsPerVertex);
  const filled = new Int32Array(pointCount);
  for (const [cluster, { points, weights: clusterWeights }] of tables.entries()) {
    for (let i = 0; i < points.length; i++) {
      if (!isUsed(points[i], clusterWeights[i])) continue;
      const at = points[i] * jointsPerVertex + filled[points[i]]++;
      indices[at] = jointOfCluster[cluster];
      weights[at] = clusterWeights[i];
    }
  }
  const unweighted = Uint8Array.from(counts, (count) => (count === 0 ? 1 : 0));
  for (let point = 0; point < pointCount; point++) {
    if (unweighted[point] === 0) continue;
    indices[point * jointsPerVertex] = defaultJoint;
    weights[point * jointsPerVertex] = 1;
  }
  const plain: Influences = { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights };
  const sorted = sortInfluences(normalizeInfluences(mergeRepeatedJoints(plain)));
  return { influences: resizeInfluences(sorted, usedPerVertex(sorted)), unweighted };
}

function largestOf(counts: Int32Array): number {
  let largest = 0;
  for (const count of counts) largest = Math.max(largest, count);
  return largest;
}

/** Returns the largest number of joints with a weight per vertex; these joints come first. */
function usedPerVertex({ jointsPerVertex, weights }: Influences): number {
  let used = 1;
  for (let i = 0; i < weights.length; i++) if (weights[i] > 0) used = Math.max(used, (i % jointsPerVertex) + 1);
  return used;
}
