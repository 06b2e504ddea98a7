import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

const parse = (body: string): Layer => parseUsda(`#usda 1.0\n${body}`);
const token = (text: string): object => ({ type: 'token', isArray: false, texts: [text] });

describe('parseUsda', () => {
  it('returns specs by path, in the order of the text', () => {
    const { specs } = parse('def Xform "A"\n{\n  double x = 1\n  over "B" {\n  }\n}\nclass "_c"\n{\n}');
    expect([...specs].map(([path, { type }]) => [path, type])).toEqual([
      ['/', 'pseudoRoot'],
      ['/A', 'prim'],
      ['/A.x', 'attribute'],
      ['/A/B', 'prim'],
      ['/_c', 'prim'],
    ]);
    expect(specs.get('/')?.fields.get('primChildren')).toEqual({ type: 'names', names: ['A', '_c'] });
    expect(Object.fromEntries(specs.get('/A')?.fields ?? [])).toEqual({
      specifier: { type: 'word', word: 'def' },
      typeName: token('Xform'),
      properties: { type: 'names', names: ['x'] },
      primChildren: { type: 'names', names: ['B'] },
    });
    expect(specs.get('/A/B')?.fields.get('specifier')).toEqual({ type: 'word', word: 'over' });
  });

  it('reads variants with prims and properties', () => {
    const { specs } = parse(
      'def "A" {\n variantSet "look" = {\n  "red" (kind = "x") {\n   int n = 1\n   def "B" {\n   }\n  }\n  "none" {\n  }\n }\n}',
    );
    expect([...specs.keys()]).toEqual([
      '/',
      '/A',
      '/A{look=}',
      '/A{look=red}',
      '/A{look=red}.n',
      '/A{look=red}B',
      '/A{look=none}',
    ]);
    expect(specs.get('/A{look=}')?.fields.get('variantChildren')).toEqual({ type: 'names', names: ['red', 'none'] });
    expect(specs.get('/A{look=red}')?.fields.get('kind')).toEqual(token('x'));
  });

  it('reads the order of children and properties', () => {
    const { specs } = parse(
      'reorder rootPrims = ["B", "A"]\ndef "A" {\n reorder nameChildren = ["C"]\n reorder properties = ["y", "x"]\n}',
    );
    expect(specs.get('/')?.fields.get('primOrder')).toEqual({ type: 'names', names: ['B', 'A'] });
    expect(specs.get('/A')?.fields.get('primOrder')).toEqual({ type: 'names', names: ['C'] });
    expect(specs.get('/A')?.fields.get('propertyOrder')).toEqual({ type: 'names', names: ['y', 'x'] });
  });

  it('ends statements at line ends and semicolons, also before a brace', () => {
    expect(parse('def "A" { double x = 1; double y\n}').specs.has('/A.y')).toBe(true);
    expect(() => parse('def "A" {\n double x = 1 }')).toThrow('a new line or a semicolon');
    expect(() => parse('def "A" {\n double x double y\n}')).toThrow('a new line or a semicolon');
    expect(() => parse('def "A" {\n} def "B" {\n}')).toThrow('a new line or a semicolon');
    expect(parse('def "A" { def "B" { } }').specs.has('/A/B')).toBe(true);
  });

  it('stops at __END__', () => expect(parse('def "A" {\n}\n__END__\n {{{').specs.size).toBe(2));

  it.each([
    ['def "A" {\n}\ndef "A" {\n}', 'another name than A'],
    ['def "a b" {\n}', 'a prim name of letters'],
    ['def "A" {', 'the closing } of /A'],
    ['double x = 1', 'def, over or class'],
    ['def "A" {\n variantSet "a" = {\n "b c" {\n }\n }\n}', 'a variant name of letters'],
    ['}', 'def, over or class'],
  ])('throws for %j: %s', (body, message) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({ code: 'USD_SYNTAX', message: expect.stringContaining(message) }),
    );
  });

  it('requires the version in the first line', () => {
    expect(parseUsda('#usda 1.0').specs.size).toBe(1);
    expect(parseUsda('#sdf 1.4.32\n').specs.size).toBe(1);
    for (const text of ['', '#usda', '#usda 2.0\n', 'def "A" {\n}'])
      expect(() => parseUsda(text), text).toThrow('#usda 1.0');
  });

  it('reports line and column of a syntax error', () => {
    expect(() => parse('def "A" {\n  double x = foo\n}')).toThrow(
      expect.objectContaining({ where: { line: 3, column: 14 } }),
    );
  });
});
