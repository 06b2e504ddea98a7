import { expect, it } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../src/demo/index.ts';
import { runDemo } from '../../src/demo/run-demo.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';

it.skipIf(!IS_FULL_RUN)(
  'runDemo: retargets every motion onto every character, reports its steps, and generates the same files each time',
  async () => {
    const steps: string[] = [];
    const { files, motions, results } = await runDemo((text) => steps.push(text));
    expect(motions).toBe(DEMO_MOTIONS);
    expect(results.map(({ report }) => [report.ok, report.clips.length])).toEqual(DEMO_CHARACTERS.map(() => [true, 3]));
    expect(files.at(-1)?.path).toBe('sheet.svg');
    expect(steps).toHaveLength(DEMO_MOTIONS.length + DEMO_CHARACTERS.length + 1);
    const again = await runDemo();
    for (const [k, file] of files.entries()) {
      expect(Buffer.concat(file.parts).equals(Buffer.concat(again.files[k].parts))).toBe(true);
    }
  },
);
