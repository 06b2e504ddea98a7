/** What a file contains, as `anyrig inspect` tells it. */
import { type Issue, issue } from '../core/report/issue.ts';
import { describeBody } from './describe-body.ts';
import { type HumanoidReport, reportHumanoid } from './humanoid-report.ts';
import type { OpenFile } from './open.ts';

/** A skeleton of a file. */
export interface SkeletonReport {
  readonly name: string;
  readonly index: number;
  readonly nodes: number;
  /** Nodes that a skin has as joints. */
  readonly joints: number;
  readonly humanoid: boolean;
  /** Why it is not humanoid. */
  readonly reason?: string;
}

/** A clip of a file, all its skeletons together. */
export interface FileClipReport {
  readonly name: string;
  readonly index: number;
  /** Seconds. */
  readonly duration: number;
  /** Channels that are understood, morph weights included, and the keys of all of them. */
  readonly tracks: number;
  readonly keys: number;
}

/** Everything about a file. */
export interface FileReport {
  readonly file: string;
  readonly format: string;
  /** Empty where no skeleton is humanoid. */
  readonly humanoids: readonly HumanoidReport[];
  readonly skeletons: readonly SkeletonReport[];
  readonly clips: readonly FileClipReport[];
  readonly issues: readonly Issue[];
}

function inspectClips({ asset }: OpenFile): FileClipReport[] {
  return asset.clips.map(({ name, duration, clips, morphs }, index) => {
    // A node above several skeletons is in each of them: its channels count once.
    const seen = new Set<string>();
    let tracks = morphs.length;
    let keys = morphs.reduce((sum, { times }) => sum + times.length, 0);
    for (const [k, clip] of clips.entries()) {
      for (const { target, path, times } of clip.tracks) {
        const { isPortable, sourceNodes } = asset.skeletons[k];
        const key = isPortable === true ? `bone ${k} ${target} ${path}` : `${sourceNodes[target]} ${path}`;
        if (seen.has(key)) continue;
        seen.add(key);
        tracks++;
        keys += times.length;
      }
    }
    return { name, index, duration, tracks, keys };
  });
}

/** Describes every skeleton of a file, as `retarget` would see it, and lists its clips. */
export function inspectFile(file: OpenFile): FileReport {
  const { asset } = file;
  const humanoids: HumanoidReport[] = [];
  const issues: Issue[] = [...asset.issues];
  const skeletons = asset.skeletons.map((part, index): SkeletonReport => {
    const { skeleton } = part;
    const description = describeBody(file, index, { explain: true });
    issues.push(...description.issues);
    if (description.humanoid !== null) humanoids.push(reportHumanoid(description.humanoid, part, index));
    return {
      name: skeleton.name,
      index,
      nodes: skeleton.names.length,
      joints: skeleton.joints.reduce((sum, joint) => sum + joint, 0),
      humanoid: description.humanoid !== null,
      ...(description.reason === null ? {} : { reason: description.reason }),
    };
  });
  if (humanoids.length === 0) issues.push(issue('NOT_HUMANOID', whyNone(file, skeletons)));
  return { file: file.name, format: asset.format, humanoids, skeletons, clips: inspectClips(file), issues };
}

function whyNone({ name }: OpenFile, skeletons: readonly SkeletonReport[]): string {
  if (skeletons.length === 0) return `${name} has no skeleton: neither a skin nor a tree of nodes`;
  const [largest] = [...skeletons].sort((a, b) => b.joints - a.joints || b.nodes - a.nodes);
  const which = skeletons.length === 1 ? '' : ` (skeleton ${JSON.stringify(largest.name)}, one of ${skeletons.length})`;
  return `${name} is not humanoid${which}: ${largest.reason}`;
}
