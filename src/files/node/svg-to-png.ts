import { OptionError } from '../option-error.ts';

/** A picture with text, rendered to find out whether the system has fonts. */
const PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">n</text></svg>';
/** Larger pictures take seconds and gigabytes. */
const MAX_PIXELS = 30e6;

/** A rendered SVG. */
interface PngImage {
  /** The PNG file. */
  readonly png: Uint8Array;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Whether text was rendered; false on systems without fonts. */
  readonly hasText: boolean;
}

async function loadResvg(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch {
    const what = 'PNG output needs the package @resvg/resvg-js, which is not installed or does not support this system';
    throw new OptionError('output', `${what}; run "npm install @resvg/resvg-js", or write .svg`);
  }
}

/**
 * Renders SVG text as PNG with the system fonts, using the optional package `@resvg/resvg-js`. One SVG unit is one pixel; pictures above 30
 * million pixels are scaled down. Node only.
 *
 * @param svg SVG text.
 * @returns The picture.
 * @throws OptionError (`output`) when `@resvg/resvg-js` is not installed.
 */
export async function svgToPng(svg: string): Promise<PngImage> {
  const { Resvg } = await loadResvg();
  const options = { font: { loadSystemFonts: true } };
  const { width, height } = new Resvg(svg, options);
  const zoom = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)));
  const image = new Resvg(svg, { ...options, fitTo: { mode: 'zoom', value: zoom } }).render();
  const hasText = new Resvg(PROBE, options).getBBox() !== undefined;
  return { png: image.asPng(), width: image.width, height: image.height, hasText };
}
