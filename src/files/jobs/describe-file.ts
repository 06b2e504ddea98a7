import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { describeFileHumanoid, describeSkeletons } from '../humanoid/describe-file-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { type HumanoidReport, reportHumanoid } from '../reports/humanoid-report.ts';
import { type NodeReport, reportNodes } from '../reports/node-report.ts';

/** A skeleton of a file. */
interface SkeletonReport {
  /** Name of the skeleton. */
  readonly name: string;
  /** Index among the skeletons of the file. */
  readonly index: number;
  /** Number of nodes. */
  readonly nodes: number;
  /** Number of nodes that are joints of a skin. */
  readonly joints: number;
  /** Whether the skeleton is humanoid. */
  readonly humanoid: boolean;
  /** Why it is not humanoid. */
  readonly reason?: string;
  /** All its nodes, where they were asked for. */
  readonly tree?: readonly NodeReport[];
}

/** Options of `inspectFile`. */
export interface InspectOptions {
  /** Whether to list the nodes of all skeletons, as bone maps refer to them; false by default. */
  readonly nodes?: boolean;
}

/** A clip of a file, all its skeletons together. */
interface FileClipReport {
  /** Name of the clip. */
  readonly name: string;
  /** Index in the file. */
  readonly index: number;
  /** Duration in seconds. */
  readonly duration: number;
  /** Number of channels that anyrig reads, including morph weights. */
  readonly tracks: number;
  /** Number of keys of all these channels. */
  readonly keys: number;
}

/** Report of `inspect`. */
export interface FileReport {
  /** Whether the file has a humanoid. */
  readonly ok: boolean;
  /** Name of the file. */
  readonly file: string;
  /** Format of the file. */
  readonly format: string;
  /** The humanoid skeletons; empty when none is. */
  readonly humanoids: readonly HumanoidReport[];
  /** All skeletons. */
  readonly skeletons: readonly SkeletonReport[];
  /** All clips. */
  readonly clips: readonly FileClipReport[];
  /** What was unusual, repaired or dropped. */
  readonly issues: readonly Issue[];
}

function inspectClips({ asset }: OpenFile): FileClipReport[] {
  return asset.clips.map(({ name, duration, clips, morphs }, index) => {
    // A node that several skeletons share is in each of them; its channels count once.
    const seen = new Set<string>();
    let tracks = morphs.length;
    let keys = morphs.reduce((sum, { times }) => sum + times.length, 0);
    for (const [k, clip] of clips.entries()) {
      for (const { target, path, times } of clip.tracks) {
        const { isCanonicalRig, sourceNodes } = asset.skeletons[k];
        const key = isCanonicalRig === true ? `bone ${k} ${target} ${path}` : `${sourceNodes[target]} ${path}`;
        if (seen.has(key)) continue;
        seen.add(key);
        tracks++;
        keys += times.length;
      }
    }
    return { name, index, duration, tracks, keys };
  });
}

/**
 * Describes every skeleton of a file as a humanoid, as `retarget` does, and lists its clips; bone maps are explained. `surfaceOf` adds to the report of a
 * humanoid its soles, radii and cloth; without it they are left out, because they take most of the time.
 */
export function describeFile(
  file: OpenFile,
  { nodes = false }: InspectOptions = {},
  surfaceOf: (humanoid: Humanoid, part: AssetSkeleton) => Partial<HumanoidReport> = () => ({}),
): FileReport {
  const { asset } = file;
  const humanoids: HumanoidReport[] = [];
  const issues: Issue[] = [...asset.issues];
  const descriptions = describeSkeletons(file, (index) => describeFileHumanoid(file, index, { explain: true }));
  const skeletons = asset.skeletons.map((part, index): SkeletonReport => {
    const { skeleton } = part;
    const description = descriptions[index];
    issues.push(...description.issues);
    const { humanoid } = description;
    if (humanoid !== null) humanoids.push({ ...reportHumanoid(humanoid, part, index), ...surfaceOf(humanoid, part) });
    return {
      name: skeleton.name,
      index,
      nodes: skeleton.names.length,
      joints: skeleton.joints.reduce((sum, joint) => sum + joint, 0),
      humanoid: description.humanoid !== null,
      ...(description.reason === null ? {} : { reason: description.reason }),
      ...(nodes ? { tree: reportNodes(part) } : {}),
    };
  });
  if (humanoids.length === 0) issues.push(issue('NOT_HUMANOID', whyNoHumanoid(file, skeletons)));
  const ok = humanoids.length > 0;
  return { ok, file: file.name, format: asset.format, humanoids, skeletons, clips: inspectClips(file), issues };
}

function whyNoHumanoid({ name }: OpenFile, skeletons: readonly SkeletonReport[]): string {
  if (skeletons.length === 0) return `${name} has no skeleton: neither a skin nor a node hierarchy`;
  const [largest] = [...skeletons].sort((a, b) => b.joints - a.joints || b.nodes - a.nodes);
  const which = skeletons.length === 1 ? '' : ` (skeleton ${JSON.stringify(largest.name)}, one of ${skeletons.length})`;
  return `${name} is not humanoid${which}: ${largest.reason}`;
}
