import { describe, expect, it } from 'vitest';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts, parseGlb } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGltf, uniqueFileName } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { glbOf } from '../../../support/make/glb.ts';

const ODD =
  '{ "asset" : {"version":"2.0", "\\u00e9":1.0}, "nodes":[{"scale":[1.0,1e0,-0.0]}], "asset":{"version":"2.0"} }';
const TIMES = Float32Array.of(0, 1);

const gltf = (text: string): GltfDocument => parseGltf(new TextEncoder().encode(text));
const textOf = (parts: readonly Uint8Array[]): string => Buffer.from(concatParts(parts)).toString();

describe('printGltf', () => {
  it('returns the original bytes of an unedited document, unusual padding included', () => {
    const file = Buffer.concat([
      glbOf(`${ODD}  \n`, Uint8Array.of(1, 2, 3, 4, 5), [['ABCD', Uint8Array.of(9, 9)]]),
      Buffer.from('behind the end'),
    ]);
    const doc = parseGltf(file);
    expect(serializeGltf(doc).parts).toEqual([Uint8Array.from(file)]);
    // A reverted edit does not count.
    doc.json['scene'] = 0;
    delete doc.json['scene'];
    expect(serializeGltf(doc).parts).toEqual([Uint8Array.from(file)]);
  });

  it('keeps text, other chunks and trailing bytes after an edit', () => {
    const file = Buffer.concat([
      glbOf(ODD, Uint8Array.of(1, 2, 3, 4), [
        ['ABCD', Uint8Array.of(5, 6, 7, 8)],
        ['EFGH', Uint8Array.of(9, 9, 9, 9)],
      ]),
      Buffer.from('behind'),
    ]);
    const doc = parseGltf(file);
    doc.json['extras'] = { seen: true };
    const printed = concatParts(serializeGltf(doc).parts);
    const glb = parseGlb(printed);
    expect(Buffer.from(glb.json).toString().trimEnd()).toBe(`${ODD.slice(0, -2)}, "extras" : { "seen" : true } }`);
    expect(glb.issues).toEqual([]);
    expect([...glb.bin!]).toEqual([1, 2, 3, 4]);
    expect(glb.others).toEqual(
      parseGlb(file).others.map(({ type, bytes }) => ({ type, bytes: Uint8Array.from(bytes) })),
    );
    expect(Buffer.from(glb.trailing).toString()).toBe('behind');
  });

  it('keeps whitespace around the JSON of a .gltf', () => {
    const doc = gltf(`\n${ODD}\r\n`);
    doc.json['scene'] = 0;
    expect(textOf(serializeGltf(doc).parts)).toBe(`\n${ODD.slice(0, -2)}, "scene" : 0 }\r\n`);
  });

  it('does not change the document: two calls return the same bytes', () => {
    const doc = gltf('{"asset":{"version":"2.0"}}');
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    const once = serializeGltf(doc, { binName: 'a b.bin' });
    const json = JSON.stringify(doc.json);
    const twice = serializeGltf(doc, { binName: 'a b.bin' });
    expect(textOf(twice.parts)).toBe(textOf(once.parts));
    expect(JSON.stringify(doc.json)).toBe(json);
    expect(once.resources.map(({ path }) => path)).toEqual(['a b.bin']);
    expect(JSON.parse(textOf(once.parts)).buffers).toEqual([{ byteLength: 8, uri: 'a%20b.bin' }]);
  });

  it('embeds appended data of a .gltf as a data URI without binName', () => {
    const doc = gltf('{"asset":{"version":"2.0"}}');
    appendAccessor(doc, Uint8Array.of(1, 2, 3, 4), { type: 'SCALAR' });
    const { parts, resources } = serializeGltf(doc);
    expect(resources).toEqual([]);
    expect(JSON.parse(textOf(parts)).buffers).toEqual([
      { byteLength: 4, uri: 'data:application/octet-stream;base64,AQIDBA==' },
    ]);
  });

  it('does not copy the original binary data', () => {
    const doc = parseGltf(glbOf({ asset: { version: '2.0' }, buffers: [{ byteLength: 4 }] }, new Uint8Array(4)));
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    expect(serializeGltf(doc).parts).toContain(doc.bin);
  });

  it('throws for NaN in the JSON', () => {
    const doc = gltf('{"asset":{"version":"2.0"}}');
    doc.json['nodes'] = [{ translation: [Number.NaN, 0, 0] }];
    expect(() => serializeGltf(doc)).toThrow(TypeError);
  });
});

describe('freeName', () => {
  const doc = gltf(
    '{"asset":{"version":"2.0"},"buffers":[{"uri":"A%20b.bin"},{"uri":"./a b-2.bin"}],"images":[{"uri":"http://x/y"},{"uri":"../z"},5]}',
  );

  it('steps aside for files that the document names, in any case', () => {
    expect(uniqueFileName(doc, 'c.bin')).toBe('c.bin');
    expect(uniqueFileName(doc, 'a b.bin')).toBe('a b-3.bin');
  });

  it.each(['../c.bin', '/c.bin', 'a\\c.bin', '', 'C:/c.bin'])('throws for %j', (name) => {
    expect(() => uniqueFileName(doc, name)).toThrow(RangeError);
  });
});
