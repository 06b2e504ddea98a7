/** Assigns blend shape names to the morph targets of the meshes of a Skeleton. */
import type { Mesh, MeshInstance } from '../../../../core/asset/geometry.ts';
import type { FaceBind } from '../../../../core/face/face-rig.ts';
import { unusedName } from '../../author/prim-names.ts';
import type { WeightSource } from '../../author/sample-tracks.ts';
import type { LinearAnimation } from '../animation/linear-animation.ts';
import type { BlendShapeNames } from './bind-mesh.ts';

/** A morph target of a mesh instance and its blend shape name. */
export interface MorphChannel extends BlendShapeNames, FaceBind {
  readonly targetCount: number;
}

/** The blend shapes of a Skeleton. */
export interface MorphChannels {
  /** One per morph target of each instance. */
  readonly channels: MorphChannel[];
  /** Blend shape names in use. */
  readonly taken: Set<string>;
}

/**
 * Returns the channels of an instance. They are added to its Skeleton on the first call: the primitives of an instance share them. Meshes share the
 * token of a name where their weights are the same in all `clips`, because an animation has one weight per token.
 */
export function channelsOf(
  known: MorphChannels,
  { node, morphWeights }: MeshInstance,
  mesh: Mesh,
  clips: readonly LinearAnimation[],
): MorphChannel[] {
  const found = known.channels.filter((channel) => channel.node === node);
  if (found.length > 0) return found;
  const weights = morphWeights ?? mesh.morphWeights;
  const targetCount = mesh.morphNames.length;
  const own = new Set<string>();
  const added = mesh.morphNames.map((name, target): MorphChannel => {
    const one = { name, node, target, targetCount, weight: weights[target] ?? 0 };
    const shared = known.channels.find(
      (other) => name !== '' && other.name === name && !own.has(other.token) && moveAlike(other, one, clips),
    );
    const token = shared?.token ?? unusedName(name === '' ? `shape${target}` : name, known.taken);
    own.add(token);
    return { token, ...one };
  });
  known.channels.push(...added);
  return added;
}

type WeightOf = Omit<MorphChannel, keyof BlendShapeNames>;

function moveAlike(a: WeightOf, b: WeightOf, clips: readonly LinearAnimation[]): boolean {
  if (a.weight !== b.weight) return false;
  return clips.every((clip) => {
    const [{ track, target }, other] = weightSources([a, b], clip);
    if (track === undefined || other.track === undefined) return track === other.track;
    const { times, values, targetCount } = other.track;
    return (
      times.length === track.times.length &&
      times.every(
        (time, key) =>
          time === track.times[key] &&
          values[key * targetCount + other.target] === track.values[key * track.targetCount + target],
      )
    );
  });
}

/** Finds the tracks with the weights of channels. `animation`: the animation; null for the static weights. */
export function weightSources(channels: readonly WeightOf[], animation: LinearAnimation | null): WeightSource[] {
  return channels.map(({ node, target, targetCount, weight }) => {
    const track = animation?.morphs.get(node);
    return { track: track?.targetCount === targetCount ? track : undefined, target, weight };
  });
}
