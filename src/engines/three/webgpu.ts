/** Crowds in the WebGPURenderer of three.js: `anyrig/three/webgpu`. */

export { crowdNodeMaterial } from './crowd/crowd-node-material.ts';
