/** Writes a complete character to a new layer: nodes, meshes, Skeletons, materials and clips. */

import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { Geometry, Mesh, MeshInstance, MeshPrimitive } from '../../../core/asset/geometry.ts';
import { skinnedMeshNodes, type TrianglePart, triangleParts } from '../../../core/asset/written-geometry.ts';
import { pointExtents } from '../../../core/deform/extents.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { formatTally, type IssueTally } from '../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../core/skeleton/skeleton-size.ts';
import { addPrim } from '../author/add-prim.ts';
import { authorRelationship } from '../author/author-prims.ts';
import { authorAttribute } from '../author/author-property.ts';
import { arrayOf, single, text, UNIFORM } from '../author/author-values.ts';
import { authorAnimatedTransform, authorTransform } from '../author/author-xform-ops.ts';
import type { FieldValue, Layer } from '../layer/layer.ts';
import type { UsdzEntry } from '../package/read-usdz.ts';
import type { TimeCodes } from '../time-codes.ts';
import { uvSetName } from '../uv-sets.ts';
import { type LinearAnimation, linearAnimation } from './animation/linear-animation.ts';
import { type WrittenSkeleton, writeAnimations } from './animation/write-animations.ts';
import { writeMaterials } from './materials/write-materials.ts';
import { addBlendShapes, bindToJoints, bindToSkeleton, remapInfluences, rigidInfluences } from './meshes/bind-mesh.ts';
import { channelsOf } from './meshes/morph-channels.ts';
import { checkPathLengths } from './path-budget.ts';
import { type JointCandidates, planSkeletons, restBetween, type SkeletonPlan } from './skeletons/plan-skeletons.ts';
import { addSkeleton, jointTokens } from './skeletons/write-skeleton.ts';
import { makeStageLayer } from './stage-layer.ts';
import { timeCodesPerSecond } from './time-code-rate.ts';
import type { UsdSpace, WrittenLayer } from './written-layer.ts';

