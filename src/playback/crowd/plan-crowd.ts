/** Plans crowds: the rotations that characters of different proportions share, and the joint positions of each model. */
import { BONE, BONE_COUNT, BONES } from '../../core/humanoid/bones.ts';
import { type ReferencePair, selectReferencePoses } from '../../core/humanoid/declared-pose.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../core/humanoid/node-bones.ts';
import { pelvisBones } from '../../core/humanoid/pelvis.ts';
import { straightHumanoid } from '../../core/humanoid/straight-humanoid.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { retargetDetachedJoint } from '../../core/retarget/detached/retarget-detached-joint.ts';
import { driverOf } from '../../core/retarget/driver-bones.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { HipsPlan, RetargetPlan } from '../../core/retarget/plan-types.ts';
import { modelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import {
  isUniform,
  neededNodes,
  type PlannedMatrix,
  planMatrices,
  planSteps,
  reflectSkin,
} from '../matrices/plan-playback.ts';
import type { PlaybackPlan, PlaybackSkin } from '../matrices/playback-plan.ts';
import { CROWD_ROWS, type CrowdPlan, type CrowdTarget, type CrowdTopology, STILL_ROW } from './crowd-plan.ts';

/** A character model for {@link planCrowd}. */
export interface CrowdModel {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** Its skin; null without a mesh. */
  readonly skin: PlaybackSkin | null;
}

/** A plan, or the reason why one of the models cannot be in a crowd. */
type CrowdPlanning =
  | {
      /** The plan. */
      readonly plan: CrowdPlan;
      /** Null with a plan. */
      readonly reason: null;
    }
  | {
      /** Null with a reason. */
      readonly plan: null;
      /** Names the model and what keeps it out of a crowd. */
      readonly reason: string;
    };

/** Largest difference between bind matrices that count as the same, relative to the largest value: float32 files. */
const SAME_BIND = 1e-5;
/** Relative difference of scales that are as good as uniform: they shear a limb by less than a millimeter. Exporters write up to 3e-5. */
const NEARLY_UNIFORM = 1e-3;

/** Plans the deltas of all bones: matrix b has the linear part D(b); that of the hips has the hips offset as translation. */
function planDeltas(source: Humanoid, hips: HipsPlan | null): Omit<PlaybackPlan, 'signs'> {
  const { skeleton, map, reference, frame } = source;
  const { parents, rest } = skeleton;
  const drivers = Array.from({ length: BONE_COUNT }, (_, bone) => driverOf(bone, map.nodes));
  const nodes = neededNodes(parents, { joints: drivers.map((bone) => map.nodes[bone]), inverseBind: null });
  const { stepOf, ...steps } = planSteps(nodes, parents, rest);
  const planned: PlannedMatrix[] = drivers.map((bone, node) => {
    const after = quat.conjugated(reference.rotations, 4 * bone);
    return { node, driver: stepOf[map.nodes[bone]], after };
  });
  planned.push({ node: STILL_ROW, driver: -1, after: Float64Array.of(0, 0, 0, 1) });
  const roots = new Int32Array(CROWD_ROWS).fill(-1);
  const origin = new Float64Array(POSE_STRIDE * CROWD_ROWS);
  for (let row = 0; row < CROWD_ROWS; row++)
    origin.fill(1, POSE_STRIDE * row + PATH_OFFSET.rotation + 3, POSE_STRIDE * (row + 1));
  const lists = planMatrices(planned, roots, origin, null);
  if (typeof lists === 'string') throw new Error(lists);
  const offset: HipsPlan | null = hips && {
    ...hips,
    factor: 1,
    arms: [],
    targetNode: BONE.hips,
    targetLinear: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    targetBase: new Float64Array(3),
  };
  return { nodeCount: parents.length, ...steps, frame, ...lists, hips: offset, isRetargeted: true };
}

/** Computes the model matrices of a target in its reference pose: axes and unit of the file. */
function referenceModel({ skeleton, reference, frame }: Humanoid, plan: RetargetPlan): Float64Array {
  const { parents } = skeleton;
  const local = plan.targetRest.slice();
  for (const { targetNode, path, value } of plan.constantChannels) {
    local.set(value, POSE_STRIDE * targetNode + PATH_OFFSET[path]);
  }
  if (plan.hips !== null) local.set(plan.hips.targetBase, POSE_STRIDE * plan.hips.targetNode);
  const model = new Float64Array(4 * parents.length);
  const toFile = new Float64Array(4);
  const above = new Float64Array(4);
  quat.conjugate(toFile, 0, frame, 0);
  const boneOfNode = new Int32Array(parents.length).fill(-1);
  for (const [k, node] of plan.targetNodes.entries()) boneOfNode[node] = plan.bones[k];
  for (let node = 0; node < parents.length; node++) {
    const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
    const parent = parents[node];
    if (parent < 0) quat.identity(above, 0);
    else quat.copy(above, 0, model, 4 * parent);
    if (boneOfNode[node] >= 0) {
      quat.multiply(model, 4 * node, toFile, 0, reference.rotations, 4 * boneOfNode[node]);
      quat.conjugate(above, 0, above, 0);
      quat.multiply(local, at, above, 0, model, 4 * node);
    } else quat.multiply(model, 4 * node, above, 0, local, at);
  }
  for (const joint of plan.detachedJoints) retargetDetachedJoint(local, joint);
  return modelMatrices(parents, local);
}

/** Returns the transform from the axes and unit of a file to the canonical frame, meters, with the ground at 0, as a 4×4. */
function toCanonical({ frame, metersPerUnit, ground }: Humanoid): Float64Array {
  const trs = Float64Array.of(0, -ground, 0, ...frame, metersPerUnit, metersPerUnit, metersPerUnit);
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.compose(out, 0, trs, 0);
  return out;
}

/** Returns the bind matrix that joints share, of 16 floats per joint; null if they differ, and without joints. */
export function commonBind(matrices: Float32Array): Float32Array | null {
  if (matrices.length === 0) return null;
  let size = 0;
  for (const value of matrices) size = Math.max(size, Math.abs(value));
  for (let i = MATRIX_STRIDE; i < matrices.length; i++) {
    if (!(Math.abs(matrices[i] - matrices[i % MATRIX_STRIDE]) <= SAME_BIND * size)) return null;
  }
  return matrices.slice(0, MATRIX_STRIDE);
}

/**
 * Finds which bone moves a node, and where bones have their places. Detached bones, such as feet below IK roots, are placed by their bone above;
 * detached joints move with their bone; and joints that duplicate a bone rotate with it, the only joints that rotate without a bone when no rotation
 * is distributed. Returns the bone of each node (−1 without), and in `above` the bone that each bone keeps its offset from (−1 for the hips).
 */
function findBones(
  { map, skeleton }: Humanoid,
  plan: RetargetPlan,
): { readonly bones: Int16Array; readonly above: Int16Array } {
  const bones = mapNodesToBones(map.nodes, skeleton.parents.length);
  const above = new Int16Array(BONE_COUNT).fill(-1);
  for (const [k, bone] of plan.bones.entries()) if (plan.above[k] >= 0) above[bone] = plan.bones[plan.above[k]];
  for (const { targetNode, driver, bone } of plan.twists) if (bone < 0) bones[targetNode] = plan.bones[driver];
  for (const { targetNode, boneChain, rotation } of plan.detachedJoints) {
    const bone = bones[boneChain[boneChain.length - 1]];
    if (rotation === null) above[bones[targetNode]] = bone;
    else bones[targetNode] = bone;
  }
  return { bones, above };
}

function planTarget(
  { target, hips }: ReferencePair,
  plan: RetargetPlan,
  skin: PlaybackSkin | null,
  modelBones: Int32Array,
  bones: Int16Array,
): Omit<CrowdTarget, 'topology'> {
  const { parents } = target.skeleton;
  const model = referenceModel(target, plan);
  const canonical = toCanonical(target);
  const positions = new Float32Array(3 * modelBones.length);
  const point = new Float64Array(3);
  for (const [k, bone] of modelBones.entries()) {
    const joints = bone === BONE.hips && hips === 'pelvis' ? pelvisBones(target.map.nodes) : [bone];
    vec3.set(point, 0, 0, 0, 0);
    for (const joint of joints) {
      const at = MATRIX_STRIDE * target.map.nodes[joint] + 12;
      vec3.addScaled(point, 0, point, 0, model, at, 1 / joints.length);
    }
    mat4.transformPoint(point, 0, canonical, 0, point, 0);
    positions.set(point, 3 * k);
  }
  const count = skin?.joints.length ?? 0;
  const jointRows = new Uint8Array(count);
  const bindMatrices = new Float32Array(MATRIX_STRIDE * count);
  const matrix = new Float64Array(MATRIX_STRIDE);
  for (let joint = 0; skin !== null && joint < count; joint++) {
    const node = skin.joints[joint];
    const bone = boneAtOrAbove(parents, bones, node);
    jointRows[joint] = bone < 0 ? STILL_ROW : bone;
    mat4.copy(matrix, 0, model, MATRIX_STRIDE * node);
    if (skin.inverseBind !== null) mat4.multiply(matrix, 0, matrix, 0, skin.inverseBind, MATRIX_STRIDE * joint);
    mat4.multiply(matrix, 0, canonical, 0, matrix, 0);
    bindMatrices.set(matrix, MATRIX_STRIDE * joint);
  }
  const hipsScale = plan.hips?.factor ?? 0;
  return { positions, hipsScale, jointRows, bindMatrices, bindMatrix: commonBind(bindMatrices) };
}

/** Explains why a model cannot be in a crowd; null if it can. A scale that is not uniform shears the bones below it when they rotate. */
function refusal({ skeleton, map }: Humanoid, plan: RetargetPlan): string | null {
  const { parents, names } = skeleton;
  const inverted = plan.detachedJoints.find(({ targetNode, boneChain, segments, rotation }) => {
    return segments.length > 0 || (rotation === null && boneChain[boneChain.length - 1] === targetNode);
  });
  if (inverted !== undefined) {
    const { targetNode } = inverted;
    return `node ${targetNode} ${JSON.stringify(names[targetNode])} is below a bone that is below it in a humanoid: the rig does not start at the hips`;
  }
  const local = plan.targetRest.slice();
  for (const { targetNode, path, value } of plan.constantChannels) {
    local.set(value, POSE_STRIDE * targetNode + PATH_OFFSET[path]);
  }
  for (const bone of plan.bones) {
    for (let node = parents[map.nodes[bone]]; node >= 0; node = parents[node]) {
      const at = POSE_STRIDE * node + PATH_OFFSET.scale;
      if (isUniform(local, at, NEARLY_UNIFORM)) continue;
      const scale = Array.from(local.subarray(at, at + 3), (value) => Number(value.toPrecision(4))).join(', ');
      return `node ${node} ${JSON.stringify(names[node])} has the scale (${scale}), which is not uniform, above the bone ${BONES[bone]}`;
    }
  }
  return null;
}

/**
 * Plans a crowd. Twist joints move rigidly with their limb: no rotation is distributed. Models with scales that are not uniform above a bone
 * cannot be in a crowd; play them with `createLiveRetarget`.
 *
 * @param source The humanoid of the clips.
 * @param models The characters: one entry per model, which any number of characters can share.
 * @returns The plan, or the reason why one of the models cannot be in a crowd.
 * @example
 * const { plan } = planCrowd(source, [{ humanoid: hero, skin }, { humanoid: child, skin: childSkin }]);
 */
export function planCrowd(source: Humanoid, models: readonly CrowdModel[]): CrowdPlanning {
  const sources: PlaybackPlan[] = [];
  /** The entry of each reference pose of the source, for targets that follow its pelvis and for those that follow its hips joint. */
  const sourceIndex = {
    pelvis: new Map<Humanoid['reference'], number>(),
    joint: new Map<Humanoid['reference'], number>(),
  };
  const topologies: CrowdTopology[] = [];
  const topologyIndex = new Map<string, number>();
  const targets: CrowdTarget[] = [];
  for (const [index, { humanoid, skin }] of models.entries()) {
    const plan = planRetarget(source, humanoid, { twist: false });
    const chosen = selectReferencePoses(source, humanoid);
    const [from, to] = [straightHumanoid(chosen.source), straightHumanoid(chosen.target)];
    const pair: ReferencePair = { ...chosen, source: from.humanoid, target: to.humanoid };
    const reason = refusal(pair.target, plan);
    if (reason !== null) return { plan: null, reason: `model ${index}: ${reason}` };
    const { reference } = pair.source;
    const variant = sourceIndex[pair.hips].get(reference) ?? sources.length;
    if (variant === sources.length) {
      sourceIndex[pair.hips].set(reference, variant);
      sources.push({ ...planDeltas(pair.source, plan.hips), signs: plan.sourceSigns });
    }
    const nodes = findBones(pair.target, plan);
    // In the order of BONES, in which parents come first.
    const bones = plan.bones.slice().sort();
    const parents = bones.map((bone) => nodes.above[bone]);
    const key = `${variant}: ${bones.join()} ${parents.join()}`;
    const topology = topologyIndex.get(key) ?? topologies.length;
    if (topology === topologies.length) {
      topologyIndex.set(key, topology);
      topologies.push({ source: variant, bones, parents });
    }
    const ownSkin = reflectSkin(skin, plan.targetSigns);
    targets.push({ topology, ...planTarget(pair, plan, ownSkin, bones, nodes.bones) });
  }
  return { plan: { sources, topologies, targets }, reason: null };
}
