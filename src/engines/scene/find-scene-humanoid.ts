import type { Clip } from '../../core/animation/clip.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { BoneName } from '../../core/humanoid/bones.ts';
import { describeHumanoid, type HumanoidDescription } from '../../core/humanoid/describe-humanoid.ts';
import type { BoneAssignments, Humanoid } from '../../core/humanoid/humanoid.ts';
import { resolveBoneMap } from '../../core/humanoid/mapping/create-bone-map.ts';
import type { PoseChoice } from '../../core/humanoid/t-pose/find-reference-pose.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { joinOutfits, mainOfCoincident } from '../../core/retarget/detached/join-outfits.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { clipForSkeleton, readSceneSkeletons, type SceneGraph } from './scene-graph.ts';
import { bindSceneVertices, type SceneMesh } from './scene-surface.ts';

/** User-supplied facts about a character. Everything that is omitted is detected. */
export interface SceneHumanoidOptions<Node> {
  /**
   * Bone map: the node of each bone, by name or by reference. It replaces detection by names and posture; bones that it omits are missing.
   */
  readonly bones?: Readonly<Partial<Record<BoneName, string | Node>>>;
  /** Reference pose: `auto` (the declared one, else the best of bind, rest and first-frame pose, corrected to a T-pose), or one of these unchanged. */
  readonly pose?: PoseChoice;
  /** Name or index of the skeleton; required when several skeletons below the root are humanoid. */
  readonly skeleton?: string | number;
  /** Meters per unit of length below the root. By default it is estimated from the height of the character. */
  readonly metersPerUnit?: number;
}

export interface SceneHumanoid<Node> {
  readonly humanoid: Humanoid;
  /** Index in the graph, one per node of the humanoid's skeleton. */
  readonly sourceNodes: Int32Array;
  /** The nodes of the engine, one per node of the humanoid's skeleton. */
  readonly nodes: readonly Node[];
  readonly issues: readonly Issue[];
}

/** Converts a user-supplied bone map to node names and indices of the graph. */
function toAssignments<Node>(
  { nodes }: SceneGraph<Node>,
  bones: Readonly<Partial<Record<BoneName, string | Node>>>,
): BoneAssignments {
  const assignments: Partial<Record<BoneName, string | number>> = {};
  for (const [bone, node] of Object.entries(bones) as [BoneName, string | Node | null | undefined][]) {
    if (node === null || node === undefined) continue;
    assignments[bone] = typeof node === 'string' ? node : nodes.indexOf(node);
    if (assignments[bone] === -1) {
      throw new RangeError(
        `The node for the bone ${bone} is not at or below the root; pass one of its nodes, or a root that contains it`,
      );
    }
  }
  return assignments;
}

function nodesOf<Node>({ nodes }: SceneGraph<Node>, sourceNodes: Int32Array): Node[] {
  return Array.from(sourceNodes, (node) => nodes[node]);
}

/** Lists skeletons with the result of each, for a message. */
function listDescriptions(skeletons: readonly AssetSkeleton[], descriptions: readonly HumanoidDescription[]): string {
  return skeletons
    .map(({ skeleton }, k) => `${k} ${JSON.stringify(skeleton.name)}: ${descriptions[k]?.reason ?? 'humanoid'}`)
    .join('; ');
}

function findSkeleton(skeletons: readonly AssetSkeleton[], wanted: string | number): number {
  const byName = skeletons.findIndex(({ skeleton }) => skeleton.name === wanted);
  const index = byName >= 0 ? byName : typeof wanted === 'number' ? wanted : -1;
  if (skeletons[index] !== undefined) return index;
  const names = skeletons.map(({ skeleton }, k) => `${k} ${JSON.stringify(skeleton.name)}`).join(', ');
  throw new RangeError(
    `There is no skeleton ${JSON.stringify(wanted)} below the root; choose one of: ${names || 'none'}`,
  );
}

