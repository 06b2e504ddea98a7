/** Reads the color of gprims without a material: `primvars:displayColor` and `primvars:displayOpacity`. */
import { weldRows } from '../../../../core/math/weld.ts';
import type { Stage } from '../../stage/stage.ts';
import type { Findings } from '../geometry-findings.ts';
import type { UsdPolygons } from './read-polygons.ts';
import { type PrimvarValues, primvarHolder, readPrimvar } from './read-primvars.ts';

/** The display color of a gprim, linear RGBA. */
export interface DisplayColor {
  /** RGBA of the whole gprim; null if it varies. */
  readonly constant: readonly [number, number, number, number] | null;
  /** RGBA by corner. */
  readonly corners: PrimvarValues;
  /** Whether any opacity is below 1. */
  readonly isTranslucent: boolean;
}

/**
 * Reads the display color of a gprim, authored on it or inherited from an ancestor. Opacity without a color applies to white.
 *
 * @returns The color; null if neither color nor opacity is authored.
 */
export function readDisplayColor(
  stage: Stage,
  prim: string,
  polygons: UsdPolygons,
  findings: Findings,
): DisplayColor | null {
  const read = (name: string, width: number): PrimvarValues | null => {
    const holder = primvarHolder(stage, prim, name);
    return holder === null ? null : readPrimvar(stage, { prim: holder, name, width }, polygons, findings);
  };
  const color = read('primvars:displayColor', 3);
  const opacity = read('primvars:displayOpacity', 1);
  if (color === null && opacity === null) return null;
  const rgba = (colorIndex: number, opacityIndex: number): [number, number, number, number] => {
    const component = (c: number): number => {
      return color === null || colorIndex < 0 ? 1 : Math.max(0, color.values[3 * colorIndex + c]);
    };
    const alpha = opacity === null || opacityIndex < 0 ? 1 : opacity.values[opacityIndex];
    return [component(0), component(1), component(2), Math.min(Math.max(alpha, 0), 1)];
  };
  const isConstant = [color, opacity].every((values) => values === null || values.interpolation === 'constant');
  if (isConstant) {
    const constant = rgba(0, 0);
    const indices = new Int32Array(polygons.corners.length);
    const corners = { width: 4, values: Float32Array.from(constant), indices, interpolation: 'constant' } as const;
    return { constant, corners, isTranslucent: constant[3] < 1 };
  }
  const pairs = new Int32Array(2 * polygons.corners.length);
  for (let corner = 0; corner < polygons.corners.length; corner++) {
    pairs[2 * corner] = color?.indices[corner] ?? 0;
    pairs[2 * corner + 1] = opacity?.indices[corner] ?? 0;
  }
  const { ids, firsts } = weldRows(pairs, 2);
  const values = new Float32Array(4 * firsts.length);
  let isTranslucent = false;
  for (const [id, corner] of firsts.entries()) {
    values.set(rgba(pairs[2 * corner], pairs[2 * corner + 1]), 4 * id);
    if (values[4 * id + 3] < 1) isTranslucent = true;
  }
  return { constant: null, corners: { width: 4, values, indices: ids, interpolation: 'faceVarying' }, isTranslucent };
}
