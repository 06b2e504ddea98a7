import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { readDisplayColor } from '../../../../../src/formats/usd/read/meshes/read-gprim.ts';
import { readPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import { stageOf } from '../../stage/scene.ts';
import { square } from '../mesh-scene.ts';

function colorOf(own: string, above = '') {
  const stage = stageOf(`def Xform "X" {\n${above}\n${square('M', own)} }`);
  const findings: Findings = new Map();
  const polygons = readPolygons(stage, '/X/M', findings);
  return readDisplayColor(stage, '/X/M', polygons, findings);
}

const by = (interpolation: string): string => `(\n interpolation = "${interpolation}"\n)`;

/** Lists the RGBA of each corner. */
function corners(color: ReturnType<typeof colorOf>): number[][] {
  const { values, indices } = color!.corners;
  return Array.from(indices, (index) => [...values.subarray(4 * index, 4 * index + 4)]);
}

describe('readDisplayColor', () => {
  it('returns null without an authored color or opacity', () => {
    expect(colorOf('')).toBeNull();
  });

  it('prefers a constant color of the gprim over one of an ancestor', () => {
    const above = 'color3f[] primvars:displayColor = [(0, 0, 1)]';
    expect(colorOf('', above)).toMatchObject({ constant: [0, 0, 1, 1], isTranslucent: false });
    const own = colorOf('color3f[] primvars:displayColor = [(1, 0.5, -2)]', above);
    expect(own?.constant).toEqual([1, 0.5, 0, 1]);
    expect(corners(own)).toEqual(Array(4).fill([1, 0.5, 0, 1]));
  });

  it('applies opacity without a color to white, clamped to 0…1', () => {
    expect(colorOf('float[] primvars:displayOpacity = [0.25]')).toMatchObject({
      constant: [1, 1, 1, 0.25],
      isTranslucent: true,
    });
    expect(colorOf('float[] primvars:displayOpacity = [7]')).toMatchObject({
      constant: [1, 1, 1, 1],
      isTranslucent: false,
    });
  });

  it('combines colors and opacities with different interpolations', () => {
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
