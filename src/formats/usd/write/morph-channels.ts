/** The blend shapes of a Skeleton: morph targets of its meshes under names of their own. */
import type { Mesh, MeshInstance } from '../../../core/asset/geometry.ts';
import type { NamedShape } from './bind-mesh.ts';
import type { LinearAnimation, WeightSource } from './linear-animation.ts';
import { unusedName } from './prim-names.ts';

/** A morph target of an instance, as animations know it. */
export interface MorphChannel extends NamedShape {
  readonly node: number;
  readonly target: number;
  readonly targetCount: number;
  /** Weight without an animation. */
  readonly weight: number;
}

/** Morph targets by Skeleton. */
export interface MorphChannels {
  readonly channels: MorphChannel[];
  readonly taken: Set<string>;
}

/** The channels of an instance, added to those of its Skeleton unless they are there: primitives of an instance have theirs in common. */
export function channelsOf(known: MorphChannels, { node, morphWeights }: MeshInstance, mesh: Mesh): MorphChannel[] {
  const found = known.channels.filter((channel) => channel.node === node);
  if (found.length > 0) return found;
  const weights = morphWeights ?? mesh.morphWeights;
  const targetCount = mesh.morphNames.length;
  const added = mesh.morphNames.map((name, target): MorphChannel => {
    const token = unusedName(name === '' ? `shape${target}` : name, known.taken);
    return { token, name, node, target, targetCount, weight: weights[target] ?? 0 };
  });
  known.channels.push(...added);
  return added;
}

/** Where an animation has the weights of channels; null: they have those that they always have. */
export function weightSources(channels: readonly MorphChannel[], animation: LinearAnimation | null): WeightSource[] {
  return channels.map(({ node, target, targetCount, weight }) => {
    const track = animation?.morphs.get(node);
    return { track: track?.targetCount === targetCount ? track : undefined, target, weight };
  });
}
