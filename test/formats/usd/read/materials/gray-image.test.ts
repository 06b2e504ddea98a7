import { expect, it } from 'vitest';
import { isGrayImage } from '../../../../../src/formats/usd/read/materials/read-texture.ts';
import { JPEG, PNG } from '../../images.ts';

it.each([
  ['gray PNG', PNG(0, 0), 'image/png', true],
  ['gray PNG with alpha', PNG(0, 4), 'image/png', true],
  ['colored PNG', PNG(0, 2), 'image/png', false],
  ['PNG with a palette', PNG(0, 3), 'image/png', false],
  ['JPEG of one component', JPEG(1), 'image/jpeg', true],
  ['JPEG of three components', JPEG(3), 'image/jpeg', false],
  ['truncated JPEG', JPEG(1).subarray(0, 12), 'image/jpeg', false],
  ['JPEG of zeros', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...Array<number>(40).fill(0)), 'image/jpeg', false],
  ['truncated PNG', PNG(0).subarray(0, 20), 'image/png', false],
  ['another MIME type', PNG(0, 0), 'image/webp', false],
])('isGrayImage: %s', (_, image, mimeType, expected) => {
  expect(isGrayImage(image, mimeType)).toBe(expected);
});
