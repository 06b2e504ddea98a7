import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../../core/math/axis-angles.ts';
import { DEGREE, type EulerOrder, fromEuler } from '../../../core/math/euler.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as quat from '../../../core/math/quat.ts';
import { addBreaks, type CurveBreaks } from './curve-breaks.ts';
import { evaluateCurve, type FbxCurve } from './fbx-curve.ts';

/** How a layer is combined with the layers below: it adds its values, replaces theirs, or replaces them in proportion to its weight. */
export type BlendMode = 'additive' | 'override' | 'passthrough';

/** How an animation layer is combined with the layers below. */
export interface LayerBlending {
  /** True for the first layer of a stack, which replaces the node's own values whatever its blend mode is. */
  readonly isBase: boolean;
  readonly mode: BlendMode;
  /** True if rotations are blended as quaternions (`RotationAccumulationMode` ByLayer), false if angle by angle. */
  readonly blendsAsRotation: boolean;
  /** True if scales are multiplied (`ScaleAccumulationMode` Multiply), false if they are added. */
  readonly multipliesScale: boolean;
  /** 0…1. */
  readonly weight: number;
  /** Animated weight in percent, used instead of `weight`; null for a constant weight. */
  readonly weightCurve: FbxCurve | null;
}

export interface FbxVectorCurve {
  /** One curve per component; null for a component without animation. */
  readonly curves: readonly [FbxCurve | null, FbxCurve | null, FbxCurve | null];
  /** Values of components without a curve; null without a default. */
  readonly defaults: readonly [number | null, number | null, number | null];
}

export interface ChannelLayer extends FbxVectorCurve {
  readonly blending: LayerBlending;
}

/** An animated `Lcl Translation`, `Lcl Rotation` (degrees) or `Lcl Scaling` of a node. */
export interface FbxChannel {
  readonly path: 'translation' | 'rotation' | 'scale';
  /** Values of the node without animation, x, y, z. */
  readonly rest: ArrayLike<number>;
  /** Order of the matrix product of the rotations about the axes. */
  readonly order: EulerOrder;
  readonly layers: readonly ChannelLayer[];
}

/** Weights from this value on count as 1. */
const FULL_WEIGHT = 0.99999;
const AXES: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };

const value = new Float64Array(3);
const below = new Float64Array(4);
const above = new Float64Array(4);
const IDENTITY = new Float64Array([0, 0, 0, 1]);

/**
 * Evaluates a channel: the node's own values, then layer by layer from the bottom (FbxAnimLayer of the Autodesk FBX SDK). `out` receives x, y, z;
 * degrees for a rotation.
 */
export function evaluateChannel(channel: FbxChannel, seconds: number, out: Floats, o: number): void {
  const { rest, layers, path } = channel;
  for (let c = 0; c < 3; c++) out[o + c] = rest[c];
  for (const { blending: layer, curves, defaults } of layers) {
    const replaces = layer.isBase || layer.mode === 'override';
    for (let c = 0; c < 3; c++) {
      const curve = curves[c];
      if (curve !== null) value[c] = evaluateCurve(curve, seconds);
      else value[c] = defaults[c] ?? (replaces ? out[o + c] : neutralValue(layer, path, out[o + c]));
    }
    if (replaces) for (let c = 0; c < 3; c++) out[o + c] = value[c];
    else addLayer(channel, layer, weightAt(layer, seconds), out, o);
  }
}

/** Returns the value that leaves the result of the layers below unchanged. */
function neutralValue({ mode, multipliesScale }: LayerBlending, path: FbxChannel['path'], former: number): number {
  if (mode !== 'additive') return former;
  return path === 'scale' && multipliesScale ? 1 : 0;
}

/** Returns the weight of a layer at a time, 0…1. */
function weightAt({ weight, weightCurve }: LayerBlending, seconds: number): number {
  if (weightCurve === null) return weight;
  return clampWeight(evaluateCurve(weightCurve, seconds) / 100);
}

export function clampWeight(weight: number): number {
  if (!(weight > 0)) return 0;
  return weight > FULL_WEIGHT ? 1 : weight;
}

function addLayer({ path, order }: FbxChannel, layer: LayerBlending, weight: number, out: Floats, o: number): void {
  const isAdditive = layer.mode === 'additive';
  if (path === 'rotation' && layer.blendsAsRotation) {
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

/** Raises a scale to a power 0…1; its sign stays. */
function power(scale: number, exponent: number): number {
  if (exponent <= 0) return 1;
  return exponent >= 1 ? scale : Math.sign(scale) * Math.abs(scale) ** exponent;
}

const angles = new Float64Array(3);
const plans = new Map<EulerOrder, AxisAnglesPlan>();

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

export function curvesOf({ layers }: FbxChannel): FbxCurve[] {
  const out: FbxCurve[] = [];
  for (const { curves, blending } of layers) {
    for (const curve of curves) if (curve !== null) out.push(curve);
    const isWeighted = !blending.isBase && blending.mode !== 'override';
    if (isWeighted && blending.weightCurve !== null) out.push(blending.weightCurve);
  }
  return out;
}

/**
 * Adds the keys and jumps of all curves of a channel in a time range. `start`: start of the range, seconds, inclusive. `end`: end of the range,
 * seconds, inclusive.
 */
export function addChannelBreaks(channel: FbxChannel, start: number, end: number, breaks: CurveBreaks): void {
  for (const curve of curvesOf(channel)) addBreaks(curve, start, end, breaks);
}
