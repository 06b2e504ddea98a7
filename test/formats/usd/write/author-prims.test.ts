import { describe, expect, it } from 'vitest';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { printUsdc } from '../../../../src/formats/usd/crate/print-usdc.ts';
import { authorAttribute } from '../../../../src/formats/usd/skel/author-property.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import {
  authorRelationship,
  authorTimeSamples,
  connectAttribute,
  declareAttribute,
  definePrim,
  makeLayer,
} from '../../../../src/formats/usd/write/author-prims.ts';
import { arrayOf, single, text, texts } from '../../../../src/formats/usd/write/author-values.ts';

describe('authoring', () => {
  it('makes layers that text and binary files hold as they are', () => {
    const layer = makeLayer({ upAxis: text('token', 'Y'), metersPerUnit: single('double', 1) });
    definePrim(layer, '/Hero', 'Xform', { kind: 'component', displayName: 'Der Held', apiSchemas: ['SkelBindingAPI'] });
    definePrim(layer, '/Hero/Body', 'Mesh', { displayName: 'Body' });
    definePrim(layer, '/Hero/Hat', '', { specifier: 'over' });
    authorRelationship(layer, '/Hero/Body', 'skel:skeleton', ['/Hero/Hat']);
    authorRelationship(layer, '/Hero/Body', 'many', ['/Hero', '/Hero/Hat']);
    authorAttribute(layer, '/Hero/Body', 'names', 'token[]', texts('token', ['a', 'b']));
    authorAttribute(layer, '/Hero/Body', 'points', 'point3f[]', arrayOf('float3', [0, 0.1, 2]));
    declareAttribute(layer, '/Hero/Body', 'outputs:r', 'float');
    authorAttribute(layer, '/Hero/Body', 'x', 'float', single('float', 0.5));
    connectAttribute(layer, '/Hero/Body', 'x', 'float', '/Hero/Body.outputs:r');
    connectAttribute(layer, '/Hero/Body', 'y', 'float', '/Hero/Body.outputs:r');
    authorTimeSamples(
      layer,
      '/Hero/Body',
      'q',
      'quatf',
      [0, 1.5],
      [single('quatf', 0, 0, 0, 1), single('quatf', 1, 0, 0, 0)],
    );
    const printed = printUsda(layer);
    expect(printed).toContain('prepend apiSchemas = ["SkelBindingAPI"]');
    expect(printed).toContain('displayName = "Der Held"');
    expect(printed.match(/displayName/g)).toHaveLength(1);
    expect(printed).toContain('over "Hat"');
    expect(printed).toContain('rel skel:skeleton = </Hero/Hat>');
    expect(printed).toContain('float x = 0.5\n');
    expect(printed).toContain('float x.connect = </Hero/Body.outputs:r>');
    expect(printed).toContain('float y.connect = </Hero/Body.outputs:r>');
    expect(printed).toContain('1.5: (0, 1, 0, 0)');
    expect(printUsda(parseUsda(printed))).toBe(printed);
    expect(printUsda(parseUsdc(printUsdc(layer)))).toBe(printed);
  });

  it('refuses what makes no sound layer', () => {
    const layer = makeLayer({});
    definePrim(layer, '/A', 'Xform');
    expect(() => definePrim(layer, '/A', 'Mesh')).toThrow(RangeError);
    expect(() => definePrim(layer, '/B/C', 'Mesh')).toThrow('no prim /B above');
    expect(() => definePrim(layer, '/1', 'Mesh')).toThrow('expected letters');
    expect(() => authorRelationship(layer, '/B', 'a', [])).toThrow('has no prim /B');
    const one = single('float', 1);
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', [1, 1], [one, one])).toThrow('do not rise');
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', [Number.NaN], [one])).toThrow('do not rise');
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', [1], [one, one])).toThrow('2 values at 1 times');
    expect(printUsda(layer)).toBe(printUsda(parseUsda('#usda 1.0\ndef Xform "A" {\n}\n')));
  });
});
