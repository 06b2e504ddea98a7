import { OptionError } from './option-error.ts';

/** What is rendered to see whether there are fonts. */
const PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">n</text></svg>';

/** A picture of an SVG. */
export interface PngImage {
  readonly png: Uint8Array;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether text could be drawn; not so where the system has no fonts. */
  readonly hasText: boolean;
}

async function loadResvg(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch {
    const message =
      'PNG is drawn by the package @resvg/resvg-js, which is not installed: run "npm install @resvg/resvg-js", or write .svg';
    throw new OptionError('output', message);
  }
}

/**
 * Draws SVG text as PNG, with the fonts of the system, by the optional package `@resvg/resvg-js`. Node only.
 *
 * @throws OptionError when that package is not installed.
 */
export async function svgToPng(svg: string): Promise<PngImage> {
  const { Resvg } = await loadResvg();
  const options = { font: { loadSystemFonts: true } };
  const image = new Resvg(svg, options).render();
  const hasText = new Resvg(PROBE, options).getBBox() !== undefined;
  return { png: image.asPng(), width: image.width, height: image.height, hasText };
}
