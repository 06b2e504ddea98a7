/** The face of a motion by names that any character may have: what a VRM Animation holds. And the face in a mirror. */
import type { Keys } from '../animation/clip.ts';
import { resampleFunction, unionTimes } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import { type ExpressionTrack, type LookAtTrack, saturate } from './face-tracks.ts';
import { WEIGHT_TOLERANCE } from './gaze.ts';
import type { FaceSource } from './plan-face.ts';
import { mirrorShape, presetOfShape } from './shapes.ts';

/** The name of a source as an expression: expressions keep theirs; a morph target has that of the preset or the shape that it means, else its own. */
function expressionName({ name, named, kind }: FaceSource): string {
  if (kind === 'expression' || named === null) return name;
  return presetOfShape(named.shape) ?? named.shape;
}

/** Mean of parts of a shape. */
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
        out[o] += saturate(value[0]) / count;
      }
    },
  });
  return { interpolation: 'LINEAR', ...keys };
}

/**
 * The weights of a motion as expressions of VRM: presets where they mean one, else custom ones by the name of the shape (ARKit's names,
 * which "perfect sync" characters have) or their own. What means the same is there once, parts of a shape as their mean. Nothing is put
 * on other shapes: that is up to the character that plays it.
 */
export function portableFace(sources: readonly FaceSource[]): ExpressionTrack[] {
  const groups = new Map<string, FaceSource[]>();
  for (const source of sources) {
    const name = expressionName(source);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(source);
  }
  return [...groups].map(([name, group]): ExpressionTrack => {
    const whole = group.find(({ named, kind }) => kind === 'expression' || named === null || named.parts === 1);
    const parts = group.map(({ keys }) => keys);
    const { interpolation, times, values } = whole?.keys ?? meanOf(parts, group[0].named?.parts ?? 1);
    return { name, sourceNode: -1, interpolation, times, values };
  });
}

const OTHER_SIDE: Readonly<Record<string, string>> = {
  Left: 'Right',
  Right: 'Left',
  left: 'right',
  right: 'left',
  L: 'R',
  R: 'L',
  l: 'r',
  r: 'l',
};

/** A name with its sides changed: words, and letters that stand alone or end the name as a capital. */
function mirrorName(name: string): string {
  const sides = /Left|Right|left|right|(?<=[\s_.-])[LRlr](?=[\s_.-]|$)|(?<=[a-z])[LR]$/g;
  return name.replace(sides, (side) => OTHER_SIDE[side]);
}

/** The same face with left and right changed. A name of a side that does not tell it is lost, its meaning is not. */
export function mirrorSource(source: FaceSource): FaceSource {
  const { named } = source;
  const name = mirrorName(source.name);
  if (named === null) return { ...source, name };
  const mirrored = { ...named, shape: mirrorShape(named.shape) };
  return {
    ...source,
    name: name === source.name && mirrored.shape !== named.shape ? mirrored.shape : name,
    named: mirrored,
  };
}

/** The same expressions with left and right changed, each on its own node: it gets the keys of the other side, where that is there. */
export function mirrorExpressions(tracks: readonly ExpressionTrack[]): ExpressionTrack[] {
  const byName = new Map(tracks.map((track) => [track.name, track]));
  return tracks.map((track) => {
    const { interpolation, times, values } = byName.get(mirrorName(track.name)) ?? track;
    return { ...track, interpolation, times, values };
  });
}

/** The same gaze with left and right changed. */
export function mirrorLookAt(lookAt: LookAtTrack): LookAtTrack {
  const values = Float64Array.from(lookAt.values, (value, i) => (i % 4 === 1 || i % 4 === 2 ? -value : value));
  const { offsetFromHeadBone: offset } = lookAt;
  return { ...lookAt, values, offsetFromHeadBone: offset === null ? null : [-offset[0], offset[1], offset[2]] };
}
