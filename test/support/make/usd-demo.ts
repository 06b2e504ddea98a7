/** Characters and clips of the demo as USD. */
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { openDemo } from './demo-files.ts';

const made = new Map<string, Promise<Uint8Array>>();

async function convert(name: string, output: string): Promise<Uint8Array> {
  const { outputs } = await convertFile(await openDemo(name), { output });
  return concatParts(outputs[outputs.length - 1].parts);
}

/** Returns a file of the demo as USD, created once; the extension of `output` is its format: `demoUsd('walk.glb', 'walk.usda')`. */
export function demoUsd(name: string, output: string): Promise<Uint8Array> {
  const key = `${name} ${output}`;
  const bytes = made.get(key) ?? convert(name, output);
  made.set(key, bytes);
  return bytes;
}

/** Opens a file of the demo as USD. */
export async function openUsdDemo(name: string, output: string): Promise<OpenFile> {
  return openBytes(await demoUsd(name, output), { name: output });
}
