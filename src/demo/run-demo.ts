/** The demo: every motion onto every character, as files and as a contact sheet drawn from those files. */
import { stemOf } from '../files/clips/clip-names.ts';
import { type OpenFile, openBytes } from '../files/open.ts';
import type { OutputFile } from '../files/outputs/output-file.ts';
import { retargetMotions } from '../files/jobs/retarget-motions.ts';
import type { RetargetReport } from '../files/reports/job-reports.ts';
import { concatParts } from '../formats/gltf/document/glb.ts';
import { drawnSkeletons } from '../preview/drawn-skeleton.ts';
import { drawSheet, type SheetRow } from '../preview/sheet.ts';
import { clipRow, columnTimes, type RowLabels } from '../preview/sheet-row.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from './index.ts';

/** Moments of a motion on the sheet. */
const COLUMNS = 8;

/** A character with all motions. */
export interface DemoResult {
  readonly character: DemoFile;
  readonly report: RetargetReport;
}

/** What the demo made. */
export interface Demo {
  /** Paths below the folder of the demo; the sheet last. */
  readonly files: readonly OutputFile[];
  readonly motions: readonly DemoFile[];
  readonly results: readonly DemoResult[];
}

/** The rows of a clip of a file: one for each of its bodies. */
function rowsOf(file: OpenFile, index: number, labels: RowLabels): SheetRow[] {
  const { clips, duration } = file.asset.clips[index];
  return drawnSkeletons(file).map((body) => clipRow(body, clips[body.index], columnTimes(duration, COLUMNS), labels));
}

/** Makes all files of the demo. `onStep` is told what comes next. */
export async function runDemo(onStep: (text: string) => void = () => undefined): Promise<Demo> {
  const files: OutputFile[] = [];
  const motions: OpenFile[] = [];
  for (const { name, bytes } of DEMO_MOTIONS) {
    onStep(`making ${name}`);
    const content = bytes();
    files.push({ path: `motions/${name}`, parts: [content] });
    motions.push(await openBytes(content, { name }));
  }
  const results: DemoResult[] = [];
  const written: OpenFile[] = [];
  for (const character of DEMO_CHARACTERS) {
    const { name } = character;
    onStep(`retargeting onto ${name}`);
    const content = character.bytes();
    files.push({ path: `characters/${name}`, parts: [content] });
    const target = await openBytes(content, { name });
    const { report, outputs } = await retargetMotions(motions, target, { output: `results/${name}` });
    files.push(...outputs);
    results.push({ character, report });
    const last = outputs.at(-1);
    if (last !== undefined) written.push(await openBytes(concatParts(last.parts), { name }));
  }
  onStep('drawing sheet.svg');
  const rows = motions.flatMap((motion, m) => {
    const { about } = DEMO_MOTIONS[m];
    const source = rowsOf(motion, 0, { title: stemOf(motion.name), subtitle: about, source: true });
    const onto = written.flatMap((file) => {
      const character = DEMO_CHARACTERS.find(({ name }) => name === file.name);
      return rowsOf(file, m, { title: `${stemOf(motion.name)} on ${file.name}`, subtitle: character?.about ?? '' });
    });
    return [...source, ...onto];
  });
  const title = `${DEMO_MOTIONS.length} motions on ${DEMO_CHARACTERS.length} characters that were never made for them`;
  const subtitle = `${COLUMNS} moments of each, evenly from start to end; drawn from the files that were written`;
  const sheet = drawSheet(rows, { title, subtitle });
  files.push({ path: 'sheet.svg', parts: [new TextEncoder().encode(sheet)] });
  return { files, motions: DEMO_MOTIONS, results };
}
