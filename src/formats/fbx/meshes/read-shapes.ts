import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxRecord } from '../document/fbx-tree.ts';
import { splitName } from '../document/object-names.ts';
import { numberProperty, propertyOf } from '../document/object-properties.ts';
import { numberOf, numbersIn, numbersOf, recordIn, textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';
import { countIn, integersIn } from './read-polygons.ts';

export interface ShapeChannel {
  /** Id that animation refers to: that of the BlendShapeChannel (7.x), or of the Model with the name of the shape (6.1). */
  readonly id: string;
  readonly name: string;
  /** Percentage at which the shape has its full effect. */
  readonly fullWeight: number;
  /** Percentage without animation. */
  readonly percent: number;
  /** The record of the shape; null for a channel without a shape. */
  readonly shape: FbxRecord | null;
  /** Number of in-between shapes, which are left out. */
  readonly inBetweens: number;
}

export interface FbxShape {
  /** The control points that move: unique, increasing. */
  readonly points: Int32Array;
  /** xyz of each. */
  readonly offsets: Float64Array;
  /** Normal deltas, xyz of each; null without, as for a shape that has only zeros. */
  readonly normals: Float64Array | null;
}

const WHOLE_PERCENT = 100;

export function legacyShapeId(modelId: string, shapeName: string): string {
  return `${modelId}\0${shapeName}`;
}

/** Lists the blend shapes of a mesh in the order of the file: BlendShapeChannels of a Geometry (7.x), or `Shape` records of a Model (6.1). */
export function shapeChannels(scene: FbxScene, meshObject: FbxObject): ShapeChannel[] {
  const channels: ShapeChannel[] = [];
  for (const shape of meshObject.record.records) {
    const { name, properties } = shape;
    if (name !== 'Shape') continue;
    const shapeName = splitName(textOf(properties[0]) ?? '').name;
    const percent = numberProperty(meshObject.properties, shapeName, 0);
    const id = legacyShapeId(meshObject.id, shapeName);
    channels.push({ id, name: shapeName, fullWeight: WHOLE_PERCENT, percent, shape, inBetweens: 0 });
  }
  for (const deformer of childObjects(scene, meshObject.id, 'Deformer')) {
    if (deformer.type !== 'BlendShape') continue;
    for (const channel of childObjects(scene, deformer.id, 'Deformer')) {
      if (channel.type === 'BlendShapeChannel') channels.push(readChannel(scene, channel));
    }
  }
  return channels;
}

function readChannel(scene: FbxScene, channel: FbxObject): ShapeChannel {
  const { id, name, record, properties } = channel;
  const shapes = childObjects(scene, id, 'Geometry').filter(({ type }) => type === 'Shape');
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

/** Converts a percentage to the weight of a morph target. */
export function shapeWeight({ fullWeight }: ShapeChannel, percent: number): number {
  const weight = percent / fullWeight;
  return Math.abs(weight) <= FLOAT32_MAX ? weight : 0;
}

/** Reads the offsets of a shape: `Indexes`, `Vertices` and `Normals`. The last of several offsets for one control point counts. */
export function readShape(
  { records }: FbxRecord,
  pointCount: number,
  faults: IssueTally,
  budget: GeometryBudget,
): FbxShape {
  budget.take(7 * countIn(records, 'Indexes') + 2 * (countIn(records, 'Vertices') + countIn(records, 'Normals')));
  const indices = integersIn(records, 'Indexes');
  const vertices = numbersIn(records, 'Vertices');
  const normals = numbersIn(records, 'Normals');
  const indexByPoint = new Map<number, number>();
  let strays = 0;
  for (let i = 0; i < indices.length; i++) {
    const isThere = indices[i] >= 0 && indices[i] < pointCount && areFinite(vertices, 3 * i);
    if (isThere) indexByPoint.set(indices[i], i);
    else strays++;
  }
  tallyIssue(
    faults,
    'offsets of blend shapes are invalid or refer to missing control points; they were left out',
    strays,
  );
  const points = Int32Array.from(indexByPoint.keys()).sort();
  const offsets = new Float64Array(3 * points.length);
  const normalDeltas = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const from = 3 * indexByPoint.get(points[i])!;
    offsets.set(vertices.subarray(from, from + 3), 3 * i);
    if (areFinite(normals, from)) normalDeltas.set(normals.subarray(from, from + 3), 3 * i);
  }
  return { points, offsets, normals: normalDeltas.some((value) => value !== 0) ? normalDeltas : null };
}

function areFinite(values: Float64Array, i: number): boolean {
  return (
    Math.abs(values[i]) <= FLOAT32_MAX &&
    Math.abs(values[i + 1]) <= FLOAT32_MAX &&
    Math.abs(values[i + 2]) <= FLOAT32_MAX
  );
}
