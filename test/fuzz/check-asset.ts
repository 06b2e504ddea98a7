/** Finds numbers in opened files that no reader should return. */

import type { Asset } from '../../src/core/asset/asset.ts';
import type { Floats } from '../../src/core/math/floats.ts';

function areFinite(values: ArrayLike<number>): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k])) return false;
  return true;
}

function fitFloat32(values: ArrayLike<number>): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(Math.fround(values[k]))) return false;
  return true;
}

function doIncrease(times: Floats): boolean {
  for (let k = 0; k < times.length; k++) {
    if (!(times[k] >= 0 && Number.isFinite(times[k]))) return false;
    if (k > 0 && times[k] <= times[k - 1]) return false;
  }
  return true;
}

/**
 * Finds the first number of an asset that is not finite or does not fit into float32, or key times that do not increase.
 *
 * @param asset Content of a file.
 * @returns What was found; null when there is nothing.
 */
export function faultOfAsset({ skeletons, clips }: Asset): string | null {
  for (const { skeleton } of skeletons) {
    if (!fitFloat32(skeleton.rest)) return 'a rest pose is not finite';
    if (skeleton.bind !== null && !fitFloat32(skeleton.bind)) return 'a bind pose is not finite';
    if (!skeleton.parents.every((parent, node) => parent >= -1 && parent < node))
      return 'a parent is not before its child';
  }
  for (const clip of clips) {
    if (!Number.isFinite(clip.duration)) return 'a duration is not finite';
    if (clip.clips.length !== skeletons.length) return 'a clip has not one part per skeleton';
    const tracks = [...clip.clips.flatMap((part) => part.tracks), ...clip.morphs, ...(clip.expressions ?? [])];
    if (clip.lookAt !== undefined) tracks.push(clip.lookAt as never);
    for (const { times, values } of tracks) {
      if (!doIncrease(times)) return 'key times do not increase';
      if (!fitFloat32(values)) return 'a key value is not finite';
    }
  }
  return null;
}

/**
 * Finds the first number in plain data that is not finite.
 *
 * @param value A report.
 * @param path Path of the value.
 * @returns Its path; null when there is none.
 */
export function nonFiniteIn(value: unknown, path = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  if (ArrayBuffer.isView(value)) return areFinite(value as unknown as ArrayLike<number>) ? null : path;
  for (const [key, member] of Object.entries(value)) {
    const found = nonFiniteIn(member, `${path}/${Number.isInteger(Number(key)) ? 0 : key}`);
    if (found !== null) return found;
  }
  return null;
}
