/**
 * Freezes the vertices that Blender computes for the FBX files with meshes of the asset folder, and for `body.fbx` of
 * `make-body.py`, in test/external/oracle/fbx-meshes:
 *
 *     npx tsx scripts/fbx-oracle/freeze-meshes.ts          all files
 *     `npx tsx scripts/fbx-oracle/freeze-meshes.ts body`   files whose name contains a word
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MeshTable } from '../../test/external/oracle/fbx-meshes.ts';
import { assetFiles } from '../../test/support/assets.ts';

const script = fileURLToPath(new URL('./blender-fbx-meshes.py', import.meta.url));
const target = fileURLToPath(new URL('../../test/external/oracle/fbx-meshes/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'fbx-oracle-'));
const WITH_MESHES = /SeedSan|ozz_pab_skeleton|kenney|body/;

/** Meters with seven decimals, one row a line. */
function printed(table: MeshTable): string {
  const rounded = JSON.stringify(
    table,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(7)) + 0 : value),
    1,
  );
  return rounded.replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, row: string) => `[${row.replace(/\s*\n\s*/g, '')}]`);
}

for (const file of [...assetFiles('assets/fbx', 'fbx'), join(target, 'body.fbx')]) {
  const name = basename(file);
  if (!WITH_MESHES.test(name) || !name.includes(process.argv[2] ?? '')) continue;
  const out = join(scratch, 'meshes.json');
  const args = ['-b', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', file, out];
  const { status, stdout, stderr } = spawnSync('blender', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`Blender failed on ${name}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  const { version, ...rest } = JSON.parse(readFileSync(out, 'utf8')) as { version: string };
  const command = 'npx tsx scripts/fbx-oracle/freeze-meshes.ts';
  const head = { file: name, date: new Date().toISOString().slice(0, 10), program: 'Blender', version, command };
  writeFileSync(join(target, name.replace('.fbx', '.blender.json')), `${printed({ ...head, ...rest } as MeshTable)}\n`);
  console.log(`${name}: done`);
}
rmSync(scratch, { recursive: true });
