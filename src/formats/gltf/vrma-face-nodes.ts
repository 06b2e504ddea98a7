/** Expressions and gaze of a clip as nodes of a new VRM Animation. VRMC_vrm_animation-1.0, Expressions and LookAt. */
import type { Track } from '../../core/animation/clip.ts';
import { linearTrack } from '../../core/animation/linear-track.ts';
import type { ExpressionTrack, FaceTracks } from '../../core/face/face-tracks.ts';
import { linearWeights } from '../../core/face/linear-weights.ts';
import { VRM_PRESETS } from '../../core/face/shapes.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { JsonObject } from './schema.ts';

/** World rotation that a spline of the gaze may miss, radians (0.005°). */
const GAZE_TOLERANCE = (0.005 * Math.PI) / 180;

const PRESETS: ReadonlySet<string> = new Set(VRM_PRESETS);
/** Presets that a VRMA must not have, and names that are members of every object of glTF. */
const FORBIDDEN: ReadonlySet<string> = new Set(['lookUp', 'lookDown', 'lookLeft', 'lookRight', 'extensions', 'extras']);

/** What is added to a document for a face. */
export interface FaceParts {
  readonly nodes: readonly JsonObject[];
  /** On the nodes, the first of which has the index that was asked for. */
  readonly tracks: readonly Track[];
  /** `expressions` and `lookAt` of the extension, where there are such. */
  readonly members: JsonObject;
}

function weightTrack(expression: ExpressionTrack, target: number): Track {
  const { times, values } = linearWeights(expression);
  const translations = new Float64Array(3 * times.length);
  for (let k = 0; k < times.length; k++) translations[3 * k] = values[k];
  return { target, path: 'translation', interpolation: 'LINEAR', times, values: translations };
}

/**
 * A node for every expression, whose translation has the weight as x, and one whose rotation is the gaze, from node `first` on. Weights
 * are LINEAR and within 0…1. CHANNELS_DROPPED for expressions that the format forbids: presets of the gaze.
 */
export function faceParts({ expressions, lookAt }: FaceTracks, first: number, issues: Issue[]): FaceParts {
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
    // A plain assignment would set the prototype for one name.
    Object.defineProperty(map, name, { value: { node }, enumerable: true, configurable: true, writable: true });
    nodes.push({ name });
    tracks.push(weightTrack(expression, node));
  }
  if (forbidden.length > 0) {
    const names = forbidden.map((name) => JSON.stringify(name.slice(0, 40))).join(', ');
    issues.push(issue('CHANNELS_DROPPED', `Expressions that a VRMA must not have are not written: ${names}`));
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
    tracks.push(linearTrack({ target: node, path: 'rotation', interpolation, times, values }, GAZE_TOLERANCE));
    members['lookAt'] = {
      node,
      ...(offsetFromHeadBone === null ? {} : { offsetFromHeadBone: [...offsetFromHeadBone] }),
    };
  }
  return { nodes, tracks, members };
}
