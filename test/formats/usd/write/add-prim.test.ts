import { describe, expect, it } from 'vitest';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { addPrim } from '../../../../src/formats/usd/write/add-prim.ts';
import { makeLayer } from '../../../../src/formats/usd/write/author-prims.ts';

describe('a prim with the name that a user gave', () => {
  it('has it where USD takes it, else the nearest one, and says what it was', () => {
    const layer = makeLayer({});
    const paths = ['Arm', 'Arm', 'upper arm', '腕'].map((name) => addPrim(layer, '/', name, 'Node', 'Xform'));
    expect(paths).toEqual(['/Arm', '/Arm_1', '/upper_arm', '/Node']);
    expect(printUsda(layer).match(/displayName = ".*"/g)).toEqual([
      'displayName = "Arm"',
      'displayName = "upper arm"',
      'displayName = "腕"',
    ]);
  });

  it('has the metadata that is given, and names are unique below each parent', () => {
    const layer = makeLayer({});
    const parent = addPrim(layer, '/', 'A', 'A', 'Xform', { kind: 'component' });
    expect(addPrim(layer, parent, 'A', 'A', 'Mesh', { apiSchemas: ['MaterialBindingAPI'] })).toBe('/A/A');
    expect(printUsda(layer)).toContain('kind = "component"');
    expect(printUsda(layer)).toContain('prepend apiSchemas = ["MaterialBindingAPI"]');
    expect(() => addPrim(layer, '/B', 'A', 'A', 'Mesh')).toThrow(RangeError);
  });
});
