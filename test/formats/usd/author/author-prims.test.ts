import { describe, expect, it } from 'vitest';
import {
  authorRelationship,
  authorTimeSamples,
  connectAttribute,
  declareAttribute,
  definePrim,
  makeLayer,
} from '../../../../src/formats/usd/author/author-prims.ts';
import { authorAttribute } from '../../../../src/formats/usd/author/author-property.ts';
import { arrayOf, single, text, texts } from '../../../../src/formats/usd/author/author-values.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

describe('author-prims', () => {
  it('creates layers that text and binary files round-trip', () => {
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
    authorTimeSamples(layer, '/Hero/Body', 'q', 'quatf', {
      times: [0, 1.5],
      values: [single('quatf', 0, 0, 0, 1), single('quatf', 1, 0, 0, 0)],
    });
    const printed = serializeUsda(layer);
    expect(printed).toContain('prepend apiSchemas = ["SkelBindingAPI"]');
    expect(printed).toContain('displayName = "Der Held"');
    expect(printed.match(/displayName/g)).toHaveLength(1);
    expect(printed).toContain('over "Hat"');
    expect(printed).toContain('rel skel:skeleton = </Hero/Hat>');
    expect(printed).toContain('float x = 0.5\n');
    expect(printed).toContain('float x.connect = </Hero/Body.outputs:r>');
    expect(printed).toContain('float y.connect = </Hero/Body.outputs:r>');
    expect(printed).toContain('1.5: (0, 1, 0, 0)');
    expect(serializeUsda(parseUsda(printed))).toBe(printed);
    expect(serializeUsda(parseUsdc(serializeUsdc(layer)))).toBe(printed);
  });

  it('throws for edits that would make the layer invalid', () => {
    const layer = makeLayer({});
    definePrim(layer, '/A', 'Xform');
    expect(() => definePrim(layer, '/A', 'Mesh')).toThrow(RangeError);
    expect(() => definePrim(layer, '/B/C', 'Mesh')).toThrow('no parent prim /B');
    expect(() => definePrim(layer, '/1', 'Mesh')).toThrow('expected letters');
    expect(() => authorRelationship(layer, '/B', 'a', [])).toThrow('has no spec of the prim /B');
    const one = single('float', 1);
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', { times: [1, 1], values: [one, one] })).toThrow(
      'not strictly ascending',
    );
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', { times: [Number.NaN], values: [one] })).toThrow(
      'not strictly ascending',
    );
    expect(() => authorTimeSamples(layer, '/A', 'x', 'float', { times: [1], values: [one, one] })).toThrow(
      '2 values for 1 times',
    );
    expect(serializeUsda(layer)).toBe(serializeUsda(parseUsda('#usda 1.0\ndef Xform "A" {\n}\n')));
  });
});
