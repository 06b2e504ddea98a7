/** Computes world points and normals of a USD scene twice: from the geometry that was read, by the core, and from the stage, by UsdSkel. */
import { sampleClip, sampleKeys } from '../../../../src/core/animation/sample.ts';
import type { Asset, AssetClip } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import { morph } from '../../../../src/core/deform/morph.ts';
import { skinLinear } from '../../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../../src/core/deform/skin-plan.ts';
import { normalMatrices, skinningMatrices } from '../../../../src/core/deform/skinning-matrices.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { createJointMapper } from '../../../../src/core/skeleton/joint-mapper.ts';
import { localToModelMatrices, restPose } from '../../../../src/core/skeleton/pose.ts';
import { parentPath } from '../../../../src/formats/usd/layer/paths.ts';
import { buildGprims, planGprims } from '../../../../src/formats/usd/read/meshes/gprim-meshes.ts';
import { morphTargetsOf, morphWeights } from '../../../../src/formats/usd/read/meshes/morph-targets.ts';
import type { GprimBinding } from '../../../../src/formats/usd/read/meshes/read-gprim.ts';
import type { UsdScene } from '../../../../src/formats/usd/read/scene.ts';
import { weightsForMesh } from '../../../../src/formats/usd/skel/deform/apply-blend-shapes.ts';
import { deformPrim, planPrim } from '../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { primAt, type Time } from '../../../../src/formats/usd/stage/stage.ts';
import { localToWorld, localTransform } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { toPrimSpace } from '../skel/prim-space.ts';

/** Reads the geometry without materials, with the point of each vertex. */
export function geometryAndPoints(scene: UsdScene): { geometry: Geometry; points: Int32Array[][] } {
  const plan = planGprims(scene, new Map(), []);
  const { meshes, instances, points } = buildGprims(plan, new Map());
  const sourceNodes = Int32Array.from(scene.prims.keys());
  const geometry = {
    nodes: scene.nodes,
    sourceNodes,
    meshes,
    instances,
    skins: plan.skins,
    materials: [],
    textures: [],
  };
  return { geometry, points };
}

/** Computes the pose of all nodes at a time from prims and skeletons. */
function poseAt(scene: UsdScene, time: Time): Float64Array {
  const pose = Float64Array.from(scene.nodes.rest);
  for (const [node, prim] of scene.prims.entries()) {
    if (scene.joints[node] < 0) mat4.decompose(pose, 10 * node, localTransform(scene.stage, prim, time).matrix, 0);
  }
  for (const { animated, jointNodes } of scene.skeletons) {
    const { local } = sampleSkeleton(scene.stage, animated, time);
    if (local === null) continue;
    for (const [joint, node] of jointNodes.entries()) mat4.decompose(pose, 10 * node, local, 16 * joint);
  }
  return pose;
}

/** A pose of all nodes with morph target weights. */
export interface ScenePose {
  /** 10 floats per node, local space. */
  readonly pose: Float64Array;
  /** Weights by node; nodes without an entry have the weights of their mesh. */
  readonly weights: ReadonlyMap<number, ArrayLike<number>>;
}

/** Computes the pose of a scene at a time from the stage. */
export function stagePose(scene: UsdScene, { instances }: Geometry, time: Time): ScenePose {
  const weights = instances.flatMap(({ node }): [number, ArrayLike<number>][] => {
    const found = weightsAt(scene, scene.prims[node], time);
    return found === null ? [] : [[node, found]];
  });
  return { pose: poseAt(scene, time), weights: new Map(weights) };
}

/** Computes the pose of a scene from a clip of its asset, at a time in seconds. */
export function clipPose(scene: UsdScene, asset: Asset, { clips, morphs }: AssetClip, seconds: number): ScenePose {
  const pose = Float64Array.from(scene.nodes.rest);
  for (const [s, clip] of clips.entries()) {
    const { skeleton, sourceNodes } = asset.skeletons[s];
    const moved = restPose(skeleton);
    sampleClip(clip, seconds, moved);
    const animated = new Set(clip.tracks.map(({ target }) => target));
    for (const node of animated) pose.set(moved.subarray(10 * node, 10 * node + 10), 10 * sourceNodes[node]);
  }
  const weights = morphs.map(({ sourceNode, targetCount, interpolation, times, values }): [number, Float64Array] => {
    const out = new Float64Array(targetCount);
    sampleKeys({ interpolation, times, values }, targetCount, false, seconds, out, 0);
    return [sourceNode, out];
  });
  return { pose, weights: new Map(weights) };
}

