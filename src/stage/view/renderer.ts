/** Creates the renderer of a stage and its lights, as good as the machine allows. */
import { DirectionalLight, HemisphereLight, type Scene, WebGLRenderer } from 'three';

/** Names of renderers that run on the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** Greatest pixel ratio: more is not seen. */
const MOST_RATIO = 2;

/** A renderer, and what its machine can do. */
export interface StageRenderer {
  /** The renderer, without a size. */
  readonly renderer: WebGLRenderer;
  /** Greatest pixel ratio. */
  readonly ratio: number;
}

let isSoftware: boolean | null = null;

/** Returns whether WebGL runs on the processor, where pixels and small triangles are expensive. */
export function isSoftwareGl(): boolean {
  isSoftware ??= typeof document !== 'undefined' && findsSoftware();
  return isSoftware;
}

function findsSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info') ?? null;
  const name = context === null || info === null ? '' : String(context.getParameter(info.UNMASKED_RENDERER_WEBGL));
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return SOFTWARE.test(name);
}

/**
 * Creates a renderer.
 *
 * @throws Error If the browser has no WebGL 2.
 */
export function createRenderer(canvas: HTMLCanvasElement): StageRenderer {
  const ratio = isSoftwareGl() ? 1 : Math.min(devicePixelRatio, MOST_RATIO);
  // The background is opaque. A canvas without alpha is not blended with the page, which three.js does not ask for by itself.
  const context = canvas.getContext('webgl2', { alpha: false, antialias: !isSoftwareGl(), stencil: false });
  const renderer = new WebGLRenderer({ canvas, ...(context === null ? {} : { context }) });
  // Reading the logs of a program waits until it is compiled.
  renderer.debug.checkShaderErrors = false;
  // The first question waits until everything is drawn. It is asked here, before there is anything to draw, and not for the first texture.
  renderer.extensions.has('EXT_texture_filter_anisotropic');
  return { renderer, ratio };
}

/** Adds lights: from the sky and from the front, as in a portrait. */
export function addLights(scene: Scene): void {
  const sky = new HemisphereLight(0xffffff, 0x8d8d96, 1.9);
  const key = new DirectionalLight(0xffffff, 1.7);
  key.position.set(2, 4, 5);
  const back = new DirectionalLight(0xffffff, 0.6);
  back.position.set(-3, 3, -4);
  scene.add(sky, key, back);
}
