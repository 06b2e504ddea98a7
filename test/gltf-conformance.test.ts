/** The tables of docs/gltf-conformance.md: tests exist, and collections are read as it says. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../src/core/report/format-error.ts';
import { hasCompressedViews } from '../src/formats/gltf/document/meshopt.ts';
import { attachMeshoptDecoder, loadResources, parseGltf, readGltf } from '../src/formats/gltf/index.ts';
import { asset, assetFiles, HAS_ASSETS } from './support/assets.ts';
import { documentText, inProject } from './support/documents.ts';

const PAGE = documentText('docs/gltf-conformance.md');
const rowsOf = (heading: string): string[][] => {
  const section = PAGE.split(`## ${heading}\n`)[1].split('\n## ')[0];
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  return rows.slice(1).map((line) => line.split(' |').map((cell) => cell.replace(/^\|? /, '').trim()));
};

describe('docs/gltf-conformance.md', () => {
  it('has the 75 rules, each with tests that exist', () => {
    const rows = rowsOf('Checklist');
    expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 75 }, (_, i) => i + 1));
    const missing = rows.flatMap(([number, , , tests]) =>
      tests
        .split('<br>')
        .filter((test) => {
          const [, path, title] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
          return path === undefined || !existsSync(inProject(path)) || !documentText(path).includes(`'${title}'`);
        })
        .map((test) => `${number}: ${test}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Reads a file as far as its clips; the code of the error, or null. */
async function refusal(path: string): Promise<string | null> {
  try {
    const doc = parseGltf(readFileSync(path));
    await loadResources(doc, async (name) => readFileSync(join(dirname(path), name)));
    if (hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
    readGltf(doc);
    return null;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return error.code;
  }
}

describe.skipIf(!HAS_ASSETS)('collections of docs/gltf-conformance.md', () => {
  it('have as many files as it says, of which as many are read, and the others refused with these codes', async () => {
    const found = new Map<string, { files: number; read: number; codes: Map<string, number> }>();
    const valid: string[] = [];
    for (const path of assetFiles('conformance/gltf', 'glb', 'gltf', 'vrm', 'vrma')) {
      const [folder, ...rest] = relative(asset('conformance/gltf'), path).split('/');
      const name = folder.startsWith('khronos') ? [folder, ...rest.slice(0, 2)].join('/') : folder;
      const row = found.get(name) ?? { files: 0, read: 0, codes: new Map<string, number>() };
      found.set(name, row);
      row.files++;
      const code = await refusal(path);
      if (code === null) {
        row.read++;
        continue;
      }
      row.codes.set(code, (row.codes.get(code) ?? 0) + 1);
      const report = `${path}.report.json`;
      if (existsSync(report) && JSON.parse(readFileSync(report, 'utf8')).issues.numErrors === 0) valid.push(path);
    }
    const rows = rowsOf('Collections').map(([name, files, read, refused]) => {
      const codes = [...refused.matchAll(/`([A-Z_]+)` (\d+)/g)].map(([, code, count]) => [code, Number(count)]);
      return [name.replaceAll('`', ''), Number(files), Number(read), codes.sort()];
    });
    expect([...found].map(([name, { files, read, codes }]) => [name, files, read, [...codes].sort()])).toEqual(rows);
    expect(valid.map((path) => relative(asset('conformance/gltf/khronos-validator/test/base/data'), path))).toEqual([
      'buffer/non_relative_uri.gltf',
    ]);
  }, 60_000);
});
