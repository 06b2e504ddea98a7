/** Crowds in the WebGPURenderer of three.js. */

// Retarget and play in three.js

export { crowdNodeMaterial } from './crowd/crowd-node-material.ts';