/**
 * Finds the humanoid of a scene graph: the selected skeleton, else the only one that fits the user-supplied bones, else the only humanoid one.
 * `motion`: a clip of the character on nodes of the graph, or null. Its first frame can become the reference pose; its feet indicate the ground.
 * `declared`: bones and pose that the file declares, as indices of the graph; null without a declaration. Throws RangeError when no skeleton is
 * humanoid, and when several are and none is selected; the message lists them. Also for a selected skeleton or bones that do not exist.
 */
export function findSceneHumanoid<Node>(
  graph: SceneGraph<Node>,
  options: SceneHumanoidOptions<Node>,
  motion: Clip | null,
  declared: FileHumanoid | null,
  readMeshes: (nodes: readonly Node[]) => readonly SceneMesh[],
): SceneHumanoid<Node> {
  const found = readSceneSkeletons(graph, declared);
  const { issues } = found;
  const skeletons = found.skeletons.filter((part) => declared === null || part.declared !== null);
  if (skeletons.length === 0) {
    throw new RangeError(
      'There is no skeleton below the root: it has neither a skinned mesh nor a node hierarchy. Pass the root of a character',
    );
  }
  const assignments = options.bones === undefined ? null : toAssignments(graph, options.bones);
  const describe = ({ skeleton, sourceNodes, declared: declaration }: AssetSkeleton): HumanoidDescription => {
    const clip = motion === null ? null : clipForSkeleton(motion, sourceNodes);
    const mapped = assignments === null ? null : resolveBoneMap(skeleton, sourceNodes, assignments);
    if (mapped !== null && mapped.issues.length > 0) {
      return { humanoid: null, reason: mapped.issues.map(({ message }) => message).join('; '), issues: [] };
    }
    return describeHumanoid(skeleton, {
      declared: declaration,
      vertices: () => bindSceneVertices(skeleton, readMeshes(nodesOf(graph, sourceNodes))),
      motion: clip !== null && clip.tracks.length > 0 ? clip : null,
      metersPerUnit: options.metersPerUnit ?? null,
      ...(mapped === null ? {} : { map: mapped.map }),
      ...(options.pose === undefined ? {} : { pose: options.pose }),
    });
  };
  const indices = options.skeleton === undefined ? [...skeletons.keys()] : [findSkeleton(skeletons, options.skeleton)];
  const chosen = indices.map((index) => skeletons[index]);
  const descriptions = chosen.map(describe);
  const humanoids = descriptions.flatMap(({ humanoid }, k) => (humanoid === null ? [] : [{ humanoid, k }]));
  if (humanoids.length === 0) {
    throw new RangeError(
      `No skeleton below the root is humanoid; name its bones with the option bones. Found: ${listDescriptions(chosen, descriptions)}`,
    );
  }
  const main = mainOfCoincident(humanoids.map(({ humanoid, k }) => ({ humanoid, part: chosen[k] })));
  if (main < 0) {
    const message = `${humanoids.length} skeletons below the root are humanoid; choose one with the option skeleton, or pass another root`;
    throw new RangeError(`${message}: ${listDescriptions(chosen, descriptions)}`);
  }
  const { humanoid: own, k } = humanoids[main];
  const { skeleton: ownSkeleton } = chosen[k];
  const { humanoid, sourceNodes } = joinOutfits(
    own,
    chosen[k],
    found.skeletons.filter((part) => part !== chosen[k]),
  );
  // Scenes are in meters: report a guessed unit only when it differs.
  const unusual = descriptions[k].issues.filter(({ code }) => code !== 'UNIT_GUESSED' || humanoid.metersPerUnit !== 1);
  const all: Issue[] = [...issues, ...unusual];
  if (chosen.length > 1) {
    const which = humanoids.length > 1 ? 'whose bones all humanoid ones share' : 'the only humanoid one';
    const message = `There are ${chosen.length} skeletons below the root; ${JSON.stringify(ownSkeleton.name)}, ${which}, was used`;
    all.push(issue('SKELETON_CHOSEN', message));
  }
  return { humanoid, sourceNodes, nodes: nodesOf(graph, sourceNodes), issues: all };
}
