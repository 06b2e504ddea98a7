/** What a written layer shows by the rules of UsdSkel, beside what the core shows of the geometry that it was written of. */
import { sampleClip, sampleKeys } from '../../../../src/core/animation/sample.ts';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { childPath, primOf } from '../../../../src/formats/usd/layer/paths.ts';
import { displayName } from '../../../../src/formats/usd/read/display-name.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { trianglesOf } from '../../../../src/formats/usd/write/triangles.ts';
import type { UsdAnimation, UsdSpace } from '../../../../src/formats/usd/write/usd-animation.ts';
import { writeCharacterLayer } from '../../../../src/formats/usd/write/write-character.ts';
import { seenByCore, seenByUsdSkel } from '../read/seen.ts';

export const METERS_Y: UsdSpace = { upAxis: 'Y', metersPerUnit: 1, rotation: [0, 0, 0, 1] };

/** A layer of a character, and what it was told of. */
export function written(
  geometry: Geometry,
  animations: readonly UsdAnimation[] = [],
  space: UsdSpace = METERS_Y,
  bones: readonly number[] = [],
): { layer: Layer; issues: Issue[] } {
  const issues: Issue[] = [];
  const { layer } = writeCharacterLayer(geometry, animations, bones, space, 'Hero', issues);
  return { layer, issues };
}

/** The bones that a file declares, by the numbers of their nodes in it. */
export function declaredBones({ skeletons }: Asset): number[] {
  return skeletons.flatMap(({ declared, sourceNodes }) => {
    return Array.from(declared?.nodes ?? []).flatMap((node) => (node < 0 ? [] : [sourceNodes[node]]));
  });
}

/** Binds the animations that are called so, in place of those that are bound. */
export function bindClip(layer: Layer, name: string): void {
  const stage = openStage(layer);
  for (const [path, spec] of layer.specs) {
    if (!path.endsWith('.skel:animationSource')) continue;
    const skeleton = primOf(path);
    const children = stage.primsByPath.get(skeleton)?.children.map((child) => childPath(skeleton, child)) ?? [];
    const found = children.filter(
      (child) => (displayName(stage, child) ?? child.slice(child.lastIndexOf('/') + 1)) === name,
    );
    spec.fields.set('targetPaths', explicitListOp('path', found));
  }
}

/** World points of every Mesh prim at a second, by UsdSkel. */
export function pointsByUsd(stage: Stage, seconds: number): Map<string, Float64Array> {
  const scene = readUsdScene(stage);
  const code = seconds * stage.metrics.timeCodesPerSecond;
  const meshes = stage.prims.filter(({ typeName }) => typeName === 'Mesh');
  return new Map(meshes.map(({ path }) => [path, seenByUsdSkel(scene, path, code, []).points]));
}

/** World points of every primitive of triangles at a second of an animation, by the core. Rotations are made unit, as USD wants them. */
export function pointsByCore(geometry: Geometry, animation: UsdAnimation | null, seconds: number): Float64Array[] {
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
    const seen = seenByCore(geometry, instance, { pose, weights });
    return seen.flatMap(({ positions }, p) => (trianglesOf(meshes[mesh].primitives[p])?.length ? [positions] : []));
  });
}

/** The largest distance along an axis between two lists of point sets, whatever their order, as part of the height of the second. */
export function largestMiss(shown: Iterable<Float64Array>, wanted: readonly Float64Array[]): number {
  const left = [...shown];
  if (left.length !== wanted.length) return Number.POSITIVE_INFINITY;
  let height = 0;
  for (const axis of [0, 1, 2]) {
    const values = wanted.flatMap((points) => Array.from(points.filter((_, i) => i % 3 === axis)));
    const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    height = Math.max(height, values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least);
  }
  let miss = 0;
  for (const points of wanted) {
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
