/** Writes planned meshes: Models, Geometries, skins and blend shapes. */
import type { Material } from '../../../../core/asset/material.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { uniqueName } from '../../../../core/text/unique-name.ts';
import type { FbxRecord } from '../../document/fbx-tree.ts';
import type { FbxShape } from '../../meshes/read-shapes.ts';
import { connect, listRecord, objectRecord, property70, record } from '../build-records.ts';
import type { FileBuilder } from './file-builder.ts';
import { type CornerLayer, type MeshData, meshData } from './mesh-data.ts';
import type { PlannedMesh, PlannedSkin } from './plan-meshes.ts';
import { uvSetName } from './uv-set-name.ts';
import { transformProperties, type WrittenModel } from './write-joints.ts';
import type { MaterialIds } from './write-materials.ts';

export interface WrittenMesh extends WrittenModel {
  readonly shapeCount: number;
  readonly planned: PlannedMesh;
}

/** Percentage at which a blend shape has its full effect. */
const FULL_PERCENT = 100;

export function writeMesh(
  file: FileBuilder,
  planned: PlannedMesh,
  materials: readonly Material[],
  ids: MaterialIds,
  joints: readonly WrittenModel[],
): WrittenMesh {
  const { objects, connections, nextId } = file;
  const { name, placement, skin, isHidden } = planned;
  const data = meshData(planned);
  const used = [...new Set(data.materials)];
  const model = nextId();
  const geometry = nextId();
  const isSingleSided = used.every((index) => materials[index]?.doubleSided !== true);
  const index = objects.length + 1;
  objects.push(
    objectRecord('Geometry', geometry, [name, 'Geometry'], 'Mesh', geometryRecords(data, used)),
    objectRecord('Model', model, [name, 'Model'], 'Mesh', [
      record('Version', 'I', [232]),
      listRecord('Properties70', [
        ...transformProperties(placement),
        property70('DefaultAttributeIndex', 'int', 0),
        ...(isHidden ? [property70('Visibility', 'visibility', 0)] : []),
      ]),
      record('Shading', 'C', [true]),
      record('Culling', 'S', [isSingleSided ? 'CullingOnCCW' : 'CullingOff']),
    ]),
  );
  connections.push(connect(model, 0), connect(geometry, model));
  for (const index of used) {
    const id = ids.get(index);
    if (id !== undefined) connections.push(connect(id, model));
  }
  if (skin !== null) writeSkin(file, name, geometry, skin, data, joints);
  if (data.shapes.length > 0) writeShapes(file, planned, geometry, data.shapes);
  return { id: model, index, shapeCount: data.shapes.length, planned };
}

function geometryRecords(data: MeshData, materials: readonly number[]): FbxRecord[] {
  const { points, corners, normals, tangents, uvs, colors } = data;
  const polygons = corners.map((point, corner) => (corner % 3 === 2 ? ~point : point));
  const layers: (readonly [element: string, index: number])[] = [];
  const elements: FbxRecord[] = [];
  const add = (kind: string, index: number, name: string, version: number, records: readonly FbxRecord[]): void => {
    layers.push([kind, index]);
    elements.push(
      record(kind, 'I', [index], [record('Version', 'I', [version]), record('Name', 'S', [name]), ...records]),
    );
  };
  const direct = (values: string, layer: CornerLayer): FbxRecord[] => [
    record('MappingInformationType', 'S', ['ByPolygonVertex']),
    record('ReferenceInformationType', 'S', ['Direct']),
    record(values, 'd', [byCorner(layer, data.cornerVertices)]),
  ];
  const indexed = (values: string, indices: string, layer: CornerLayer): FbxRecord[] => [
    record('MappingInformationType', 'S', ['ByPolygonVertex']),
    record('ReferenceInformationType', 'S', ['IndexToDirect']),
    record(values, 'd', [layer.values]),
    record(indices, 'i', [data.cornerVertices]),
  ];
  if (normals !== null) add('LayerElementNormal', 0, '', 101, direct('Normals', normals));
  if (tangents !== null) {
    add('LayerElementBinormal', 0, '', 101, direct('Binormals', tangents[1]));
    add('LayerElementTangent', 0, '', 101, direct('Tangents', tangents[0]));
  }
  for (const [set, layer] of colors.entries())
    add('LayerElementColor', set, `colors${set + 1}`, 101, indexed('Colors', 'ColorIndex', layer));
  for (const [set, layer] of uvs.entries())
    add('LayerElementUV', set, uvSetName(set), 101, indexed('UV', 'UVIndex', layer));
  const indexOf = new Map(materials.map((material, index) => [material, index]));
  const isOne = materials.length === 1;
  const materialIndices = isOne ? Int32Array.of(0) : data.materials.map((material) => indexOf.get(material) as number);
  add('LayerElementMaterial', 0, '', 101, [
    record('MappingInformationType', 'S', [isOne ? 'AllSame' : 'ByPolygon']),
    record('ReferenceInformationType', 'S', ['IndexToDirect']),
    record('Materials', 'i', [materialIndices]),
  ]);
  return [
    record('GeometryVersion', 'I', [124]),
    record('Vertices', 'd', [points]),
    record('PolygonVertexIndex', 'i', [polygons]),
    ...elements,
    ...layerRecords(layers),
  ];
}

