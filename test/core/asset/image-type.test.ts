import { expect, it } from 'vitest';
import { imageType } from '../../../src/core/asset/image-type.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n....'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/webp', 'RIFF....WEBPVP8 '],
  ['image/ktx2', '\xabKTX 20\xbb\r\n\x1a\n'],
  ['image/avif', '\0\0\0\x20ftypavif'],
  ['image/gif', 'GIF89a'],
  ['image/vnd-ms.dds', 'DDS |'],
  ['image/bmp', 'BM6'],
])('imageType: detects %s', (type, text) => {
  expect(imageType(bytes(text))).toBe(type);
});

it('imageType: returns null for unknown and truncated content', () => {
  for (const text of ['', '\x89PN', 'RIFF....WAVE', 'glTF']) expect(imageType(bytes(text))).toBeNull();
});
