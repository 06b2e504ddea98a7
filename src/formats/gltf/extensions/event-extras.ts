/** Events of clips in the `extras` of glTF animations: `{ anyrig: { events: [{ time, name }], speed, ground } }`. */
import { type MotionEvent, type MotionEvents, usableEvents } from '../../../core/animation/motion-events.ts';
import { isObject, type JsonObject } from '../document/json-access.ts';
import { listOf, memberOf } from '../document/loose-json.ts';

export function extrasOfEvents(found: MotionEvents | undefined): JsonObject {
  if (found === undefined) return {};
  const events = found.events.map(({ time, name }) => ({ time, name }));
  return { anyrig: { events, speed: found.speed, ground: found.ground } };
}

/** Reads the `extras` of an animation that say nothing about its keys, which may be edited; undefined without any. */
export function readOtherExtras(animation: JsonObject): unknown {
  const extras = memberOf(animation, 'extras');
  if (!isObject(extras)) return extras;
  const { anyrig: _events, ...others } = extras;
  const { restHipsHeight, unit: _unit, ...rest } = others;
  const kept = restHipsHeight === undefined ? others : rest;
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Reads the events of an animation in the order of time; those without a time or name are left out. */
export function readEvents(animation: JsonObject): MotionEvent[] {
  const events = listOf(animation, 'extras', 'anyrig', 'events');
  const all = (key: string): unknown[] => events.map((one) => memberOf(one, key));
  return usableEvents(all('time'), all('name'));
}
