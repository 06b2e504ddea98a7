/** The meshes, skins, blend shapes and materials of an FBX file. */
import type { Geometry, Mesh, MeshInstance, Skin } from '../../core/asset/geometry.ts';
import { type GeometryBudget, geometryBudget } from '../../core/asset/geometry-budget.ts';
import { type TriangulationBudget, triangulationBudget } from '../../core/asset/triangulate.ts';
import { DEGREE, fromEuler } from '../../core/math/euler.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { localToModelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import {
  BINORMALS,
  COLORS,
  type LayerElement,
  layerElements,
  NORMALS,
  polygonMaterials,
  TANGENTS,
  UVS,
} from './layer-elements.ts';
import { meshHolders } from './mesh-holders.ts';
import { type FbxMesh, meshPrimitives } from './mesh-primitives.ts';
import { parseFbx } from './parse.ts';
import { vectorProperty } from './properties.ts';
import { type FbxBind, readBind } from './read-bind.ts';
import { type FbxSkin, readSkin } from './read-clusters.ts';
import { readMaterials } from './read-materials.ts';
import { type ModelForest, readModels } from './read-models.ts';
import { countIn, type MeshFaults, noteMeshFault, readPolygons } from './read-polygons.ts';
import { type FbxShape, readShape, type ShapeChannel, shapeChannels, shapeWeight } from './read-shapes.ts';
import type { ReadFbxResource } from './read-textures.ts';
import { recordIn } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow, readScene } from './scene.ts';
import type { FbxTree } from './tree.ts';

/** What the geometry of a file needs beside its bytes. */
export interface ReadFbxGeometryOptions {
  /** Reads images beside the file, which FBX names by path; without it only embedded ones are read. */
  readonly readResource?: ReadFbxResource;
}

/** What is seen of a file, and what was odd about it. */
export interface FbxGeometry {
  readonly geometry: Geometry;
  /** For tests and tools: the control point of every vertex, by mesh and primitive. */
  readonly controlPoints: readonly (readonly Int32Array[])[];
  readonly issues: readonly Issue[];
}

/** Sets of uvs and of colors that are read of one mesh. */
const MOST_SETS = 8;

/**
 * Reads what is seen of an FBX file, binary or text, in the file's own axes and unit; skeletons and clips come from `readFbx`,
 * whose `sourceNodes` are the same numbers.
 *
 * Meshes: polygons become triangles, corners that agree in everything one vertex; a primitive for each material. v runs
 * down as in glTF, colors become linear. Geometric transforms are worked into the vertices. A file without normals has none here. NURBS and
 * patches are not read. Skins, blend shapes, materials: see `readSkin`, `shapeChannels`, `readMaterials`. Control points
 * that no bone holds follow the topmost joint of their skin. `inverseBindMatrices` fit the joints as `readFbx` poses them.
 *
 * What is broken or left out is an issue: FBX_GEOMETRY, FBX_MATERIAL, RESOURCE_MISSING. Those of nodes are `readFbx`'s.
 *
 * @throws FormatError of `parseFbx`; `FBX_LIMIT` for meshes past a gigabyte.
 */
export async function readFbxGeometry(bytes: Uint8Array, options: ReadFbxGeometryOptions = {}): Promise<FbxGeometry> {
  return readFbxTreeGeometry(parseFbx(bytes), options);
}

