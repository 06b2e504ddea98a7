import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { boundMaterial, materialParts } from '../../../../../src/formats/usd/read/materials/material-bindings.ts';
import { readPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import { stageOf } from '../../stage/scene.ts';
import { read, square } from '../mesh-scene.ts';

const MATERIALS = 'def Material "Red" {\n}\ndef Material "Blue" {\n}\n';

function boundOf(text: string, prim: string): { material: string | null; messages: string[] } {
  const findings: Findings = new Map();
  const material = boundMaterial(stageOf(MATERIALS + text), prim, new Map(), findings);
  return { material, messages: [...findings.keys()] };
}

describe('boundMaterial', () => {
  it('returns the binding of the nearest ancestor', () => {
    const text = `def Xform "A" {
      rel material:binding = </Red>
      def Xform "B" {
        rel material:binding = </Blue>
        def Mesh "M" {
        } } }`;
    expect(boundOf(text, '/A/B/M')).toEqual({ material: '/Blue', messages: [] });
    expect(boundOf(text, '/A').material).toBe('/Red');
    expect(boundOf(text, '/Red').material).toBeNull();
  });

  it('returns the binding of an ancestor that is stronger than its descendants', () => {
    const text = `def Xform "A" {
      rel material:binding = </Red> (
        bindMaterialAs = "strongerThanDescendants"
      )
      def Mesh "M" {
        rel material:binding = </Blue>
      } }`;
    expect(boundOf(text, '/A/M').material).toBe('/Red');
  });

  it('prefers the purpose preview, and uses full only without any other binding', () => {
    const mesh = (...relations: string[]): string => `def Mesh "M" {\n${relations.join('\n')}\n}`;
    const full = 'rel material:binding:full = </Red>';
    expect(boundOf(mesh(full), '/M').material).toBe('/Red');
    expect(boundOf(mesh(full, 'rel material:binding = </Blue>'), '/M').material).toBe('/Blue');
    const preview = 'rel material:binding:preview = </Red>';
    expect(boundOf(mesh(preview, 'rel material:binding = </Blue>'), '/M').material).toBe('/Red');
  });

  it('ignores bindings to non-Materials and collection-based bindings', () => {
    const text = `def Xform "A" {
      rel material:binding = </Red>
      rel material:binding:collection:all = [</A.collection:x>, </Blue>]
      def Mesh "M" {
        rel material:binding = </Nowhere>
      } }`;
    expect(boundOf(text, '/A/M')).toEqual({
      material: '/Red',
      messages: [
        'Collection-based material bindings are not supported and were ignored. Bind the prims directly',
        'Material bindings do not target a Material prim and were ignored',
      ],
    });
  });
});

/** Four faces of three corners each. */
const FACES = `point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
  int[] faceVertexCounts = [3, 3, 3, 3]
  int[] faceVertexIndices = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]`;

function subset(name: string, indices: string, more: string): string {
  return `def GeomSubset "${name}" {\nint[] indices = ${indices}\n${more}\n}`;
}

describe('materialParts', () => {
  it('returns the subsets, then the remaining faces', () => {
    const family = 'uniform token familyName = "materialBind"';
    const stage = stageOf(`${MATERIALS}def Mesh "M" {
      ${FACES}
      rel material:binding = </Red>
      ${subset('One', '[2, 9]', `${family}\nrel material:binding = </Blue>`)}
      ${subset('Two', '[2, 0]', 'rel material:binding = </Blue>')}
      ${subset('Other', '[1]', 'uniform token familyName = "selection"\nrel material:binding = </Blue>')}
      ${subset('Points', '[1]', `${family}\nuniform token elementType = "point"`)}
    }`);
    const findings: Findings = new Map();
    const polygons = readPolygons(stage, '/M', findings);
    expect(materialParts(stage, '/M', polygons, new Map(), findings)).toEqual([
      { faces: [2], material: '/Blue' },
      { faces: [0], material: '/Blue' },
      { faces: [1, 3], material: '/Red' },
    ]);
    expect([...findings.keys()]).toEqual([
      'Subsets contain faces that the mesh does not have; they were ignored',
      'Faces are in several subsets and got the material of the first',
    ]);
  });

  it('yields separate primitives', () => {
    const blue = subset('S', '[0]', 'uniform token familyName = "materialBind"\nrel material:binding = </Blue>');
    const { geometry } = read(`${MATERIALS}def Mesh "M" {\n${FACES}\n${blue}\n}`);
    const [{ primitives }] = geometry.meshes;
    expect(primitives.map(({ indices, material }) => [indices?.length, material])).toEqual([
      [3, 0],
      [9, -1],
    ]);
    expect(geometry.materials.map(({ name }) => name)).toEqual(['Blue']);
  });
});

it('readUsdGeometry: makes a material double-sided for the meshes that are', () => {
  const bound = 'rel material:binding = </Red>';
  const both = 'uniform bool doubleSided = 1';
  const { geometry } = read(
    `${MATERIALS}${square('A', bound)}${square('B', `${bound}\n${both}`)}${square('C', both)}${square('D')}`,
  );
  expect(geometry.meshes.map(({ primitives }) => primitives[0].material)).toEqual([0, 1, 2, -1]);
  expect(geometry.materials.map(({ name, doubleSided }) => [name, doubleSided])).toEqual([
    ['Red', false],
    ['Red', true],
    ['default', true],
  ]);
});
