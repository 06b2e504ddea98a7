import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../../src/core/asset/geometry-budget.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { type MaterialPart, materialParts } from '../../../../../src/formats/usd/read/materials/material-bindings.ts';
import {
  type Gprim,
  type GprimBinding,
  readDisplayColor,
  readGprim,
  restWeights,
} from '../../../../../src/formats/usd/read/meshes/read-gprim.ts';
import { readPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import type { Stage } from '../../../../../src/formats/usd/stage/stage.ts';
import { messagesOf } from '../../skel/scene.ts';
import { stageOf } from '../../stage/scene.ts';
import { plainNumbers, square } from '../mesh-scene.ts';

interface Read {
  readonly stage: Stage;
  readonly gprim: Gprim;
  readonly binding: GprimBinding | null;
  readonly messages: string[];
  readonly parts: () => MaterialPart[];
}

/** Reads the gprim at a path. */
function readAt(text: string, path: string): Read {
  const stage = stageOf(text);
  const [skeleton] = readUsdScene(stage).skeletons;
  const bound = skeleton?.bound.find(({ prim }) => prim === path);
  const findings: Findings = new Map();
  const issues: Issue[] = [];
  const reading = { stage, budget: geometryBudget('USD_LIMIT'), findings, issues };
  const prim = stage.primsByPath.get(path);
  if (prim === undefined) throw new Error(`there is no ${path}`);
  const binding = bound === undefined ? null : { skeleton, bound };
  const gprim = readGprim(reading, prim, binding);
  return {
    stage,
    gprim,
    binding,
    messages: [...findings.keys(), ...messagesOf(issues)],
    parts: () => materialParts(stage, path, gprim.surface.polygons, new Map(), findings),
  };
}

describe('readGprim', () => {
  it('reads the polygons of a mesh without primvars', () => {
    const { gprim, messages, parts } = readAt(square('M'), '/M');
    expect(messages).toEqual([]);
    expect([...gprim.surface.polygons.corners]).toEqual([0, 1, 2, 3]);
    expect(gprim).toMatchObject({ color: null, isDoubleSided: false, binding: null, morphs: null });
    expect(gprim.surface).toMatchObject({ normals: null, colors: null, influences: null, shapes: [] });
    expect(gprim.surface.uvs.size).toBe(0);
    expect(parts().map(({ faces, material }) => [Array.from(faces), material])).toEqual([[[0], null]]);
  });

  it('reads doubleSided, which defaults to true for planes', () => {
    const isDoubleSided = (text: string): boolean => readAt(text, '/M').gprim.isDoubleSided;
    expect(isDoubleSided(square('M', 'uniform bool doubleSided = 1'))).toBe(true);
    expect(isDoubleSided('def Plane "M" {\n}')).toBe(true);
    expect(isDoubleSided('def Plane "M" {\n uniform bool doubleSided = 0\n}')).toBe(false);
    expect(isDoubleSided('def Cube "M" {\n}')).toBe(false);
  });

  it('reads at most eight UV sets', () => {
    const sets = Array.from({ length: 10 }, (_, i) => `texCoord2f[] primvars:st${i} = [(0, ${i})]`);
    const { gprim, messages } = readAt(square('M', sets.join('\n')), '/M');
    expect(gprim.surface.uvs.size).toBe(8);
    expect(messages).toEqual(['Meshes have more than 8 UV sets, the limit; the excess sets were dropped']);
  });

  it('reports animated points and subdivision', () => {
    const moving = 'normal3f[] normals.timeSamples = { 0: [(0, 0, 1)], 1: [(0, 1, 0)] }';
    expect(readAt(square('M', moving), '/M').messages).toContain(
      'Meshes have animated points or faces, which is not supported; their static or first value was used',
    );
    expect(readAt(square('M', 'uniform token subdivisionScheme = "catmullClark"'), '/M').messages).toEqual([
      'Subdivision surfaces are not refined; their control polygons were used',
    ]);
    expect(readAt(square('M', 'uniform token subdivisionScheme = "none"'), '/M').messages).toEqual([]);
  });
});

const ROOT = (shapes: string, animation: string): string => `def SkelRoot "R" {
  def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"]) { rel skel:animationSource = </R/A> }
  def SkelAnimation "A" { ${animation} }
  ${square('M', `rel skel:skeleton = </R/S>\n${shapes}`, 'prepend apiSchemas = ["SkelBindingAPI"]')} }`;
const SHAPES = `uniform token[] skel:blendShapes = ["wide", "tall"]
  rel skel:blendShapeTargets = [</R/M/Wide>, </R/M/Tall>]
  def BlendShape "Wide" { uniform vector3f[] offsets = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] }
  def BlendShape "Tall" { uniform vector3f[] offsets = [(0, 1, 0)] }`;

describe('readGprim blend shapes', () => {
  it('are offsets of points; shapes that do not fit are empty, with an issue', () => {
    const { gprim, messages } = readAt(ROOT(SHAPES, ''), '/R/M');
    expect(gprim.surface.shapes.map(({ offsets }) => offsets?.length)).toEqual([12, 0]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^The blend shape tall does not fit \/R\/M: .* Its offsets were ignored\. Export it again\.$/,
    );
  });

  it('restWeights: returns the finite weights at the default time, else 0', () => {
    const weights = (animation: string): number[] | null => {
      const { stage, gprim, binding } = readAt(ROOT(SHAPES, animation), '/R/M');
      return plainNumbers(restWeights(stage, gprim.morphs!, binding!));
    };
    const names = 'uniform token[] blendShapes = ["tall", "wide"]';
    expect(weights(`${names}\nfloat[] blendShapeWeights = [0.5, 0.25]`)).toEqual([0.25, 0.5]);
    expect(weights(`${names}\nfloat[] blendShapeWeights = [inf, 0.25]`)).toEqual([0.25, 0]);
    expect(weights(`${names}\nfloat[] blendShapeWeights.timeSamples = { 0: [1, 1] }`)).toEqual([0, 0]);
    expect(weights('')).toEqual([0, 0]);
  });
});

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
