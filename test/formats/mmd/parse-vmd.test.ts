import { describe, expect, it } from 'vitest';
import { parseVmd } from '../../../src/formats/mmd/motion/parse-vmd.ts';
import { parseVpd } from '../../../src/formats/mmd/motion/parse-vpd.ts';
import { createNameFinder } from '../../../src/formats/mmd/shift-jis.ts';
import { shiftJis, turned, vmdBytes, vpdBytes } from '../../support/make/mmd-files.ts';

const key = { bone: 'センター', at: [1, 2, 3] as const };

describe('parseVmd', () => {
  it('sorts the keys of a bone by frame; of two at one frame the last counts', () => {
    const bones = [30, 0, 10, 10].map((frame, k) => ({ ...key, frame, at: [k, 0, 0] as const }));
    const [parsed] = parseVmd(vmdBytes({ bones })).bones;
    expect([...parsed.frames]).toEqual([0, 10, 30]);
    expect([parsed.offsets[0], parsed.offsets[3], parsed.offsets[6]]).toEqual([1, 3, 0]);
  });

  it('reads names with garbage after the zero that ends them', () => {
    const parsed = parseVmd(
      vmdBytes({
        bones: [key],
        morphs: [{ morph: 'あ', weight: 1 }],
        ik: [{ frame: 0, states: { 左足ＩＫ: false } }],
        fill: 0xfd,
      }),
    );
    expect([parsed.modelName, parsed.bones[0].name, parsed.morphs[0].name]).toEqual(['初音ミク', 'センター', 'あ']);
    expect([...parsed.ik[0].states]).toEqual([['左足ＩＫ', false]]);
  });

  it('leaves out half of a character where a name is cut', () => {
    // 15 bytes hold seven characters of two bytes and half of the next one; the model name is cut after 20.
    const parsed = parseVmd(vmdBytes({ model: '12345678901234567890ミ', bones: [{ bone: '左腕捩補助ボーン' }] }));
    expect(parsed.bones[0].name).toBe('左腕捩補助ボー');
    expect(parsed.modelName).toBe('12345678901234567890');
  });

  it.each([4, 8, 12, 16])('reads files that end %d bytes early: the last sections are missing', (bytes) => {
    const whole = vmdBytes({ bones: [key], ik: [] });
    const { bones, issues } = parseVmd(whole.subarray(0, whole.length - bytes));
    expect([bones.length, issues]).toEqual([1, []]);
  });

  it('reads the complete keys of a file that is cut off, and says how many are missing', () => {
    const whole = vmdBytes({ bones: [0, 1, 2].map((frame) => ({ ...key, frame })) });
    const { bones, issues } = parseVmd(whole.subarray(0, 54 + 111 * 2 + 50));
    expect([...bones[0].frames]).toEqual([0, 1]);
    expect(issues).toMatchObject([{ code: 'MMD_MOTION', message: expect.stringContaining('1 keys are missing') }]);
  });

  it('reads curves of z and rotation from the second row, because physics is switched in the first', () => {
    const curves = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11, 12],
      [13, 14, 15, 16],
    ] as const;
    expect([...parseVmd(vmdBytes({ bones: [{ ...key, curves }] })).bones[0].curves]).toEqual(curves.flat());
  });

  it('reads files without the version in the signature, and those of the first version with a name of 10 bytes', () => {
    expect(parseVmd(vmdBytes({ signature: 'Vocaloid Motion Data', bones: [key] })).bones).toHaveLength(1);
    const bytes = vmdBytes({ signature: 'Vocaloid Motion Data file', bones: [key] });
    const first = Uint8Array.from([...bytes.subarray(0, 40), ...bytes.subarray(50)]);
    expect(parseVmd(first).bones[0].name).toBe('センター');
  });

  it('refuses motions of a camera alone with a sentence that says what to use', () => {
    expect(() => parseVmd(vmdBytes({ camera: 2 }))).toThrow(/moves a camera or lights only.*dancer/);
    expect(() => parseVmd(vmdBytes({}))).toThrow(/has no keys/);
  });

  it('replaces numbers that are not finite and rotations without length, and says so for the former', () => {
    const bones = [
      { bone: 'a', at: [Number.NaN, 0, 0] as const },
      { bone: 'b', turn: [0, 0, 0, 0] as const },
    ];
    const parsed = parseVmd(vmdBytes({ bones }));
    expect(parsed.bones.map(({ rotations, offsets }) => [...offsets, ...rotations])).toEqual(
      Array(2).fill([0, 0, 0, 0, 0, 0, 1]),
    );
    expect(parsed.issues).toMatchObject([
      { code: 'MMD_MOTION', message: expect.stringContaining('1 keys have invalid numbers') },
    ]);
  });

  it('leaves out keys that are later than 36 hours', () => {
    const parsed = parseVmd(vmdBytes({ bones: [key, { ...key, frame: 4e9 }] }));
    expect([...parsed.bones[0].frames]).toEqual([0]);
    expect(parsed.issues[0].message).toContain('1 keys are later than 36 hours');
  });
});

describe('parseVpd', () => {
  it('reads bones in Shift-JIS and in UTF-8 as keys at frame 0', () => {
    const pose = vpdBytes([{ bone: '左腕', at: [1, 2, 3], turn: turned('z', 90) }]);
    const utf8 = new TextEncoder().encode(new TextDecoder('shift_jis').decode(pose));
    for (const bytes of [pose, utf8]) {
      const { bones, modelName } = parseVpd(bytes);
      expect(modelName).toBe('miku.osm');
      expect(bones[0].name).toBe('左腕');
      expect([...bones[0].offsets]).toEqual([1, 2, 3]);
      expect(bones[0].rotations[2]).toBeCloseTo(Math.SQRT1_2, 6);
    }
  });

  it('refuses a pose without bones', () => {
    expect(() => parseVpd(Uint8Array.from(shiftJis('Vocaloid Pose Data file\r\n\r\n0;')))).toThrow(/no bone/);
  });
});

describe('createNameFinder', () => {
  it('finds names that a VMD cuts after 15 bytes, also in the middle of a character', () => {
    const find = createNameFinder(['センター', '左腕捩補助ボーン', 'very_long_ascii_name']);
    expect([find('センター'), find('左腕捩補助ボー'), find('very_long_ascii'), find('very_long'), find('')]).toEqual([
      0, 1, 2, -1, -1,
    ]);
  });
});