/** Lists the layer elements of every layer: further UV and color sets are in further layers. */
function layerRecords(elements: readonly (readonly [element: string, index: number])[]): FbxRecord[] {
  const count = Math.max(0, ...elements.map(([, index]) => index + 1));
  return Array.from({ length: count }, (_, layer) =>
    record(
      'Layer',
      'I',
      [layer],
      [
        record('Version', 'I', [100]),
        ...elements
          .filter(([, index]) => index === layer)
          .map(([kind, index]) =>
            listRecord('LayerElement', [record('Type', 'S', [kind]), record('TypedIndex', 'I', [index])]),
          ),
      ],
    ),
  );
}

function byCorner({ values, width }: CornerLayer, vertices: Int32Array): Float64Array {
  const out = new Float64Array(width * vertices.length);
  for (let corner = 0; corner < vertices.length; corner++) {
    for (let c = 0; c < width; c++) out[width * corner + c] = values[width * vertices[corner] + c];
  }
  return out;
}

/**
 * Writes a skin. `TransformLink` is the joint at bind time; `Transform` is the mesh at bind time in the space of the joint. The vertices are in model
 * space, so that it is the inverse of the joint.
 */
function writeSkin(
  { objects, connections, nextId }: FileBuilder,
  name: string,
  geometry: number,
  { joints, links }: PlannedSkin,
  { clusters }: MeshData,
  models: readonly WrittenModel[],
): void {
  const skin = nextId();
  objects.push(
    objectRecord('Deformer', skin, [name, 'Deformer'], 'Skin', [
      record('Version', 'I', [101]),
      record('Link_DeformAcuracy', 'D', [50]),
      record('SkinningType', 'S', ['Linear']),
    ]),
  );
  connections.push(connect(skin, geometry));
  for (const [k, joint] of joints.entries()) {
    const { points, weights } = clusters[k];
    if (points.length === 0) continue;
    const cluster = nextId();
    const link = links.slice(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1));
    const transform = new Float64Array(MATRIX_STRIDE);
    if (!mat4.invertAffine(transform, 0, link, 0)) mat4.identity(transform, 0);
    objects.push(
      objectRecord('Deformer', cluster, [name, 'SubDeformer'], 'Cluster', [
        record('Version', 'I', [100]),
        record('UserData', 'SS', ['', '']),
        record('Indexes', 'i', [points]),
        record('Weights', 'd', [weights]),
        record('Transform', 'd', [transform]),
        record('TransformLink', 'd', [link]),
      ]),
    );
    connections.push(connect(cluster, skin), connect(models[joint].id, cluster));
  }
}

function writeShapes(
  { objects, connections, nextId }: FileBuilder,
  { name, mesh, morphWeights }: PlannedMesh,
  geometry: number,
  shapes: readonly FbxShape[],
): void {
  const deformer = nextId();
  objects.push(objectRecord('Deformer', deformer, [name, 'Deformer'], 'BlendShape', [record('Version', 'I', [100])]));
  connections.push(connect(deformer, geometry));
  const taken = new Set<string>();
  for (const [target, { points, offsets, normals }] of shapes.entries()) {
    const label = uniqueName(mesh.morphNames[target] || `shape${target}`, (one) => taken.has(one), '_', 1);
    taken.add(label);
    const channel = nextId();
    const shape = nextId();
    const percent = FULL_PERCENT * (morphWeights[target] ?? 0);
    objects.push(
      objectRecord('Deformer', channel, [label, 'SubDeformer'], 'BlendShapeChannel', [
        record('Version', 'I', [100]),
        record('DeformPercent', 'D', [percent]),
        record('FullWeights', 'd', [Float64Array.of(FULL_PERCENT)]),
        listRecord('Properties70', [property70('DeformPercent', 'animatableNumber', percent)]),
      ]),
      objectRecord('Geometry', shape, [label, 'Geometry'], 'Shape', [
        record('Version', 'I', [100]),
        record('Indexes', 'i', [points]),
        record('Vertices', 'd', [offsets]),
        record('Normals', 'd', [normals ?? new Float64Array(offsets.length)]),
      ]),
    );
    connections.push(connect(channel, deformer), connect(shape, channel));
  }
}
