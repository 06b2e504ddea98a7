import { describe, expect, it } from 'vitest';
import { mapByShape } from '../../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { namesByBone } from '../../../../support/make/rig-text.ts';
import { HUMAN } from '../rigs.ts';

/** Eyes and jaw of the plain humanoid with other joints on its head. */
function faceOf(things: string): (string | undefined)[] {
  const rig = positionedRig(HUMAN.replace('head 0 1.58 0.02', `head 0 1.58 0.02${things}`));
  const shape = mapByShape(rig, null);
  if (shape.nodes === null) throw new Error(shape.reason);
  const { leftEye, rightEye, jaw, head } = namesByBone(rig, shape.nodes);
  expect(head).toBe('head');
  return [leftEye, rightEye, jaw];
}

const EYES = '\n    *eye 0.03 1.64 0.1';
const JAW = '\n    jaw 0 1.57 0.08';

describe('findFace', () => {
  it('finds the only pair and the only central joint in front of the head', () => {
    expect(faceOf(EYES)).toEqual(['eye.L', 'eye.R', undefined]);
    expect(faceOf(`${EYES}${JAW}`)).toEqual(['eye.L', 'eye.R', 'jaw']);
    expect(faceOf(`${EYES} > end 0.03 1.64 0.2${JAW}`)).toEqual(['eye.L', 'eye.R', 'jaw']);
  });

  it('finds nothing for several pairs, or joints behind the head or far to the side', () => {
    expect(faceOf(`${EYES}\n    *brow 0.03 1.68 0.1`)).toEqual([undefined, undefined, undefined]);
    expect(faceOf('\n    *hair 0.03 1.64 -0.1')).toEqual([undefined, undefined, undefined]);
    expect(faceOf('\n    *ear 0.2 1.64 0.05')).toEqual([undefined, undefined, undefined]);
  });
});
