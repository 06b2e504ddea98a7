import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { type NumpyArray, readNumbers } from '../../../../src/formats/npz/container/numpy-array.ts';
import { parseNumpy } from '../../../../src/formats/npz/container/parse-numpy.ts';
import { readPickle } from '../../../../src/formats/npz/container/read-pickle.ts';
import { elementBytes, makeObjectNpy, makePickle } from '../../../support/make/numpy-files.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const ARRAY = { shape: [2, 2], values: [1, 2, 3, 4], descr: '<f8' };

/** A wrapper of joblib with its elements behind it, as `joblib.dump` writes them. */
function joblibPickle(padding: number | null): Uint8Array {
  const fields = ascii(
    `}(U\x05shape(K\x02K\x02tU\x05orderU\x01CU\x05dtypecnumpy\ndtype\n(U\x02f8K\x00K\x01tR(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb${
      padding === null ? '' : 'U\x1bnumpy_array_alignment_bytesK\x10'
    }u`,
  );
  const gap = padding === null ? [] : [padding, ...new Array<number>(padding).fill(255)];
  return Uint8Array.from([
    ...ascii('\x80\x02}U\x05posescjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81'),
    ...fields,
    0x62,
    ...gap,
    ...elementBytes('<f8', [1, 2, 3, 4]),
    ...ascii('s.'),
  ]);
}

describe('readPickle', () => {
  it('reads dicts, lists, numbers, text and arrays', () => {
    const bytes = makePickle({ dict: { fps: 29.5, names: ['a', 'b'], none: null, ok: true, poses: { array: ARRAY } } });
    const map = readPickle(bytes) as Map<string, unknown>;
    expect([map.get('fps'), map.get('names'), map.get('none'), map.get('ok')]).toEqual([29.5, ['a', 'b'], null, true]);
    expect([...readNumbers(map.get('poses') as NumpyArray)]).toEqual([1, 2, 3, 4]);
  });

  it('reads the dict in an array of one object', () => {
    const values = parseNumpy(makeObjectNpy({ dict: { poses: { array: { ...ARRAY, fortran: true } } } }));
    expect([...readNumbers(values.get('poses') as NumpyArray)]).toEqual([1, 3, 2, 4]);
  });

  it('reads a dict of protocol 0 as Python 2 wrote it', () => {
    const text = "(dp0\nS'a\\x41\\n'\np1\nI3\nsVb\nF1.5\nsS'on'\nI01\nsS'l'\n(lp2\nL12L\naas.".replace('aas.', 'as.');
    const map = parseNumpy(ascii(text));
    expect([...map]).toEqual([
      ['aA\n', 3],
      ['b', 1.5],
      ['on', true],
      ['l', [12]],
    ]);
  });

  it.each([
    ['without padding', null],
    ['with padding', 5],
  ])('reads arrays of joblib %s, whose elements stand between instructions', (_, padding) => {
    const values = parseNumpy(joblibPickle(padding));
    expect([...readNumbers(values.get('poses') as NumpyArray)]).toEqual([1, 2, 3, 4]);
  });

  it('reads large and negative integers', () => {
    expect(readPickle(Uint8Array.of(0x80, 2, 0x8a, 2, 0, 0xff, 0x2e))).toBe(-256);
    expect(readPickle(Uint8Array.of(0x80, 2, 0x8a, 0, 0x2e))).toBe(0);
  });

  it.each([
    ['os.system', "cos\nsystem\n(S'touch /tmp/anyrig-pickle'\ntR."],
    ['builtins.eval', "cbuiltins\neval\n(S'1'\ntR."],
    ['a new object', 'csubprocess\nPopen\n(](K\x01etR}b.'],
    ['an instance of the oldest protocol', "(S'rm'\nios\nsystem\n."],
    ['an object of the oldest protocol', "(cos\nsystem\nS'rm'\no."],
    ['NEWOBJ', 'cposix\nsystem\n(U\x02rmt\x81.'],
    ['JavaScript', "cglobalThis\nprocess.exit\n(S'1'\ntR."],
    ['a constructor', "cconstructor\nconstructor\n(S'return process.exit(1)'\ntR)R."],
  ])('calls nothing where a pickle calls %s', (_, program) => {
    expect(readPickle(ascii(`\x80\x02${program}`))).toMatchObject({ kind: 'foreign' });
  });

  it('keeps keys such as __proto__ as text', () => {
    const map = parseNumpy(makePickle({ dict: { __proto__: 1, constructor: 2 } as never }));
    expect(map.get('constructor')).toBe(2);
    expect(({} as { constructor: unknown }).constructor).toBe(Object);
  });

  const copies = (opcodes: string): Uint8Array => ascii(`\x80\x02${opcodes}`);
  const long = 'x'.repeat(2 ** 20);
  it.each([
    ['a missing value', copies('R.')],
    ['a missing mark', copies('t.')],
    ['an unknown memo', copies('h\x07.')],
    ['an unknown instruction', copies('\xff.')],
    ['no end', copies('N')],
    ['text beyond the end', copies('X\xff\xff\xff\x7fa.')],
    ['a persistent id, as PyTorch has', copies('K\x01Q.')],
    [
      'copies of a long text',
      ascii(`\x80\x02X\x00\x00\x10\x00${long}q\x01c_codecs\nencode\nq\x02${'h\x02(h\x01tR'.repeat(200)}.`),
    ],
    ['more objects than data has', ascii(`\x80\x02${'}'.repeat(1_000_001)}.`)],
    ['an array with too few elements', makePickle({ array: { shape: [3, 3], values: [1], descr: '<f8' } })],
  ])('refuses %s', (_, bytes) => {
    expect(() => readPickle(bytes)).toThrow(expect.objectContaining({ constructor: FormatError, code: 'NPZ_INVALID' }));
  });

  it('reads a list that contains itself', () => {
    const list = readPickle(copies(']q\x01h\x01a.')) as unknown[];
    expect(list[0]).toBe(list);
  });
});
