/** Resolves track names to objects, and finds a track name for an object, with the PropertyBinding of three.js. */
import { type Object3D, PropertyBinding, type Skeleton } from 'three';
import type { TrackPath } from '../../core/animation/clip.ts';

const PATHS: Readonly<Record<string, TrackPath>> = {
  position: 'translation',
  quaternion: 'rotation',
  scale: 'scale',
};

export interface TrackTarget {
  readonly object: Object3D;
  readonly path: TrackPath;
}

export function trackTarget(root: Object3D, name: string): TrackTarget | string {
  let parsed: ReturnType<typeof PropertyBinding.parseTrackName>;
  try {
    parsed = PropertyBinding.parseTrackName(name);
  } catch {
    return 'tracks with an invalid name';
  }
  const { nodeName, objectName, objectIndex, propertyName, propertyIndex } = parsed;
  const path = Object.hasOwn(PATHS, propertyName) ? PATHS[propertyName] : undefined;
  if (path === undefined || propertyIndex !== undefined) return propertyName;
  const found: unknown = PropertyBinding.findNode(root, nodeName);
  if (!found) return `${propertyName} of objects that do not exist`;
  if (objectName === undefined) return { object: found as Object3D, path };
  const bones = (found as { skeleton?: Skeleton }).skeleton?.bones;
  const bone = bones?.find((one) => one?.name === objectIndex) ?? bones?.[Number(objectIndex)];
  if (objectName !== 'bones' || bone === undefined) return `${propertyName} of ${objectName}`;
  return { object: bone, path };
}

function resolvesTo(root: Object3D, node: string, object: Object3D): boolean {
  const target = trackTarget(root, `${node}.quaternion`);
  return typeof target === 'object' && target.object === object;
}

/**
 * Returns the part before `.quaternion` in a track name for an object: its name, so that the clip fits clones and other copies of the model; its uuid
 * when the name is empty or not unique; its index among the bones when the root is a skinned mesh; null when no name resolves to the object.
 */
export function trackNode(root: Object3D, object: Object3D): string | null {
  const { name, uuid } = object;
  if (name !== '' && resolvesTo(root, name, object)) return name;
  if (resolvesTo(root, uuid, object)) return uuid;
  const index = (root as { skeleton?: Skeleton }).skeleton?.bones.indexOf(object as Skeleton['bones'][number]) ?? -1;
  const bone = `.bones[${index}]`;
  return index >= 0 && resolvesTo(root, bone, object) ? bone : null;
}
