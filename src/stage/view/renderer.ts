import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from 'three';

/** Best pixel ratio, also where the screen has fewer pixels: it smooths edges, and unlike multisampling it can be less while playback is slow. */
export const BEST_RATIO = 2;

/** Creates a renderer without a size, with a canvas; null where the browser has no WebGL 2. */
export function createRenderer(): WebGLRenderer | null {
  const canvas = document.createElement('canvas');
  // The background is opaque. A canvas without alpha is not blended with the page, which three.js does not ask for by itself.
  const context = canvas.getContext('webgl2', { alpha: false, antialias: false, stencil: false });
  if (context === null) return null;
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  // Reading the logs of a program waits until it is compiled.
  renderer.debug.checkShaderErrors = false;
  // The first question waits until everything is drawn. It is asked here, before there is anything to draw, and not for the first texture.
  renderer.extensions.has('EXT_texture_filter_anisotropic');
  return renderer;
}
