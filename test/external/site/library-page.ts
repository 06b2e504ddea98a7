/** The library alone in a page, to compare the tools of the site with. */
import { convertFile, openBytes, retargetMotions } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';

type Sent = readonly [name: string, base64: string];

async function work([job, files, output]: readonly ['convert' | 'retarget', readonly Sent[], string]): Promise<string> {
  const open = ([name, base64]: Sent) =>
    openBytes(
      Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)),
      { name },
    );
  const opened = await Promise.all(files.map(open));
  const { outputs } =
    job === 'convert'
      ? await convertFile(opened[0], { output })
      : await retargetMotions([opened[0]], opened[1], { output });
  const bytes = concatParts(outputs[0].parts);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

Object.assign(globalThis, { work });
