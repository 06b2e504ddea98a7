import type { Issue } from '../../../../src/core/report/issue.ts';
import { deformCrowd, planCrowd } from '../../../../src/formats/usd/skel/crowd.ts';
import { crowdText } from './crowd-scene.ts';
import { stageOf } from './scene.ts';

const issues: Issue[] = [];
const stage = stageOf(crowdText(4));
const crowd = planCrowd(stage, issues);
const times = [0, 3, 7];

/** Skins four instances, at a sample or between two. */
export function call(round: number): void {
  deformCrowd(stage, crowd, times[round % times.length], issues);
}
