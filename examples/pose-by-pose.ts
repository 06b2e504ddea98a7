/**
 * At run time: a plan is made once for a pair of bodies, then every frame one pose goes in and one comes out, without allocation.
 *
 *     npx tsx examples/pose-by-pose.ts walk.glb avatar.vrm
 */
import { planRetarget, retargetPose, sampleClip } from 'anyrig';
import { findHumanoid, openFile } from 'anyrig/files';

const [motionPath, characterPath] = process.argv.slice(2);
const motionFile = await openFile(motionPath);
const source = findHumanoid(motionFile, 'source', {}).found;
const target = findHumanoid(await openFile(characterPath), 'target', {}).found;
if (source === null || target === null) throw new Error('both files must hold a humanoid');

const plan = planRetarget(source.humanoid, target.humanoid);
const clip = motionFile.asset.clips[0].clips[source.index];
const sourceLocal = Float64Array.from(source.humanoid.skeleton.rest);
const targetLocal = Float64Array.from(target.humanoid.skeleton.rest);
const hips = 10 * target.humanoid.map.nodes[0];
for (let frame = 0; frame <= 4; frame++) {
  sampleClip(clip, (clip.duration * frame) / 4, sourceLocal);
  retargetPose(plan, sourceLocal, targetLocal);
  const position = Array.from(targetLocal.subarray(hips, hips + 3), (value) => value.toFixed(3));
  console.log(`frame ${frame}: hips at ${position.join(', ')}, in the local space of their parent`);
}
