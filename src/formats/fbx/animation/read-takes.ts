/** Lists and reads the animations of an FBX file: animation stacks (FBX 7) and takes (FBX 6). */

import { textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';
import { type FbxTake, rangesOf, type TakeEntry, type TakeReader, type TimeRange } from './fbx-take.ts';
import { readAnimationStack, stackRanges } from './read-animation-stack.ts';
import { declaredTimes, hasKeys, readLegacyTake, takeRecords } from './read-legacy-take.ts';

/** Lists the animations of a file that have a curve, without reading their keys. */
export function listTakes(scene: FbxScene): TakeEntry[] {
  const stacks = [...scene.objects.values()].filter(({ kind }) => kind === 'AnimationStack');
  if (stacks.length > 0 || scene.version >= 7000) {
    return stacks.filter((stack) => hasCurve(scene, stack)).map((source) => ({ name: source.name, source }));
  }
  return takeRecords(scene)
    .filter(hasKeys)
    .map((source) => ({ name: textOf(source.properties[0]) ?? '', source }));
}

function hasCurve(scene: FbxScene, stack: FbxObject): boolean {
  return childObjects(scene, stack.id, 'AnimationLayer').some((layer) =>
    childObjects(scene, layer.id, 'AnimationCurveNode').some((node) =>
      scene.childConnections.get(node.id)?.some(({ source }) => scene.objects.get(source)?.kind === 'AnimationCurve'),
    ),
  );
}

/**
 * Reads an animation with all its curves.
 *
 * @param reader Scene, time unit and shared curves.
 */
export function readTake(reader: TakeReader, { name, source }: TakeEntry): FbxTake {
  return 'id' in source ? readAnimationStack(reader, name, source) : readLegacyTake(reader, name, source);
}

/**
 * Returns the time ranges that an animation declares, without reading its keys.
 *
 * @param reader Scene and time unit.
 */
export function declaredRanges(reader: TakeReader, { name, source }: TakeEntry): TimeRange[] {
  return 'id' in source ? stackRanges(reader, name, source) : rangesOf(declaredTimes(source), reader.ticksPerSecond);
}
