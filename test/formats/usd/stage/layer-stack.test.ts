import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { createBudget } from '../../../../src/formats/usd/stage/composition-budget.ts';
import { createLayerSource, layerStackOf } from '../../../../src/formats/usd/stage/layer-stack.ts';
import { resolveTexts } from './scene.ts';

function stackOf(files: Record<string, string>): {
  stack: ReturnType<typeof layerStackOf>;
  source: ReturnType<typeof createLayerSource>;
} {
  const resolve = resolveTexts(files);
  const source = createLayerSource(resolve, createBudget(1000));
  const root = resolve('root', '');
  if (root === null) throw new Error('no root');
  return { source, stack: layerStackOf(source, root) };
}

describe('layerStackOf', () => {
  it('lists each sublayer after its parent, followed by its own sublayers', () => {
    const { stack } = stackOf({ root: '(subLayers = [@a@, @b@])', a: '(subLayers = [@c@])', b: '', c: '' });
    expect(stack.layers.map(({ id }) => id)).toEqual(['root', 'a', 'c', 'b']);
  });

  it('composes nested offsets and rates', () => {
    const { stack } = stackOf({
      root: '(subLayers = [@a@ (offset = 10; scale = 2)])',
      a: '(subLayers = [@b@ (offset = 1)])',
      b: '(timeCodesPerSecond = 48)',
    });
    expect(stack.layers.map(({ offset }) => offset)).toEqual([
      { offset: 0, scale: 1 },
      { offset: 10, scale: 2 },
      { offset: 12, scale: 1 },
    ]);
  });

  it('reports missing layers, cycles and invalid offsets', () => {
    const { stack, source } = stackOf({ root: '(subLayers = [@gone@, @a@ (scale = 0)])', a: '(subLayers = [@root@])' });
    expect(stack.layers.map(({ id, offset }) => [id, offset.scale])).toEqual([
      ['root', 1],
      ['a', 1],
    ]);
    expect([...source.issues.values()].map(({ code }) => code)).toEqual([
      'RESOURCE_MISSING',
      'USD_COMPOSITION',
      'USD_COMPOSITION',
    ]);
  });

  it('treats an unreadable file as missing and reports the reason', () => {
    const source = createLayerSource(() => {
      throw new FormatError('USD_SYNTAX', 'Found x, expected y');
    }, createBudget(1000));
    const root = resolveTexts({ root: '(subLayers = [@a@])' })('root', '');
    if (root === null) throw new Error('no root');
    layerStackOf(source, root);
    expect([...source.issues.values()]).toMatchObject([
      { code: 'RESOURCE_MISSING', message: expect.stringContaining('Found x') },
    ]);
  });

  it('throws for sublayers that multiply exponentially', () => {
    const files: Record<string, string> = { root: '(subLayers = [@a0@, @b0@])' };
    for (let i = 0; i < 30; i++) {
      for (const name of 'ab') files[`${name}${i}`] = `(subLayers = [@a${i + 1}@, @b${i + 1}@])`;
    }
    expect(() => stackOf({ ...files, a30: '', b30: '' })).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
  });
});
