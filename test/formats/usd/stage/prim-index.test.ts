import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../../src/formats/usd/stage/composition-budget.ts';
import type { LayerStack } from '../../../../src/formats/usd/stage/layer-stack.ts';
import { createLayerSource, layerStackOf } from '../../../../src/formats/usd/stage/layer-stack.ts';
import {
  type Arc,
  type ArcType,
  addChild,
  allSites,
  createSite,
  extendTree,
  isCycle,
  opinionsAt,
  pathOnStage,
  type Site,
  sitesInStrengthOrder,
} from '../../../../src/formats/usd/stage/prim-index.ts';
import { resolveTexts } from './scene.ts';

function stackOf(text: string): LayerStack {
  const resolve = resolveTexts({ root: text });
  const root = resolve('root', '');
  if (root === null) throw new Error('no root');
  return layerStackOf(createLayerSource(resolve, createBudget(10)), root);
}

const stack = stackOf('def "A" { int p\n def "K" {} }\ndef "B" { def "K" {} }\ndef "C" {}');
const NONE = { offset: 0, scale: 1 };

function below(parent: Site, type: ArcType, path: string, more: Partial<Arc> = {}): Site {
  const site = createSite(
    createBudget(10),
    stack,
    path,
    { type, from: path, to: parent.path, hasRootIdentity: false, namespaceDepth: 1, siblingIndex: 0, ...more },
    parent,
    NONE,
  );
  addChild(parent, site);
  return site;
}

function root(path = '/A'): Site {
  const arc = { type: 'root', from: '/', to: '/', hasRootIdentity: true, namespaceDepth: 0, siblingIndex: 0 } as const;
  return createSite(createBudget(10), stack, path, arc, null, NONE);
}

describe('sitesInStrengthOrder', () => {
  it('is LIVRPS, specializes last', () => {
    const top = root();
    const payload = below(top, 'payload', '/P');
    below(payload, 'specialize', '/S2');
    below(payload, 'inherit', '/I2');
    below(top, 'specialize', '/S');
    below(top, 'reference', '/R');
    below(top, 'variant', '/A{v=x}');
    below(top, 'inherit', '/I');
    expect(sitesInStrengthOrder(top).map(({ path }) => path)).toEqual([
      '/A',
      '/I',
      '/A{v=x}',
      '/R',
      '/P',
      '/I2',
      '/S',
      '/S2',
    ]);
    expect(allSites(top)).toHaveLength(8);
  });

  it('puts arcs of the prim before those of ancestors, then by sibling index', () => {
    const top = root('/A/K');
    below(top, 'reference', '/Far', { to: '/A' });
    below(top, 'reference', '/Second', { siblingIndex: 1 });
    below(top, 'reference', '/First');
    expect(sitesInStrengthOrder(top).map(({ path }) => path)).toEqual(['/A/K', '/First', '/Second', '/Far']);
  });
});

describe('extendTree', () => {
  it('extends all sites by a name and drops those without opinions', () => {
    const top = root();
    below(top, 'reference', '/B');
    below(top, 'reference', '/C', { siblingIndex: 1 });
    expect(allSites(extendTree(createBudget(10), top, 'K', null)).map(({ path }) => path)).toEqual(['/A/K', '/B/K']);
    expect(allSites(top)).toHaveLength(3);
  });

  it('makes local opinions on descendants of an instance inert', () => {
    const top = root();
    below(top, 'reference', '/B');
    const kid = extendTree(createBudget(10), top, 'K', 1);
    expect(allSites(kid).map(({ path, isInert }) => [path, isInert])).toEqual([
      ['/A/K', true],
      ['/B/K', false],
    ]);
    expect(opinionsAt(allSites(kid)).map(({ site }) => site.path)).toEqual(['/B/K']);
  });
});

describe('pathOnStage', () => {
  it('maps through every arc up to the root', () => {
    const mid = below(root('/W/Hero'), 'reference', '/M', { to: '/W/Hero' });
    const deep = below(mid, 'reference', '/C', { to: '/M/Char' });
    expect(pathOnStage(deep, '/C/Skel')).toBe('/W/Hero/Char/Skel');
    expect(pathOnStage(deep, '/C.p')).toBe('/W/Hero/Char.p');
    expect(pathOnStage(deep, '/Else')).toBeNull();
    expect(pathOnStage(deep, '/C/Skel', mid)).toBe('/M/Char/Skel');
  });
});

describe('isCycle', () => {
  it('finds the target itself, its ancestors and descendants, among all parents', () => {
    const site = below(root('/W/Hero'), 'reference', '/M{v=x}N');
    expect(['/M/N', '/M', '/M/N/O', '/W', '/W/Hero/X'].map((path) => isCycle(site, stack, path))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['/MN', '/W/Hero2', '/M/NN'].map((path) => isCycle(site, stack, path))).toEqual([false, false, false]);
    expect(isCycle(site, stackOf(''), '/M/N')).toBe(false);
  });
});

describe('createSite', () => {
  it('detects specs, arcs and variants at the path', () => {
    const said = stackOf('def "A" {}\ndef "B" (inherits = </A>) {}');
    const arc = {
      type: 'root',
      from: '/',
      to: '/',
      hasRootIdentity: true,
      namespaceDepth: 0,
      siblingIndex: 0,
    } as const;
    const at = (path: string): Site => createSite(createBudget(10), said, path, arc, null, NONE);
    expect(['/A', '/B', '/C'].map((path) => [at(path).hasSpec, at(path).hasArcs])).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ]);
  });

  it('throws for a hundred nested arcs', () => {
    let site = root();
    expect(() => {
      for (let i = 0; i < 200; i++) site = below(site, 'reference', `/R${i}`);
    }).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
  });
});
