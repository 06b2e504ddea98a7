/** Events of clips in the `extras` of glTF animations: `{ anyrig: { events: [{ time, name }], speed, ground } }`. */
import type { MotionEvent, MotionEvents } from '../../../core/animation/motion-events.ts';
import type { JsonObject } from '../document/json-access.ts';
import { listOf, memberOf } from '../document/loose-json.ts';

const MAX_EVENTS = 100_000;
const MAX_NAME = 256;

export function extrasOfEvents(found: MotionEvents | undefined): JsonObject {
  if (found === undefined) return {};
  const events = found.events.map(({ time, name }) => ({ time, name }));
  return { anyrig: { events, speed: found.speed, ground: found.ground } };
}

/** Reads the events of an animation in the order of time; those without a time or name are left out. */
export function readEvents(animation: JsonObject): MotionEvent[] {
  const events: MotionEvent[] = [];
  for (const one of listOf(animation, 'extras', 'anyrig', 'events').slice(0, MAX_EVENTS)) {
    const [time, name] = [memberOf(one, 'time'), memberOf(one, 'name')];
    if (typeof time !== 'number' || !(time >= 0 && time < Number.POSITIVE_INFINITY)) continue;
    if (typeof name === 'string' && name.length <= MAX_NAME) events.push({ time, name });
  }
  return events.sort((a, b) => a.time - b.time);
}
