import type { Mesh, MeshInstance, Skin } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import type { TriangulationBudget } from '../../../core/asset/triangulate.ts';
import { DEGREE, fromEuler } from '../../../core/math/euler.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { boolProperty, vectorProperty } from '../document/object-properties.ts';
import { recordIn } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';
import type { FbxBindPose } from '../nodes/read-fbx-bind-pose.ts';
import type { ModelForest } from '../nodes/read-models.ts';
import { type FbxMesh, meshPrimitives } from './build-primitives.ts';
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
import { meshObjects } from './mesh-objects.ts';
import { countIn, readPolygons } from './read-polygons.ts';
import { type FbxShape, readShape, type ShapeChannel, shapeChannels, shapeWeight } from './read-shapes.ts';
import { type FbxSkin, readSkin } from './read-skin-clusters.ts';

/** Limit for the UV sets and for the color sets of a mesh. */
const MAX_SETS = 8;

export interface MeshReading {
  readonly scene: FbxScene;
  readonly forest: ModelForest;
  /** Rest pose of the nodes, model space: {@link MATRIX_STRIDE} floats per node. */
  readonly worlds: Float64Array;
  readonly bind: FbxBindPose;
  readonly budget: GeometryBudget;
  readonly triangulation: TriangulationBudget;
  readonly issues: Issue[];
  readonly sourceMeshes: Map<string, SourceMesh>;
}

/** A mesh as the file has it. It is read once, however many nodes use it. */
interface SourceMesh {
  readonly name: string;
  /** Polygons, layer elements, skin weights and shapes. */
  readonly mesh: FbxMesh;
  readonly skin: FbxSkin | null;
  /** The blend shapes, in the order of the morph targets. */
  readonly channels: readonly ShapeChannel[];
}

interface SceneMeshes {
  readonly meshes: Mesh[];
  /** Control point of each vertex, by mesh and primitive. */
  readonly controlPoints: Int32Array[][];
  readonly skins: Skin[];
  readonly instances: MeshInstance[];
  /** The materials that nodes with meshes use. Primitives refer to this order. */
  readonly materials: FbxObject[];
}

function report(issues: Issue[], message: string): void {
  issues.push(issue('FBX_GEOMETRY', message));
}

/** Counts the Geometries of a Model that are not meshes, by type. */
function countUnread(unread: Map<string, number>, scene: FbxScene, model: FbxObject): void {
  for (const { type, record } of childObjects(scene, model.id, 'Geometry')) {
    const isMesh = recordIn(record.records, 'PolygonVertexIndex') !== undefined;
    if (!isMesh && type !== 'Shape') unread.set(type, (unread.get(type) ?? 0) + 1);
  }
}

/**
 * Reads the meshes of all nodes. Nodes that share a mesh with the same materials and geometric transform share the result. `reading`: state of the
 * reading; receives issues and meshes.
 */
export function readMeshes(reading: MeshReading): SceneMeshes {
  const { scene, forest, sourceMeshes } = reading;
  const out: SceneMeshes = { meshes: [], controlPoints: [], skins: [], instances: [], materials: [] };
  const materialIds = new Map<string, number>();
  const known = new Map<string, number>();
  const skinOf = new Map<FbxSkin, number>();
  const unread = new Map<string, number>();
  /** 1 for nodes that pass on that they are invisible. */
  const invisible = new Uint8Array(forest.models.length);
  for (const [node, model] of forest.models.entries()) {
    countUnread(unread, scene, model);
    const { properties } = model;
    const parent = boolProperty(properties, 'Visibility Inheritance', true) ? forest.parents[node] : -1;
    const isVisible = boolProperty(properties, 'Visibility', true) && (parent < 0 || invisible[parent] === 0);
    if (!isVisible) invisible[node] = 1;
    // Nodes below do not inherit `Show`.
    const isHidden = !isVisible || !boolProperty(properties, 'Show', true);
    for (const meshObject of meshObjects(scene, model)) {
      const faults: IssueTally = new Map();
      let source = sourceMeshes.get(meshObject.id);
      if (source === undefined) {
        source = readSourceMesh(reading, meshObject, node, faults);
        sourceMeshes.set(meshObject.id, source);
      }
      const geometric = geometricTransform(model, faults);
      const materials = childObjects(scene, model.id, 'Material').map((material) => {
        const index = materialIds.get(material.id) ?? out.materials.length;
        if (index === out.materials.length) out.materials.push(material);
        materialIds.set(material.id, index);
        return index;
      });
      const key = `${meshObject.id}\0${geometric.join()}\0${materials.join()}`;
      let mesh = known.get(key);
      if (mesh === undefined) {
        mesh = addMesh(reading, source, geometric, materials, faults, out);
        known.set(key, mesh);
      }
      reportFaults(reading.issues, source.name, faults);
      if (mesh < 0) continue;
      let skin = -1;
      if (source.skin !== null) {
        skin = skinOf.get(source.skin) ?? out.skins.length;
        if (skin === out.skins.length) out.skins.push(source.skin.skin);
        skinOf.set(source.skin, skin);
      }
      out.instances.push({ node, mesh, skin, morphWeights: null, ...(isHidden ? { isHidden } : {}) });
    }
  }
  for (const [type, count] of unread) {
    report(
      reading.issues,
      `${count} geometries of type ${JSON.stringify(type)} were left out. Convert them to polygons.`,
    );
  }
  return out;
}

