import { DEEPEST_INDENT } from '../../files/reports/node-report.ts';
import type {
  SkelBindingReport,
  SkelTargetReport,
  UsdSkelReport,
} from '../../formats/usd/skel/report/usd-skel-report.ts';
import { type Io, oneLine, type StyleText, stylesFor, writeLines } from '../io.ts';
import { columns } from './columns.ts';
import { issueBlock } from './issues.ts';

/** Most joints and prims that are listed per skeleton. The JSON report has all. */
const LISTED = 100;

const IN_A_ROW = 8;

/** Formats a count: `2 joints`, `1 joint`. */
function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, IN_A_ROW).map(oneLine).join(', ');
  return names.length > IN_A_ROW ? `${shown} and ${names.length - IN_A_ROW} more` : shown;
}

function shortened(lines: readonly string[]): string[] {
  return lines.length <= LISTED ? [...lines] : [...lines.slice(0, LISTED), `and ${lines.length - LISTED} more`];
}

/** Lists joints as a tree and marks the animated ones. */
function jointLines({ joints, parents, animJoints }: SkelBindingReport): string[] {
  const moved = new Set(animJoints ?? []);
  const depths: number[] = [];
  const rows = joints.map((joint, i) => {
    // In an invalid skeleton a joint can precede its parent.
    depths[i] = parents[i] < 0 ? 0 : (depths[parents[i]] ?? 0) + 1;
    const parent = parents[i] < 0 ? joint : joint.slice(joints[parents[i]].length + 1);
    return [
      String(i),
      `${'  '.repeat(Math.min(depths[i], DEEPEST_INDENT))}${oneLine(parent)}`,
      moved.has(joint) ? 'animated' : '',
    ];
  });
  return shortened(columns(rows, [0]));
}

function animationRows({ anim, animJoints, blendShapes, mapper, times }: SkelBindingReport): string[][] {
  if (anim === null || animJoints === undefined || mapper === undefined) {
    return [['animation', anim === null ? 'none, the rest pose is shown' : oneLine(anim)]];
  }
  const order = mapper.null ? '' : mapper.identity ? ', all in the same order' : mapper.sparse ? ', not all' : '';
  const span = times.length === 0 ? '' : `: ${times[0]} to ${times[times.length - 1]}`;
  const shapes = blendShapes ?? [];
  return [
    ['animation', `${oneLine(anim)}, ${count(animJoints.length, 'joint')}${order}`],
    ['time codes', `${times.length}${span}`],
    ...(shapes.length === 0 ? [] : [['blend shapes', `${shapes.length}: ${listed(shapes)}`]]),
  ];
}

function targetRow(target: SkelTargetReport): string[] {
  const { prim, hasInfluences, rigid, n, method, joints, blendShapes } = target;
  const influences = count(n, 'influence');
  const bones = !hasInfluences ? 'not skinned' : rigid ? `rigid, ${influences}` : `${influences} per point`;
  const order = joints === undefined ? '' : `, ${count(joints.length, 'joint')} of its own`;
  const shapes = blendShapes === undefined ? '' : `${count(blendShapes.length, 'blend shape')}: ${listed(blendShapes)}`;
  return [oneLine(prim), bones + order, hasInfluences ? oneLine(method) : '', shapes];
}

function bindingLines(binding: SkelBindingReport, style: StyleText): string[] {
  const { skeleton, valid, joints, hasBind, hasRest, targets } = binding;
  const poses = `${hasBind ? 'bind pose' : 'no bind pose'}, ${hasRest ? 'rest pose' : 'no rest pose'}`;
  const facts = [
    ['joints', `${joints.length}, ${valid ? poses : 'invalid: nothing is skinned'}`],
    ...animationRows(binding),
  ];
  return [
    style('bold', `skeleton ${oneLine(skeleton)}`),
    ...columns(facts).map((line) => `  ${line}`),
    ...jointLines(binding).map((line) => `    ${line}`),
    `  bound: ${targets.length}`,
    ...shortened(columns(targets.map(targetRow))).map((line) => `    ${line}`),
    '',
  ];
}

export async function showUsdSkel(report: UsdSkelReport, io: Io, isVerbose: boolean): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const { file, upAxis, tcps, start, end, roots, issues } = report;
  const span = start === end ? '' : `, ${start} to ${end}`;
  const lines = [`${style('bold', oneLine(file))}  up ${upAxis}, ${tcps} time codes per second${span}`, ''];
  if (roots.length === 0) lines.push('The file has no SkelRoot; only prims below a SkelRoot are skinned.', '');
  for (const { path, bindings } of roots) {
    lines.push(style('bold', `SkelRoot ${oneLine(path)}`));
    if (bindings.length === 0) lines.push('  no prim below it is bound to a skeleton', '');
    for (const binding of bindings) lines.push(...bindingLines(binding, style).map((line) => `  ${line}`.trimEnd()));
  }
  // The last block ends with an empty line.
  lines.pop();
  writeLines(io.stdout, [...lines, ...issueBlock(issues, style, isVerbose)]);
}
