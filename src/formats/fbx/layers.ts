/** The value of a channel of a node over time, where several layers of animation lie on it. */
import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../core/math/axis-angles.ts';
import { DEGREE, type EulerOrder, fromEuler } from '../../core/math/euler.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import { addBreaks, type CurveBreaks, evaluateCurve, type FbxCurve } from './curve.ts';

/** How a layer goes on top of those below: adds itself, takes their place, or takes their place as far as its weight goes. */
export type LayerBlend = 'additive' | 'override' | 'passthrough';

/** How much a layer counts and how it is added. */
export interface FbxBlend {
  /** The first layer of a stack: it takes the place of the node's own values, whatever it says about blending. */
  readonly isBase: boolean;
  readonly blend: LayerBlend;
  /** Whether rotations are blended as rotations (`RotationAccumulationMode` ByLayer), not angle by angle. */
  readonly turnsWhole: boolean;
  /** Whether scales are multiplied (`ScaleAccumulationMode` Multiply), not added. */
  readonly multipliesScale: boolean;
  /** 0…1. */
  readonly weight: number;
  /** In percent, in the place of the weight; null where it is not animated. */
  readonly weightCurve: FbxCurve | null;
}

/** Three curves, of x, y and z. */
export interface FbxVectorCurve {
  readonly curves: readonly [FbxCurve | null, FbxCurve | null, FbxCurve | null];
  /** What stands in for a curve that is missing; null where nothing does. */
  readonly defaults: readonly [number | null, number | null, number | null];
}

/** What one layer says about a channel. */
export interface ChannelLayer extends FbxVectorCurve {
  readonly blend: FbxBlend;
}

/** `Lcl Translation`, `Lcl Rotation` (degrees) or `Lcl Scaling` of a node. */
export interface FbxChannel {
  readonly path: 'translation' | 'rotation' | 'scale';
  /** The values of the node without animation. */
  readonly rest: ArrayLike<number>;
  /** The order in which the rotations about the axes are multiplied. */
  readonly order: EulerOrder;
  /** From the bottom. */
  readonly layers: readonly ChannelLayer[];
}

/** From this weight on a layer has the whole say. */
const WHOLE = 0.99999;
const AXES: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };

const value = new Float64Array(3);
const below = new Float64Array(4);
const above = new Float64Array(4);
const IDENTITY = new Float64Array([0, 0, 0, 1]);

/**
 * Writes the three values of a channel at a time, seconds, to `out` at o: those of the node, then layer by layer from the
 * bottom (FbxAnimLayer of the Autodesk FBX SDK).
 */
export function evaluateChannel(channel: FbxChannel, seconds: number, out: Floats, o: number): void {
  const { rest, layers, path } = channel;
  for (let c = 0; c < 3; c++) out[o + c] = rest[c];
  for (const { blend: layer, curves, defaults } of layers) {
    const replaces = layer.isBase || layer.blend === 'override';
    for (let c = 0; c < 3; c++) {
      const curve = curves[c];
      if (curve !== null) value[c] = evaluateCurve(curve, seconds);
      else value[c] = defaults[c] ?? (replaces ? out[o + c] : neutralValue(layer, path, out[o + c]));
    }
    if (replaces) for (let c = 0; c < 3; c++) out[o + c] = value[c];
    else addLayer(channel, layer, weightAt(layer, seconds), out, o);
  }
}

/** The value that changes nothing of what is below a layer. */
function neutralValue({ blend, multipliesScale }: FbxBlend, path: FbxChannel['path'], former: number): number {
  if (blend !== 'additive') return former;
  return path === 'scale' && multipliesScale ? 1 : 0;
}

/** The weight of a layer at a time, 0…1. */
function weightAt({ weight, weightCurve }: FbxBlend, seconds: number): number {
  if (weightCurve === null) return weight;
  return clampWeight(evaluateCurve(weightCurve, seconds) / 100);
}

/** A weight as it counts. */
export function clampWeight(weight: number): number {
  if (!(weight > 0)) return 0;
  return weight > WHOLE ? 1 : weight;
}

/** Puts `value` on top of what `out` has, by a weight. */
function addLayer({ path, order }: FbxChannel, layer: FbxBlend, weight: number, out: Floats, o: number): void {
  const isAdditive = layer.blend === 'additive';
  if (path === 'rotation' && layer.turnsWhole) {
    fromEuler(below, 0, out[o], out[o + 1], out[o + 2], order, DEGREE);
    fromEuler(above, 0, value[0], value[1], value[2], order, DEGREE);
    if (isAdditive) {
      quat.slerp(above, 0, IDENTITY, 0, above, 0, weight);
      quat.multiply(above, 0, below, 0, above, 0);
    } else quat.slerp(above, 0, below, 0, above, 0, weight);
    toDegrees(out, o, above, order);
    return;
  }
  const multiplies = path === 'scale' && layer.multipliesScale;
  for (let c = 0; c < 3; c++) {
    const former = out[o + c];
    if (multiplies) out[o + c] = (isAdditive ? former : power(former, 1 - weight)) * power(value[c], weight);
    else out[o + c] = (isAdditive ? former : former * (1 - weight)) + value[c] * weight;
  }
}

/** A scale to a power 0…1; it keeps its sign. */
function power(scale: number, exponent: number): number {
  if (exponent <= 0) return 1;
  return exponent >= 1 ? scale : Math.sign(scale) * Math.abs(scale) ** exponent;
}

const angles = new Float64Array(3);
const plans = new Map<EulerOrder, AxisAnglesPlan>();

/** Writes the angles about x, y and z of a rotation. */
function toDegrees(out: Floats, o: number, rotation: Floats, order: EulerOrder): void {
  let plan = plans.get(order);
  if (plan === undefined) {
    plan = planAxisAngles([...order].map((letter) => AXES[letter]));
    plans.set(order, plan);
  }
  angles.fill(0);
  toAxisAngles(angles, 0, plan, rotation, 0);
  for (let k = 0; k < 3; k++) out[o + plan.axes[k]] = angles[k] / DEGREE;
}

/** All curves that a channel depends on. */
export function curvesOf({ layers }: FbxChannel): FbxCurve[] {
  const out: FbxCurve[] = [];
  for (const { curves, blend } of layers) {
    for (const curve of curves) if (curve !== null) out.push(curve);
    const isWeighted = !blend.isBase && blend.blend !== 'override';
    if (isWeighted && blend.weightCurve !== null) out.push(blend.weightCurve);
  }
  return out;
}

/** Adds the keys and jumps of all curves of a channel from `start` to `end` seconds. */
export function addChannelBreaks(channel: FbxChannel, start: number, end: number, breaks: CurveBreaks): void {
  for (const curve of curvesOf(channel)) addBreaks(curve, start, end, breaks);
}
