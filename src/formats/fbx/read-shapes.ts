/** Blend shapes of FBX meshes: channels, each with the shape that it blends in. */

import type { GeometryBudget } from '../../core/asset/geometry-budget.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { splitName } from './names.ts';
import { numberProperty, propertyOf } from './properties.ts';
import { countIn, integersIn, type MeshFaults, noteMeshFault, numbersIn } from './read-polygons.ts';
import { numberOf, numbersOf, recordIn, textOf } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';
import type { FbxRecord } from './tree.ts';

/** One blend shape of a mesh. */
export interface ShapeChannel {
  /** What animation refers to: the id of the BlendShapeChannel (7.x), or that of the Model and the name of the shape (6.1). */
  readonly id: string;
  readonly name: string;
  /** Percent at which the shape is there as a whole. */
  readonly fullWeight: number;
  /** Percent where nothing animates it. */
  readonly percent: number;
  /** The shape; null where the channel has none. */
  readonly shape: FbxRecord | null;
  /** Shapes on the way to it, which are left out. */
  readonly inBetweens: number;
}

/** Offsets of control points. */
export interface FbxShape {
  /** The control points that move, each once, rising. */
  readonly points: Int32Array;
  /** xyz of each. */
  readonly offsets: Float64Array;
  /** What is added to the normals of each; null where the shape says nothing or only zeros. */
  readonly normals: Float64Array | null;
}

const WHOLE_PERCENT = 100;

/** Joins the id of a Model of 6.1 and the name of one of its shapes. */
export function legacyShapeId(modelId: string, shapeName: string): string {
  return `${modelId}\0${shapeName}`;
}

/**
 * The blend shapes of a mesh in the order of the file: the BlendShapeChannels of the BlendShapes of a Geometry (7.x), the
 * `Shape` records of a Model (6.1).
 */
export function shapeChannels(scene: FbxScene, holder: FbxObject): ShapeChannel[] {
  const channels: ShapeChannel[] = [];
  for (const { name, properties, records } of holder.record.records) {
    if (name !== 'Shape') continue;
    const shapeName = splitName(textOf(properties[0]) ?? '').name;
    const percent = numberProperty(holder.properties, shapeName, 0);
    const id = legacyShapeId(holder.id, shapeName);
    const shape = { name, properties, records };
    channels.push({ id, name: shapeName, fullWeight: WHOLE_PERCENT, percent, shape, inBetweens: 0 });
  }
  for (const deformer of objectsBelow(scene, holder.id, 'Deformer')) {
    if (deformer.type !== 'BlendShape') continue;
    for (const channel of objectsBelow(scene, deformer.id, 'Deformer')) {
      if (channel.type === 'BlendShapeChannel') channels.push(readChannel(scene, channel));
    }
  }
  return channels;
}

function readChannel(scene: FbxScene, channel: FbxObject): ShapeChannel {
  const { id, name, record, properties } = channel;
  const shapes = objectsBelow(scene, id, 'Geometry').filter(({ type }) => type === 'Shape');
  const weights = recordIn(record.records, 'FullWeights');
  const fullWeights = weights === undefined ? new Float64Array(0) : numbersOf(weights, shapes.length);
  let last = 0;
  for (let k = 1; k < shapes.length; k++) if (fullWeights[k] >= (fullWeights[last] ?? 0)) last = k;
  const fullWeight = fullWeights[last];
  const written = numberOf(recordIn(record.records, 'DeformPercent')?.properties[0]) ?? 0;
  const own = numberOf(propertyOf(properties, 'DeformPercent')?.[0]);
  return {
    id,
    name: name || shapes[last]?.name || '',
    fullWeight: fullWeight > 0 && fullWeight <= FLOAT32_MAX ? fullWeight : WHOLE_PERCENT,
    percent: own ?? written,
    shape: shapes[last]?.record ?? null,
    inBetweens: Math.max(0, shapes.length - 1),
  };
}

/** The weight of a blend shape, 1 for the whole of it, for a percentage. */
export function shapeWeight({ fullWeight }: ShapeChannel, percent: number): number {
  const weight = percent / fullWeight;
  return Math.abs(weight) <= FLOAT32_MAX ? weight : 0;
}

/**
 * Reads a shape: `Indexes`, `Vertices` and `Normals`, all offsets. Offsets of control points that are not there, and those
 * that are not finite, are left out and noted; of several for one control point the last counts.
 */
export function readShape(
  { records }: FbxRecord,
  pointCount: number,
  faults: MeshFaults,
  budget: GeometryBudget,
): FbxShape {
  budget.take(7 * countIn(records, 'Indexes') + 2 * (countIn(records, 'Vertices') + countIn(records, 'Normals')));
  const indices = integersIn(records, 'Indexes');
  const vertices = numbersIn(records, 'Vertices');
  const normals = numbersIn(records, 'Normals');
  const places = new Map<number, number>();
  let strays = 0;
  for (let i = 0; i < indices.length; i++) {
    const isThere = indices[i] >= 0 && indices[i] < pointCount && areFinite(vertices, 3 * i);
    if (isThere) places.set(indices[i], i);
    else strays++;
  }
  noteMeshFault(
    faults,
    'offsets of blend shapes are broken or of control points that are not there; they were left out',
    strays,
  );
  const points = Int32Array.from(places.keys()).sort();
  const offsets = new Float64Array(3 * points.length);
  const turns = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const from = 3 * places.get(points[i])!;
    offsets.set(vertices.subarray(from, from + 3), 3 * i);
    if (areFinite(normals, from)) turns.set(normals.subarray(from, from + 3), 3 * i);
  }
  return { points, offsets, normals: turns.some((value) => value !== 0) ? turns : null };
}

function areFinite(values: Float64Array, i: number): boolean {
  return (
    Math.abs(values[i]) <= FLOAT32_MAX &&
    Math.abs(values[i + 1]) <= FLOAT32_MAX &&
    Math.abs(values[i + 2]) <= FLOAT32_MAX
  );
}
