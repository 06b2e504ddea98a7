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

describe('author-property', () => {
  it('appends properties with type, metadata and value', () => {
    const written = layer();
    authorAttribute(written, '/M', 'b', 'float', one, { variability: { type: 'word', word: 'uniform' } });
    expect(serializeUsda(written)).toContain('int a = 1\n    uniform float b = 2\n');
  });

  it('replaces a property of the same name with all its fields', () => {
    const written = layer();
    authorAttribute(written, '/M', 'a', 'float', one, {
      custom: { type: 'bool', isArray: false, numbers: Uint8Array.of(1) },
    });
    authorAttribute(written, '/M', 'a', 'float', one);
    expect(serializeUsda(written)).toContain('{\n    float a = 2\n}');
    authorSpec(written, '/M', 'a', { type: 'relationship', fields: new Map() });
    expect(serializeUsda(written)).toContain('{\n    rel a\n}');
  });

  it('removes a property if it exists', () => {
    const written = layer();
    removeAttribute(written, '/M', 'none');
    expect(serializeUsda(written)).toBe(serializeUsda(layer()));
    removeAttribute(written, '/M', 'a');
    expect(written.specs.has('/M.a')).toBe(false);
    expect(serializeUsda(written)).not.toContain('int a');
  });

  it('throws for a prim that the layer lacks', () => {
    for (const path of ['/N', '/', '/M.a']) {
      expect(() => primSpec(layer(), path)).toThrow(
        `The layer has no spec of the prim ${path}. Pass the path of an existing prim`,
      );
      expect(() => authorAttribute(layer(), path, 'b', 'float', one)).toThrow(RangeError);
      expect(() => removeAttribute(layer(), path, 'b')).toThrow(RangeError);
    }
  });
});
