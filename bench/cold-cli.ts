/** One retarget of the command line from cold, on two GLBs of 3 MB, against a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseGltf, readGltf } from 'anyrig/gltf';
import { characterGlb, sourceBody, targetBody } from './characters.ts';
import { compare, type Row } from './measure.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** Density of a mesh of 2.7 MB; the clips are the rest. */
const DETAIL = 4;

/** Runs Node from cold. Error with what it says when it fails. */
function runNode(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
}

export async function coldCli(rounds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-bench-'));
  try {
    const [motion, character, output] = ['motion.glb', 'character.glb', 'out.glb'].map((name) => join(folder, name));
    writeFileSync(motion, characterGlb(sourceBody(), DETAIL, 1));
    writeFileSync(character, characterGlb(targetBody(), DETAIL, 1));
    const args = [CLI, 'retarget', motion, character, '-o', output, '--force'];
    runNode(args);
    const { length } = readGltf(parseGltf(readFileSync(output))).clips;
    if (length !== 6) throw new Error(`The output has ${length} clips, expected the 3 of the character and 3 more`);
    const own = { name: 'anyrig retarget', run: () => runNode(args) };
    const against = { name: 'node -e 0', run: () => runNode(['-e', '0']) };
    return await compare([{ name: 'cold-cli', own, against, kind: 'cost', limit: 2 }], rounds, { time: 0, calls: 5 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
