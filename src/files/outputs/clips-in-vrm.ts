/** VRMs with clips inside, and the VRM Animations that VRM players play instead. */
import { type Issue, issue } from '../../core/report/issue.ts';
import { isTemplate } from './output-paths.ts';

/**
 * Reports how clips inside a .vrm play. three-vrm copies its normalized bones to the bones of the file every frame, which overwrites the pose of
 * a glTF animation.
 *
 * @param output Path or path template of the .vrm.
 * @param alternative How to get a .vrma, as the end of the sentence.
 * @returns An issue `VRM_CLIP_PLAYBACK`.
 */
export function clipsInVrmIssue(output: string, alternative: string): Issue {
  const message = `VRM players show a T-pose for clips inside a .vrm (three-vrm plays them with autoUpdateHumanBones: false); ${alternative}.`;
  return issue('VRM_CLIP_PLAYBACK', message, { resource: output });
}

/**
 * Returns the path of the VRM Animations beside a character.
 *
 * @param output Path or path template of the character.
 * @param count Number of clips in the character.
 * @returns The same path with the extension `.vrma`; a template where the character holds several clips, because a .vrma holds one.
 */
export function vrmaPathBeside(output: string, count: number): string {
  const stem = output.slice(0, output.lastIndexOf('.'));
  return isTemplate(output) || count === 1 ? `${stem}.vrma` : `${stem}-{clip}.vrma`;
}
