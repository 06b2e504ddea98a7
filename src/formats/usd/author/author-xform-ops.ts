import { PATH_WIDTH, type TrackPath } from '../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../core/animation/is-constant-track.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE, PATH_OFFSET } from '../../../core/skeleton/skeleton.ts';
import type { FieldValue, Layer } from '../layer/layer.ts';
import { type TimeCodes, toCodes } from '../time-codes.ts';
import { authorTimeSamples } from './author-prims.ts';
import { authorAttribute } from './author-property.ts';
import { arrayOf, single, texts, UNIFORM } from './author-values.ts';
import { type NodeTracks, sampleProperty, sampleTimes } from './sample-tracks.ts';

/** Track path, op type and value type. `float3` is as precise as clips; three.js cannot read a `double3` that crates store as integers. */
const OPS = [
  ['translation', 'translate', 'float3'],
  ['rotation', 'orient', 'quatf'],
  ['scale', 'scale', 'float3'],
] as const satisfies readonly (readonly [TrackPath, string, string])[];

/**
 * Sets the transform of a prim, as one matrix in double precision. The identity is not written. `layer` is changed in place. `local`: translation,
 * rotation xyzw and scale: 10 floats.
 */
export function authorTransform(layer: Layer, prim: string, local: ArrayLike<number>): void {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.compose(matrix, 0, local, 0);
  if (mat4.isIdentity(matrix, 0)) return;
  authorAttribute(layer, prim, 'xformOp:transform', 'matrix4d', single('matrix4d', ...matrix));
  writeOrder(layer, prim, ['xformOp:transform']);
}

interface AnimatedOpsOptions {
  /** Seconds of the clip. */
  readonly duration: number;
  readonly codes: TimeCodes;
  readonly suffix?: string;
  /** Whether the transform is relative to the world instead of the parent prim (`!resetXformStack!`); false by default. */
  readonly resetsStack?: boolean;
}

/**
 * Animates the transform of a prim by the ops translate, orient and scale. A matrix op would shear between its samples. Paths without a track keep their
 * value in `local`. `layer` is changed in place. `local`: translation, rotation xyzw and scale: 10 floats.
 */
export function authorAnimatedTransform(
  layer: Layer,
  prim: string,
  local: ArrayLike<number>,
  tracks: NodeTracks,
  { duration, codes, suffix = '', resetsStack = false }: AnimatedOpsOptions,
): void {
  for (const [path, op, type] of OPS) {
    const at = PATH_OFFSET[path];
    const width = PATH_WIDTH[path];
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
      sampleTimes([track], duration > 0 ? duration : 1 / codes.perSecond),
    );
    const samples = values.map((numbers) => ({ ...arrayOf(type, numbers), isArray: false }));
    const metadata: Record<string, FieldValue> = { default: rest };
    authorTimeSamples(layer, prim, name, type, { times: toCodes(codes, times), values: samples }, metadata);
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
