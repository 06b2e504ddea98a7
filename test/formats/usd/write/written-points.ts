/** Compares the world points of written layers, computed by UsdSkel, with those of their geometry, computed by the core. */
import { sampleClip, sampleKeys } from '../../../../src/core/animation/sample.ts';
import type { Asset, NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import { toTriangles } from '../../../../src/core/asset/triangles.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { childPath, primPathOf } from '../../../../src/formats/usd/layer/paths.ts';
import { displayName } from '../../../../src/formats/usd/read/display-name.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { writeCharacterLayer } from '../../../../src/formats/usd/write/write-character-layer.ts';
import type { UsdSpace } from '../../../../src/formats/usd/write/written-layer.ts';
import { worldByCore, worldByUsdSkel } from '../read/world-geometry.ts';

/** Meters, +Y up. */
export const METERS_Y: UsdSpace = { upAxis: 'Y', metersPerUnit: 1, rotation: [0, 0, 0, 1] };

/** Writes a character and returns the layer and the issues. */
export function written(
  geometry: Geometry,
  animations: readonly NewAnimation[] = [],
  space: UsdSpace = METERS_Y,
  bones: readonly number[] = [],
): { layer: Layer; issues: readonly Issue[] } {
  return writeCharacterLayer(geometry, animations, bones, space, 'Hero');
}

/** Lists the source nodes of the bones that a file declares. */
export function declaredBones({ skeletons }: Asset): number[] {
  return skeletons.flatMap(({ declared, sourceNodes }) => {
    return Array.from(declared?.nodes ?? []).flatMap((node) => (node < 0 ? [] : [sourceNodes[node]]));
  });
}

/** Binds the animations with a name instead of the bound ones. */
export function bindClip(layer: Layer, name: string): void {
  const stage = openStage(layer);
  for (const [path, spec] of layer.specs) {
    if (!path.endsWith('.skel:animationSource')) continue;
    const skeleton = primPathOf(path);
    const children = stage.primsByPath.get(skeleton)?.children.map((child) => childPath(skeleton, child)) ?? [];
    const found = children.filter(
      (child) => (displayName(stage, child) ?? child.slice(child.lastIndexOf('/') + 1)) === name,
    );
    spec.fields.set('targetPaths', explicitListOp('path', found));
  }
}

/** Computes the world points of each Mesh prim at a time in seconds, by UsdSkel. */
export function pointsByUsd(stage: Stage, seconds: number): Map<string, Float64Array> {
  const scene = readUsdScene(stage);
  const code = seconds * stage.metrics.timeCodesPerSecond;
  const meshes = stage.prims.filter(({ typeName }) => typeName === 'Mesh');
  return new Map(meshes.map(({ path }) => [path, worldByUsdSkel(scene, path, code, []).points]));
}

/** Computes the world points of each primitive of triangles at a time in seconds, by the core. Rotations are normalized, as USD requires. */
export function pointsByCore(geometry: Geometry, animation: NewAnimation | null, seconds: number): Float64Array[] {
  const { nodes, sourceNodes, instances, meshes } = geometry;
  const pose = Float64Array.from(nodes.rest);
  const weights = new Map<number, ArrayLike<number>>();
  for (const { node, morphWeights } of instances) if (morphWeights !== null) weights.set(node, morphWeights);
  if (animation !== null) {
    const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
    const tracks = animation.clip.tracks.map((track) => {
      return { ...track, target: nodeOf.get(animation.sourceNodes[track.target]) as number };
    });
    sampleClip({ ...animation.clip, tracks }, seconds, pose);
    for (const track of animation.morphs ?? []) {
      const out = new Float64Array(track.targetCount);
      sampleKeys(track, track.targetCount, false, seconds, out, 0);
      weights.set(nodeOf.get(track.sourceNode) as number, out);
    }
    for (let at = 0; at < pose.length; at += 10) {
      const length = Math.hypot(...pose.subarray(at + 3, at + 7));
      for (let c = at + 3; c < at + 7; c++) pose[c] /= length;
    }
  }
  return instances.flatMap(({ mesh }, instance) => {
    const seen = worldByCore(geometry, instance, { pose, weights });
    return seen.flatMap(({ positions }, p) => (toTriangles(meshes[mesh].primitives[p])?.length ? [positions] : []));
  });
}

/** Returns the largest distance along an axis between two lists of point sets in any order, relative to the height of the second list. */
export function largestMiss(actual: Iterable<Float64Array>, expected: readonly Float64Array[]): number {
  const left = [...actual];
  if (left.length !== expected.length) return Number.POSITIVE_INFINITY;
  let height = 0;
  for (const axis of [0, 1, 2]) {
    const values = expected.flatMap((points) => Array.from(points.filter((_, i) => i % 3 === axis)));
    const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    height = Math.max(height, values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least);
  }
  let miss = 0;
  for (const points of expected) {
    const misses = left.map((other) => {
      if (other.length !== points.length) return Number.POSITIVE_INFINITY;
      return points.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
    });
    const least = Math.min(...misses);
    left.splice(misses.indexOf(least), 1);
    miss = Math.max(miss, least / height);
  }
  return miss;
}
