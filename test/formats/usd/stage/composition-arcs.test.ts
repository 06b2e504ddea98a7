import { describe, expect, it } from 'vitest';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { plain, stageOf } from './scene.ts';

const CODES = (stage: ReturnType<typeof stageOf>): string[] => stage.issues.map(({ code }) => code);

describe('references and payloads', () => {
  it('bring in a prim of another file with its descendants', () => {
    const stage = stageOf('def "Hero" (references = @./char.usda@</Char>) {}', {
      'char.usda': 'def SkelRoot "Char" { int a = 1\n def "Body" { int b = 2 } }',
    });
    expect(primAt(stage, '/Hero')?.typeName).toBe('SkelRoot');
    expect(plain(stage, '/Hero/Body', 'b')).toBe(2);
  });

  it('target the default prim without a prim path', () => {
    const stage = stageOf('def "A" (payload = @c.usda@) {}', {
      'c.usda': '(defaultPrim = "X")\ndef "X" { int a = 7 }',
    });
    expect(plain(stage, '/A', 'a')).toBe(7);
    const without = stageOf('def "A" (references = @c.usda@) {}', { 'c.usda': 'def "X" {}' });
    expect(without.issues).toMatchObject([
      { code: 'USD_COMPOSITION', message: expect.stringContaining('defaultPrim') },
    ]);
  });

  it('target prims of the same file at any depth, with opinions from ancestors', () => {
    const stage = stageOf(
      'def "W" (references = @w.usda@</W>) { over "Lib" { over "Hat" { int b = 2 } } }\ndef "My" (references = </W/Lib/Hat>) {}',
      {
        'w.usda': 'def "W" { def "Lib" { def "Hat" { int a = 1\n int b = 1 } } }',
      },
    );
    expect([plain(stage, '/My', 'a'), plain(stage, '/My', 'b')]).toEqual([1, 2]);
  });

  it('are ordered by their composed lists, references before payloads', () => {
    const files = {
      'a.usda': '(defaultPrim = "X")\ndef "X" { string who = "a" }',
      'b.usda': '(defaultPrim = "X")\ndef "X" { string who = "b" }',
      'c.usda': '(defaultPrim = "X")\ndef "X" { string who = "c" }',
      'sub.usda': 'def "P" (prepend references = [@a.usda@, @b.usda@]) {}',
    };
    expect(plain(stageOf('(subLayers = [@sub.usda@])', files), '/P', 'who')).toBe('a');
    expect(
      plain(stageOf('(subLayers = [@sub.usda@])\nover "P" (prepend references = @c.usda@) {}', files), '/P', 'who'),
    ).toBe('c');
    expect(
      plain(stageOf('(subLayers = [@sub.usda@])\nover "P" (delete references = @a.usda@) {}', files), '/P', 'who'),
    ).toBe('b');
    expect(plain(stageOf('def "P" (references = @b.usda@\n payload = @c.usda@) {}', files), '/P', 'who')).toBe('b');
    expect(plain(stageOf('(subLayers = [@sub.usda@])\nover "P" (references = []) {}', files), '/P', 'who')).toBeNull();
  });

  it('that are missing or invalid are reported and ignored', () => {
    const stage = stageOf('def "A" (references = [@gone.usda@, @c.usda@</Nope>]) { int a = 1 }', {
      'c.usda': 'def "X" {}',
    });
    expect(CODES(stage).sort()).toEqual(['RESOURCE_MISSING', 'USD_COMPOSITION']);
    expect(stage.issues.find(({ code }) => code === 'RESOURCE_MISSING')?.where.resource).toBe('root.usda');
    expect(plain(stage, '/A', 'a')).toBe(1);
  });

  it('in a cycle are reported', () => {
    const stage = stageOf('def "A" (references = @b.usda@</B>) {}', {
      'b.usda': 'def "B" (references = @root.usda@</A>) { int a = 1 }',
    });
    expect(CODES(stage)).toContain('USD_COMPOSITION');
    expect(plain(stage, '/A', 'a')).toBe(1);
    for (const text of [
      'def "A" (references = </A>) {}',
      'def "A" { def "B" (references = </A>) {} }',
      'def "A" (references = </A/B>) { def "B" {} }',
    ]) {
      expect(CODES(stageOf(text)), text).toContain('USD_COMPOSITION');
    }
    const crossed = stageOf(
      'def "X" (references = </Y>) {}\ndef "Y" { def "Z" (references = </W>) {} }\ndef "W" { def "V" (references = </Y>) {} }',
    );
    expect(CODES(crossed)).toContain('USD_COMPOSITION');
  });

  it('that multiply exponentially are refused quickly', () => {
    const layers = Array.from(
      { length: 40 },
      (_, i) =>
        `class "L${i}" (references = [</L${i + 1}>, </M${i + 1}>]) {}\nclass "M${i}" (references = [</L${i + 1}>, </M${i + 1}>]) {}`,
    );
    const milliseconds = cpuTimer();
    expect(() => stageOf(`${layers.join('\n')}\nclass "L40" {}\nclass "M40" {}`)).toThrow(
      expect.objectContaining({ code: 'USD_LIMIT' }),
    );
    expect(milliseconds()).toBeLessThan(2000);
  });

  it('in a long chain are refused', () => {
    const layers = Array.from({ length: 3000 }, (_, i) => `class "L${i}" (references = </L${i + 1}>) {}`);
    expect(() => stageOf(`${layers.join('\n')}\nclass "L3000" {}`)).toThrow(
      expect.objectContaining({ code: 'USD_LIMIT' }),
    );
  });
});

describe('inherits and specializes', () => {
  it('use the opinions of a class, weaker than local ones', () => {
    const stage = stageOf(
      'class "_C" { int a = 1\n int b = 1\n def "K" {} }\ndef "A" (inherits = </_C>) { int b = 2 }',
    );
    expect([plain(stage, '/A', 'a'), plain(stage, '/A', 'b')]).toEqual([1, 2]);
    expect(primAt(stage, '/A/K')).not.toBeNull();
    expect(primAt(stage, '/A')).toMatchObject({ specifier: 'def', isAbstract: false });
  });

  it('prefer the class of a scene over that of a referenced file', () => {
    const char = 'class "_C" { int a = 1\n int b = 1 }\ndef "Char" (inherits = </_C>) {}';
    const stage = stageOf('over "_C" { int a = 2 }\ndef "Hero" (references = @c.usda@</Char>) {}', { 'c.usda': char });
    expect([plain(stage, '/Hero', 'a'), plain(stage, '/Hero', 'b')]).toEqual([2, 1]);
  });

  it('inherits are stronger, specializes weaker than references', () => {
    const stage = stageOf(`
      class "I" { string who = "inherit" }
      class "S" { string who = "specialize"\n int s = 1 }
      def "R" { string who = "reference" }
      def "A" (inherits = </I>\n references = </R>) {}
      def "B" (specializes = </S>\n references = </R>) {}
      def "C" (references = </B>) {}`);
    expect(['/A', '/B', '/C'].map((path) => plain(stage, path, 'who'))).toEqual(['inherit', 'reference', 'reference']);
    expect(plain(stage, '/C', 's')).toBe(1);
  });

  it('in a cycle are reported', () => {
    expect(CODES(stageOf('class "A" (inherits = </B>) {}\nclass "B" (inherits = </A>) {}'))).toContain(
      'USD_COMPOSITION',
    );
  });
});
