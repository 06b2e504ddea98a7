import { describe, expect, it } from 'vitest';
import { readDisplayColor } from '../../../../src/formats/usd/read/display-color.ts';
import type { Findings } from '../../../../src/formats/usd/read/geometry-findings.ts';
import { readPolygons } from '../../../../src/formats/usd/read/read-polygons.ts';
import { stageOf } from '../stage/scene.ts';
import { square } from './meshes.ts';

function colorOf(own: string, above = '') {
  const stage = stageOf(`def Xform "X" {\n${above}\n${square('M', own)} }`);
  const findings: Findings = new Map();
  const polygons = readPolygons(stage, '/X/M', findings);
  return readDisplayColor(stage, '/X/M', polygons, findings);
}

const by = (interpolation: string): string => `(\n interpolation = "${interpolation}"\n)`;

/** rgba of every corner. */
function corners(color: ReturnType<typeof colorOf>): number[][] {
  const { values, indices } = color!.corners;
  return Array.from(indices, (index) => [...values.subarray(4 * index, 4 * index + 4)]);
}

describe('the color of a gprim', () => {
  it('is none where nobody says one', () => {
    expect(colorOf('')).toBeNull();
  });

  it('is one for all its corners, its own before that of a prim above', () => {
    const above = 'color3f[] primvars:displayColor = [(0, 0, 1)]';
    expect(colorOf('', above)).toMatchObject({ constant: [0, 0, 1, 1], isTranslucent: false });
    const own = colorOf('color3f[] primvars:displayColor = [(1, 0.5, -2)]', above);
    expect(own?.constant).toEqual([1, 0.5, 0, 1]);
    expect(corners(own)).toEqual(Array(4).fill([1, 0.5, 0, 1]));
  });

  it('is white that is seen through where opacity stands alone, of 0 to 1', () => {
    expect(colorOf('float[] primvars:displayOpacity = [0.25]')).toMatchObject({
      constant: [1, 1, 1, 0.25],
      isTranslucent: true,
    });
    expect(colorOf('float[] primvars:displayOpacity = [7]')).toMatchObject({
      constant: [1, 1, 1, 1],
      isTranslucent: false,
    });
  });

  it('differs by point or corner, with an opacity that may go by something else', () => {
    const rgb = '[(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]';
    const color = colorOf(
      `color3f[] primvars:displayColor = ${rgb} ${by('vertex')}\nfloat[] primvars:displayOpacity = [0.5] ${by('uniform')}`,
    );
    expect(color).toMatchObject({ constant: null, isTranslucent: true });
    expect(corners(color)).toEqual([
      [1, 0, 0, 0.5],
      [0, 1, 0, 0.5],
      [0, 0, 1, 0.5],
      [1, 0, 0, 0.5],
    ]);
    const opaque = colorOf(`color3f[] primvars:displayColor = ${rgb} ${by('faceVarying')}`);
    expect([opaque?.constant, opaque?.isTranslucent]).toEqual([null, false]);
  });
});
