/** Writes the expressions and the look-at of a clip as nodes of a VRM Animation. VRMC_vrm_animation-1.0, Expressions and LookAt. */
import type { Keys, Track } from '../../../core/animation/clip.ts';
import { linearTrack } from '../../../core/animation/linear-track.ts';
import { resampleFunction } from '../../../core/animation/resample.ts';
import { ROTATION_TOLERANCE, WEIGHT_TOLERANCE } from '../../../core/animation/resample-tolerance.ts';
import { sampleKeys } from '../../../core/animation/sample.ts';
import type { ExpressionTrack, FaceTracks } from '../../../core/face/face-tracks.ts';
import { VRM_PRESETS } from '../../../core/face/shapes.ts';
import { clamp01 } from '../../../core/math/floats.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { JsonObject } from '../document/json-access.ts';

/** Converts the keys of one weight to LINEAR keys, clamped to 0…1, with an error of at most 1e-4. `keys`: keys with one float per value. */
function linearWeights(keys: Keys): Keys {
  const { interpolation, times, values } = keys;
  if (interpolation === 'LINEAR' && values.every((value) => clamp01(value) === value)) return keys;
  let cursor = 0;
  const linear = resampleFunction({
    width: 1,
    isRotation: false,
    keyTimes: times,
    ...(interpolation === 'STEP' ? { stepTimes: times } : {}),
    tolerance: WEIGHT_TOLERANCE,
    evaluate: (time, out, o) => {
      cursor = sampleKeys(keys, 1, false, time, out, o, cursor);
      out[o] = clamp01(out[o]);
    },
  });
  return { interpolation: 'LINEAR', ...linear };
}

const PRESETS: ReadonlySet<string> = new Set(VRM_PRESETS);
/** Presets that a VRMA must not animate, and names of properties that every glTF object has. */
const FORBIDDEN: ReadonlySet<string> = new Set(['lookUp', 'lookDown', 'lookLeft', 'lookRight', 'extensions', 'extras']);

function weightTrack(expression: ExpressionTrack, target: number): Track {
  const { times, values } = linearWeights(expression);
  const translations = new Float64Array(3 * times.length);
  for (let k = 0; k < times.length; k++) translations[3 * k] = values[k];
  return { target, path: 'translation', interpolation: 'LINEAR', times, values: translations };
}

/**
 * Creates one node per expression, whose x translation is the weight, and one node whose rotation is the look-at direction. Weights become LINEAR and
 * are clamped to 0…1. `issues` receives CHANNELS_DROPPED for expressions that the format forbids, such as the look-at presets. Returns the properties
 * `expressions` and `lookAt` of the extension, if present.
 */
export function createFaceParts(
  { expressions, lookAt }: FaceTracks,
  first: number,
  issues: Issue[],
): { nodes: readonly JsonObject[]; tracks: readonly Track[]; members: JsonObject } {
  const nodes: JsonObject[] = [];
  const tracks: Track[] = [];
  const preset: Record<string, { node: number }> = {};
  const custom: Record<string, { node: number }> = {};
  const forbidden: string[] = [];
  for (const expression of expressions) {
    const { name } = expression;
    const map = PRESETS.has(name) ? preset : custom;
    if (FORBIDDEN.has(name) || Object.hasOwn(map, name)) {
      forbidden.push(name);
      continue;
    }
    const node = first + nodes.length;
    // A plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(map, name, { value: { node }, enumerable: true, configurable: true, writable: true });
    nodes.push({ name });
    tracks.push(weightTrack(expression, node));
  }
  if (forbidden.length > 0) {
    const names = forbidden.map((name) => JSON.stringify(name.slice(0, 40))).join(', ');
    issues.push(issue('CHANNELS_DROPPED', `A VRMA must not have the expressions ${names}; they were dropped`));
  }
  const members: JsonObject = {};
  if (nodes.length > 0) {
    const kinds = { preset, custom };
    members['expressions'] = Object.fromEntries(Object.entries(kinds).filter(([, map]) => Object.keys(map).length > 0));
  }
  if (lookAt !== null) {
    const node = first + nodes.length;
    const { interpolation, times, values, offsetFromHeadBone } = lookAt;
    nodes.push({ name: 'lookAt' });
    tracks.push(linearTrack({ target: node, path: 'rotation', interpolation, times, values }, ROTATION_TOLERANCE));
    members['lookAt'] = {
      node,
      ...(offsetFromHeadBone === null ? {} : { offsetFromHeadBone: [...offsetFromHeadBone] }),
    };
  }
  return { nodes, tracks, members };
}
