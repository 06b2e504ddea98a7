import { describe, expect, it, vi } from 'vitest';
import { svgToPng } from '../../../src/files/node/svg-to-png.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';

function svg(width: number, height: number, content = ''): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;
}

/** Reads width and height from a PNG header (PNG specification, 11.2.2). */
function sizeOf(png: Uint8Array): number[] {
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

describe('svgToPng', () => {
  it('renders one pixel per SVG unit', async () => {
    const image = await svgToPng(svg(70, 30, '<rect width="70" height="30" fill="#fff"/>'));
    expect([image.width, image.height]).toEqual([70, 30]);
    expect(sizeOf(image.png)).toEqual([70, 30]);
  });

  it.runIf(IS_FULL_RUN)('scales down pictures above the pixel limit', async () => {
    const image = await svgToPng(svg(40_000, 5_000));
    expect(image.width * image.height).toBeLessThan(30.1e6);
    expect(image.width / image.height).toBeCloseTo(8, 2);
    expect(sizeOf(image.png)).toEqual([image.width, image.height]);
  });

  it('reports whether text was rendered', async () => {
    const plain = await svgToPng(svg(90, 20));
    const written = await svgToPng(svg(90, 20, '<text x="2" y="14" font-family="sans-serif">letters</text>'));
    expect(Buffer.compare(plain.png, written.png) !== 0).toBe(written.hasText);
  });

  it('throws with the install command when the package is missing', async () => {
    vi.doMock('@resvg/resvg-js', () => {
      throw new Error('Cannot find package');
    });
    await expect(svgToPng(svg(1, 1))).rejects.toMatchObject({
      name: 'OptionError',
      option: 'output',
      message: expect.stringMatching(/@resvg\/resvg-js.*not installed.*npm install.*\.svg/),
    });
    vi.doUnmock('@resvg/resvg-js');
  });
});
