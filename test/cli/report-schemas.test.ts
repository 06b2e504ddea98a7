import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { REPORTS, reportSchemas } from '../../scripts/report-schemas.ts';
import { IS_FULL_RUN, sampledCases } from '../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../support/make/demo-files.ts';
import { runHere } from './run-here.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const giant = writeDemo(at, 'giant.glb');

type Command = keyof typeof REPORTS;
const COMMANDS = Object.keys(REPORTS) as Command[];

function schemaText(command: Command): string {
  return readFileSync(new URL(`../../schema/reports/${command}.schema.json`, import.meta.url), 'utf8');
}

const LINES: Readonly<Record<Command, readonly string[]>> = {
  retarget: ['retarget', walk, giant, '-o', at('retargeted.glb')],
  convert: ['convert', walk, '-o', at('converted.usda')],
  extract: ['extract', walk, '-o', at('clips.glb')],
  define: ['define', giant, '-o', at('defined.glb'), '--axes'],
  inspect: ['inspect', giant],
  validate: ['validate', giant],
  compare: ['compare', walk, at('retargeted.glb')],
  batch: ['batch', walk, '--onto', giant, '-o', at('out')],
};

describe('JSON Schemas of reports', () => {
  it.each(sampledCases(COMMANDS, 4))('%s: --json prints what its schema says, with ok', async (command) => {
    const { stdout } = await runHere([...LINES[command], '--json']);
    const report = command === 'batch' ? readFileSync(at('out/report.json'), 'utf8') : stdout;
    const check = new Ajv({ strict: false }).compile(JSON.parse(schemaText(command)));
    expect(check(JSON.parse(report)), JSON.stringify(check.errors)).toBe(true);
    expect(JSON.parse(stdout)).toHaveProperty('ok', true);
  });

  it.runIf(IS_FULL_RUN)(
    'are those of the types; npx tsx scripts/report-schemas.ts makes them again',
    () => {
      expect(reportSchemas()).toEqual(Object.fromEntries(COMMANDS.map((command) => [command, schemaText(command)])));
    },
    120_000,
  );
});
