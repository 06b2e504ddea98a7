/** Translation and scale tracks of bones other than the hips. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/constant.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { ScalePlan, TranslationPlan } from './retarget-plan.ts';
import { applyLinear, retargetScale, retargetTranslation } from './retarget-pose.ts';
import { resampled } from './target-track.ts';
import type { TrackTable } from './track-table.ts';

/** Resampled scales stay within this of the exact ones. */
const SCALE_TOLERANCE = 1e-5;

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
    const values = mapVectorKeys(source, translation.linear, offset);
    return [{ target, path, interpolation: source.interpolation, times: source.times, values }];
  }
  const value = new Float64Array(3);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(source, time, value, 0);
    retargetTranslation(out, o, translation, value, 0);
  };
  return [resampled(target, { path, tracks: [source], tolerance: SCALE_TOLERANCE, evaluate }, duration, fps)];
}

/** Scale is no linear map when axes differ: keys of STEP tracks are mapped one by one, all others are resampled. */
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
  return [resampled(target, { path, tracks: [source], tolerance: SCALE_TOLERANCE, evaluate }, duration, fps)];
}
