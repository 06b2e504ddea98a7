import { describe, expect, it } from 'vitest';
import {
  serializeAssetPath,
  serializeKey,
  serializeString,
} from '../../../../src/formats/usd/text/serialize-string.ts';

describe('serializeString', () => {
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
  ])('writes %j as %s', (text, serialized) => expect(serializeString(text)).toBe(serialized));
});

describe('serializeAssetPath', () => {
  it.each([
    ['', '@@'],
    ['a/b.usda', '@a/b.usda@'],
    ['a@b', '@@@a@b@@@'],
    ['a@@@b', String.raw`@@@a\@@@b@@@`],
  ])('writes %j as %s', (path, serialized) => expect(serializeAssetPath(path)).toBe(serialized));

  it.each(['a\nb', 'a\x00', '@a\\', 'a\\@', '\\@@'])('throws for %j', (path) =>
    expect(() => serializeAssetPath(path)).toThrow(RangeError),
  );
});

describe('serializeKey', () => {
  it('quotes names that are not identifiers', () => {
    expect(['a_1', 'a:b', '存', ''].map(serializeKey)).toEqual(['a_1', '"a:b"', '"存"', '""']);
  });
});
