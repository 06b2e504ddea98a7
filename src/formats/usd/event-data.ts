/**
 * Events of clips in the `customData` of SkelAnimation prims: `dictionary anyrig = { double[] times; string[] names; double speed; double ground }`, the times in seconds from
 * the start of the clip.
 */
import { type MotionEvent, type MotionEvents, usableEvents } from '../../core/animation/motion-events.ts';
import { arrayOf, single, texts } from './author/author-values.ts';
import type { Layer } from './layer/layer.ts';
import type { DictionaryValue, Value } from './layer/value.ts';
import { primMetadata } from './stage/composed-metadata.ts';
import type { Stage } from './stage/stage.ts';

function dictionary(entries: Readonly<Record<string, Value>>): DictionaryValue {
  return { type: 'dictionary', entries: new Map(Object.entries(entries)) };
}

/** Records the events of a clip in its SkelAnimation prim. */
export function authorEvents(layer: Layer, path: string, found: MotionEvents | undefined): void {
  if (found === undefined) return;
  const { events, speed, ground } = found;
  const own = dictionary({
    times: arrayOf(
      'double',
      events.map(({ time }) => time),
    ),
    names: texts(
      'string',
      events.map(({ name }) => name),
    ),
    speed: single('double', speed),
    ground: single('double', ground),
  });
  layer.specs.get(path)?.fields.set('customData', dictionary({ anyrig: own }));
}

/** Reads the events of a SkelAnimation prim in the order of time; those without a time or name are left out. */
export function readEvents(stage: Stage, path: string): MotionEvent[] {
  const data = primMetadata(stage, path, 'customData');
  const own = data?.type === 'dictionary' ? data.entries.get('anyrig') : undefined;
  if (own?.type !== 'dictionary') return [];
  const [times, names] = [own.entries.get('times'), own.entries.get('names')];
  if (times === undefined || !('numbers' in times) || names === undefined || !('texts' in names)) return [];
  return usableEvents(Array.from(times.numbers, Number), names.texts);
}
