/** Reads the skins of a scene: influences and inverse bind matrices of skinned prims (UsdSkelSkinningQuery). */

import type { Skin } from '../../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../../core/asset/geometry-budget.ts';
import {
  expandConstantInfluences,
  mergeRepeatedJoints,
  normalizeInfluences,
} from '../../../../core/deform/edit-influences.ts';
import { countInfluenceRuns, type Influences, jointIndices } from '../../../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import { getOrCreate } from '../../../../core/math/get-or-create.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper, mapJoints } from '../../../../core/skeleton/joint-mapper.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { nameOfPath } from '../../layer/paths.ts';
import { type BoundPrim, geomBindTransform, readInfluences } from '../../skel/bound-prim.ts';
import { isSkinningMethod } from '../../skel/deform/skin-mesh.ts';
import { influenceMismatch } from '../../skel/joint-influences.ts';
import { prototypePath, type Stage } from '../../stage/stage.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restTimeOf } from '../rest-value.ts';
import type { SceneSkeleton } from '../scene.ts';

/** Maximum number of joints per point. Merging more takes too long, and no character skin has that many. */
const MAX_JOINTS_PER_POINT = 256;

/** The skinning of a prim. Instances of a prim share it if their skeletons are instances too. */
export interface PrimBinding {
  /** Unique joints of the skeleton, −1 for the Skeleton prim itself; the influences refer to them by index. */
  readonly joints: readonly number[];
  /** Prim space to joint space in the bind pose, {@link MATRIX_STRIDE} floats per joint. */
  readonly inverseBind: Float64Array;
  /** One run per point; indices into `joints`. */
  readonly influences: Influences;
}

/** Creates a key of everything that the skinning of a prim depends on: prims with equal keys and points have equal {@link PrimBinding}s. */
export function bindingKey(stage: Stage, { animated }: SceneSkeleton, bound: BoundPrim): string {
  const holders = Array.from(bound.holders, ([name, holder]) => `${name}=${prototypePath(stage, holder)}`);
  const targets = (bound.blendShapeTargets ?? []).map((target) => prototypePath(stage, target));
  return [prototypePath(stage, animated.prim), bound.method, ...holders.sort(), ...targets].join(' ');
}

/**
 * Reads the skinning of a prim. Weights are normalized, repeated joints of a point merged, and constant influences expanded to one run per point.
 * Joints of `skel:joints` that the skeleton lacks are replaced by the Skeleton prim itself. Returns the skinning; null if the prim has no
 * influences, no points or invalid influences.
 */
