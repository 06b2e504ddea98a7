/** Names of tracks: which object they mean, and which name leads to an object. Both ask three.js itself. */
import { type Object3D, PropertyBinding, type Skeleton } from 'three';
import type { TrackPath } from '../../core/animation/clip.ts';

const PATHS: Readonly<Record<string, TrackPath>> = {
  position: 'translation',
  quaternion: 'rotation',
  scale: 'scale',
};

/** The transform that a track animates. */
export interface TrackTarget {
  readonly object: Object3D;
  readonly path: TrackPath;
}

/** What `AnimationMixer(root)` would animate by a track of this name; the name of the property where that is no transform of an object below the root. */
export function trackTarget(root: Object3D, name: string): TrackTarget | string {
  let parsed: ReturnType<typeof PropertyBinding.parseTrackName>;
  try {
    parsed = PropertyBinding.parseTrackName(name);
  } catch {
    return 'tracks whose name cannot be parsed';
  }
  const { nodeName, objectName, objectIndex, propertyName, propertyIndex } = parsed;
  const path = Object.hasOwn(PATHS, propertyName) ? PATHS[propertyName] : undefined;
  if (path === undefined || propertyIndex !== undefined) return propertyName;
  const found: unknown = PropertyBinding.findNode(root, nodeName);
  if (!found) return `${propertyName} of objects that are not there`;
  if (objectName === undefined) return { object: found as Object3D, path };
  const bones = (found as { skeleton?: Skeleton }).skeleton?.bones;
  const bone = bones?.find((one) => one?.name === objectIndex) ?? bones?.[Number(objectIndex)];
  if (objectName !== 'bones' || bone === undefined) return `${propertyName} of ${objectName}`;
  return { object: bone, path };
}

function leadsTo(root: Object3D, node: string, object: Object3D): boolean {
  const target = trackTarget(root, `${node}.quaternion`);
  return typeof target === 'object' && target.object === object;
}

/**
 * What stands before `.quaternion` in the name of a track of an object: its name, so that the clip fits clones and other copies of the
 * model; its uuid where it has none or shares it; its place among the bones of a skinned mesh that is the root. Null where no name leads there.
 */
export function trackNode(root: Object3D, object: Object3D): string | null {
  const { name, uuid } = object;
  if (name !== '' && leadsTo(root, name, object)) return name;
  if (leadsTo(root, uuid, object)) return uuid;
  const place = (root as { skeleton?: Skeleton }).skeleton?.bones.indexOf(object as Skeleton['bones'][number]) ?? -1;
  const bone = `.bones[${place}]`;
  return place >= 0 && leadsTo(root, bone, object) ? bone : null;
}
