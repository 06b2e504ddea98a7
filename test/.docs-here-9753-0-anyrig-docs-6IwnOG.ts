import { openFile, retargetMotions, writeFiles } from 'anyrig/files';

const walk = await openFile('walk.fbx');
const avatar = await openFile('avatar.vrm');
const { outputs, report } = await retargetMotions([walk], avatar, { output: 'walk.vrma' });
await writeFiles(outputs);
console.log(report.issues);
