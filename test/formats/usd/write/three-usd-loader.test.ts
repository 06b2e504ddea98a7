/** The second opinion on written characters: USDLoader of three.js, as far as it knows UsdSkel (no blend shapes, no constant influences). */
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, type Mesh, Vector3 } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import { wholeAnimation } from '../../../../src/files/whole-animation.ts';
import { parseGltf, readGeometry, readGltf } from '../../../../src/formats/gltf/index.ts';
import { printUsdc } from '../../../../src/formats/usd/crate/print-usdc.ts';
import { trianglesOf } from '../../../../src/formats/usd/write/triangles.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { USD_IN_THREE } from '../../../tolerances.ts';
import { largestMiss, pointsByCore, written } from './shown.ts';

/** World positions of all corners of faces at a second of the first clip, a set for each mesh. */
function cornersByThree(usdc: Uint8Array, seconds: number): Float64Array[] {
  const group = new USDLoader().parse(new Uint8Array(usdc).buffer);
  const mixer = new AnimationMixer(group);
  const action = mixer.clipAction(group.animations[0]);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(seconds);
  group.updateMatrixWorld(true);
  const found: Float64Array[] = [];
  const vertex = new Vector3();
  group.traverse((object) => {
    if (!('isMesh' in object)) return;
    const mesh = object as Mesh;
    const points: number[] = [];
    for (let v = 0; v < mesh.geometry.attributes['position'].count; v++) {
      points.push(...mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld).toArray());
    }
    found.push(Float64Array.from(points));
  });
  return found;
}

describe.skipIf(!HAS_ASSETS)('written characters in three.js', () => {
  it.each(['glb/CesiumMan.glb', 'glb/Xbot.glb', 'negative/Fox.glb', 'glb/pc_lumberjack.glb'])(
    '%s has the same pose',
    (name) => {
      const document = parseGltf(new Uint8Array(readFileSync(asset('assets', name))));
      // Textures need a screen.
      const geometry = { ...readGeometry(document, []), materials: [], textures: [] };
      const read = readGltf(document);
      const animation = wholeAnimation(read.clips[0], read.skeletons);
      const usdc = printUsdc(written(geometry, [animation]).layer);
      const triangles = geometry.instances.flatMap(({ mesh }) => {
        return geometry.meshes[mesh].primitives.map((primitive) => trianglesOf(primitive) ?? new Uint32Array(0));
      });
      for (const part of [0.2, 0.7]) {
        const seconds = part * animation.clip.duration;
        const corners = pointsByCore(geometry, animation, seconds).map((points, p) => {
          const of = triangles[p];
          return Float64Array.from({ length: 3 * of.length }, (_, c) => points[3 * of[Math.floor(c / 3)] + (c % 3)]);
        });
        expect(largestMiss(cornersByThree(usdc, seconds), corners)).toBeLessThan(USD_IN_THREE);
      }
    },
  );
});
