import { createHash } from 'node:crypto';
import { THRESHOLDS } from '../../core/measure/verdict.ts';
import { fileNameOf } from '../../files/clips/clip-names.ts';
import type { BatchReport, ReportEntry } from './batch-report.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { STRIP_BONES, STRIP_FRAMES, STRIP_OFFSET, STRIP_SCALE, STRIP_VIEWS } from './strip-format.ts';

/** Most messages of a task on the page; the JSON has all. */
const MOST_MESSAGES = 6;

/** What the page needs of a task, with short keys: there may be many thousands. */
function rowOf({ id, motions, character, clips, figures, strips, issues, files, failure, score }: ReportEntry): object {
  const messages = new Map(issues.map(({ severity, code, message }) => [message, `${severity} ${code}: ${message}`]));
  return {
    id,
    m: motions.length === 1 ? fileNameOf(motions[0]) : `${motions.length} motions`,
    c: character === null ? '' : fileNameOf(character),
    n: clips.length,
    d: Number(clips.reduce((sum, { duration }) => sum + duration, 0).toFixed(2)),
    f: files.map(({ path }) => path).slice(0, MOST_MESSAGES),
    g: figures,
    s: strips.map(({ clip, source, target }) => [clip, source, target]),
    e: failure === null ? null : `${failure.code}: ${failure.message}`,
    i: [...messages.values()].slice(0, MOST_MESSAGES),
    r: issues.some(({ severity }) => severity === 'error') ? 2 : issues.length > 0 ? 1 : 0,
    w: score,
  };
}

/** JSON that cannot end the script element it is in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page runs its own script and nothing else: names in files that would, by a mistake of ours, are stopped by the browser. */
const POLICY = `default-src 'none'; script-src ${hashOf(PAGE_SCRIPT)}; style-src ${hashOf(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`;

/** Writes a report as an HTML page: a table of all tasks, the worst first, with figures, contact sheets of motion and result, and filters. */
export function reportPage(report: BatchReport): string {
  const rows = report.entries.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(rowOf);
  const strip = {
    parents: STRIP_BONES.map(([, parent]) => parent),
    frames: STRIP_FRAMES,
    views: STRIP_VIEWS,
    scale: STRIP_SCALE,
    offset: STRIP_OFFSET,
  };
  const { made, failed, anyrig } = report;
  const { direction, slide, below, above } = THRESHOLDS;
  const head = `${made} ${made === 1 ? 'result' : 'results'}, ${failed} failed`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Batch: ${head}</title>
<style>${PAGE_STYLE}</style>
</head>
<header>
<h1>${head}</h1>
<p>Worst first. The score is the worst error relative to the value from which a person should look at it, plus errors and warnings; what contacts and arms changed on purpose does not count. Blue is the result, gray the motion; front above, side below. anyrig ${anyrig}</p>
<form id="filters">
<input type="search" id="search" placeholder="Search motions, characters, messages" aria-label="Search">
<label>Character <select id="character"><option value="">all</option></select></label>
<label>Show <select id="state"><option value="">all</option><option value="failed">failed</option><option value="errors">with errors</option><option value="issues">with any issue</option><option value="look">to look at</option><option value="wrong">wrong</option></select></label>
<output id="count"></output>
</form>
</header>
<main>
<div class="scroll"><table>
<thead><tr id="head"></tr></thead>
<tbody id="rows"></tbody>
</table></div>
<p id="more"></p>
</main>
<script type="application/json" id="data">${scriptJson({ rows, strip, thresholds: { direction, slide, below, above } })}</script>
<script>${PAGE_SCRIPT}</script>
</html>
`;
}
