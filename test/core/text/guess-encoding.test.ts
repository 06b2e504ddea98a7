import { describe, expect, it } from 'vitest';
import { getOrCreate } from '../../../src/core/math/get-or-create.ts';
import { guessEncoding } from '../../../src/core/text/guess-encoding.ts';

const encoders = new Map<string, (text: string) => Uint8Array>();
/** Bytes of each character of an encoding, from its decoder. The tables are made once. */
const encoder = (label: string) => getOrCreate(encoders, label, () => makeEncoder(label));
function makeEncoder(label: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(label, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: readonly number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // No character.
    }
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  for (let first = 0x80; first < 256; first++) for (let second = 0x30; second < 256; second++) add(first, second);
  return (text) => Uint8Array.from([...text].flatMap((character) => table.get(character)!));
}

/** Names of rigs as people write them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'shift_jis Shift-JIS': [
    '全ての親 センター 上半身 上半身2 首 頭 左肩 左腕 左ひじ 左手首 右親指１ 下半身 左足 左ひざ 左足首 左つま先',
    '左腕',
    '右ひざ',
    'ﾐｷﾞﾃ',
    'C:\\モーション\\歩き.bvh',
  ],
  'gbk GBK': [
    '根骨 骨盆 脊椎 颈部 头部 左肩 左上臂 左前臂 左手 右大腿 右小腿 右脚 脚趾',
    '左手',
    '右小腿',
    'D:\\动作\\走路.max',
  ],
  'euc-kr EUC-KR': ['골반 척추 가슴 목 머리 왼쪽어깨 왼팔 왼손 오른다리 오른발', '왼손', '오른쪽무릎'],
  'big5 Big5': ['骨盆 脊椎 頸 頭 左肩 左上臂 左前臂 左手 右大腿 右小腿 右腳', '右小腿'],
  'euc-jp EUC-JP': ['センター 上半身 下半身 左ひじ 右ひざ つま先'],
  'windows-1252 Windows-1252': [
    'Hüfte Wirbelsäule linker_Fuß Schädel',
    'épaule_gauche tête',
    'Cadeira braço mão',
    'rodilla_año',
  ],
  'windows-1251 Windows-1251': ['таз позвоночник шея голова левая_рука правая_нога', 'Рука'],
};

describe('guessEncoding', () => {
  const cases = Object.entries(NAMES).flatMap(([encoding, names]) =>
    names.map((name) => [encoding.split(' ')[1], encoding.split(' ')[0], name]),
  );
  it.each(cases)('recognizes %s (%s) by %s', (name, label, text) => {
    const bytes = encoder(label)(text);
    expect(guessEncoding([bytes]).name).toBe(name);
    expect(new TextDecoder(guessEncoding([bytes]).label).decode(bytes)).toBe(text);
  });

  it('recognizes an encoding by all texts together, also if one is cut within a character', () => {
    const encode = encoder('shift_jis');
    const texts = [encode('左足ＩＫ').subarray(0, 5), encode('右足ＩＫ')];
    expect(guessEncoding(texts).name).toBe('Shift-JIS');
  });

  it('returns Windows-1252 without any text', () => {
    expect(guessEncoding([]).name).toBe('Windows-1252');
  });
});
