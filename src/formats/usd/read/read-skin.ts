/** Skins of a scene: the joints that hold prims, and where these were bound (UsdSkelSkinningQuery). */
import type { Skin } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import {
  expandConstantInfluences,
  mergeRepeatedJoints,
  normalizeInfluences,
} from '../../../core/deform/edit-influences.ts';
import { type Influences, influenceRuns, jointIndices } from '../../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { planOrderMap, remap } from '../../../core/skeleton/order-map.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { nameOfPath } from '../layer/paths.ts';
import { type BoundPrim, geomBindTransform, readInfluences } from '../skel/bound-prim.ts';
import { reasonAgainstInfluences } from '../skel/joint-influences.ts';
import { isSkinningMethod } from '../skel/skin-mesh.ts';
import { prototypePath, type Stage } from '../stage/stage.ts';
import { type Findings, note } from './geometry-findings.ts';
import { restTimeOf } from './rest-value.ts';
import type { SceneSkeleton } from './scene.ts';

/** Joints of a point that are read. More are no skin of a body, and merging them would take its time. */
const MOST_JOINTS_PER_POINT = 256;

/** A joint of a skin, by its place in the skeleton; −1: what stays with the Skeleton prim. */
type SkeletonJoint = number;

/** How joints hold a prim. The same for all instances of it whose skeletons are instances too. */
export interface PrimBinding {
  /** Each joint once, in the order of the influences. */
  readonly joints: readonly SkeletonJoint[];
  /** Prim to joint at bind, {@link MATRIX_STRIDE} floats a joint. */
  readonly inverseBind: Float64Array;
  /** Of the points, indices into `joints`. */
  readonly influences: Influences;
}

/**
 * What the binding of a prim depends on, as text: two prims with the same have the same {@link PrimBinding} where their points are the same.
 */
export function bindingKey(stage: Stage, { animated }: SceneSkeleton, bound: BoundPrim): string {
  const holders = Array.from(bound.holders, ([name, holder]) => `${name}=${prototypePath(stage, holder)}`);
  const targets = (bound.blendShapeTargets ?? []).map((target) => prototypePath(stage, target));
  return [prototypePath(stage, animated.prim), bound.method, ...holders.sort(), ...targets].join(' ');
}

/**
 * The binding of a prim of `pointCount` points. Null where joints do not move it, as it has no influences, or as they are not valid, of which
 * `issues` tell: then it is rigid. Influences are normalized, every joint comes once a point, constant ones are written out.
 *
 * Joints of `skel:joints` that the skeleton lacks do not move what they hold: in their place is the Skeleton prim itself.
 */