/** The same of a file that is parsed already. */
export async function readFbxTreeGeometry(tree: FbxTree, options: ReadFbxGeometryOptions = {}): Promise<FbxGeometry> {
  /** `readFbx` reports what is odd about nodes. */
  const known: Issue[] = [];
  const scene = readScene(tree, known);
  const forest = readModels(scene, known);
  const worlds = new Float64Array(forest.models.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, forest.parents, forest.rest);
  const issues: Issue[] = [];
  const reading: Reading = {
    scene,
    forest,
    worlds,
    bind: readBind(scene, forest, worlds, known),
    budget: geometryBudget('FBX_LIMIT'),
    triangulation: triangulationBudget(),
    issues,
    holders: new Map(),
    unread: new Map(),
  };
  const placed = placeMeshes(reading);
  for (const [type, count] of reading.unread) {
    report(issues, `${count} geometries of type ${JSON.stringify(type)} were left out; convert them to polygons.`);
  }
  const uvSets = [...reading.holders.values()].map(({ mesh }) => mesh.uvs.map(({ name }) => name));
  const { materials, textures } = await readMaterials(
    scene,
    placed.materials,
    { uvSets, readResource: options.readResource },
    issues,
  );
  const joints = new Uint8Array(forest.models.length);
  for (const skin of placed.skins) for (const node of skin.joints) joints[node] = 1;
  const geometry: Geometry = {
    nodes: {
      name: forest.models[0]?.name || 'scene',
      names: forest.models.map(({ name }) => name),
      parents: forest.parents,
      rest: forest.rest,
      bind: null,
      joints,
    },
    sourceNodes: Int32Array.from(forest.models, ({ index }) => index),
    meshes: placed.meshes,
    skins: placed.skins,
    instances: placed.instances,
    materials,
    textures,
  };
  return { geometry, controlPoints: placed.controlPoints, issues };
}

interface Reading {
  readonly scene: FbxScene;
  readonly forest: ModelForest;
  readonly worlds: Float64Array;
  readonly bind: FbxBind;
  readonly budget: GeometryBudget;
  readonly triangulation: TriangulationBudget;
  readonly issues: Issue[];
  readonly holders: Map<string, HeldMesh>;
  /** Types of geometry that are not read, and how many. */
  readonly unread: Map<string, number>;
}

/** A mesh as the file has it, read once however often it stands in the scene. */
interface HeldMesh {
  readonly name: string;
  readonly mesh: FbxMesh;
  readonly skin: FbxSkin | null;
  readonly channels: readonly ShapeChannel[];
}

interface PlacedMeshes {
  readonly meshes: Mesh[];
  readonly controlPoints: Int32Array[][];
  readonly skins: Skin[];
  readonly instances: MeshInstance[];
  /** The materials that meshes have, in the order of the indices of primitives. */
  readonly materials: FbxObject[];
}

function report(issues: Issue[], message: string): void {
  issues.push(issue('FBX_GEOMETRY', message));
}

/** Counts what a Model shows that is no mesh. */
function countUnread({ scene, unread }: Reading, model: FbxObject): void {
  for (const { type, record } of objectsBelow(scene, model.id, 'Geometry')) {
    const isMesh = recordIn(record.records, 'PolygonVertexIndex') !== undefined;
    if (!isMesh && type !== 'Shape') unread.set(type, (unread.get(type) ?? 0) + 1);
  }
}

/** Every mesh at every node; a mesh that stands at several nodes with the same materials and geometric transform comes once. */
function placeMeshes(reading: Reading): PlacedMeshes {
  const { scene, forest, holders } = reading;
  const out: PlacedMeshes = { meshes: [], controlPoints: [], skins: [], instances: [], materials: [] };
  const materialIds = new Map<string, number>();
  const known = new Map<string, number>();
  const skinOf = new Map<FbxSkin, number>();
  for (const [place, model] of forest.models.entries()) {
    countUnread(reading, model);
    for (const holder of meshHolders(scene, model)) {
      const faults: MeshFaults = new Map();
      let held = holders.get(holder.id);
      if (held === undefined) {
        held = readHolder(reading, holder, place, faults);
        holders.set(holder.id, held);
      }
      const geometric = geometricTransform(model, faults);
      const materials = objectsBelow(scene, model.id, 'Material').map((material) => {
        const index = materialIds.get(material.id) ?? out.materials.length;
        if (index === out.materials.length) out.materials.push(material);
        materialIds.set(material.id, index);
        return index;
      });
      const key = `${holder.id}\0${geometric.join()}\0${materials.join()}`;
      let mesh = known.get(key);
      if (mesh === undefined) {
        mesh = addMesh(reading, held, geometric, materials, faults, out);
        known.set(key, mesh);
      }
      reportFaults(reading.issues, held.name, faults);
      if (mesh < 0) continue;
      let skin = -1;
      if (held.skin !== null) {
        skin = skinOf.get(held.skin) ?? out.skins.length;
        if (skin === out.skins.length) out.skins.push(held.skin.skin);
        skinOf.set(held.skin, skin);
      }
      out.instances.push({ node: place, mesh, skin, morphWeights: null });
    }
  }
  return out;
}

