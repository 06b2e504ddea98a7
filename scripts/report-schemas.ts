/**
 * Makes the JSON Schemas of the reports that `--json` prints and batches write, from their types: schema/reports/*.schema.json.
 *
 *     npx tsx scripts/report-schemas.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator, createProgram, DEFAULT_CONFIG } from 'ts-json-schema-generator';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The reports by the command that prints them: file and name of the type. */
export const REPORTS = {
  retarget: ['src/files/reports/job-reports.ts', 'RetargetReport'],
  convert: ['src/files/reports/job-reports.ts', 'ConvertReport'],
  extract: ['src/files/reports/job-reports.ts', 'ExtractReport'],
  define: ['src/files/jobs/define-humanoid.ts', 'DefineReport'],
  inspect: ['src/files/jobs/describe-file.ts', 'FileReport'],
  validate: ['src/files/jobs/validate-file.ts', 'ValidationReport'],
  compare: ['src/preview/compare/compare-files.ts', 'CompareReport'],
  batch: ['src/batch/report/batch-report.ts', 'BatchReport'],
} as const;

/** Makes the schemas of all reports, as text. They share one program: reading all types takes seconds. */
export function reportSchemas(): Record<keyof typeof REPORTS, string> {
  const config = {
    ...DEFAULT_CONFIG,
    path: `{${Object.values(REPORTS)
      .map(([file]) => `${root}/${file}`)
      .join(',')}}`,
    tsconfig: `${root}/tsconfig.json`,
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: true,
    // Tags of our docstrings are no keywords of JSON Schema.
    jsDoc: 'none',
  } as const;
  const tsProgram = createProgram(config);
  const schemas = Object.entries(REPORTS).map(([command, [, type]]) => {
    const { $schema, ...schema } = createGenerator({ ...config, type, tsProgram }).createSchema(type);
    const id = `https://unpkg.com/anyrig/schema/reports/${command}.schema.json`;
    const text = JSON.stringify({ $schema, $id: id, title: `Report of anyrig ${command}`, ...schema }, null, 2);
    return [command, `${text}\n`];
  });
  return Object.fromEntries(schemas) as Record<keyof typeof REPORTS, string>;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}/schema/reports`, { recursive: true });
  for (const [command, text] of Object.entries(reportSchemas())) {
    writeFileSync(`${root}/schema/reports/${command}.schema.json`, text);
  }
}
