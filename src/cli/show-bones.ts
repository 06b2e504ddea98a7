/** Bone maps for people to read: which node is which bone, how sure that is, and why. */
import { BONES, presentParent } from '../core/humanoid/bones.ts';
import type { BoneReport, HumanoidReport } from '../files/humanoid-report.ts';
import { columns } from './columns.ts';
import { oneLine } from './io.ts';

export type Bones = HumanoidReport['bones'];

/** A bone is told of where it is less sure than this, or less than this while something speaks louder for another node. */
const SURE = 0.6;
const BEYOND_DOUBT = 0.9;
/** Bones that are told of at most where not all are asked for. */
const MOST = 10;

/** A share as people write it. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Names of nodes may be empty. */
function nodeWords({ node, name }: { readonly node: number; readonly name: string }): string {
  return name.trim() === '' ? `node ${node}` : oneLine(name);
}

/** Bones that are there, every one before what hangs on it, with its depth. */
function boneTree(bones: Bones): { bone: number; depth: number }[] {
  // Bones of humanoid clips are no nodes of their file.
  const nodes = BONES.map((bone) => (bones[bone] === undefined ? -1 : 0));
  const present = BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [bone] : []));
  const below = (parent: number, depth: number): { bone: number; depth: number }[] => {
    const children = present.filter((bone) => presentParent(bone, nodes) === parent);
    return children.flatMap((bone) => [{ bone, depth }, ...below(bone, depth + 1)]);
  };
  return below(-1, 0);
}

function orElse({ runnerUp }: BoneReport): string {
  return runnerUp === undefined ? '' : `${nodeWords(runnerUp)} (${percent(runnerUp.confidence)})`;
}

/** All bones as a table, each below the one it hangs on; with `why` also what spoke for each node, and which came next. */
export function boneLines(bones: Bones, why: boolean): string[] {
  const told = why && Object.values(bones).some((bone) => bone.why !== undefined);
  const rows = boneTree(bones).map(({ bone, depth }) => {
    const report = bones[BONES[bone]] as BoneReport;
    const { node, name, confidence } = report;
    const row = [' '.repeat(depth) + BONES[bone], percent(confidence), node < 0 ? '' : String(node), oneLine(name)];
    return told ? [...row, orElse(report), oneLine(report.why ?? '')] : row;
  });
  const head = ['bone', 'sure', 'node', 'name'];
  return columns([told ? [...head, 'or else', 'why'] : head, ...rows], [1, 2]);
}

function isUnsure({ confidence, why, runnerUp }: BoneReport): boolean {
  if (why === undefined) return false;
  if (confidence < SURE) return true;
  return confidence < BEYOND_DOUBT && runnerUp !== undefined && runnerUp.confidence > confidence;
}

/** A line for every bone that is not sure, the least sure first; empty where the map is sure of all. */
export function unsureLines(bones: Bones): string[] {
  const unsure = Object.entries(bones).filter(([, report]) => isUnsure(report));
  unsure.sort(([, a], [, b]) => a.confidence - b.confidence);
  const lines = unsure.slice(0, MOST).map(([bone, report]) => {
    const next = orElse(report);
    const why = `${nodeWords(report)}, ${oneLine(report.why ?? '')}`;
    return [bone, percent(report.confidence), next === '' ? why : `${why}; or else ${next}`];
  });
  const more = unsure.length > MOST ? [`and ${unsure.length - MOST} more; all with --why`] : [];
  return [...columns(lines, [1]), ...more];
}
