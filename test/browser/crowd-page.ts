/** A page that shows the crowd of examples/crowd, and returns its picture and its figures. */
import { createCrowdPage } from '../../examples/crowd/crowd.ts';

/** Characters beside one of each model. */
const COUNT = 1000;

/** Result of the page. */
export interface CrowdResult {
  readonly characters: number;
  readonly models: number;
  /** Milliseconds of the last frame: crowd, and all. */
  readonly crowd: number;
  readonly total: number;
  /** Parts of the picture that differ from the background, and that differ between the two frames. */
  readonly drawn: number;
  readonly moved: number;
  /** The picture as a JPEG data URL. */
  readonly picture: string;
}

function pixels(canvas: HTMLCanvasElement): Uint8ClampedArray {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, copy.width, copy.height).data;
}

/** Returns the part of pixels that differ. */
function difference(a: Uint8ClampedArray, b: (at: number) => number): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (Math.abs(a[at] - b(at)) + Math.abs(a[at + 1] - b(at + 1)) + Math.abs(a[at + 2] - b(at + 2)) > 24) count++;
  }
  return (4 * count) / a.length;
}

export async function run(): Promise<CrowdResult> {
  const canvas = document.createElement('canvas');
  canvas.width = 960;
  canvas.height = 540;
  const page = await createCrowdPage(canvas, COUNT);
  // The first frame compiles the shaders.
  page.frame(0);
  page.frame(0);
  const first = pixels(canvas);
  const { crowd, total } = page.frame(0.3);
  const last = pixels(canvas);
  return {
    characters: page.characters,
    models: page.models,
    crowd,
    total,
    drawn: difference(last, (at) => last[at % 4]),
    moved: difference(last, (at) => first[at]),
    picture: canvas.toDataURL('image/jpeg', 0.82),
  };
}
