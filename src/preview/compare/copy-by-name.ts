import type { Clip, Track } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';

/** Least fraction of the bones of the source that the target has by name. */
const LEAST_MATCH = 0.5;

/** The part of a name that exporters leave alone: without namespace, case, blanks and punctuation. */
function plainName(name: string): string {
  return name
    .slice(name.lastIndexOf(':') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/**
 * Copies a clip as programs without retargeting do: tracks go to the nodes with the same names, their values unchanged.
 *
 * @returns Rotations of all nodes and the translation of the hips; null where fewer than half of the bones have the same names.
 */
export function copyByName(source: Humanoid, clip: Clip, target: Humanoid): Clip | null {
  const nodes = new Map<string, number>();
  for (const [node, name] of target.skeleton.names.entries()) {
    const plain = plainName(name);
    if (plain !== '' && !nodes.has(plain)) nodes.set(plain, node);
  }
  const targetOf = (node: number): number | undefined => nodes.get(plainName(source.skeleton.names[node]));
  const bones = Array.from(source.map.nodes).filter((node) => node >= 0);
  if (bones.filter((node) => targetOf(node) !== undefined).length < LEAST_MATCH * bones.length) return null;
  const hips = source.map.nodes[BONE.hips];
  const tracks = clip.tracks.flatMap((track): Track[] => {
    const node = targetOf(track.target);
    const isCopied = track.path === 'rotation' || (track.path === 'translation' && track.target === hips);
    return node === undefined || !isCopied ? [] : [{ ...track, target: node }];
  });
  const taken = new Set<string>();
  const first = tracks.filter(({ target: node, path }) => {
    const key = `${node} ${path}`;
    return !taken.has(key) && taken.add(key);
  });
  return { ...clip, tracks: first };
}
