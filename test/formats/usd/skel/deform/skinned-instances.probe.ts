import {
  deformSkinnedInstances,
  planSkinnedInstances,
} from '../../../../../src/formats/usd/skel/deform/skinned-instances.ts';
import { stageOf } from '../scene.ts';
import { instancedSceneText } from './instanced-scene.ts';

const stage = stageOf(instancedSceneText(4));
const skinned = planSkinnedInstances(stage);
const times = [0, 3, 7];

/** Skins four instances, at a sample or between two. */
export function call(round: number): void {
  deformSkinnedInstances(stage, skinned, times[round % times.length]);
}
