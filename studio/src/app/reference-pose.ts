/** The reference pose of a humanoid as the stage shows it. */
import type { StagePose } from 'anyrig/stage';
import type { StageNodePose } from '../../../src/stage/contract.ts';
import type { FigureHumanoid } from '../engine/protocol.ts';

export function referencePose({ rotations, hips, hipsTranslation }: FigureHumanoid): StagePose {
  return new Map(
    rotations.map(({ node, rotation }): [number, StageNodePose] => {
      return [node, node === hips ? { rotation, translation: hipsTranslation } : { rotation }];
    }),
  );
}
