import { describe, expect, it } from 'vitest';
import {
  type Appearance,
  appearanceIndex,
  boundMaterials,
  createAppearanceTable,
  materialsOfAppearances,
} from '../../../../../src/formats/usd/read/materials/gprim-materials.ts';
import { defaultMaterial } from '../../../../../src/formats/usd/read/materials/preview-surface.ts';

const PLAIN: Appearance = { material: null, isDoubleSided: false, color: null, isTranslucent: false };
const appearance = (more: Partial<Appearance>): Appearance => ({ ...PLAIN, ...more });

describe('gprim-materials', () => {
  it('appearanceIndex: returns one index per appearance, and −1 for the default', () => {
    const table = createAppearanceTable();
    const red = [1, 0, 0, 1] as const;
    const indices = [
      PLAIN,
      appearance({ color: red }),
      appearance({ material: '/Skin', color: red }),
      appearance({ material: '/Skin' }),
      appearance({ material: '/Skin', isDoubleSided: true }),
      appearance({ isDoubleSided: true }),
      appearance({ color: red }),
      appearance({ color: red, isTranslucent: true }),
    ].map((each) => appearanceIndex(table, each, []));
    // With a Material, the display color is ignored.
    expect(indices).toEqual([-1, 0, 1, 1, 2, 3, 0, 4]);
  });

  it('boundMaterials: collects the UV sets of all gprims with a Material', () => {
    const table = createAppearanceTable();
    appearanceIndex(table, appearance({ material: '/A' }), ['map2', 'st']);
    appearanceIndex(table, appearance({ material: '/B' }), []);
    appearanceIndex(table, appearance({ material: '/A', isDoubleSided: true }), ['st', 'map1']);
    appearanceIndex(table, appearance({ color: [1, 1, 1, 1] }), ['other']);
    const { paths, uvSets } = boundMaterials(table);
    expect(paths).toEqual(['/A', '/B']);
    expect(uvSets.map((names) => [...names].sort())).toEqual([['map1', 'map2', 'st'], []]);
    expect(uvSets[0][0]).toBe('st');
  });

  it('materialsOfAppearances: adds double-sidedness to Materials and creates materials for display colors', () => {
    const table = createAppearanceTable();
    appearanceIndex(table, appearance({ material: '/A', isDoubleSided: true }), []);
    appearanceIndex(table, appearance({ material: '/A' }), []);
    appearanceIndex(table, appearance({ color: [1, 0, 0, 0.5], isTranslucent: true }), []);
    appearanceIndex(table, appearance({ isDoubleSided: true }), []);
    const skin = { ...defaultMaterial('Skin'), metallic: 1 };
    const materials = materialsOfAppearances(table, [skin]);
    expect(materials[0]).toEqual({ ...skin, doubleSided: true });
    expect(materials[1]).toBe(skin);
    expect(materials[2]).toMatchObject({ name: 'displayColor', baseColor: [1, 0, 0, 0.5], alphaMode: 'blend' });
    expect(materials[3]).toMatchObject({ name: 'default', baseColor: [1, 1, 1, 1], doubleSided: true });
  });
});
