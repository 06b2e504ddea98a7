import type { Value } from '../layer/value.ts';
import { attributeValue, timeSamplesOf } from '../stage/attribute-values.ts';
import type { Stage, Time } from '../stage/stage.ts';

/** Determines the time of an attribute's static value: the default time, or the first time sample if it has time samples only. */
export function restTimeOf(stage: Stage, prim: string, attribute: string): Time {
  if (attributeValue(stage, prim, attribute, 'default') !== null) return 'default';
  return timeSamplesOf(stage, prim, attribute)[0] ?? 'default';
}

/** Reads the static value of an attribute, see {@link restTimeOf}. Returns null without one. Arrays may belong to the layer: do not change them. */
export function restValue(stage: Stage, prim: string, attribute: string): Value | null {
  return attributeValue(stage, prim, attribute, restTimeOf(stage, prim, attribute));
}
