import { describe, expect, it } from 'vitest';
import { defaultMaterial } from '../../../../src/formats/usd/read/preview-surface.ts';
import {
  type Look,
  lookTable,
  materialsByLook,
  materialsOfLooks,
  placeOfLook,
} from '../../../../src/formats/usd/read/surface-materials.ts';

const PLAIN: Look = { material: null, isDoubleSided: false, color: null, isTranslucent: false };
const look = (more: Partial<Look>): Look => ({ ...PLAIN, ...more });

describe('looks', () => {
  it('have a place each, those that say nothing none', () => {
    const table = lookTable();
    const red = [1, 0, 0, 1] as const;
    const places = [
      PLAIN,
      look({ color: red }),
      look({ material: '/Skin', color: red }),
      look({ material: '/Skin' }),
      look({ material: '/Skin', isDoubleSided: true }),
      look({ isDoubleSided: true }),
      look({ color: red }),
      look({ color: red, isTranslucent: true }),
    ].map((each) => placeOfLook(table, each, []));
    // With a material the color of the mesh does not count.
    expect(places).toEqual([-1, 0, 1, 1, 2, 3, 0, 4]);
  });

  it('bring the uv sets of all gprims that have a material', () => {
    const table = lookTable();
    placeOfLook(table, look({ material: '/A' }), ['map2', 'st']);
    placeOfLook(table, look({ material: '/B' }), []);
    placeOfLook(table, look({ material: '/A', isDoubleSided: true }), ['st', 'map1']);
    placeOfLook(table, look({ color: [1, 1, 1, 1] }), ['other']);
    const { paths, uvSets } = materialsOfLooks(table);
    expect(paths).toEqual(['/A', '/B']);
    expect(uvSets.map((names) => [...names].sort())).toEqual([['map1', 'map2', 'st'], []]);
    expect(uvSets[0][0]).toBe('st');
  });

  it('are the materials that were read, with the sides of the gprim, and plain ones of colors', () => {
    const table = lookTable();
    placeOfLook(table, look({ material: '/A', isDoubleSided: true }), []);
    placeOfLook(table, look({ material: '/A' }), []);
    placeOfLook(table, look({ color: [1, 0, 0, 0.5], isTranslucent: true }), []);
    placeOfLook(table, look({ isDoubleSided: true }), []);
    const skin = { ...defaultMaterial('Skin'), metallic: 1 };
    const materials = materialsByLook(table, [skin]);
    expect(materials[0]).toEqual({ ...skin, doubleSided: true });
    expect(materials[1]).toBe(skin);
    expect(materials[2]).toMatchObject({ name: 'displayColor', baseColor: [1, 0, 0, 0.5], alphaMode: 'blend' });
    expect(materials[3]).toMatchObject({ name: 'default', baseColor: [1, 1, 1, 1], doubleSided: true });
  });
});
