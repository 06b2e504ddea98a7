/** Animated FBX trees for tests, as plain data. */
import type { FbxProperty, FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { rec } from './fbx-bytes.ts';
import { properties70, type TreeParts, type Values } from './fbx-scene.ts';

export const SECOND = 46186158000;

/** Key flags by interpolation. */
export const FLAGS = { constant: 0x2, next: 0x102, linear: 0x4, auto: 0x2108 } as const;

/** A curve: seconds, values, and one interpolation for all keys. */
export interface DrawnCurve {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly flags?: number;
  readonly more?: readonly FbxRecord[];
}

/** Curves of x, y, z by what they animate: a Model, and `Lcl Rotation` and the like. */
export interface DrawnChannel {
  readonly model: number;
  readonly property: string;
  readonly curves: readonly (DrawnCurve | null)[];
  /** `d|X` … of the curve node. */
  readonly defaults?: Values;
}

export interface DrawnLayer {
  readonly values?: Values;
  readonly channels: readonly DrawnChannel[];
  /** The curve of its weight. */
  readonly weight?: DrawnCurve;
}

export interface DrawnStack {
  readonly name?: string;
  readonly values?: Values;
  readonly layers: readonly DrawnLayer[];
}

export const ticks = (second: number): bigint => BigInt(Math.round(second * SECOND));

export function curveRecord(id: number, { times, values, flags = FLAGS.linear, more = [] }: DrawnCurve): FbxRecord {
  return rec(
    'AnimationCurve',
    [id, '\0\x01AnimCurve', ''],
    [
      rec('KeyTime', [BigInt64Array.from(times, ticks)]),
      rec('KeyValueFloat', [Float32Array.from(values)]),
      rec('KeyAttrFlags', [Int32Array.of(flags)]),
      rec('KeyAttrDataFloat', [Float32Array.of(0, 0, 0, 0)]),
      rec('KeyAttrRefCount', [Int32Array.of(times.length)]),
      ...more,
    ],
  );
}

/** Objects and connections of animation stacks, with ids from 1000 on. */
export function animation(stacks: readonly DrawnStack[]): Required<Pick<TreeParts, 'objects' | 'connections'>> {
  const objects: FbxRecord[] = [];
  const connections: [FbxProperty, FbxProperty, string?][] = [];
  let nextId = 1000;
  const add = (make: (id: number) => FbxRecord): number => {
    const id = nextId++;
    objects.push(make(id));
    return id;
  };
  const node = (layer: number, target: number, property: string, values: Values): number => {
    // FBXLoader of three.js finds curves by these names: T, R, S.
    const name = property.startsWith('Lcl ') ? property[4] : 'N';
    const id = add((at) => rec('AnimationCurveNode', [at, `${name}\0\x01AnimCurveNode`, ''], [properties70(values)]));
    connections.push([id, layer], [id, target, property]);
    return id;
  };
  for (const { name = 'Take 001', values = {}, layers } of stacks) {
    const stack = add((id) => rec('AnimationStack', [id, `${name}\0\x01AnimStack`, ''], [properties70(values)]));
    for (const { values: layerValues = {}, channels, weight } of layers) {
      const layer = add((id) => rec('AnimationLayer', [id, 'L\0\x01AnimLayer', ''], [properties70(layerValues)]));
      connections.push([layer, stack]);
      if (weight !== undefined) {
        const at = node(layer, layer, 'Weight', {});
        connections.push([add((id) => curveRecord(id, weight)), at, 'd|Weight']);
      }
      for (const { model, property, curves, defaults = {} } of channels) {
        const at = node(layer, model, property, defaults);
        for (const [k, curve] of curves.entries()) {
          if (curve !== null) connections.push([add((id) => curveRecord(id, curve)), at, `d|${'XYZ'[k]}`]);
        }
      }
    }
  }
  return { objects, connections };
}