function reportFaults(issues: Issue[], name: string, faults: IssueTally): void {
  for (const [fault, count] of faults) report(issues, `Mesh ${JSON.stringify(name)}: ${count} ${fault}.`);
}

/** Adds a mesh to `out` and returns its index; −1 for a mesh without triangles. */
function addMesh(
  { budget, triangulation }: MeshReading,
  { name, mesh, channels }: SourceMesh,
  geometric: Float64Array,
  materials: readonly number[],
  faults: IssueTally,
  out: SceneMeshes,
): number {
  const parts = meshPrimitives(mesh, { geometric, materials }, faults, budget, triangulation);
  if (parts.length === 0) {
    tallyIssue(faults, 'mesh object without a valid polygon; it was left out', 1);
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

/** Reads a mesh with its skin and shapes; `node` is the first node that uses it. */
function readSourceMesh(
  { scene, forest, worlds, bind, budget }: MeshReading,
  meshObject: FbxObject,
  node: number,
  faults: IssueTally,
): SourceMesh {
  const { record } = meshObject;
  const name = meshObject.name || forest.models[node].name;
  budget.take(2 * countIn(record.records, 'Vertices') + 4 * countIn(record.records, 'PolygonVertexIndex'));
  const polygons = readPolygons(record, faults);
  const pointCount = polygons.points.length / 3;
  const elements = (kind: typeof NORMALS, most: number): LayerElement[] =>
    layerElements(record, kind, polygons, faults, budget, most);
  const start = node * MATRIX_STRIDE;
  const from = bind.bound[node] === 1 ? bind.matrices : worlds;
  const skinned = { meshId: meshObject.id, name, pointCount, bindMatrix: from.slice(start, start + MATRIX_STRIDE) };
  const skin = readSkin(scene, forest, worlds, skinned, faults, budget);
  const used = new Set(polygons.corners);
  let unweighted = 0;
  for (let point = 0; point < pointCount; point++) if (skin?.unweighted[point] === 1 && used.has(point)) unweighted++;
  tallyIssue(faults, 'control points have no skin weight; they follow the topmost joint', unweighted);
  const channels = shapeChannels(scene, meshObject);
  const inBetweens = channels.reduce((sum, channel) => sum + channel.inBetweens, 0);
  tallyIssue(faults, 'in-between shapes were left out; their blend shapes move straight to the last shape', inBetweens);
  const none: FbxShape = { points: new Int32Array(0), offsets: new Float64Array(0), normals: null };
  return {
    name,
    mesh: {
      polygons,
      normals: elements(NORMALS, 1)[0] ?? null,
      tangents: elements(TANGENTS, 1)[0] ?? null,
      binormals: elements(BINORMALS, 1)[0] ?? null,
      uvs: elements(UVS, MAX_SETS),
      colors: elements(COLORS, MAX_SETS),
      materials: polygonMaterials(record, polygons),
      influences: skin?.influences ?? null,
      shapes: channels.map(({ shape }) => (shape === null ? none : readShape(shape, pointCount, faults, budget))),
    },
    skin,
    channels,
  };
}

/** Reads GeometricTranslation, GeometricRotation (always in FBX's XYZ order) and GeometricScaling of a Model as a matrix. */
function geometricTransform({ properties }: FbxObject, faults: IssueTally): Float64Array {
  const broken = new Set<string>();
  const pose = new Float64Array(POSE_STRIDE);
  pose.set(vectorProperty(properties, 'GeometricTranslation', [0, 0, 0], broken), PATH_OFFSET.translation);
  const [x, y, z] = vectorProperty(properties, 'GeometricRotation', [0, 0, 0], broken);
  fromEuler(pose, PATH_OFFSET.rotation, x, y, z, 'ZYX', DEGREE);
  pose.set(vectorProperty(properties, 'GeometricScaling', [1, 1, 1], broken), PATH_OFFSET.scale);
  tallyIssue(faults, 'properties of the geometric transform are not finite numbers; they were left out', broken.size);
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.compose(out, 0, pose, 0);
  return out;
}
