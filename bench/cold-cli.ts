/**
 * Cold start of the CLI: `anyrig retarget` on two GLBs of 3 MB, in a new process each time, against an empty Node process, without and
 * with contacts. Node 22.1 and later reuse the code that the first run compiled.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseGltf, readGltf } from 'anyrig/gltf';
import { characterGlb, sourceCharacter, targetCharacter } from './characters.ts';
import { compare, type Row, runNode } from './measure.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** Mesh density that gives a mesh of 2.7 MB; the clips add the rest. */
const DETAIL = 4;

/** Measures the cold start of the CLI. */
export async function coldCli(rounds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-bench-'));
  try {
    const [motion, character, output] = ['motion.glb', 'character.glb', 'out.glb'].map((name) => join(folder, name));
    writeFileSync(motion, characterGlb(sourceCharacter(), DETAIL, 1));
    writeFileSync(character, characterGlb(targetCharacter(), DETAIL, 1));
    const withContacts = [CLI, 'retarget', motion, character, '-o', output, '--force'];
    const args = [...withContacts, '--contacts', 'off'];
    runNode(args);
    const { length } = readGltf(parseGltf(readFileSync(output))).clips;
    if (length !== 6)
      throw new Error(`The output has ${length} clips, but 6 were expected: 3 of the character and 3 retargeted ones.`);
    const own = { name: 'anyrig retarget', run: () => runNode(args) };
    const against = { name: 'node -e 0', run: () => runNode(['-e', '0']) };
    const touching = { name: 'anyrig retarget with contacts', run: () => runNode(withContacts) };
    return await compare(
      [
        { name: 'cold-cli', own, against, kind: 'cost', limit: 2 },
        { name: 'cold-cli, with contacts', own: touching, against, kind: 'cost' },
      ],
      rounds,
      { time: 0, calls: 5 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
