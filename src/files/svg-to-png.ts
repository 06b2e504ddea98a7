import { OptionError } from './option-error.ts';

/** What is rendered to see whether there are fonts. */
const PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">n</text></svg>';
/** Larger pictures take seconds and gigabytes. */
const MOST_PIXELS = 30e6;

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
    const what = 'PNG is drawn by the package @resvg/resvg-js, which is not installed, or not for this system';
    throw new OptionError('output', `${what}: run "npm install @resvg/resvg-js", or write .svg`);
  }
}

/**
 * Draws SVG text as PNG, with the fonts of the system, by the optional package `@resvg/resvg-js`: a pixel for a unit, fewer
 * where that were more than 30 million pixels. Node only.
 *
 * @throws OptionError when that package is not installed.
 */
export async function svgToPng(svg: string): Promise<PngImage> {
  const { Resvg } = await loadResvg();
  const options = { font: { loadSystemFonts: true } };
  const { width, height } = new Resvg(svg, options);
  const zoom = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  const image = new Resvg(svg, { ...options, fitTo: { mode: 'zoom', value: zoom } }).render();
  const hasText = new Resvg(PROBE, options).getBBox() !== undefined;
  return { png: image.asPng(), width: image.width, height: image.height, hasText };
}
