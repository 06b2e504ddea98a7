import { describe, expect, it } from 'vitest';
import { serializeAssetPath, serializeKey, serializeString } from '../../../../src/formats/usd/text/serialize-string.ts';

describe('printed strings', () => {
  it.each([
    ['a', '"a"'],
    ["it's", '"it\'s"'],
    ['"a"', '\'"a"\''],
    ['"\'', String.raw`"\"'"`],
    ['a\nb', '"""a\nb"""'],
    ['"\n', `'''"\n'''`],
    ['\\\t\r\x00\x7f', String.raw`"\\\t\r\x00\x7f"`],
    ['é€存', '"é€存"'],
    ['\u0085', String.raw`"\xc2\x85"`],
    ['\udcff', String.raw`"\xff"`],
  ])('%j is %s', (text, printed) => expect(serializeString(text)).toBe(printed));
});

describe('printed asset paths', () => {
  it.each([
    ['', '@@'],
    ['a/b.usda', '@a/b.usda@'],
    ['a@b', '@@@a@b@@@'],
    ['a@@@b', String.raw`@@@a\@@@b@@@`],
  ])('%j is %s', (path, printed) => expect(serializeAssetPath(path)).toBe(printed));

  it.each(['a\nb', 'a\x00', '@a\\', 'a\\@', '\\@@'])('cannot be %j', (path) =>
    expect(() => serializeAssetPath(path)).toThrow(RangeError),
  );
});

describe('printed keys', () => {
  it('are in quotes where they are no plain names', () => {
    expect(['a_1', 'a:b', '存', ''].map(serializeKey)).toEqual(['a_1', '"a:b"', '"存"', '""']);
  });
});
