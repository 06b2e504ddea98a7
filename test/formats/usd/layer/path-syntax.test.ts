import { describe, expect, it } from 'vitest';
import {
  identifierEnd,
  isIdentifier,
  isPath,
  isVariantName,
  isVariantSelection,
  propertyEnd,
} from '../../../../src/formats/usd/layer/path-syntax.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';

describe('identifiers', () => {
  it.each(['a', '_', 'A9', 'Süß', '存在する', 'ⅈ573'])('isIdentifier: accepts %s', (name) =>
    expect(isIdentifier(name)).toBe(true),
  );

  it.each(['', '9a', 'a b', 'a-b', 'a:b', '㤼01৪∫', 'a.b'])('isIdentifier: rejects %j', (name) =>
    expect(isIdentifier(name)).toBe(false),
  );

  it('identifierEnd: ends before the first invalid character', () => {
    expect(identifierEnd('ab.c', 0)).toBe(2);
    expect(identifierEnd('9a', 0)).toBe(0);
    expect(identifierEnd('9a', 0, true)).toBe(2);
    expect(identifierEnd('𝒜b!', 0)).toBe(3);
  });

  it('propertyEnd: includes namespaces, but no trailing colon', () => {
    expect(propertyEnd('primvars:skel:jointIndices = ', 0)).toBe(26);
    expect(propertyEnd('a:0:b', 0)).toBe(5);
    expect(propertyEnd('a: b', 0)).toBe(1);
  });
});

describe('variant names', () => {
  it.each(['', 'red', '.hidden', '1-2|3', 'Süß'])('isVariantName: accepts %j', (name) =>
    expect(isVariantName(name)).toBe(true),
  );

  it.each(['bad:name', 'bad.name', 'a b', '..a'])('isVariantName: rejects %j', (name) =>
    expect(isVariantName(name)).toBe(false),
  );
});

it.each([
  ['red', true],
  ['', true],
  ['`LOOK`', true],
  [';-)', false],
  ['`a', false],
])('isVariantSelection: of %j returns %j', (text, expected) => expect(isVariantSelection(text)).toBe(expected));

describe('paths', () => {
  it.each([
    '',
    '/',
    '.',
    '..',
    '../..',
    '/A/B',
    'A/B',
    '../A',
    '/A.b',
    '/A.b:c:0',
    '.b',
    '../.b',
    '../../A.b',
    '/A{look=red}',
    '/A{look=}',
    '/A{look=red}B/C.d',
    '/A{a=b}{c=d}E',
    '/A{ look = red }',
    '/A.rel[/B.c].d',
    '/A.b.expression',
  ])('isPath: accepts %j', (path) => expect(isPath(path)).toBe(true));

  it.each([
    '//',
    '/A/',
    '/A//B',
    '/.b',
    'A b',
    '/A.',
    '/A.b.c',
    '/A.b/C',
    '/A{look}',
    '/A{=red}',
    '/A{look=r d}',
    '/A{look=red',
    '/A.rel[/B',
    '\\?*X',
    '/9',
    '/A/../B',
    '/..',
    'A/..',
    '...',
  ])('isPath: rejects %j', (path) => expect(isPath(path)).toBe(false));

  it('isPath: takes linear time', () => {
    const milliseconds = cpuTimer();
    expect(isPath(`/a{b=${' '.repeat(1e6)}x y}`)).toBe(false);
    expect(isPath(`/a${'{b=c}'.repeat(1e5)}?`)).toBe(false);
    expect(isPath(`${'../'.repeat(3e5)}?`)).toBe(false);
    expect(milliseconds()).toBeLessThan(1000);
  });
});
