import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isDataUri,
  isRemote,
  parseDataUri,
  resolveUri,
  serializeDataUri,
  uriOfPath,
} from '../../../../src/formats/gltf/document/uri.ts';
import { lawRuns } from '../../../support/law-runs.ts';

describe('resolveUri', () => {
  it.each([
    ['buffer.bin', 'buffer.bin'],
    ['A..B.bin', 'A..B.bin'],
    ['..bin', '..bin'],
    ['Box With Spaces.bin', 'Box With Spaces.bin'],
    ['Box%20With%20Spaces.bin', 'Box With Spaces.bin'],
    ['Unicode❤♻Binary.bin', 'Unicode❤♻Binary.bin'],
    ['Unicode%E2%9D%A4%E2%99%BBBinary.bin', 'Unicode❤♻Binary.bin'],
    ['./textures//a.png', 'textures/a.png'],
    ['textures/../a.png', 'a.png'],
    ['a%2Fb.bin', 'a/b.bin'],
    ['what?#.bin', 'what?#.bin'],
    ['%252e%252e/a.bin', '%2e%2e/a.bin'],
    ['$HOME/`id`.bin', '$HOME/`id`.bin'],
    ['~/a.bin', '~/a.bin'],
    ['data.bin', 'data.bin'],
    ['con:a.bin'.replace(':', '%3A'), 'con:a.bin'],
  ])('resolves %s', (uri, path) => {
    expect(resolveUri(uri, '/buffers/0/uri')).toBe(path);
  });

  it.each([
    '../evil.bin',
    'a/../../evil.bin',
    '%2e%2e/evil.bin',
    '%2E%2e%2Fevil.bin',
    '..%2fevil.bin',
    'a/.. /x.bin',
    'a/.../x.bin',
    '/etc/passwd',
    '%2Fetc/passwd',
    '//server/share/a.bin',
    'file:///etc/passwd',
    'FILE:a.bin',
    'http://example.org/a.bin',
    'C:\\a.bin',
    'C:/a.bin',
    'c%3A/a.bin',
    '\\\\server\\share',
    'a%5Cb.bin',
    '..\\evil.bin',
    'a\0.bin',
    'a%00.bin',
    'a%0a.bin',
    '100%.bin',
    '%ff.bin',
    '',
    '.',
    'a/..',
    './',
  ])('throws for %j', (uri) => {
    expect(() => resolveUri(uri, '/buffers/0/uri')).toThrow(
      expect.objectContaining({ code: 'GLTF_URI_REFUSED', where: { pointer: '/buffers/0/uri' } }),
    );
  });

  it('never returns a path outside the folder', () => {
    const piece = fc.constantFrom('..', '.', '/', '%2e', '%2f', '%5c', '\\', 'a', ' ', ':', 'c', '%', '%25', '?', '~');
    const law = fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      let path: string;
      try {
        path = resolveUri(pieces.join(''), '');
      } catch (error) {
        expect(error).toMatchObject({ code: 'GLTF_URI_REFUSED' });
        return;
      }
      expect(posix.resolve('/base/folder', path).startsWith('/base/folder/')).toBe(true);
      expect(path).not.toContain('\\');
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(5000) });
  });

  it('inverts uriOfPath', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', ' ', '%', '?', '#', 'é', '❤', '+', '&'), minLength: 1 });
    const law = fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (segments) => {
      const path = segments.map((name) => `x${name}`).join('/');
      expect(resolveUri(uriOfPath(path), '')).toBe(path);
    });
    fc.assert(law, { seed: 2, numRuns: lawRuns(300) });
  });
});

describe('parseDataUri', () => {
  const text = (uri: string): string => Buffer.from(parseDataUri(uri, '/buffers/0/uri')).toString('latin1');

  it.each([
    ['data:application/octet-stream;base64,AAEC', '\x00\x01\x02'],
    ['data:application/gltf-buffer;base64,AAE=', '\x00\x01'],
    ['data:application/gltf-buffer;base64,AAE', '\x00\x01'],
    ['DATA:Image/PNG;BASE64,AAE%3D', '\x00\x01'],
    ['data:;base64,AAEC', '\x00\x01\x02'],
    ['data:text/plain;charset=utf-8;base64,YQ==', 'a'],
    ['data:application/octet-stream,%00%01a%ff', '\x00\x01a\xff'],
    ['data:,', ''],
    ['data:;base64,', ''],
    ['data:base64,AAEC', 'AAEC'],
  ])('decodes %s', (uri, content) => {
    expect(text(uri)).toBe(content);
  });

  it.each([
    'data:application/octet-stream;base64',
    'data:application/octet-stream;base64,AA-_',
    'data:application/octet-stream;base64,AA EC',
    'data:application/octet-stream;base64,AAEC\n',
    'data:application/octet-stream;base64,A',
    'data:application/octet-stream;base64,A%3',
    'data:application/octet-stream,%0',
    'data:application/octet-stream,%zz',
    'data:application/octet-stream,é',
    'buffer.bin?data:;base64,AAEC',
  ])('throws for %s', (uri) => {
    expect(() => parseDataUri(uri, '/buffers/0/uri')).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: { pointer: '/buffers/0/uri' } }),
    );
  });

  it('inverts serializeDataUri', () => {
    const law = fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), (parts) => {
      const bytes = parseDataUri(serializeDataUri('image/png', parts), '');
      expect(Buffer.compare(bytes, Buffer.concat(parts))).toBe(0);
    });
    fc.assert(law, { seed: 3, numRuns: lawRuns(200) });
  });
});

describe('isDataUri and isRemote', () => {
  it('check the start of the URI', () => {
    expect(['data:,', 'DATA:,', 'a/data:,'].map(isDataUri)).toEqual([true, true, false]);
    expect(['http://a', 'HTTPS://a', 'file:///a', 'http.png'].map(isRemote)).toEqual([true, true, false, false]);
  });
});
