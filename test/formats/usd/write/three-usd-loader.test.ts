/**
 * A second opinion on written characters: USDLoader of three.js. It supports everything that these files use: no file animates blend shapes in its
 * first clip, and none has two Skeletons (of joints with the same name, it animates one). Files without a mesh are skipped.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { AnimationMixer, type Group, LoopOnce, type Mesh, Vector3 } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import type { NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import { toTriangles } from '../../../../src/core/asset/triangles.ts';
import { mergeSkeletonClips } from '../../../../src/files/clips/merge-skeleton-clips.ts';
import { attachMeshoptDecoder, parseGltf, readGeometry, readGltf } from '../../../../src/formats/gltf/index.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { ASSETS, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { USD_IN_THREE } from '../../../support/tolerances.ts';
import { track } from './small-geometry.ts';
import { declaredBones, largestMiss, METERS_Y, pointsByCore, written } from './written-points.ts';

const FILES = ['assets/glb', 'assets/vrm', 'assets/negative'].flatMap((folder) => assetFiles(folder, 'glb', 'vrm'));
/** Number of face corners that are compared per mesh, up to twice as many. */
const COMPARED_CORNERS = 200;

function sampled(count: number): number[] {
  const step = Math.max(1, Math.floor(count / COMPARED_CORNERS));
  return Array.from({ length: Math.ceil(count / step) }, (_, k) => k * step);
}

/** Computes world positions of face corners by three.js, at a time of its clip in seconds or at rest (null); one set per mesh. */
function cornersByThree(group: Group, seconds: number | null): Float64Array[] {
  if (seconds !== null) {
    const mixer = new AnimationMixer(group);
    // Joints and Xforms of a clip are two animations in three.js.
    for (const clip of group.animations) {
      const action = mixer.clipAction(clip);
      action.setLoop(LoopOnce, 1);
      action.clampWhenFinished = true;
      action.play();
    }
    mixer.setTime(seconds);
  }
  group.updateMatrixWorld(true);
  const found: Float64Array[] = [];
  const vertex = new Vector3();
  group.traverse((object) => {
    if (!('isMesh' in object)) return;
    const mesh = object as Mesh;
    const corners = sampled(mesh.geometry.attributes['position'].count);
    const points = corners.flatMap((v) => mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld).toArray());
    found.push(Float64Array.from(points));
  });
  return found;
}

/** Computes the same positions by the core. */
function cornersByCore(geometry: Geometry, animation: NewAnimation | null, seconds: number): Float64Array[] {
  const faces = geometry.instances.flatMap(({ mesh }) => {
    return geometry.meshes[mesh].primitives.flatMap((primitive) => {
      const triangles = toTriangles(primitive);
      return triangles?.length ? [triangles] : [];
    });
  });
  return pointsByCore(geometry, animation, seconds).map((points, p) => {
    const vertices = sampled(faces[p].length).map((corner) => faces[p][corner]);
    return Float64Array.from(vertices.flatMap((v) => [points[3 * v], points[3 * v + 1], points[3 * v + 2]]));
  });
}

/** Creates a clip that rotates every joint by a different angle; without joints, every node. */
function rotating({ nodes, sourceNodes }: Geometry): NewAnimation {
  const tracks = [...nodes.joints.keys()].flatMap((node) => {
    if (nodes.joints[node] === 0 && nodes.joints.includes(1)) return [];
    const [x, y, z, w] = nodes.rest.subarray(10 * node + 3, 10 * node + 7);
    const [sin, cos] = [Math.sin(0.1 + 0.01 * node), Math.cos(0.1 + 0.01 * node)];
    // The rest rotation times a rotation about x.
    const rotated = [w * sin + x * cos, y * cos + z * sin, z * cos - y * sin, w * cos - x * sin];
    return [track(node, 'rotation', [0, 1], [x, y, z, w, ...rotated])];
  });
  return { name: 'rotating', clip: { name: 'rotating', duration: 1, tracks }, sourceNodes };
}

describe.skipIf(!HAS_ASSETS)('writeCharacterLayer in three.js', () => {
  it.each(sampledCases(FILES, 3).map((path) => [relative(ASSETS, path), path]))(
    '%s: has the same pose, at rest and animated',
    async (_, path) => {
      const document = parseGltf(new Uint8Array(readFileSync(path)));
      await attachMeshoptDecoder(document, MeshoptDecoder);
      // Textures require a canvas.
      const geometry = { ...readGeometry(document).geometry, materials: [], textures: [] };
      if (geometry.instances.length === 0) return;
      const read = readGltf(document);
      const animation =
        read.clips.length === 0 ? rotating(geometry) : mergeSkeletonClips(read.clips[0], read.skeletons);
      const usdc = serializeUsdc(written(geometry, [animation], METERS_Y, declaredBones(read)).layer);
      const group = new USDLoader().parse(new Uint8Array(usdc).buffer);
      expect(largestMiss(cornersByThree(group, null), cornersByCore(geometry, null, 0))).toBeLessThan(USD_IN_THREE);
      for (const part of [0.2, 0.7]) {
        const seconds = part * animation.clip.duration;
        const corners = cornersByCore(geometry, animation, seconds);
        expect(largestMiss(cornersByThree(group, seconds), corners)).toBeLessThan(USD_IN_THREE);
      }
    },
  );
});
