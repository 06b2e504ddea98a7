/**
 * Retargets at run time: plans once per pair of humanoids, then retargets one pose per frame without allocation.
 *
 *     npx tsx examples/pose-by-pose.ts walk.glb avatar.vrm
 */
import { POSE_STRIDE, planRetarget, restPose, retargetPose, sampleClip } from 'anyrig';
import { findHumanoid, openFile } from 'anyrig/files';

const [motionPath, characterPath] = process.argv.slice(2);
const motionFile = await openFile(motionPath);
const source = findHumanoid(motionFile);
const target = findHumanoid(await openFile(characterPath));

const plan = planRetarget(source.humanoid, target.humanoid);
const clip = motionFile.asset.clips[0].clips[source.index];
const sourceLocal = restPose(source.humanoid.skeleton);
const targetLocal = restPose(target.humanoid.skeleton);
const hips = POSE_STRIDE * target.humanoid.map.nodes[0];
for (let frame = 0; frame <= 4; frame++) {
  sampleClip(clip, (clip.duration * frame) / 4, sourceLocal);
  retargetPose(plan, sourceLocal, targetLocal);
  const position = Array.from(targetLocal.subarray(hips, hips + 3), (value) => value.toFixed(3));
  console.log(`frame ${frame}: hips at ${position.join(', ')}, in the local space of their parent`);
}
