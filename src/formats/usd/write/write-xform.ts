/** Where prims stand: xformOps. */
import type { TrackPath } from '../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../core/animation/constant.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import type { FieldValue, Layer } from '../layer/layer.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { authorTimeSamples } from './author-prims.ts';
import { arrayOf, single, texts, UNIFORM } from './author-values.ts';
import { type NodeTracks, sampleProperty, timesOf } from './linear-animation.ts';
import { type TimeCodes, toCodes } from './time-codes.ts';

/** `float3` holds all that clips have; `double3` of whole numbers, as crates store them, three.js does not read. */
const OPS = [
  ['translation', 'translate', 'float3', 0, 3],
  ['rotation', 'orient', 'quatf', 3, 4],
  ['scale', 'scale', 'float3', 7, 3],
] as const satisfies readonly (readonly [TrackPath, string, string, number, number])[];

/** Puts a prim where ten floats (translation, rotation xyzw, scale) say, as one matrix: exact in every number. Nothing is written of the identity. */
export function writePlace(layer: Layer, prim: string, local: ArrayLike<number>): void {
  const matrix = new Float64Array(16);
  mat4.compose(matrix, 0, local, 0);
  if (mat4.isIdentity(matrix, 0)) return;
  authorAttribute(layer, prim, 'xformOp:transform', 'matrix4d', single('matrix4d', ...matrix));
  writeOrder(layer, prim, ['xformOp:transform']);
}

/** How the operations of a motion are named, and what they start from. */
export interface MotionOps {
  /** Behind the type of each: `:clip`, or nothing. */
  readonly suffix: string;
  /** Whether they start from the world, not from the prim above. */
  readonly resetsStack: boolean;
}

/** Moves a prim by linear tracks, as translation, rotation and scale: matrices in between two keys would shear. What no track moves stays as `local` has it. */
export function writeMotion(
  layer: Layer,
  prim: string,
  local: ArrayLike<number>,
  tracks: NodeTracks,
  duration: number,
  codes: TimeCodes,
  { suffix, resetsStack }: MotionOps = { suffix: '', resetsStack: false },
): void {
  for (const [path, op, type, at, width] of OPS) {
    const rest = single(type, ...Array.from({ length: width }, (_, c) => local[at + c]));
    const track = tracks[path];
    const name = `xformOp:${op}${suffix}`;
    if (track === undefined || (isConstantTrack(track) && isSame(track.values, local, at, width))) {
      authorAttribute(layer, prim, name, type, rest);
      continue;
    }
    const { times, values } = sampleProperty(
      path,
      [tracks],
      local,
      timesOf([track], duration > 0 ? duration : 1 / codes.perSecond),
    );
    const samples = values.map((numbers) => ({ ...arrayOf(type, numbers), isArray: false }));
    const metadata: Record<string, FieldValue> = { default: rest };
    authorTimeSamples(layer, prim, name, type, toCodes(codes, times), samples, metadata);
  }
  const order = OPS.map(([, op]) => `xformOp:${op}${suffix}`);
  writeOrder(layer, prim, resetsStack ? ['!resetXformStack!', ...order] : order);
}

function isSame(values: ArrayLike<number>, local: ArrayLike<number>, at: number, width: number): boolean {
  for (let c = 0; c < width; c++) if (values[c] !== local[at + c]) return false;
  return true;
}

function writeOrder(layer: Layer, prim: string, ops: readonly string[]): void {
  authorAttribute(layer, prim, 'xformOpOrder', 'token[]', texts('token', ops), UNIFORM);
}
