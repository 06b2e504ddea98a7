import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

const parse = (body: string): Layer => parseUsda(`#usda 1.0\ndef "A"\n{\n${body}\n}`);
const fieldsOf = (body: string, name: string): object =>
  Object.fromEntries(parse(body).specs.get(`/A.${name}`)?.fields ?? []);
const token = (text: string): object => ({ type: 'token', isArray: false, texts: [text] });
const int = (n: number): object => ({ type: 'int', isArray: false, numbers: Int32Array.of(n) });

describe('attributes', () => {
  it('combine several statements into one spec', () => {
    const body =
      'custom uniform int x = 1 (doc = "d")\nuniform int x.timeSamples = { 2: 3, 1: 4, 2: None, }\nprepend uniform int x.connect = <B.y>';
    expect(fieldsOf(body, 'x')).toEqual({
      typeName: token('int'),
      custom: { type: 'bool', isArray: false, numbers: Uint8Array.of(1) },
      variability: { type: 'word', word: 'uniform' },
      default: int(1),
      documentation: { type: 'string', isArray: false, texts: ['d'] },
      timeSamples: { type: 'timeSamples', times: Float64Array.of(1, 2), values: [int(4), { type: 'block' }] },
      connectionPaths: { ...explicitListOp('path', []), explicit: null, prepended: ['/A/B.y'] },
    });
  });

  it('omit fields with default values', () => {
    expect(fieldsOf('varying int x', 'x')).toEqual({ typeName: token('int') });
    expect(fieldsOf('config int x', 'x')).toHaveProperty('variability', { type: 'word', word: 'uniform' });
  });

  it('have any type and name', () => {
    expect(fieldsOf('Some::Enum[] a:b:c = [x]', 'a:b:c')).toEqual({
      typeName: token('Some::Enum[]'),
      default: { type: 'unregistered', text: '[x]' },
    });
    expect(fieldsOf('Vec3f v = (1, 2, 3)', 'v')).toHaveProperty('typeName', token('float3'));
    expect(fieldsOf('double s.spline = { loop: (1, 2), 3: 4; curve held, }', 's')).toHaveProperty('spline.text');
  });

  it.each([
    ['int x\ndouble x', 'the type int that x has above'],
    ['int x\nuniform int x', 'to be varying, as it is above'],
    ['int x\nrel x', 'the name of the attribute above'],
    ['add int x = 1', 'after add'],
    ['delete int x.connect = None', 'items to delete'],
    ['int x.connect = [</B.y>, </B.y>]', 'each target only once'],
    ['int x.connect = </B{a=b}.y>', 'without variants'],
    ['opaque x = 1', 'no value'],
    ['int x.foo = 1', '.timeSamples'],
    ['int x.timeSamples = { nan: 1 }', 'a time'],
    ['int x.timeSamples = { 1: 2 3: 4 }', 'a comma'],
    ['int x =\n1', 'a number'],
    ['bad int x', 'a new line'],
    ['uniform def x', 'the type of an attribute'],
    ['custom rel[] x', 'the name of a relationship'],
  ])('throw for %j: %s', (body, message) => expect(() => parse(body)).toThrow(message));
});

describe('relationships', () => {
  it('have absolute target paths', () => {
    expect(fieldsOf('rel r = [<B>, <../C>, </D.e>]', 'r')).toEqual({
      targetPaths: explicitListOp('path', ['/A/B', '/C', '/D.e']),
    });
    expect(fieldsOf('rel r = None', 'r')).toEqual({ targetPaths: explicitListOp('path', []) });
    expect(fieldsOf('rel r', 'r')).toEqual({});
    expect(fieldsOf('custom varying rel r (doc = "d")', 'r')).toMatchObject({
      custom: { type: 'bool' },
      variability: { word: 'varying' },
      documentation: { texts: ['d'] },
    });
  });

  it('keep the values of old files as text', () => {
    expect(fieldsOf('rel r.default = </B>', 'r')).toEqual({ default: { type: 'unregistered', text: '</B>' } });
    expect(fieldsOf('rel r.timeSamples = { 1: </B>, 2: None }', 'r')).toMatchObject({
      timeSamples: { values: [{ type: 'unregistered', text: '</B>' }, { type: 'block' }] },
    });
  });

  it.each([
    'rel r = [<B>, <B>]',
    'delete rel r = None',
    'add rel r = []',
    'rel r = <>',
    'rel r.foo = <B>',
    'rel r = <B> { int x }',
  ])('throw for %j', (body) => expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' })));
});

describe('deprecated syntax', () => {
  it('is skipped and reported once', () => {
    const layer = parse(
      'int a.connect = </B.c> @ now\nint a.mapper[</B.c>] = M {\n int i = 1\n}\nint b.mapper[</B.c>] = M',
    );
    expect(layer.issues).toHaveLength(1);
    expect(layer.issues[0]).toMatchObject({ code: 'USD_DEPRECATED_SYNTAX', where: { line: 4 } });
    expect(layer.specs.get('/A.a')?.fields.get('connectionPaths')).toEqual(explicitListOp('path', ['/B.c']));
  });
});
