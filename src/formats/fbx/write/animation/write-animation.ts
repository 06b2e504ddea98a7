import { SEGMENT } from '../../animation/fbx-curve.ts';
import { KEY_FLAG } from '../../animation/key-tangents.ts';
import type { FbxProperty, FbxRecord } from '../../document/fbx-tree.ts';
import { connect, listRecord, objectRecord, property70, record } from '../build-records.ts';
import type { FittedCurves } from './fit-curves.ts';
import { type TimeMode, ticksAt, ticksOf } from './time-mode.ts';

export interface PropertyCurves {
  readonly object: FbxProperty;
  /** `Lcl Rotation`… */
  readonly property: string;
  /** Name of the curve node: `R`… */
  readonly name: string;
  /** Names of the numbers of the property: `d|X`… */
  readonly parts: readonly string[];
  readonly curves: FittedCurves;
}

/** `KeyVer` of files of current programs. */
const KEY_VERSION = 4009;
/** Numbers per row of `KeyAttrDataFloat`. */
const ROW = 4;
/** Both weights as one third, in two halves of a float32: 3333 of 9999. */
const DEFAULT_WEIGHTS: number = new Float32Array(Uint32Array.of(0x0d050d05).buffer)[0];

/** The flags of keys by the {@link SEGMENT} that follows. Cubic keys have their own slopes on both sides. */
const FLAGS: Readonly<Record<number, number>> = {
  [SEGMENT.CONSTANT]: KEY_FLAG.CONSTANT,
  [SEGMENT.LINEAR]: KEY_FLAG.LINEAR,
  [SEGMENT.CUBIC]: KEY_FLAG.CUBIC | KEY_FLAG.USER | KEY_FLAG.BREAK,
};

/** Writes an animation stack with one layer. `duration`: seconds. `newId` returns an id that no object of the file has. */
export function writeAnimation(
  name: string,
  properties: readonly PropertyCurves[],
  duration: number,
  timeMode: TimeMode,
  newId: () => number,
): { readonly objects: readonly FbxRecord[]; readonly connections: readonly FbxRecord[] } {
  const stop = ticksAt(duration, timeMode);
  const stack = newId();
  const layer = newId();
  const range = ['Local', 'Reference'].flatMap((kind) => [
    property70(`${kind}Start`, 'time', 0),
    property70(`${kind}Stop`, 'time', stop),
  ]);
  const objects = [
    objectRecord('AnimationStack', stack, [name, 'AnimStack'], '', [listRecord('Properties70', range)]),
    objectRecord('AnimationLayer', layer, ['BaseLayer', 'AnimLayer'], '', []),
  ];
  const connections = [connect(stack, 0), connect(layer, stack)];
  for (const { object, property, name: nodeName, parts, curves } of properties) {
    const node = newId();
    const defaults = parts.map((part, c) => property70(part, 'animatableNumber', curves.values[c]));
    const table = listRecord('Properties70', defaults);
    objects.push(objectRecord('AnimationCurveNode', node, [nodeName, 'AnimCurveNode'], '', [table]));
    connections.push(connect(node, layer), connect(node, object, property));
    for (const [c, part] of parts.entries()) {
      const curve = newId();
      objects.push(curveRecord(curve, lasting(curves, duration), c, timeMode));
      connections.push(connect(curve, node, part));
    }
  }
  return { objects, connections };
}

/** Repeats a single key at the end of the clip: a curve without a duration puzzles programs. */
function lasting(curves: FittedCurves, duration: number): FittedCurves {
  const { times, values, segments, slopes } = curves;
  if (times.length > 1 || times[0] >= duration) return curves;
  return {
    ...curves,
    times: [...times, duration],
    values: [...values, ...values],
    segments: [...segments, ...segments],
    slopes: [...slopes, ...slopes],
  };
}

/** Keys of one curve: a constant curve needs only its ends. */
function keysOf({ times, width, values, segments }: FittedCurves, c: number): number[] {
  const all = Array.from(times.keys());
  const first = Math.fround(values[c]);
  const isConstant = all.every(
    (key) => Math.fround(values[key * width + c]) === first && segments[key * width + c] !== SEGMENT.CUBIC,
  );
  return isConstant && all.length > 2 ? [0, all.length - 1] : all;
}

function curveRecord(id: number, curves: FittedCurves, c: number, timeMode: TimeMode): FbxRecord {
  const { times, width, values, segments, slopes } = curves;
  const keys = keysOf(curves, c);
  const flags: number[] = [];
  const rows: number[] = [];
  const counts: number[] = [];
  for (const key of keys) {
    const at = key * width + c;
    const flag = FLAGS[segments[at]];
    const [right, nextLeft] = [Math.fround(slopes[2 * at]), Math.fround(slopes[2 * at + 1])];
    const last = flags.length - 1;
    if (flags[last] === flag && rows[last * ROW] === right && rows[last * ROW + 1] === nextLeft) counts[last]++;
    else {
      flags.push(flag);
      rows.push(right, nextLeft, DEFAULT_WEIGHTS, 0);
      counts.push(1);
    }
  }
  const ticks = ticksOf(
    keys.map((key) => times[key]),
    timeMode,
  );
  return objectRecord('AnimationCurve', id, ['', 'AnimCurve'], '', [
    record('Default', 'D', [0]),
    record('KeyVer', 'I', [KEY_VERSION]),
    record('KeyTime', 'l', [BigInt64Array.from(ticks, BigInt)]),
    record('KeyValueFloat', 'f', [Float32Array.from(keys, (key) => values[key * width + c])]),
    record('KeyAttrFlags', 'i', [Int32Array.from(flags)]),
    record('KeyAttrDataFloat', 'f', [Float32Array.from(rows)]),
    record('KeyAttrRefCount', 'i', [Int32Array.from(counts)]),
  ]);
}
