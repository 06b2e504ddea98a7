/** Creates the renderer of a stage and its lights. */
import { DirectionalLight, HemisphereLight, type Scene, WebGLRenderer } from 'three';

/** Best pixel ratio, also where the screen has fewer pixels: it smooths edges, and unlike multisampling it can be less while playback is slow. */
export const BEST_RATIO = 2;

/**
 * Creates a renderer without a size.
 *
 * @throws Error If the browser has no WebGL 2.
 */
export function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  // The background is opaque. A canvas without alpha is not blended with the page, which three.js does not ask for by itself.
  const context = canvas.getContext('webgl2', { alpha: false, antialias: false, stencil: false });
  const renderer = new WebGLRenderer({ canvas, ...(context === null ? {} : { context }) });
  // Reading the logs of a program waits until it is compiled.
  renderer.debug.checkShaderErrors = false;
  // The first question waits until everything is drawn. It is asked here, before there is anything to draw, and not for the first texture.
  renderer.extensions.has('EXT_texture_filter_anisotropic');
  return renderer;
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
