import { describe, expect, it } from 'vitest';
import { addPrim } from '../../../../src/formats/usd/author/add-prim.ts';
import { makeLayer } from '../../../../src/formats/usd/author/author-prims.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

describe('addPrim', () => {
  it('uses the closest valid prim name and keeps the requested name as displayName', () => {
    const layer = makeLayer({});
    const paths = ['Arm', 'Arm', 'upper arm', '腕'].map((name) => addPrim(layer, '/', name, 'Node', 'Xform'));
    expect(paths).toEqual(['/Arm', '/Arm_1', '/upper_arm', '/Node']);
    expect(serializeUsda(layer).match(/displayName = ".*"/g)).toEqual([
      'displayName = "Arm"',
      'displayName = "upper arm"',
      'displayName = "腕"',
    ]);
  });

  it('writes metadata and makes names unique among siblings', () => {
    const layer = makeLayer({});
    const parent = addPrim(layer, '/', 'A', 'A', 'Xform', { kind: 'component' });
    expect(addPrim(layer, parent, 'A', 'A', 'Mesh', { apiSchemas: ['MaterialBindingAPI'] })).toBe('/A/A');
    expect(serializeUsda(layer)).toContain('kind = "component"');
    expect(serializeUsda(layer)).toContain('prepend apiSchemas = ["MaterialBindingAPI"]');
    expect(() => addPrim(layer, '/B', 'A', 'A', 'Mesh')).toThrow(RangeError);
  });
});