/** Converts animations to linear keys on the nodes of a geometry. Tracks and clips that animate nothing are dropped. */
export function characterAnimations(
  geometry: Geometry,
  animations: readonly NewAnimation[],
  issues: Issue[],
): LinearAnimation[] {
  const { nodes, sourceNodes, instances, meshes } = geometry;
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const isSkinnedMesh = skinnedMeshNodes(geometry);
  const size = skeletonSize(nodes);
  let lost = 0;
  const linear = animations.flatMap((animation): LinearAnimation[] => {
    const converted = linearAnimation(animation, (source) => nodeOf.get(source) ?? -1, nodes, size);
    lost += converted.lost;
    const tracks = new Map([...converted.animation.tracks].filter(([node]) => isSkinnedMesh[node] === 0));
    const morphs = new Map(
      [...converted.animation.morphs].filter(([node, { targetCount }]) => {
        const isShown = instances.some(
          (one) => one.node === node && meshes[one.mesh].morphNames.length === targetCount,
        );
        if (!isShown) lost++;
        return isShown;
      }),
    );
    if (tracks.size + morphs.size > 0) return [{ ...converted.animation, tracks, morphs }];
    const message = `The clip ${JSON.stringify(animation.name)} animates none of the written nodes and was dropped. Check that it belongs to this character.`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks animate nodes or morph targets that are not written to the USD file and were dropped.`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return linear;
}

/**
 * Adds an Xform for each node that is neither a joint nor below one. Nodes that only hold skinned meshes are omitted. The first clip animates the
 * Xforms; nodes that other clips animate are joints (see {@link planSkeletons}).
 *
 * @param layer The layer, changed in place.
 * @param codes Converts seconds to time codes.
 * @returns Path of the prim of each node; empty for omitted nodes.
 */
export function addNodePrims(
  layer: Layer,
  root: string,
  geometry: Geometry,
  { nearestJointNode }: Pick<SkeletonPlan, 'nearestJointNode'>,
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
): string[] {
  const { names, parents, rest } = geometry.nodes;
  const isSkinnedMesh = skinnedMeshNodes(geometry);
  const isWritten = (node: number): boolean => nearestJointNode[node] < 0 && isSkinnedMesh[node] === 0;
  checkPathLengths(names, parents, isWritten);
  const paths = names.map(() => '');
  for (const [node, name] of names.entries()) {
    if (!isWritten(node)) continue;
    const parent = parents[node] < 0 ? root : paths[parents[node]];
    paths[node] = addPrim(layer, parent, name, 'Node', 'Xform');
    const local = rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE);
    const tracks = clips[0]?.tracks.get(node);
    if (tracks === undefined) authorTransform(layer, paths[node], local);
    else authorAnimatedTransform(layer, paths[node], local, tracks, { duration: clips[0].duration, codes });
  }
  return paths;
}

/** A character as USD. */
interface WrittenCharacter extends WrittenLayer {
  /** Image files, with paths relative to the layer. Store them beside the layer or in its package. */
  readonly files: readonly UsdzEntry[];
}

/**
 * Writes a geometry with animations to a new layer, in its own axes and unit.
 *
 * - The default prim is a SkelRoot (an Xform without Skeletons) called `name`. Nodes that no joint moves are Xforms.
 * - Each tree with skins or bones has a Skeleton below the parent of its root joints. Skinned meshes are siblings of their Skeleton.
 * - Each clip is a SkelAnimation below every Skeleton that it animates. The first clip is bound.
 * - Morph targets are BlendShapes with names that are unique per Skeleton. A mesh with morph targets but without joints has a Skeleton without
 *   joints.
 * - Trees without skins and bones are animated Xforms if only the first clip animates them, else Skeletons.
 *
 * @param geometry The geometry of the character.
 * @param animations The clips; their `sourceNodes` are those of the geometry.
 * @param bones Source nodes of humanoid bones, which become joints even without a skin.
 * @param space Axes and unit.
 * @param name Name of the default prim, any text.
 * @returns The layer, the image files and the issues: GEOMETRY_DROPPED, GEOMETRY_REPAIRED, CHANNELS_DROPPED, CLIP_EMPTY, TEXTURE_DROPPED,
 *   USD_MATERIAL.
 * @throws RangeError if the arrays of a primitive do not match its vertex count.
 * @example
 * const space = { upAxis: 'Y', metersPerUnit: 1, rotation: [0, 0, 0, 1] } as const;
 * const { layer, files } = writeCharacterLayer(geometry, animations, [], space, 'hero');
 * const usdz = writeUsdz([{ name: 'hero.usdc', bytes: serializeUsdc(layer) }, ...files]);
 */
export function writeCharacterLayer(
  geometry: Geometry,
  animations: readonly NewAnimation[],
  bones: Iterable<number>,
  space: UsdSpace,
  name: string,
): WrittenCharacter {
  const issues: Issue[] = [];
  const clips = characterAnimations(geometry, animations, issues);
  const plan = planSkeletons(geometry, jointCandidates(geometry, clips, bones), issues);
  const meshes = planMeshes(geometry, plan, issues);
  const isSkelRoot = plan.skeletons.length > 0 || meshes.some(({ mesh }) => mesh.morphNames.length > 0);
  const codes = { origin: 0, perSecond: timeCodesPerSecond(animations) };
  const { layer, root } = makeStageLayer(space, name, isSkelRoot ? 'SkelRoot' : 'Xform', codes, clips);
  const primOf = addNodePrims(layer, root, geometry, plan, clips, codes);
  const pathOf = (node: number): string => (node < 0 ? root : primOf[node]);

  const tokens = new Map(
    plan.skeletons.map(({ tree }) => [tree, jointTokens(namesOf(geometry, tree.nodes), tree.parents)]),
  );
  const skeletons = plan.skeletons.map((planned): WrittenSkeleton => {
    const { tree, bind } = planned;
    const joints = { tokens: tokens.get(tree) ?? [], names: namesOf(geometry, tree.nodes), rest: tree.rest, bind };
    const path = addSkeleton(layer, pathOf(tree.parentNode), 'Skeleton', joints);
    return {
      path,
      tokens: joints.tokens,
      nodes: tree.nodes,
      parents: tree.parents,
      rest: tree.rest,
      morphs: { channels: [], taken: new Set() },
    };
  });
  const hasMaterials = geometry.materials.length > 0;
  const scope = hasMaterials ? addPrim(layer, root, 'Materials', 'Materials', 'Scope') : root;
  const { paths: materials, files } = writeMaterials(layer, scope, geometry, name, issues);
  const shapeSkeletons = new Map<number, WrittenSkeleton>();
  for (const planned of meshes) {
    const { mesh, instance, binding } = planned;
    const parentNode = binding === null ? instance.node : plan.skeletons[binding.skeleton].tree.parentNode;
    const parent = pathOf(parentNode);
    const path = addMesh(layer, parent, geometry, planned, materials);
    let skeleton = binding === null ? undefined : skeletons[binding.skeleton];
    if (mesh.morphNames.length > 0) {
      skeleton ??= shapeSkeletons.get(instance.node) ?? addShapeSkeleton(layer, parent);
      if (binding === null) shapeSkeletons.set(instance.node, skeleton);
      addBlendShapes(layer, path, planned.primitive, channelsOf(skeleton.morphs, instance, mesh));
    }
    if (binding !== null && skeleton !== undefined) {
      const { tokens } = skeleton;
      const joints = binding.joints?.map((joint) => tokens[joint]) ?? null;
      bindToJoints(layer, path, binding.influences, joints, binding.geomBind);
    }
    if (skeleton !== undefined) bindToSkeleton(layer, path, skeleton.path);
  }
  writeAnimations(layer, [...skeletons, ...shapeSkeletons.values()], clips, codes);
  return { layer, files, issues };
}

function jointCandidates(
  { sourceNodes }: Geometry,
  clips: readonly LinearAnimation[],
  bones: Iterable<number>,
): JointCandidates {
  const animatedBy = (of: readonly LinearAnimation[]): Set<number> =>
    new Set(of.flatMap(({ tracks }) => [...tracks.keys()]));
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const boneNodes = Array.from(bones).flatMap((source) => nodeOf.get(source) ?? []);
  return { animated: animatedBy(clips), required: animatedBy(clips.slice(1)), bones: boneNodes };
}

function namesOf({ nodes }: Geometry, of: Int32Array): string[] {
  return Array.from(of, (node) => nodes.names[node]);
}

/** Adds the Mesh prim of a primitive. It is named like its node if the mesh is skinned, because that node is not written; else like the mesh. */
function addMesh(
  layer: Layer,
  parent: string,
  { nodes, materials: sourceMaterials }: Geometry,
  { mesh, primitive, triangles, instance, binding }: PlannedMesh,
  materials: readonly string[],
): string {
  const material = materials[primitive.material] ?? null;
  const ofNode = nodes.names[instance.node];
  const name = binding === null ? mesh.name || ofNode : ofNode || mesh.name;
  const apiSchemas = material === null ? [] : ['MaterialBindingAPI'];
  const path = addPrim(layer, parent, name, 'Mesh', 'Mesh', { apiSchemas });
  const doubleSided = sourceMaterials[primitive.material]?.doubleSided ?? false;
  writeMesh(layer, path, primitive, { triangles, material, doubleSided });
  return path;
}

/** Adds a Skeleton without joints, which blend shapes require if no joint moves their mesh. */
function addShapeSkeleton(layer: Layer, parent: string): WrittenSkeleton {
  const path = addSkeleton(layer, parent, 'Skeleton', { tokens: [], names: [], rest: [], bind: [] });
  return { path, tokens: [], parents: [], nodes: [], rest: [], morphs: { channels: [], taken: new Set() } };
}

const VERTEX: Readonly<Record<string, FieldValue>> = { interpolation: text('token', 'vertex') };

interface MeshSurface {
  readonly triangles: Uint32Array;
  /** Path of the Material; the prim must have MaterialBindingAPI applied. Null for none. */
  readonly material: string | null;
  readonly doubleSided: boolean;
}

/**
 * Writes the attributes of a Mesh prim, without subdivision. UV sets become `primvars:st`, `primvars:st1`, …, with v up; the first color set
 * becomes displayColor and displayOpacity. Tangents are not written: renderers compute them from the UVs. `layer`: the layer, changed in place.
 */
export function writeMesh(layer: Layer, prim: string, primitive: MeshPrimitive, surface: MeshSurface): void {
  const { positions, normals, uvs, colors, vertexCount } = primitive;
  const { triangles, material, doubleSided } = surface;
  const check = (numbers: ArrayLike<number>, width: number, what: string): void => {
    if (numbers.length === width * vertexCount) return;
    const message = `A primitive has ${numbers.length} numbers of ${what} for ${vertexCount} vertices; expected ${width * vertexCount}.`;
    throw new RangeError(message);
  };
  const author = (name: string, typeName: string, value: Parameters<typeof authorAttribute>[4], metadata = {}): void =>
    authorAttribute(layer, prim, name, typeName, value, metadata);

  check(positions, 3, 'positions');
  const extent = new Float64Array(6);
  pointExtents(extent, 0, positions);
  if (vertexCount > 0) author('extent', 'float3[]', arrayOf('float3', extent));
  author('faceVertexCounts', 'int[]', arrayOf('int', new Int32Array(triangles.length / 3).fill(3)));
  author('faceVertexIndices', 'int[]', arrayOf('int', triangles));
  author('points', 'point3f[]', arrayOf('float3', positions));
  if (normals !== null) {
    check(normals, 3, 'normals');
    author('normals', 'normal3f[]', arrayOf('float3', normals), VERTEX);
  }
  uvs.forEach((uv, set) => {
    check(uv, 2, 'UVs');
    const flipped = uv.map((value, c) => (c % 2 === 0 ? value : 1 - value));
    author(`primvars:${uvSetName(set)}`, 'texCoord2f[]', arrayOf('float2', flipped), VERTEX);
  });
  if (colors.length > 0) {
    check(colors[0], 4, 'colors');
    const rgb = Float32Array.from({ length: 3 * vertexCount }, (_, c) => colors[0][4 * Math.floor(c / 3) + (c % 3)]);
    const alpha = Float32Array.from({ length: vertexCount }, (_, vertex) => colors[0][4 * vertex + 3]);
    author('primvars:displayColor', 'color3f[]', arrayOf('float3', rgb), VERTEX);
    if (alpha.some((value) => value !== 1)) {
      author('primvars:displayOpacity', 'float[]', arrayOf('float', alpha), VERTEX);
    }
  }
  author('subdivisionScheme', 'token', text('token', 'none'), UNIFORM);
  if (doubleSided) author('doubleSided', 'bool', single('bool', 1), UNIFORM);
  if (material !== null) authorRelationship(layer, prim, 'material:binding', [material]);
}

// Plans the Mesh prims of a geometry and their joint bindings.

interface JointBinding {
  readonly skeleton: number;
  /** Joint order of the mesh, as joint indices of the Skeleton; null for the joint order of the Skeleton. */
  readonly joints: readonly number[] | null;
  /** One run per vertex, with indices into the joint order. */
  readonly influences: Influences;
  /** Mesh space to skeleton space in the bind pose, 16 floats; null for the identity. */
  readonly geomBind: Float64Array | null;
}

interface PlannedMesh extends TrianglePart {
  readonly mesh: Mesh;
  readonly instance: MeshInstance;
  /** Null if no joint moves it: the Mesh is a child of its node's prim. */
  readonly binding: JointBinding | null;
}

/**
 * Plans a Mesh for each primitive of each instance. It is bound to the joints of its skin, else rigidly to the nearest joint at or above its node,
 * else to nothing. Points, lines and primitives without faces are dropped.
 */
export function planMeshes(geometry: Geometry, plan: SkeletonPlan, issues: Issue[]): PlannedMesh[] {
  const planned: PlannedMesh[] = [];
  const dropped: IssueTally = new Map();
  for (const instance of geometry.instances) {
    const mesh = geometry.meshes[instance.mesh];
    for (const part of triangleParts(mesh, dropped))
      planned.push({ mesh, ...part, instance, binding: bindingOf(geometry, plan, instance, part.primitive) });
  }
  const list = formatTally(dropped);
  if (list !== '') {
    const message = `Primitives without triangles cannot be written to the USD file and were dropped: ${list}.`;
    issues.push(issue('GEOMETRY_DROPPED', message));
  }
  return planned;
}

function bindingOf(
  geometry: Geometry,
  plan: SkeletonPlan,
  { node, skin }: MeshInstance,
  { influences, vertexCount }: MeshPrimitive,
): JointBinding | null {
  const countOf = (skeleton: number): number => plan.skeletons[skeleton].tree.nodes.length;
  const planned = skin < 0 ? null : plan.skins[skin];
  if (planned !== null && influences !== null) {
    const { kind, jointsPerVertex, indices, weights } = influences;
    const expected = jointsPerVertex * (kind === 'constant' ? 1 : vertexCount);
    if (indices.length !== expected || weights.length !== expected) {
      const found = `${indices.length} joint indices and ${weights.length} weights`;
      throw new RangeError(`A primitive has ${found} for ${vertexCount} vertices; expected ${expected} of each.`);
    }
    const joints = jointOrder(planned.joints, countOf(planned.skeleton));
    const indexOf = new Map(joints?.map((joint, index) => [joint, index]));
    const newIndices = joints === null ? planned.joints : planned.joints.map((joint) => indexOf.get(joint) as number);
    const remapped = remapInfluences(influences, newIndices, vertexCount);
    return { skeleton: planned.skeleton, joints, influences: remapped, geomBind: planned.geomBind };
  }
  const jointNode = plan.nearestJointNode[node];
  if (jointNode < 0) return null;
  const skeleton = plan.skeletonOf[jointNode];
  const joint = plan.jointOf[jointNode];
  const geomBind = restBetween(geometry, node, jointNode);
  mat4.multiply(geomBind, 0, plan.skeletons[skeleton].bind, MATRIX_STRIDE * joint, geomBind, 0);
  // The reader takes the joint orders of meshes for the joints of a skin. Without a skin, all joints of the Skeleton count.
  const hasSkin = plan.skins.some((each) => each?.skeleton === skeleton);
  const joints = hasSkin ? jointOrder([joint], countOf(skeleton)) : null;
  return { skeleton, joints, influences: rigidInfluences(joints === null ? joint : 0, vertexCount), geomBind };
}

/**
 * Orders the joints of a skin as in the Skeleton, which has `count` joints. Null if the skin has all of them. Joints that the skin lacks, such as
 * limb ends, are not in its joint order.
 */
function jointOrder(joints: Iterable<number>, count: number): number[] | null {
  const order = [...new Set(joints)].sort((a, b) => a - b);
  return order.length === count ? null : order;
}
