/** Runs the demo: retargets every motion onto every character and draws a contact sheet from the written files. */
import { stemOf } from '../files/clips/clip-names.ts';
import { retargetMotions } from '../files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../files/open.ts';
import type { OutputFile } from '../files/outputs/output-file.ts';
import type { RetargetReport } from '../files/reports/job-reports.ts';
import { concatParts } from '../formats/gltf/document/glb.ts';
import { drawnSkeletons } from '../preview/drawn-skeleton.ts';
import { drawSheet, type SheetRow } from '../preview/sheet.ts';
import { clipRow, columnTimes, type RowLabels } from '../preview/sheet-row.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from './index.ts';

/** Columns of the sheet: moments of each motion. */
const COLUMNS = 8;

/** A character with all motions. */
interface DemoResult {
  readonly character: DemoFile;
  readonly report: RetargetReport;
}

/** Files and reports of the demo. */
export interface Demo {
  /** All files, with paths relative to the output folder; the contact sheet is last. */
  readonly files: readonly OutputFile[];
  readonly motions: readonly DemoFile[];
  readonly results: readonly DemoResult[];
}

/** Creates the rows of a clip, one for each skeleton that is drawn. */
function rowsOf(file: OpenFile, index: number, labels: RowLabels): SheetRow[] {
  const { clips, duration } = file.asset.clips[index];
  return drawnSkeletons(file).map((drawn) =>
    clipRow(drawn, clips[drawn.index], columnTimes(duration, COLUMNS), labels),
  );
}

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
    const options = { output: `results/${name}`, vrma: name.endsWith('.vrm') };
    const { report, outputs } = await retargetMotions(motions, target, options);
    files.push(...outputs);
    results.push({ character, report });
    const last = outputs.find(({ path }) => path === options.output);
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