export function readBinding(
  stage: Stage,
  { animated: { definition } }: SceneSkeleton,
  bound: BoundPrim,
  pointCount: number,
  budget: GeometryBudget,
  findings: Findings,
  issues: Issue[],
): PrimBinding | null {
  const { prim, method, influences: declared } = bound;
  if (!declared.hasInfluences) return null;
  const refuse = (reason: string): null => {
    issues.push(issue('USD_INFLUENCES_INVALID', `Joints do not move ${prim}: ${reason}.`, { pointer: prim }));
    return null;
  };
  if (!isSkinningMethod(method)) {
    return refuse(`its skinning method is ${method}, expected classicLinear or dualQuaternion`);
  }
  const { inverseBind } = definition;
  if (inverseBind === null) return refuse('the skeleton lacks a bind pose');
  const restTime = (name: 'primvars:skel:jointWeights' | 'primvars:skel:geomBindTransform') => {
    const holder = bound.holders.get(name);
    return holder === undefined ? 'default' : restTimeOf(stage, holder, name);
  };
  const read = readInfluences(stage, bound, restTime('primvars:skel:jointWeights'));
  if (read.influences === null) return refuse(`${read.reason}`);
  const tokens = bound.joints ?? definition.joints;
  const misfit = reasonAgainstInfluences(read.influences, pointCount, tokens.length);
  if (misfit !== null) return refuse(misfit);
  const { jointsPerVertex } = read.influences;
  if (jointsPerVertex > MOST_JOINTS_PER_POINT) {
    return refuse(`there are ${jointsPerVertex} joints a point; at most ${MOST_JOINTS_PER_POINT} are read`);
  }
  if (pointCount === 0) return null;
  budget.take(4 * pointCount * jointsPerVertex);
  if (method === 'dualQuaternion') {
    note(findings, 'GEOMETRY_DROPPED', 'Dual quaternion skinning was taken as linear skinning', prim);
  }
  const sources = sourcesOf(definition.joints, tokens);
  const strange = sources.filter((source) => source < 0).length;
  note(findings, 'USD_INFLUENCES_INVALID', 'Joints that the skeleton lacks move nothing', prim, strange);
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
  note(findings, 'GEOMETRY_REPAIRED', 'Bind matrices that are not finite were made the identity', prim, broken);
  const places = new Map(joints.map((joint, place) => [joint, place]));
  const placeOf = Int32Array.from(sources, (source) => places.get(source) ?? 0);
  const placed = { ...read.influences, indices: jointIndices(read.influences.indices.map((i) => placeOf[i])) };
  const merged = mergeRepeatedJoints(placed);
  noteSums(merged, prim, findings);
  return {
    joints,
    inverseBind: matrices,
    influences: expandConstantInfluences(normalizeInfluences(merged), pointCount),
  };
}

/** The joint of the skeleton behind every name of an order; −1 for names that it lacks. */
function sourcesOf(skeletonJoints: readonly string[], names: readonly string[]): SkeletonJoint[] {
  const out = new Float64Array(names.length).fill(-1);
  remap(planOrderMap(skeletonJoints, names), Float64Array.from(skeletonJoints.keys()), 1, out, [-1]);
  return Array.from(out);
}

/** Sums of weights that are off by more than what two decimals miss: USD shows such points elsewhere. */
const ROUGH_SUM = 0.01;

function noteSums({ weights, jointsPerVertex, ...influences }: Influences, prim: string, findings: Findings): void {
  let odd = 0;
  for (let run = 0; run < influenceRuns({ weights, jointsPerVertex, ...influences }); run++) {
    let sum = 0;
    for (let k = 0; k < jointsPerVertex; k++) sum += weights[run * jointsPerVertex + k];
    if (!(Math.abs(sum - 1) <= ROUGH_SUM)) odd++;
  }
  const what = 'Points have weights of joints that do not add up to 1; they were made to, as most players do';
  note(findings, 'GEOMETRY_REPAIRED', what, prim, odd);
}

/** Skins that were made, each once. */
export interface SkinTable {
  readonly skins: Skin[];
  readonly known: Map<string, number>;
  /** Equal bind matrices are one array. */
  readonly matrices: Map<string, Float64Array>;
}

export function skinTable(): SkinTable {
  return { skins: [], known: new Map(), matrices: new Map() };
}

/** Index of the skin of a binding to a skeleton of the scene: prims with the same joints and bind matrices share one. */
export function skinOf(table: SkinTable, skeleton: SceneSkeleton, { joints, inverseBind }: PrimBinding): number {
  const matrixKey = inverseBind.join();
  const matrices = table.matrices.get(matrixKey) ?? inverseBind;
  table.matrices.set(matrixKey, matrices);
  const nodes = Int32Array.from(joints, (joint) => (joint < 0 ? skeleton.node : skeleton.jointNodes[joint]));
  const key = `${nodes.join()} ${matrixKey}`;
  const known = table.known.get(key);
  if (known !== undefined) return known;
  const name = nameOfPath(skeleton.animated.prim);
  const skin = table.skins.push({ name, joints: nodes, inverseBindMatrices: matrices }) - 1;
  table.known.set(key, skin);
  return skin;
}
