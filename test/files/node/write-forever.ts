/** Writes two files again and again until the process is killed; with the argument `once`, once. For write-files-killed.test.ts. */
import { join } from 'node:path';
import { writeFilesSync } from '../../../src/files/node/write-files.ts';

const [folder, mode] = process.argv.slice(2);
/** Bytes of a part, and parts of a file: enough for many calls of the system. */
const [PART, PARTS] = [256 * 1024, 8];

for (let round = 0; ; round = (round + 1) % 256) {
  const parts = Array.from({ length: PARTS }, () => new Uint8Array(PART).fill(round));
  writeFilesSync(
    [
      { path: join(folder, 'buffer.bin'), parts },
      { path: join(folder, 'main.gltf'), parts: parts.slice(1) },
    ],
    { force: true },
  );
  if (mode === 'once') break;
  process.stdout.write('.');
}
