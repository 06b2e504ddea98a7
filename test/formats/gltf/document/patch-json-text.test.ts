import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patchJsonText } from '../../../../src/formats/gltf/document/patch-json-text.ts';
import { scanMembers } from '../../../../src/formats/gltf/document/scan-json.ts';
import { lawRuns } from '../../../support/law-runs.ts';

/** JSON as other languages write it: unusual numbers, escapes, whitespace, repeated and unusual keys. */
const { text: oddText } = fc.letrec<{ text: string; container: string }>((tie) => {
  const blank = fc.constantFrom('', '', ' ', '\n  ', '\t', '\r\n');
  const number = fc.constantFrom('1.0', '-0.0', '0', '-0', '1e2', '1E400', '12345678901234567890', '1e-5', '0.1');
  const string = fc.constantFrom('"\\u00e9"', '"é"', '"\\/"', '""', '"a\\\\"', '"\\"["', '"\\ud800"');
  const key = fc.constantFrom(
    '"a"',
    '"b"',
    '"\\u0061"',
    '"__proto__"',
    '"1"',
    '"01"',
    '"constructor"',
    '"toString"',
    '""',
  );
  const entry = fc.oneof({ depthSize: 'small' }, number, string, fc.constantFrom('true', 'null'), tie('container'));
  const padded = fc.tuple(blank, entry, blank).map((parts) => parts.join(''));
  const member = fc.tuple(blank, key, blank, padded).map(([a, name, b, value]) => `${a}${name}${b}:${value}`);
  return {
    container: fc.oneof(
      fc.array(padded, { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
      fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`),
    ) as fc.Arbitrary<string>,
    text: fc.tuple(blank, tie('container'), blank).map((parts) => parts.join('')),
  };
});

/** Random edits: the containers of a value in some order, and an edit for each. */
const edits = fc.array(
  fc.record({
    place: fc.nat(),
    kind: fc.constantFrom('set', 'add', 'remove', 'insert', 'swap'),
    at: fc.nat(),
    key: fc.constantFrom('a', 'b', 'new', '__proto__', '1', 'constructor'),
    value: fc.jsonValue({ maxDepth: 2 }),
  }),
  { maxLength: 4 },
);
type Edit = (typeof edits extends fc.Arbitrary<infer T> ? T : never)[number];

function containersOf(root: unknown): object[] {
  const found: object[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    found.push(value);
    for (const member of Object.values(value)) visit(member);
  };
  visit(root);
  return found;
}

function apply(root: unknown, { place, kind, at, key, value }: Edit): void {
  const containers = containersOf(root);
  const target = containers[place % containers.length]!;
  if (Array.isArray(target)) {
    const index = target.length === 0 ? 0 : at % target.length;
    if (kind === 'add') target.push(value);
    else if (kind === 'insert') target.splice(index, 0, value);
    else if (kind === 'remove') target.splice(index, 1);
    else if (kind === 'set' && target.length > 0) target[index] = value;
    else if (kind === 'swap' && target.length > 1) target.push(target.shift());
    return;
  }
  const keys = Object.keys(target);
  const name = kind === 'add' || keys.length === 0 ? key : keys[at % keys.length]!;
  if (kind === 'remove') Reflect.deleteProperty(target, name);
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

describe('patchJsonText', () => {
  it('returns the source text itself if nothing was edited', () => {
    const law = fc.property(oddText, (text) => {
      expect(patchJsonText(text, JSON.parse(text))).toBe(text);
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(1000) });
  });

  it('returns text that parses to the edited value', () => {
    const law = fc.property(oddText, edits, (text, list) => {
      const json: unknown = JSON.parse(text);
      for (const edit of list) apply(json, edit);
      // Not toStrictEqual, which treats a member called constructor as the class.
      expect(isDeepStrictEqual(JSON.parse(patchJsonText(text, json)), json)).toBe(true);
    });
    fc.assert(law, { seed: 2, numRuns: lawRuns(3000) });
  });

  it('keeps the text of every unedited top-level value', () => {
    const members = (text: string): Map<unknown, string> => {
      const spans = scanMembers(text, text.indexOf('{'));
      return new Map(spans.map((s) => [JSON.parse(text.slice(s.keyStart, s.keyEnd)), text.slice(s.start, s.end)]));
    };
    const law = fc.property(fc.array(oddText, { minLength: 1, maxLength: 6 }), edits, fc.nat(), (texts, list, pick) => {
      const text = `{${texts.map((value, i) => `"k${i}" : ${value}`).join(' , ')}}`;
      const json = JSON.parse(text) as Record<string, unknown>;
      const key = `k${pick % texts.length}`;
      for (const edit of list) apply(json[key], edit);
      const before = members(text);
      const after = members(patchJsonText(text, json));
      before.delete(key);
      for (const [name, value] of before) expect(after.get(name)).toBe(value);
    });
    fc.assert(law, { seed: 3, numRuns: lawRuns(500) });
  });

  it('changes only the edited values', () => {
    const text = '{"a":1.0,"b":[1e2,{"x":-0.0,"y":2},3.50],"c":"\\u00e9","a":1.00}';
    const json = JSON.parse(text);
    json.b[1].y = 5;
    expect(patchJsonText(text, json)).toBe('{"a":1.0,"b":[1e2,{"x":-0.0,"y":5},3.50],"c":"\\u00e9","a":1.00}');
  });

  it('appends array items after one unchanged slice', () => {
    expect(patchJsonText('{"a":[1.0,2.0]}', { a: [1, 2, 3] })).toBe('{"a":[1.0,2.0,3]}');
    expect(patchJsonText('{"a":[ 1.0, 2.0 ]}', { a: [1, 2, 3, 4] })).toBe('{"a":[ 1.0, 2.0, 3, 4 ]}');
  });

  it('removes items and keeps the text of the others', () => {
    const text = '[{"v":1.0}, {"v":2.0}, {"v":3.0}, {"v":4.0}]';
    expect(patchJsonText(text, [{ v: 1 }, { v: 3 }, { v: 4 }])).toBe('[{"v":1.0}, {"v":3.0}, {"v":4.0}]');
    expect(patchJsonText(text, [{ v: 2 }, { v: 4 }])).toBe('[{"v":2.0}, {"v":4.0}]');
    expect(patchJsonText(text, [{ v: 4 }, { v: 9 }])).toBe('[{"v":4.0}, {"v":9}]');
    expect(patchJsonText(text, [])).toBe('[]');
  });

  it('replaces a removed animation by a new one', () => {
    const text = '{"animations":[{"name":"a","x":1.0},{"name":"b","x":2.0}]}';
    const json = JSON.parse(text);
    json.animations = [json.animations[1], { name: 'c' }, { name: 'd' }];
    expect(patchJsonText(text, json)).toBe('{"animations":[{"name":"b","x":2.0},{"name":"c"},{"name":"d"}]}');
  });

  it('removes every repetition of a key', () => {
    expect(patchJsonText('{"a":1,"b":2,"\\u0061":3}', { b: 2 })).toBe('{"b":2}');
  });

  it('edits the last of repeated keys, which counts', () => {
    expect(patchJsonText('{"a":1,"a":2}', { a: 3 })).toBe('{"a":1,"a":3}');
  });

  it('formats new values like their neighbors', () => {
    const text = JSON.stringify({ nodes: [{ name: 'a' }], scenes: [] }, null, 2);
    const json = JSON.parse(text);
    json.nodes.push({ name: 'b', children: [0] });
    json.scenes.push({ nodes: [0] });
    json.extras = { made: true };
    expect(patchJsonText(text, json)).toBe(JSON.stringify(json, null, 2));
  });

  it('formats new values on one line with the whitespace of the line', () => {
    expect(patchJsonText('{"a": [1, 2], "b": [{"c": 1}]}', { a: [1, 2], b: [{ c: 1 }, { d: [3, 4] }], e: 5 })).toBe(
      '{"a": [1, 2], "b": [{"c": 1}, {"d": [3, 4]}], "e": 5}',
    );
    expect(patchJsonText('{\n  "nodes": [0]\n}', { nodes: [0, 1] })).toBe('{\n  "nodes": [0, 1]\n}');
  });

  it('distinguishes 0 from −0 and keeps numbers that JavaScript cannot represent', () => {
    expect(patchJsonText('{"a":-0.0,"b":1e400}', { a: -0, b: Infinity })).toBe('{"a":-0.0,"b":1e400}');
    expect(patchJsonText('{"a":-0.0,"b":1e400}', { a: 0, b: Infinity })).toBe('{"a":0,"b":1e400}');
  });

  it('treats an undefined member as absent', () => {
    expect(patchJsonText('{"a":1.0}', { a: 1, b: undefined })).toBe('{"a":1.0}');
    expect(patchJsonText('{"a":1.0,"b":2}', { a: 1, b: undefined })).toBe('{"a":1.0}');
  });

  it('throws for nesting past the limit instead of overflowing the stack', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(() => patchJsonText(text, JSON.parse(text))).toThrow(expect.objectContaining({ code: 'JSON_INVALID' }));
  });

  it('aligns a long list with holes in linear time', () => {
    const items = Array.from({ length: 50_000 }, (_, i) => i % 7);
    const edited = items.filter((_, i) => i % 3 !== 0).map((item, i) => (i % 1000 === 0 ? -1 : item));
    expect(JSON.parse(patchJsonText(JSON.stringify(items), edited))).toEqual(edited);
  }, 5000);
});
