import { describe, expect, it } from 'vitest';
import { primMetadata, propertyMetadata } from '../../../../src/formats/usd/stage/composed-metadata.ts';
import { stageOf } from './scene.ts';

describe('composed metadata', () => {
  const stage = stageOf(
    `(subLayers = [@w@])
     over "A" (customData = { int a = 2
       dictionary d = { int x = 2 } }
       kind = "component"
       prepend apiSchemas = ["Y"]) { float p (elementSize = 4)
       rel r }`,
    {
      w: 'def "A" (customData = { int a = 1\n int b = 1\n dictionary d = { int x = 1\n int y = 1 } }\n kind = "group"\n prepend apiSchemas = ["X"]) { custom uniform float p = 1 (interpolation = "vertex"\n elementSize = 2) }',
    },
  );
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, item) =>
      item instanceof Map ? Object.fromEntries(item) : ArrayBuffer.isView(item) ? [...(item as Int32Array)] : item,
    );

  it('is the strongest opinion; dictionaries are merged, list edits applied', () => {
    expect(primMetadata(stage, '/A', 'kind')).toMatchObject({ texts: ['component'] });
    expect(primMetadata(stage, '/A', 'apiSchemas')).toMatchObject({ explicit: ['Y', 'X'] });
    const data = primMetadata(stage, '/A', 'customData');
    if (data?.type !== 'dictionary') throw new Error('no dictionary');
    const number = (name: string): unknown => data.entries.get(name);
    expect([number('a'), number('b')]).toMatchObject([{ numbers: Int32Array.of(2) }, { numbers: Int32Array.of(1) }]);
    expect(text(number('d'))).toContain(
      '"x":{"type":"int","isArray":false,"numbers":[2]},"y":{"type":"int","isArray":false,"numbers":[1]}',
    );
  });

  it('of properties is composed alike', () => {
    expect(propertyMetadata(stage, '/A', 'p', 'elementSize')).toMatchObject({ numbers: Int32Array.of(4) });
    expect(propertyMetadata(stage, '/A', 'p', 'interpolation')).toMatchObject({ texts: ['vertex'] });
    expect(propertyMetadata(stage, '/A', 'p', 'weight')).toBeNull();
    expect(primMetadata(stage, '/None', 'kind')).toBeNull();
  });
});
