import type { Keys } from '../animation/clip.ts';
import { resampleFunction, unionTimes } from '../animation/resample.ts';
import { WEIGHT_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleKeys } from '../animation/sample.ts';
import { clamp01 } from '../math/floats.ts';
import type { ExpressionTrack } from './face-tracks.ts';
import type { FaceSource } from './plan-face.ts';
import { shapeToPreset } from './shapes.ts';

/** The expression name of a source. Expressions keep their name; a morph target gets the name of its preset or shape, otherwise keeps its own. */
function expressionName({ name, match, kind }: FaceSource): string {
  if (kind === 'expression' || match === null) return name;
  return shapeToPreset(match.shape) ?? match.shape;
}

function meanOf(parts: readonly Keys[], count: number): Keys {
  const value = new Float64Array(1);
  const keys = resampleFunction({
    width: 1,
    isRotation: false,
    keyTimes: unionTimes(parts.map(({ times }) => times)),
    stepTimes: unionTimes(parts.flatMap(({ interpolation, times }) => (interpolation === 'STEP' ? [times] : []))),
    tolerance: WEIGHT_TOLERANCE,
    evaluate: (time, out, o) => {
      out[o] = 0;
      for (const part of parts) {
        sampleKeys(part, 1, false, time, value, 0);
        out[o] += clamp01(value[0]) / count;
      }
    },
  });
  return { interpolation: 'LINEAR', ...keys };
}

/**
 * Converts the weights of a motion to VRM expressions: to presets where a preset exists, otherwise to custom expressions with the name of the shape
 * (ARKit's names, as in "perfect sync" characters) or with their own name. Sources with the same meaning become one expression; parts of a shape
 * become their mean. Recipes are not applied here: they depend on the character that plays the motion. `sources`: weights of a motion, from
 * `faceSources`. Returns one track per expression, with `sourceNode` −1.
 */
export function canonicalExpressions(sources: readonly FaceSource[]): ExpressionTrack[] {
  const groups = new Map<string, FaceSource[]>();
  for (const source of sources) {
    const name = expressionName(source);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(source);
  }
  return [...groups].map(([name, group]): ExpressionTrack => {
    const whole = group.find(({ match, kind }) => kind === 'expression' || match === null || match.parts === 1);
    const parts = group.map(({ keys }) => keys);
    const { interpolation, times, values } = whole?.keys ?? meanOf(parts, group[0].match?.parts ?? 1);
    return { name, sourceNode: -1, interpolation, times, values };
  });
}
