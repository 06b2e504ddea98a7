/** Writes a complete character to a new layer: nodes, meshes, Skeletons, materials and clips. */

import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { Geometry } from '../../../core/asset/geometry.ts';
import { reportCustomProperties, skinnedMeshNodes } from '../../../core/asset/written-geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { IssueTally } from '../../../core/report/issue-tally.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { skeletonSize } from '../../../core/skeleton/skeleton-size.ts';
import { addPrim } from '../author/add-prim.ts';
import { authorAttribute } from '../author/author-property.ts';
import { text } from '../author/author-values.ts';
import { authorAnimatedTransform, authorTransform } from '../author/author-xform-ops.ts';
import { authorCustomProperties } from '../custom-properties.ts';
import type { Layer } from '../layer/layer.ts';
import type { UsdzEntry } from '../package/read-usdz.ts';
import type { TimeCodes } from '../time-codes.ts';
import { type LinearAnimation, linearAnimation } from './animation/linear-animation.ts';
import { type WrittenSkeleton, writeAnimations } from './animation/write-animations.ts';
import { writeMaterials } from './materials/write-materials.ts';
import { addBlendShapes, bindToJoints, bindToSkeleton } from './meshes/bind-mesh.ts';
import { channelsOf } from './meshes/morph-channels.ts';
import { type PlannedMesh, planMeshes } from './meshes/plan-meshes.ts';
import { writeMesh } from './meshes/write-mesh.ts';
import { checkPathLengths } from './path-budget.ts';
import { type JointCandidates, planSkeletons, type SkeletonPlan } from './skeletons/plan-skeletons.ts';
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
 * Xforms; nodes that other clips animate are joints (see {@link planSkeletons}). `layer` is changed in place. `codes`: converts seconds to time codes.
 * Returns the path of the prim of each node; empty for omitted nodes.
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
 * - Morph targets are BlendShapes. Those with one name and the same weights share a token; other tokens are unique per Skeleton. A mesh with morph targets but without joints has a Skeleton without
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
  /** Prims that have the custom properties of each node: its own, else those of its meshes. */
  const primsOf = primOf.map((path) => (path === '' ? [] : [path]));
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
      addBlendShapes(layer, path, planned.primitive, channelsOf(skeleton.morphs, instance, mesh, clips));
    }
    if (binding !== null && skeleton !== undefined) {
      const { tokens } = skeleton;
      const joints = binding.joints?.map((joint) => tokens[joint]) ?? null;
      bindToJoints(layer, path, binding.influences, joints, binding.geomBind);
    }
    if (skeleton !== undefined) bindToSkeleton(layer, path, skeleton.path);
    if (primOf[instance.node] === '') primsOf[instance.node].push(path);
  }
  const dropped: IssueTally = new Map();
  for (const [node, properties] of geometry.customProperties ?? [])
    authorCustomProperties(layer, primsOf[node], properties, dropped);
  reportCustomProperties(dropped, 'USD', issues);
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
  if (instance.isHidden) authorAttribute(layer, path, 'visibility', 'token', text('token', 'invisible'));
  return path;
}

/** Adds a Skeleton without joints, which blend shapes require if no joint moves their mesh. */
function addShapeSkeleton(layer: Layer, parent: string): WrittenSkeleton {
  const path = addSkeleton(layer, parent, 'Skeleton', { tokens: [], names: [], rest: [], bind: [] });
  return { path, tokens: [], parents: [], nodes: [], rest: [], morphs: { channels: [], taken: new Set() } };
}
