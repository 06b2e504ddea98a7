import { describe, expect, it } from 'vitest';
import {
  authorAttribute,
  authorSpec,
  primSpec,
  removeAttribute,
} from '../../../../src/formats/usd/author/author-property.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

const layer = () => parseUsda('#usda 1.0\ndef Mesh "M" {\n int a = 1\n}\n');
const one = { type: 'float', isArray: false, numbers: Float32Array.of(2) } as const;

describe('properties that are written', () => {
  it('stand behind those that are there, with type, metadata and value', () => {
    const written = layer();
    authorAttribute(written, '/M', 'b', 'float', one, { variability: { type: 'word', word: 'uniform' } });
    expect(serializeUsda(written)).toContain('int a = 1\n    uniform float b = 2\n');
  });

  it('take the place of one of the same name, with all that it said', () => {
    const written = layer();
    authorAttribute(written, '/M', 'a', 'float', one, {
      custom: { type: 'bool', isArray: false, numbers: Uint8Array.of(1) },
    });
    authorAttribute(written, '/M', 'a', 'float', one);
    expect(serializeUsda(written)).toContain('{\n    float a = 2\n}');
    authorSpec(written, '/M', 'a', { type: 'relationship', fields: new Map() });
    expect(serializeUsda(written)).toContain('{\n    rel a\n}');
  });

  it('are removed where they are there', () => {
    const written = layer();
    removeAttribute(written, '/M', 'none');
    expect(serializeUsda(written)).toBe(serializeUsda(layer()));
    removeAttribute(written, '/M', 'a');
    expect(written.specs.has('/M.a')).toBe(false);
    expect(serializeUsda(written)).not.toContain('int a');
  });

  it('want a prim that the layer has', () => {
    for (const path of ['/N', '/', '/M.a']) {
      expect(() => primSpec(layer(), path)).toThrow(`The layer has no prim ${path}; give the path of one that it has`);
      expect(() => authorAttribute(layer(), path, 'b', 'float', one)).toThrow(RangeError);
      expect(() => removeAttribute(layer(), path, 'b')).toThrow(RangeError);
    }
  });
});
