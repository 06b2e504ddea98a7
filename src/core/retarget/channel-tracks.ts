import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { RELATIVE_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { ScalePlan, TranslationPlan } from './plan-types.ts';
import { retargetScale, retargetTranslation } from './retarget-pose.ts';
import { resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';
import { applyLinear } from './transform-point.ts';

/**
 * Retargets the translation track of a bone, key by key. `duration`: seconds. `fps`: keys per second; undefined keeps the keys of the source.
 */
export function translationTracks(
  translation: TranslationPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const source = table.translation[translation.sourceNode];
  if (source === undefined) return [];
  const target = translation.targetNode;
  const path = 'translation';
  if (fps === undefined || isConstantTrack(source)) {
    const offset = new Float64Array(3);
    applyLinear(offset, 0, translation.linear, translation.origin, 0);
    vec3.subtract(offset, 0, translation.base, 0, offset, 0);
    const values = source.values.slice();
    mapVectorKeys(values, source, translation.linear, offset);
    return [{ target, path, interpolation: source.interpolation, times: source.times, values }];
  }
  const value = new Float64Array(3);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(source, time, value, 0);
    retargetTranslation(out, o, translation, value, 0);
  };
  return [resampleTrack(target, { path, tracks: [source], tolerance: RELATIVE_TOLERANCE, evaluate }, duration, fps)];
}

/**
 * Retargets the scale track of a bone. Between different axes the map is not linear: keys of STEP tracks are mapped one by one, other tracks are
 * resampled. `duration`: seconds. `fps`: keys per second; undefined keeps the key times of the source.
 */
export function scaleTracks(scale: ScalePlan, table: TrackTable, duration: number, fps: number | undefined): Track[] {
  const source = table.scale[scale.sourceNode];
  if (source === undefined) return [];
  const target = scale.targetNode;
  const path = 'scale';
  if (fps === undefined && source.interpolation === 'STEP') {
    const values = new Float64Array(source.values.length);
    for (let i = 0; i < values.length; i += 3) retargetScale(values, i, scale, source.values, i);
    return [{ target, path, interpolation: 'STEP', times: source.times, values }];
  }
  const value = new Float64Array(3);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(source, time, value, 0);
    retargetScale(out, o, scale, value, 0);
  };
  return [resampleTrack(target, { path, tracks: [source], tolerance: RELATIVE_TOLERANCE, evaluate }, duration, fps)];
}
