import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { parseHierarchy } from '../../../src/formats/bvh/parse-hierarchy.ts';

function parse(text: string): ReturnType<typeof parseHierarchy> {
  return parseHierarchy({ text, at: 0 });
}

function refused(text: string): { message: string; line: number | undefined; column: number | undefined } {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { message: error.message, line: error.where.line, column: error.where.column };
  }
  throw new Error('The text was read.');
}

describe('parseHierarchy', () => {
  it('keeps joints, End Sites, several roots and channel orders', () => {
    const { joints, channelCount, hasMotion } = parse(`ROOT A
      { OFFSET 1 2 3 CHANNELS 2 Zrotation Xrotation
        End Site { OFFSET 0 1 0 }
        JOINT B { OFFSET 4 5 6 CHANNELS 1 Yposition End site named tip { OFFSET 0 0 1 } EndSite { OFFSET 0 0 2 } }
      }
      ROOT A { OFFSET 0 0 0 } MOTION`);
    expect(
      joints.map(({ kind, name, parent, channels, column }) => [kind, name, parent, channels.join(), column]),
    ).toEqual([
      ['root', 'A', -1, 'Zrotation,Xrotation', 0],
      ['end', '', 0, '', 2],
      ['joint', 'B', 0, 'Yposition', 2],
      ['end', 'named tip', 2, '', 3],
      ['end', '', 2, '', 3],
      ['root', 'A', -1, '', 3],
    ]);
    expect(joints.map(({ offset }) => [...offset].join())).toEqual([
      '1,2,3',
      '0,1,0',
      '4,5,6',
      '0,0,1',
      '0,0,2',
      '0,0,0',
    ]);
    expect(channelCount).toBe(3);
    expect(hasMotion).toBe(true);
  });

  it('accepts channel names and keywords in any case, and CHANNELS before OFFSET', () => {
    const { joints } = parse('root A { channels 3 XROTATION yrotation zPosition offset 1 2 3 }');
    expect(joints[0]!.channels).toEqual(['Xrotation', 'Yrotation', 'Zposition']);
    expect([...joints[0]!.offset]).toEqual([1, 2, 3]);
  });

  it('accepts the same rotation axis twice, as in proper Euler angles like ZXZ', () => {
    expect(parse('ROOT A { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Zrotation }').channelCount).toBe(3);
  });

  it.each([
    ['CHANNELS 1000000 Xrotation', 'the number of channels of ROOT A, 0 to 6,'],
    ['CHANNELS -1', 'the number of channels'],
    ['CHANNELS 2.5', 'the number of channels'],
    ['CHANNELS nan', 'the number of channels'],
    ['CHANNELS Xrotation', 'the number of channels'],
    ['CHANNELS 3 Xrotation Yrotation }', 'channel 3 of 3 of ROOT A'],
    ['CHANNELS 2 Xrotation Zrotation Yrotation }', 'OFFSET, JOINT, End Site, } in ROOT A'],
    ['CHANNELS 2 Xrotation Wrotation }', 'channel 2 of 2'],
    ['CHANNELS 2 Xposition Xposition }', 'a channel other than a second Xposition'],
    ['OFFSET 1 2 }', 'number 3 of the three finite numbers of OFFSET in ROOT A'],
    ['OFFSET 1 nan 2 }', 'number 2 of the three'],
    ['OFFSET 1 2 3 4 }', 'CHANNELS, JOINT, End Site, } in ROOT A'],
    ['OFFSET 1 2 3 OFFSET 1 2 3 }', 'CHANNELS, JOINT, End Site, } in ROOT A'],
    ['}', 'the OFFSET of ROOT A'],
    ['OFFSET 0 0 0 JOINT B OFFSET', '{ after JOINT B OFFSET'],
    ['OFFSET 0 0 0 End Sight { OFFSET 0 0 0 } }', 'Site after End'],
    ['OFFSET 0 0 0 End Site { OFFSET 0 0 0 JOINT B { OFFSET 0 0 0 } } }', 'CHANNELS, } in End Site'],
    ['OFFSET 0 0 0 JOINT B { OFFSET 0 0 0 } CHANNELS 1 Xrotation }', 'JOINT, End Site, } in ROOT A after JOINT B'],
    ['OFFSET 0 0 0 } }', 'ROOT, MOTION or the end'],
    ['OFFSET 0 0 0 } JOINT B { OFFSET 0 0 0 }', 'ROOT, MOTION or the end'],
    ['OFFSET 0 0 0 MOTION', 'in ROOT A'],
    ['OFFSET 0 0 0 JOINT B { OFFSET 0 0 0 }', 'The text ends where JOINT, End Site, }'],
  ])('refuses { %s', (block, expected) => {
    expect(refused(`ROOT A {${block}`).message).toContain(expected);
  });

  it('reports line and column of the unexpected word', () => {
    expect(refused('ROOT A\r\n{\r\n\tOFFSET 0 0 0\r\n\tCHANELS 3 Xrotation')).toMatchObject({ line: 4, column: 2 });
    expect(refused('ROOT A\n{\n  OFFSET 0 zero 0')).toMatchObject({ line: 3, column: 12 });
  });
});
