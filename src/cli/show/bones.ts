/** Bone maps as text: node, confidence and evidence of every bone. */
import { BONES, presentParent } from '../../core/humanoid/bones.ts';
import type { BoneReport, HumanoidReport } from '../../files/reports/humanoid-report.ts';
import { oneLine } from '../io.ts';
import { columns } from './columns.ts';

export type Bones = HumanoidReport['bones'];

/** A bone is listed below this confidence … */
const LOW_CONFIDENCE = 0.6;
/** … or below this one, if its runner-up has at least … */
const HIGH_CONFIDENCE = 0.9;
/** … this fraction of its confidence. */
const CLOSE = 0.5;
const MOST_LISTED = 10;

export function percent(confidence: number): string {
  return `${Math.round(100 * confidence)} %`;
}

function nodeName({ node, name }: { readonly node: number; readonly name: string }): string {
  return name.trim() === '' ? `node ${node}` : oneLine(name);
}

/** Lists the bones that are present, parents before children, with their depth. */
function boneTree(bones: Bones): { bone: number; depth: number }[] {
  // Bones of humanoid clips have no node in their file.
  const nodes = BONES.map((bone) => (bones[bone] === undefined ? -1 : 0));
  const present = BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [bone] : []));
  const subtree = (parent: number, depth: number): { bone: number; depth: number }[] => {
    const children = present.filter((bone) => presentParent(bone, nodes) === parent);
    return children.flatMap((bone) => [{ bone, depth }, ...subtree(bone, depth + 1)]);
  };
  return subtree(-1, 0);
}

function runnerUpText({ runnerUp }: BoneReport): string {
  return runnerUp === undefined ? '' : `${nodeName(runnerUp)} (${percent(runnerUp.confidence)})`;
}

export function boneLines(bones: Bones, why: boolean): string[] {
  const isExplained = why && Object.values(bones).some((bone) => bone.why !== undefined);
  const rows = boneTree(bones).map(({ bone, depth }) => {
    const report = bones[BONES[bone]] as BoneReport;
    const { node, name, confidence } = report;
    const row = [' '.repeat(depth) + BONES[bone], percent(confidence), node < 0 ? '' : String(node), oneLine(name)];
    return isExplained ? [...row, runnerUpText(report), oneLine(report.why ?? '')] : row;
  });
  const head = ['bone', 'confidence', 'node', 'name'];
  return columns([isExplained ? [...head, 'runner-up', 'why'] : head, ...rows], [1, 2]);
}

function hasLowConfidence({ confidence, why, runnerUp }: BoneReport): boolean {
  if (why === undefined) return false;
  if (confidence < LOW_CONFIDENCE) return true;
  return confidence < HIGH_CONFIDENCE && runnerUp !== undefined && runnerUp.confidence >= CLOSE * confidence;
}

/** Lists the bones with low confidence, lowest first. */
export function lowConfidenceLines(bones: Bones): string[] {
  const found = Object.entries(bones).filter(([, report]) => hasLowConfidence(report));
  found.sort(([, a], [, b]) => a.confidence - b.confidence);
  const lines = found.slice(0, MOST_LISTED).map(([bone, report]) => {
    const next = runnerUpText(report);
    const why = `${nodeName(report)}, ${oneLine(report.why ?? '')}`;
    return [bone, percent(report.confidence), next === '' ? why : `${why}; runner-up ${next}`];
  });
  const more = found.length > MOST_LISTED ? [`and ${found.length - MOST_LISTED} more; --why lists all`] : [];
  return [...columns(lines, [1]), ...more];
}