function reportFaults(issues: Issue[], name: string, faults: MeshFaults): void {
  for (const [fault, count] of faults) report(issues, `Mesh ${JSON.stringify(name)}: ${count} ${fault}.`);
}

/** Index of the new mesh; −1 where no triangle came out. */
function addMesh(
  { budget, triangulation }: Reading,
  { name, mesh, channels }: HeldMesh,
  geometric: Float64Array,
  materials: readonly number[],
  faults: MeshFaults,
  out: PlacedMeshes,
): number {
  const parts = meshPrimitives(mesh, { geometric, materials }, faults, budget, triangulation);
  if (parts.length === 0) {
    noteMeshFault(faults, 'mesh without a polygon; it was left out', 1);
    return -1;
  }
  out.controlPoints.push(parts.map(({ points }) => points));
  return (
    out.meshes.push({
      name,
      primitives: parts.map(({ primitive }) => primitive),
      morphNames: channels.map((channel) => channel.name),
      morphWeights: Float64Array.from(channels, (channel) => shapeWeight(channel, channel.percent)),
    }) - 1
  );
}

/** Reads a mesh with its skin and shapes; `place` is the first node that it stands at. */
function readHolder(
  { scene, forest, worlds, bind, budget }: Reading,
  holder: FbxObject,
  place: number,
  faults: MeshFaults,
): HeldMesh {
  const { record } = holder;
  const name = holder.name || forest.models[place].name;
  budget.take(2 * countIn(record.records, 'Vertices') + 4 * countIn(record.records, 'PolygonVertexIndex'));
  const polygons = readPolygons(record, faults);
  const pointCount = polygons.points.length / 3;
  const elements = (kind: typeof NORMALS, most: number): LayerElement[] =>
    layerElements(record, kind, polygons, faults, budget, most);
  const start = place * MATRIX_STRIDE;
  const from = bind.bound[place] === 1 ? bind.matrices : worlds;
  const skinned = { holderId: holder.id, name, pointCount, bindMatrix: from.slice(start, start + MATRIX_STRIDE) };
  const skin = readSkin(scene, forest, worlds, skinned, faults, budget);
  const used = new Set(polygons.corners);
  let loose = 0;
  for (let point = 0; point < pointCount; point++) if (skin?.loose[point] === 1 && used.has(point)) loose++;
  noteMeshFault(faults, 'control points are held by no bone; they follow the topmost joint', loose);
  const channels = shapeChannels(scene, holder);
  const inBetweens = channels.reduce((sum, channel) => sum + channel.inBetweens, 0);
  noteMeshFault(faults, 'in-between shapes were left out; their blend shapes go straight to the last one', inBetweens);
  const none: FbxShape = { points: new Int32Array(0), offsets: new Float64Array(0), normals: null };
  return {
    name,
    mesh: {
      polygons,
      normals: elements(NORMALS, 1)[0] ?? null,
      tangents: elements(TANGENTS, 1)[0] ?? null,
      binormals: elements(BINORMALS, 1)[0] ?? null,
      uvs: elements(UVS, MOST_SETS),
      colors: elements(COLORS, MOST_SETS),
      materials: polygonMaterials(record, polygons),
      influences: skin?.influences ?? null,
      shapes: channels.map(({ shape }) => (shape === null ? none : readShape(shape, pointCount, faults, budget))),
    },
    skin,
    channels,
  };
}

/** GeometricTranslation, -Rotation (always in FBX's XYZ order) and -Scaling of a Model as a matrix. */
function geometricTransform({ properties }: FbxObject, faults: MeshFaults): Float64Array {
  const broken = new Set<string>();
  const pose = new Float64Array(10);
  pose.set(vectorProperty(properties, 'GeometricTranslation', [0, 0, 0], broken), 0);
  const [x, y, z] = vectorProperty(properties, 'GeometricRotation', [0, 0, 0], broken);
  fromEuler(pose, 3, x, y, z, 'ZYX', DEGREE);
  pose.set(vectorProperty(properties, 'GeometricScaling', [1, 1, 1], broken), 7);
  noteMeshFault(faults, 'geometric transforms are not finite numbers; they were left out', broken.size);
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.compose(out, 0, pose, 0);
  return out;
}
