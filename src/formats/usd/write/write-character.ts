/** A new layer that holds a whole character: nodes, meshes, Skeletons, materials, clips. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { Layer } from '../layer/layer.ts';
import type { UsdzEntry } from '../package/read-usdz.ts';
import { addPrim } from './add-prim.ts';
import { addBlendShapes, bindToJoints, bindToSkeleton } from './bind-mesh.ts';
import { characterAnimations } from './character-animations.ts';
import type { LinearAnimation } from './linear-animation.ts';
import { channelsOf } from './morph-channels.ts';
import { type PlannedMesh, planMeshes } from './plan-meshes.ts';
import { type MovedNodes, planSkeletons } from './plan-skeletons.ts';
import { makeStageLayer } from './stage-layer.ts';
import { timeCodesPerSecond } from './time-codes.ts';
import type { UsdAnimation, UsdSpace } from './usd-animation.ts';
import { writeMaterials } from './write-materials.ts';
import { writeMesh } from './write-mesh.ts';
import { type WrittenSkeleton, writeMotions } from './write-motions.ts';
import { addNodePrims } from './write-nodes.ts';
import { addSkeleton, jointTokens } from './write-skeleton.ts';

/**
 * A layer with everything of a geometry, as it is in its axes and unit, and animations; and the files of its images, to stand beside it or in its
 * package. Nodes of animations, and of `bones`, those of a humanoid, are numbered as in `Geometry.sourceNodes`.
 *
 * Below the default prim, a SkelRoot called `name`, nodes that no joint moves are Xforms; every tree with skins or bones has a Skeleton where its
 * topmost joints stand, with all joints (see {@link planSkeletons}) and a SkelAnimation for each clip that moves it, the one of the first clip bound;
 * meshes that joints move stand beside their Skeleton. Morph targets are blend shapes, whose names are unique in a Skeleton; a mesh with shapes and
 * without joints has a Skeleton without joints. A tree without skins and bones that the first clip alone moves is animated Xforms; what more clips
 * move has a Skeleton too.
 *
 * What USD has no place for is left out, and issues tell: GEOMETRY_DROPPED, GEOMETRY_REPAIRED, CHANNELS_DROPPED, CLIP_EMPTY, TEXTURE_DROPPED.
 * RangeError for arrays that do not fit each other.
 */
export function writeCharacterLayer(
  geometry: Geometry,
  animations: readonly UsdAnimation[],
  bones: Iterable<number>,
  space: UsdSpace,
  name: string,
  issues: Issue[],
): { layer: Layer; files: readonly UsdzEntry[] } {
  const clips = characterAnimations(geometry, animations, issues);
  const plan = planSkeletons(geometry, movedNodes(geometry, clips, bones), issues);
  const meshes = planMeshes(geometry, plan, issues);
  const isSkelRoot = plan.skeletons.length > 0 || meshes.some(({ mesh }) => mesh.morphNames.length > 0);
  const codes = { origin: 0, perSecond: timeCodesPerSecond(animations) };
  const { layer, root } = makeStageLayer(space, name, isSkelRoot ? 'SkelRoot' : 'Xform', codes, clips);
  const primOf = addNodePrims(layer, root, geometry, plan, clips, codes);
  const homePath = (home: number): string => (home < 0 ? root : primOf[home]);

  const tokens = new Map(
    plan.skeletons.map(({ tree }) => [tree, jointTokens(namesOf(geometry, tree.nodes), tree.parents)]),
  );
  const skeletons = plan.skeletons.map((planned): WrittenSkeleton => {
    const { tree, bind } = planned;
    const joints = { tokens: tokens.get(tree) ?? [], names: namesOf(geometry, tree.nodes), rest: tree.rest, bind };
    const path = addSkeleton(layer, homePath(tree.home), 'Skeleton', joints);
    return {
      path,
      tokens: joints.tokens,
      nodes: tree.nodes,
      parents: tree.parents,
      rest: tree.rest,
      morphs: { channels: [], taken: new Set() },
    };
  });
  const isColored = geometry.materials.length > 0;
  const scope = isColored ? addPrim(layer, root, 'Materials', 'Materials', 'Scope') : root;
  const { paths: materials, files } = writeMaterials(layer, scope, geometry, name, issues);
  const shapeSkeletons = new Map<number, WrittenSkeleton>();
  for (const planned of meshes) {
    const { mesh, instance, binding } = planned;
    const home = binding === null ? instance.node : plan.skeletons[binding.skeleton].tree.home;
    const path = addMesh(layer, homePath(home), geometry, planned, materials);
    let skeleton = binding === null ? undefined : skeletons[binding.skeleton];
    if (mesh.morphNames.length > 0) {
      skeleton ??= shapeSkeletons.get(instance.node) ?? addShapeSkeleton(layer, homePath(home));
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
  writeMotions(layer, [...skeletons, ...shapeSkeletons.values()], clips, codes);
  return { layer, files };
}

function movedNodes({ sourceNodes }: Geometry, clips: readonly LinearAnimation[], bones: Iterable<number>): MovedNodes {
  const moved = (of: readonly LinearAnimation[]): Set<number> =>
    new Set(of.flatMap(({ tracks }) => [...tracks.keys()]));
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const boneNodes = Array.from(bones).flatMap((source) => nodeOf.get(source) ?? []);
  return { animated: moved(clips), posed: moved(clips.slice(1)), bones: boneNodes };
}

function namesOf({ nodes }: Geometry, of: Int32Array): string[] {
  return Array.from(of, (node) => nodes.names[node]);
}

/** Adds the Mesh prim of a primitive. It is called what its node is called where that is no prim, else what the mesh is called. */
function addMesh(
  layer: Layer,
  parent: string,
  { nodes, materials: given }: Geometry,
  { mesh, primitive, triangles, instance, binding }: PlannedMesh,
  materials: readonly string[],
): string {
  const material = materials[primitive.material] ?? null;
  const ofNode = nodes.names[instance.node];
  const name = binding === null ? mesh.name || ofNode : ofNode || mesh.name;
  const apiSchemas = material === null ? [] : ['MaterialBindingAPI'];
  const path = addPrim(layer, parent, name, 'Mesh', 'Mesh', { apiSchemas });
  const doubleSided = given[primitive.material]?.doubleSided ?? false;
  writeMesh(layer, path, primitive, { triangles, material, doubleSided });
  return path;
}

/** The Skeleton that blend shapes need where no joint moves their mesh. */
function addShapeSkeleton(layer: Layer, parent: string): WrittenSkeleton {
  const path = addSkeleton(layer, parent, 'Skeleton', { tokens: [], names: [], rest: [], bind: [] });
  return { path, tokens: [], parents: [], nodes: [], rest: [], morphs: { channels: [], taken: new Set() } };
}
