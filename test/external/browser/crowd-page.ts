/** A page that shows the crowd of examples/crowd with WebGL2 and with WebGPU, and returns its pictures and its figures. */
import { RenderTarget } from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { type CrowdPage, createCrowdPage } from '../../../examples/crowd/crowd.ts';

const WIDTH = 960;
const HEIGHT = 540;

/** Figures of a crowd that was drawn. */
export interface CrowdDrawing {
  readonly characters: number;
  readonly models: number;
  /** Milliseconds of the last frame: crowd, and all. */
  readonly crowd: number;
  readonly total: number;
  /** Parts of the picture that differ from the background, and that differ between the two frames. */
  readonly drawn: number;
  readonly moved: number;
}

/** The drawings of the same crowd. */
export interface CrowdResult {
  readonly webgl: CrowdDrawing;
  /** Null where the browser has no WebGPU. */
  readonly webgpu: CrowdDrawing | null;
  /** Part of the pixels that differ between both; null without WebGPU. */
  readonly differing: number | null;
  /** The pictures as JPEG data URLs. */
  readonly pictures: readonly string[];
}

interface Drawn {
  readonly drawing: CrowdDrawing;
  readonly pixels: Uint8ClampedArray;
}

function createCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  return canvas;
}

/** Returns the part of pixels that differ. */
function difference(a: Uint8ClampedArray, b: (at: number) => number): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (Math.abs(a[at] - b(at)) + Math.abs(a[at + 1] - b(at + 1)) + Math.abs(a[at + 2] - b(at + 2)) > 24) count++;
  }
  return (4 * count) / a.length;
}

/** Draws two moments; `read` returns the pixels of the last frame. */
async function draw(page: CrowdPage, read: () => Promise<Uint8ClampedArray>): Promise<Drawn> {
  // The first frame compiles the shaders.
  page.frame(0);
  page.frame(0);
  const first = await read();
  const { crowd, total } = page.frame(0.3);
  const last = await read();
  const { characters, models } = page;
  const drawn = difference(last, (at) => last[at % 4]);
  const moved = difference(last, (at) => first[at]);
  return { drawing: { characters, models, crowd, total, drawn, moved }, pixels: last };
}

async function drawWithWebGl(count: number): Promise<Drawn> {
  const canvas = createCanvas();
  const context = createCanvas().getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  return draw(await createCrowdPage(canvas, count, 'webgl'), async () => {
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, WIDTH, HEIGHT).data;
  });
}

/** Draws to a texture: the software adapter of a headless Chromium cannot show a canvas of WebGPU. */
async function drawWithWebGpu(count: number): Promise<Drawn> {
  const page = await createCrowdPage(createCanvas(), count, 'webgpu');
  const renderer = page.renderer as WebGPURenderer;
  const target = new RenderTarget(WIDTH, HEIGHT, { samples: 4 });
  renderer.setOutputRenderTarget(target);
  return draw(page, async () => {
    const bytes = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, HEIGHT);
    return new Uint8ClampedArray(bytes.buffer as ArrayBuffer);
  });
}

/** Returns whether the browser has an adapter for WebGPU. TypeScript has no types of it here. */
async function hasWebGpu(): Promise<boolean> {
  const { gpu } = navigator as { readonly gpu?: { requestAdapter(): Promise<object | null> } };
  return gpu !== undefined && (await gpu.requestAdapter()) !== null;
}

function pictureOf({ pixels }: Drawn): string {
  const canvas = createCanvas();
  canvas.getContext('2d')?.putImageData(new ImageData(Uint8ClampedArray.from(pixels), WIDTH, HEIGHT), 0, 0);
  return canvas.toDataURL('image/jpeg', 0.82);
}

export async function run(): Promise<CrowdResult> {
  // Characters beside one of each model.
  const count = Number(await (await fetch('/count.txt')).text());
  const webgl = await drawWithWebGl(count);
  const webgpu = (await hasWebGpu()) ? await drawWithWebGpu(count) : null;
  return {
    webgl: webgl.drawing,
    webgpu: webgpu?.drawing ?? null,
    differing: webgpu === null ? null : difference(webgl.pixels, (at) => webgpu.pixels[at]),
    pictures: [webgl, ...(webgpu === null ? [] : [webgpu])].map(pictureOf),
  };
}
