import { describe, expect, it } from 'vitest';
import { repairIssues, restTime, setRest } from '../../../../src/formats/usd/read/rest-transforms.ts';
import { messagesOf, stageOf } from '../skel/scene.ts';

describe('rest-transforms', () => {
  it('restTime: returns the default time unless an op has time samples only', () => {
    const time = (attributes: string): unknown =>
      restTime(
        stageOf(`def Xform "P" {\n ${attributes}\n token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]\n}`),
        '/P',
      );
    expect(time('double3 xformOp:translate = (1, 0, 0)')).toBe('default');
    expect(time('float3 xformOp:scale.timeSamples = { 7: (1, 1, 1), 9: (2, 2, 2) }')).toBe(7);
    expect(
      time(
        'float3 xformOp:scale.timeSamples = { 7: (1, 1, 1) }\n double3 xformOp:translate.timeSamples = { 3: (1, 0, 0) }',
      ),
    ).toBe(3);
  });

  it('repairIssues: creates one issue for many repaired transforms', () => {
    const pose = { rest: new Float64Array(20), sheared: [], broken: [] };
    const shear = [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    setRest(pose, 0, shear, 0, '/A');
    setRest(pose, 1, [0, 0, ...shear], 2, '/B');
    expect(messagesOf(repairIssues(pose))).toEqual([
      'The transform of /A and of 1 more has shear. The closest translation, rotation and scale are used.',
    ]);
  });
});