/** Computes world positions and normals of an instance by the core, by primitive. */
export function worldByCore(
  geometry: Geometry,
  instance: number,
  { pose, weights: posed }: ScenePose,
): { positions: Float64Array; normals: Float64Array | null }[] {
  const { node, mesh, skin } = geometry.instances[instance];
  const worlds = new Float64Array(16 * geometry.nodes.parents.length);
  localToModelMatrices(worlds, geometry.nodes.parents, pose);
  const weights = posed.get(node) ?? geometry.meshes[mesh].morphWeights;
  return geometry.meshes[mesh].primitives.map((primitive) => {
    const positions = Float64Array.from(primitive.positions);
    const normals = primitive.normals === null ? null : Float64Array.from(primitive.normals);
    const vertices = { positions, normals, tangents: null };
    morph(primitive.morphTargets, weights, { ...vertices }, vertices);
    const isBound = skin >= 0 && primitive.influences !== null;
    const { joints, inverseBindMatrices } = geometry.skins[skin] ?? { joints: [node], inverseBindMatrices: null };
    const matrices = new Float64Array(16 * joints.length);
    skinningMatrices(matrices, worlds, isBound ? joints : [node], isBound ? inverseBindMatrices : null);
    const turns = new Float64Array(matrices.length);
    normalMatrices(turns, matrices);
    const own = {
      kind: 'constant',
      jointsPerVertex: 1,
      indices: Int32Array.of(0),
      weights: Float32Array.of(1),
    } as const;
    const plan = planSkin(
      isBound && primitive.influences !== null ? primitive.influences : own,
      primitive.vertexCount,
      joints.length,
    );
    skinLinear(plan, matrices, turns, { ...vertices }, vertices);
    return { positions, normals };
  });
}

function boundTo(scene: UsdScene, prim: string): GprimBinding | null {
  for (const skeleton of scene.skeletons) {
    const bound = skeleton.bound.find((one) => one.prim === prim);
    if (bound !== undefined) return { skeleton, bound };
  }
  return null;
}

function weightsAt(scene: UsdScene, prim: string, time: Time): Float32Array | null {
  const { stage } = scene;
  const found = boundTo(scene, prim);
  const weights = found === null ? null : sampleSkeleton(stage, found.skeleton.animated, time).weights;
  const animation = found?.skeleton.animated.animation ?? null;
  if (found === null || weights === null || animation === null || found.bound.blendShapes === null) return null;
  const morphs = morphTargetsOf(stage, found.bound);
  const out = new Float32Array(morphs.targets.length);
  morphWeights(
    out,
    0,
    morphs,
    weightsForMesh(createJointMapper(animation.blendShapes, found.bound.blendShapes), weights),
  );
  return out;
}

/**
 * Computes world points of a gprim by UsdSkel, and unit normals if they are per point. `own`: local points of gprims without a points attribute, such
 * as cubes.
 */
export function worldByUsdSkel(
  scene: UsdScene,
  prim: string,
  time: Time,
  own: ArrayLike<number>,
): { isMesh: boolean; points: Float64Array; normals: Float64Array | null; isSkinned: boolean } {
  const { stage } = scene;
  const found = boundTo(scene, prim);
  const numbers = (name: string): Float64Array =>
    Float64Array.from(numbersOf(attributeValue(stage, prim, name, time), 3) ?? []);
  let matrix = localToWorld(stage, prim, time);
  let points = numbers('points');
  const isMesh = primAt(stage, prim)?.typeName === 'Mesh';
  if (!isMesh) points = Float64Array.from(own);
  let normals: Float64Array | null = null;
  let isSkinned = false;
  if (found !== null) {
    const { animated } = found.skeleton;
    const deformer = planPrim(stage, found.bound, animated);
    const deformed = deformPrim(stage, deformer, sampleSkeleton(stage, animated, time), time);
    const here = toPrimSpace(stage, animated.prim, found.bound, deformed, time);
    isSkinned = found.bound.influences.hasInfluences && deformed.isSkinned;
    if (here.points.length > 0) points = here.points;
    if (here.transform !== null) {
      matrix = localToWorld(stage, parentPath(prim), time);
      mat4.multiply(matrix, 0, matrix, 0, here.transform, 0);
    }
    normals = deformed.normalsInterpolation === 'vertex' ? here.normals : null;
  }
  const out = new Float64Array(points.length);
  for (let at = 0; at < out.length; at += 3) mat4.transformPoint(out, at, matrix, 0, points, at);
  if (normals === null) return { isMesh, points: out, normals, isSkinned };
  const turn = new Float64Array(16);
  normalMatrices(turn, matrix);
  const turned = new Float64Array(normals.length);
  for (let at = 0; at < turned.length; at += 3) {
    mat4.transformDirection(turned, at, turn, 0, normals, at);
    const length = Math.hypot(...turned.subarray(at, at + 3));
    for (let c = at; c < at + 3; c++) turned[c] /= length;
  }
  return { isMesh, points: out, normals: turned, isSkinned };
}
