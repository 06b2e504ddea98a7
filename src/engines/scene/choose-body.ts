/** Which of the skeletons of a scene graph is meant, and what it is as a humanoid. */
import type { Clip } from '../../core/animation/clip.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { BoneName } from '../../core/humanoid/bones.ts';
import { describeHumanoid, type HumanoidDescription } from '../../core/humanoid/describe-humanoid.ts';
import type { BoneAssignments, Humanoid } from '../../core/humanoid/humanoid.ts';
import { resolveBoneMap } from '../../core/humanoid/mapping/create-bone-map.ts';
import type { PoseChoice } from '../../core/humanoid/t-pose/find-reference-pose.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { clipOfSkeleton, type SceneGraph, skeletonsOf } from './scene-graph.ts';

/** What the caller says about a body; all is found where nothing is said. */
export interface BodyOptions<Node> {
  /**
   * The nodes of bones, by name or themselves. It is believed, also against names and posture; bones that are not given are absent.
   */
  readonly bones?: Readonly<Partial<Record<BoneName, string | Node>>>;
  /** Which pose is the reference: `auto` (the best of bind, node and first-frame pose, made a T-pose), or one as it is. */
  readonly pose?: Exclude<PoseChoice, 'declared'>;
  /** Name or index of the skeleton; needed where several below the root are humanoid. */
  readonly skeleton?: string | number;
  /** Meters of one unit of length below the root; told by the height of the body otherwise. */
  readonly metersPerUnit?: number;
}

/** A humanoid of a scene graph. */
export interface SceneBody<Node> {
  readonly humanoid: Humanoid;
  /** Index in the graph of every node of the humanoid's skeleton. */
  readonly sourceNodes: Int32Array;
  /** The same nodes themselves. */
  readonly nodes: readonly Node[];
  /** What was odd. */
  readonly issues: readonly Issue[];
}

/** The given bones as indices of the graph. */
function givenIndices<Node>(
  { nodes }: SceneGraph<Node>,
  bones: Readonly<Partial<Record<BoneName, string | Node>>>,
): BoneAssignments {
  const given: Partial<Record<BoneName, string | number>> = {};
  for (const [bone, node] of Object.entries(bones) as [BoneName, string | Node | null | undefined][]) {
    if (node === null || node === undefined) continue;
    given[bone] = typeof node === 'string' ? node : nodes.indexOf(node);
    if (given[bone] === -1) throw new RangeError(`The node that is given for the bone ${bone} is not below the root`);
  }
  return given;
}

function listOf(skeletons: readonly AssetSkeleton[], descriptions: readonly HumanoidDescription[]): string {
  return skeletons
    .map(({ skeleton }, k) => `${k} ${JSON.stringify(skeleton.name)}: ${descriptions[k]?.reason ?? 'humanoid'}`)
    .join('; ');
}

function find(skeletons: readonly AssetSkeleton[], wanted: string | number): number {
  const byName = skeletons.findIndex(({ skeleton }) => skeleton.name === wanted);
  const index = byName >= 0 ? byName : typeof wanted === 'number' ? wanted : -1;
  if (skeletons[index] !== undefined) return index;
  const names = skeletons.map(({ skeleton }, k) => `${k} ${JSON.stringify(skeleton.name)}`).join(', ');
  throw new RangeError(`There is no skeleton ${JSON.stringify(wanted)} below the root; there are: ${names || 'none'}`);
}

/**
 * The body that is meant: the skeleton that is asked for, else the one that has the given bones, else the only humanoid one. `motion` is
 * what it plays (on nodes of the graph); its first frame may serve as reference pose, its feet show the ground. `declared` is what the
 * engine itself says of bones and pose.
 *
 * @throws RangeError where there is none or where several are humanoid; the message lists them. Also for bones that are not there.
 */
export function chooseBody<Node>(
  graph: SceneGraph<Node>,
  options: BodyOptions<Node>,
  motion: Clip | null,
  declared: FileHumanoid | null,
): SceneBody<Node> {
  const found = skeletonsOf(graph, declared);
  const { issues } = found;
  const skeletons = found.skeletons.filter((part) => declared === null || part.declared !== null);
  if (skeletons.length === 0) {
    throw new RangeError('There is no skeleton below the root: neither a skinned mesh nor a tree of nodes');
  }
  const given = options.bones === undefined ? null : givenIndices(graph, options.bones);
  const describe = ({ skeleton, sourceNodes, declared: said }: AssetSkeleton): HumanoidDescription => {
    const clip = motion === null ? null : clipOfSkeleton(motion, sourceNodes);
    const mapped = given === null ? null : resolveBoneMap(skeleton, sourceNodes, given);
    if (mapped !== null && mapped.issues.length > 0) {
      return { humanoid: null, reason: mapped.issues.map(({ message }) => message).join('; '), issues: [] };
    }
    return describeHumanoid(skeleton, {
      declared: said,
      motion: clip !== null && clip.tracks.length > 0 ? clip : null,
      metersPerUnit: options.metersPerUnit ?? null,
      ...(mapped === null ? {} : { map: mapped.map }),
      ...(options.pose === undefined ? {} : { pose: options.pose }),
    });
  };
  const indices = options.skeleton === undefined ? [...skeletons.keys()] : [find(skeletons, options.skeleton)];
  const chosen = indices.map((index) => skeletons[index]);
  const descriptions = chosen.map(describe);
  const humanoids = descriptions.flatMap(({ humanoid }, k) => (humanoid === null ? [] : [{ humanoid, k }]));
  if (humanoids.length === 0) throw new RangeError(`It is not humanoid: ${listOf(chosen, descriptions)}`);
  if (humanoids.length > 1) {
    const message = `${humanoids.length} skeletons below the root are humanoid; choose one by the option skeleton, or another root`;
    throw new RangeError(`${message}: ${listOf(chosen, descriptions)}`);
  }
  const [{ humanoid, k }] = humanoids;
  const { sourceNodes, skeleton } = chosen[k];
  // Scenes are in meters: only another unit is worth a word.
  const odd = descriptions[k].issues.filter(({ code }) => code !== 'UNIT_GUESSED' || humanoid.metersPerUnit !== 1);
  const all: Issue[] = [...issues, ...odd];
  if (chosen.length > 1) {
    const message = `There are ${chosen.length} skeletons below the root; ${JSON.stringify(skeleton.name)}, the only humanoid one, was taken`;
    all.push(issue('SKELETON_CHOSEN', message));
  }
  const nodes = Array.from(sourceNodes, (node) => graph.nodes[node]);
  return { humanoid, sourceNodes, nodes, issues: all };
}