export function readBinding(
  stage: Stage,
  { animated: { definition } }: SceneSkeleton,
  bound: BoundPrim,
  pointCount: number,
  {
    budget,
    findings,
    issues,
  }: { readonly budget: GeometryBudget; readonly findings: Findings; readonly issues: Issue[] },
): PrimBinding | null {
  const { prim, method, influences: declared } = bound;
  if (!declared.hasInfluences) return null;
  const refuse = (reason: string): null => {
    const message = `${prim} cannot be skinned: ${reason}. It was read as a rigid mesh. Fix its binding and export it again.`;
    issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: prim }));
    return null;
  };
  if (!isSkinningMethod(method)) {
    return refuse(`its skinning method is ${method}; expected classicLinear or dualQuaternion`);
  }
  const { inverseBind } = definition;
  if (inverseBind === null) return refuse('its skeleton has no bind pose');
  const restTime = (name: 'primvars:skel:jointWeights' | 'primvars:skel:geomBindTransform') => {
    const holder = bound.holders.get(name);
    return holder === undefined ? 'default' : restTimeOf(stage, holder, name);
  };
  const read = readInfluences(stage, bound, restTime('primvars:skel:jointWeights'));
  if (read.influences === null) return refuse(`${read.reason}`);
  const tokens = bound.joints ?? definition.joints;
  const mismatch = influenceMismatch(read.influences, pointCount, tokens.length);
  if (mismatch !== null) return refuse(mismatch);
  const { jointsPerVertex } = read.influences;
  if (jointsPerVertex > MAX_JOINTS_PER_POINT) {
    return refuse(`it has ${jointsPerVertex} joints per point, expected at most ${MAX_JOINTS_PER_POINT}`);
  }
  if (pointCount === 0) return null;
  budget.take(4 * pointCount * jointsPerVertex);
  if (method === 'dualQuaternion') {
    addFinding(
      findings,
      'GEOMETRY_DROPPED',
      'Dual quaternion skinning is not supported; linear skinning was used',
      prim,
    );
  }
  const sources = sourcesOf(definition.joints, tokens);
  const unknown = sources.filter((source) => source < 0).length;
  const unknownMessage = 'Joints of skel:joints are missing in the skeleton; their points follow the Skeleton prim';
  addFinding(findings, 'USD_INFLUENCES_INVALID', unknownMessage, prim, unknown);
  const joints = [...new Set(sources)];
  const geomBind = geomBindTransform(stage, bound, restTime('primvars:skel:geomBindTransform'));
  const matrices = new Float64Array(joints.length * MATRIX_STRIDE);
  let broken = 0;
  for (const [j, joint] of joints.entries()) {
    const at = j * MATRIX_STRIDE;
    if (joint < 0) mat4.copy(matrices, at, geomBind, 0);
    else mat4.multiply(matrices, at, inverseBind, joint * MATRIX_STRIDE, geomBind, 0);
    if (matrices.subarray(at, at + MATRIX_STRIDE).every((value) => Math.abs(value) <= FLOAT32_MAX)) continue;
    mat4.identity(matrices, at);
    broken++;
  }
  addFinding(
    findings,
    'GEOMETRY_REPAIRED',
    'Bind matrices are not finite and were replaced by the identity',
    prim,
    broken,
  );
  const indexOfJoint = new Map(joints.map((joint, index) => [joint, index]));
  const indexOfToken = Int32Array.from(sources, (source) => indexOfJoint.get(source) ?? 0);
  const indices = jointIndices(read.influences.indices.map((i) => indexOfToken[i]));
  const merged = mergeRepeatedJoints({ ...read.influences, indices });
  reportWeightSums(merged, prim, findings);
  return {
    joints,
    inverseBind: matrices,
    influences: expandConstantInfluences(normalizeInfluences(merged), pointCount),
  };
}

/** Finds the skeleton joint of each token of a joint order; −1 for unknown tokens. */
function sourcesOf(skeletonJoints: readonly string[], names: readonly string[]): number[] {
  const out = new Float64Array(names.length).fill(-1);
  mapJoints(createJointMapper(skeletonJoints, names), Float64Array.from(skeletonJoints.keys()), 1, out, [-1]);
  return Array.from(out);
}

/** Tolerance of weight sums: the rounding of weights with two decimals. Beyond it, normalizing moves points visibly. */
const WEIGHT_SUM_TOLERANCE = 0.01;

function reportWeightSums(
  { weights, jointsPerVertex, ...influences }: Influences,
  prim: string,
  findings: Findings,
): void {
  let unnormalized = 0;
  for (let run = 0; run < countInfluenceRuns({ weights, jointsPerVertex, ...influences }); run++) {
    let sum = 0;
    for (let k = 0; k < jointsPerVertex; k++) sum += weights[run * jointsPerVertex + k];
    if (!(Math.abs(sum - 1) <= WEIGHT_SUM_TOLERANCE)) unnormalized++;
  }
  const what = 'The joint weights of points do not add up to 1 and were normalized';
  addFinding(findings, 'GEOMETRY_REPAIRED', what, prim, unnormalized);
}

interface SkinTable {
  readonly skins: Skin[];
  /** Skin index by joints and matrices. */
  readonly known: Map<string, number>;
  /** Matrix arrays by content, so that equal ones are shared. */
  readonly matrices: Map<string, Float64Array>;
}

export function createSkinTable(): SkinTable {
  return { skins: [], known: new Map(), matrices: new Map() };
}

/** Finds or adds the skin of a prim. Prims with the same joints and bind matrices share a skin. */
export function skinOf(table: SkinTable, skeleton: SceneSkeleton, { joints, inverseBind }: PrimBinding): number {
  const matrixKey = inverseBind.join();
  const matrices = getOrCreate(table.matrices, matrixKey, () => inverseBind);
  const nodes = Int32Array.from(joints, (joint) => (joint < 0 ? skeleton.node : skeleton.jointNodes[joint]));
  return getOrCreate(table.known, `${nodes.join()} ${matrixKey}`, () => {
    const name = nameOfPath(skeleton.animated.prim);
    return table.skins.push({ name, joints: nodes, inverseBindMatrices: matrices }) - 1;
  });
}
