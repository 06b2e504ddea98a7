/** Values of attributes where nothing moves yet. */
import type { Value } from '../layer/value.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../stage/values.ts';

/** When an attribute is at rest: at the default time, and where it has samples alone, at the first of them. */
export function restTimeOf(stage: Stage, prim: string, attribute: string): Time {
  if (attributeValue(stage, prim, attribute, 'default') !== null) return 'default';
  return timeSamplesOf(stage, prim, attribute)[0] ?? 'default';
}

/** The value of an attribute at rest; null without one. What comes out may be the layer's own array: do not write into it. */
export function restValue(stage: Stage, prim: string, attribute: string): Value | null {
  return attributeValue(stage, prim, attribute, restTimeOf(stage, prim, attribute));
}
