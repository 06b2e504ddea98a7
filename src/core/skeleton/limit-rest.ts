/** The range of transforms that motion is computed with. Products of numbers in this range stay finite, also as float32. */
import type { Floats } from '../math/floats.ts';
import { type Issue, issue } from '../report/issue.ts';
import { PATH_OFFSET, POSE_STRIDE } from './skeleton.ts';

/** Greatest local translation, in the unit of the file: 1,000 km in millimeters. */
export const GREATEST_TRANSLATION = 1e9;
/** Greatest scale of a node, alone and with all nodes above it. */
export const GREATEST_SCALE = 1e9;
/** Greatest number of a bind matrix, and greatest tangent: products of translations and scales. */
export const GREATEST_PRODUCT = 1e18;
/** Smallest scale that counts as one; smaller scales are those of hidden nodes and are 0. */
export const LEAST_SCALE = 1e-9;

/** Returns the greatest absolute value of three floats; NaN if one is not a number. */
function greatest(values: Floats, o: number): number {
  return Math.max(Math.abs(values[o]), Math.abs(values[o + 1]), Math.abs(values[o + 2]));
}

/**
 * Replaces the transforms of a rest pose that exceed the range of this file: a translation by 0, a scale by 1. A scale that is almost 0 becomes 0.
 * `rest`: 10 floats per node, local space, unit of the file; edited.
 */
export function limitRest(parents: Int32Array, rest: Floats, names: readonly string[]): Issue[] {
  const replaced: number[] = [];
  const scales = new Float64Array(parents.length);
  for (let node = 0; node < parents.length; node++) {
    const at = node * POSE_STRIDE;
    const scaleAt = at + PATH_OFFSET.scale;
    const above = parents[node] < 0 ? 1 : scales[parents[node]];
    const isNear = greatest(rest, at) <= GREATEST_TRANSLATION;
    if (!isNear) rest.fill(0, at, at + 3);
    const isSmall = greatest(rest, scaleAt) <= GREATEST_SCALE && above * greatest(rest, scaleAt) <= GREATEST_SCALE;
    if (!isSmall) rest.fill(1, scaleAt, scaleAt + 3);
    for (let c = scaleAt; c < scaleAt + 3; c++) if (Math.abs(rest[c]) * above < LEAST_SCALE) rest[c] = 0;
    if (!isNear || !isSmall) replaced.push(node);
    // Below a node of scale 0, the scales of others count by themselves.
    scales[node] = above * greatest(rest, scaleAt) || 1;
  }
  if (replaced.length === 0) return [];
  const whose = `${JSON.stringify(names[replaced[0]])}${replaced.length === 1 ? '' : ` and of ${replaced.length - 1} more nodes`}`;
  const message = `The transform of ${whose} exceeds the range of anyrig (translations up to ${GREATEST_TRANSLATION}, scales up to ${GREATEST_SCALE}); translation 0 or scale 1 was used. The file is probably damaged`;
  return [issue('NUMBERS_OUT_OF_RANGE', message)];
}
