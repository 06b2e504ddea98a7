/**
 * Makes the JSON Schemas of the reports that `--json` prints and batches write, from their types: schema/reports/*.schema.json.
 *
 *     npx tsx scripts/report-schemas.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The reports by the command that prints them: file and name of the type. */
export const REPORTS = {
  retarget: ['src/files/reports/job-reports.ts', 'RetargetReport'],
  convert: ['src/files/reports/job-reports.ts', 'ConvertReport'],
  extract: ['src/files/reports/job-reports.ts', 'ExtractReport'],
  define: ['src/files/jobs/define-humanoid.ts', 'DefineReport'],
  inspect: ['src/files/jobs/inspect-file.ts', 'FileReport'],
  validate: ['src/files/jobs/validate-file.ts', 'ValidationReport'],
  compare: ['src/preview/compare/compare-files.ts', 'CompareReport'],
  batch: ['src/batch/report/batch-report.ts', 'BatchReport'],
} as const;

/** Makes the schema of a report, as text. */
export function reportSchema(command: keyof typeof REPORTS): string {
  const [file, type] = REPORTS[command];
  const generator = createGenerator({
    path: `${root}/${file}`,
    type,
    tsconfig: `${root}/tsconfig.json`,
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: true,
    // Tags of our docstrings are no keywords of JSON Schema.
    jsDoc: 'none',
  });
  const { $schema, ...schema } = generator.createSchema(type);
  const id = `https://unpkg.com/anyrig/schema/reports/${command}.schema.json`;
  return `${JSON.stringify({ $schema, $id: id, title: `Report of anyrig ${command}`, ...schema }, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}/schema/reports`, { recursive: true });
  for (const command of Object.keys(REPORTS) as (keyof typeof REPORTS)[]) {
    writeFileSync(`${root}/schema/reports/${command}.schema.json`, reportSchema(command));
  }
}
