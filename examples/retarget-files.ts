/**
 * Retargets files, as `anyrig retarget` does, with a library call.
 *
 *     npx tsx examples/retarget-files.ts walk.glb avatar.vrm out.vrm
 */
import { openFile, retargetMotions, writeFiles } from 'anyrig/files';

const [motionPath, characterPath, output] = process.argv.slice(2);
const motion = await openFile(motionPath);
const character = await openFile(characterPath);
const { outputs, report } = await retargetMotions([motion], character, { output });
for (const { code, message } of report.issues) console.log(`${code}: ${message}`);
await writeFiles(outputs, { inputs: [motionPath, characterPath] });
console.log(`${output}: ${report.clips.map(({ name }) => name).join(', ')}`);
