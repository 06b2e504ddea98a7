import type { Issue } from '../../../../../src/core/report/issue.ts';
import { deformSkinnedInstances, planSkinnedInstances } from '../../../../../src/formats/usd/skel/deform/skinned-instances.ts';
import { instancedSceneText } from './instanced-scene.ts';
import { stageOf } from '../scene.ts';

const issues: Issue[] = [];
const stage = stageOf(instancedSceneText(4));
const crowd = planSkinnedInstances(stage, issues);
const times = [0, 3, 7];

/** Skins four instances, at a sample or between two. */
export function call(round: number): void {
  deformSkinnedInstances(stage, crowd, times[round % times.length], issues);
}
