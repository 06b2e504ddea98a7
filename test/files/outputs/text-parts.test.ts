import { expect, it } from 'vitest';
import { encodeTextParts } from '../../../src/files/outputs/text-parts.ts';
import { concatParts } from '../../../src/formats/gltf/index.ts';

it('encodeTextParts: joins pieces, and begins a new part after a megabyte', () => {
  const pieces = ['é', '', 'a'.repeat(1 << 20), '\u{1f600}', 'b'.repeat(3 << 20), 'end'];
  const parts = encodeTextParts((emit) => {
    for (const piece of pieces) emit(piece);
  });
  expect(parts).toHaveLength(3);
  expect(new TextDecoder().decode(concatParts(parts))).toBe(pieces.join(''));
});

it('encodeTextParts: returns no part for no text', () => {
  expect(encodeTextParts(() => undefined)).toEqual([]);
});
