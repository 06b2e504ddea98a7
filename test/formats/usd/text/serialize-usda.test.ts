import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layer, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { randomLayer } from './random-layer.ts';

const TEXT = `#usda 1.0
(
    "said"
    defaultPrim = "A"
    subLayers = [
        @a.usda@,
        @b.usda@ (offset = 1; scale = 2)
    ]
)

reorder rootPrims = ["B", "A"]

def Xform "A" (
    prepend apiSchemas = ["SkelBindingAPI"]
    references = [
        @c.usda@</C> (
            offset = 1
            customData = {
                int n = 1
            }
        ),
        </D>
    ]
    variants = {
        string look = "red"
    }
    prepend variantSets = "look"
)
{
    reorder properties = ["y", "x"]
    custom uniform double x = -0 (
        doc = """two
lines"""
    )
    uniform double x.timeSamples = {
        0: 1e-7,
        1.5: None,
    }
    uniform double x.connect = </B.z>
    quatf[] y = [(1, 0, 0, 0.1)]
    rel r = [
        </A>,
        </B>,
    ]

    def "Child"
    {
    }

    over "Other"
    {
    }
    variantSet "look" = {
        "none" {

        }
        "red" (
            kind = "group"
        ) {
            asset a = @@@x@y@@@

            def "In"
            {
            }

        }
    }
}

class "B"
{
}

`;

describe('serializeUsda', () => {
  it('writes the layout of OpenUSD', () => expect(serializeUsda(parseUsda(TEXT))).toBe(TEXT));

  it('round-trips random layers', () => {
    fc.assert(
      fc.property(randomLayer, (layer) => {
        const again = parseUsda(serializeUsda(layer));
        expect(again.specs).toEqual(layer.specs);
        expect([...again.specs.keys()]).toEqual([...layer.specs.keys()]);
      }),
      { seed: 11, numRuns: lawRuns(120) },
    );
  });

  it('writes only the header for an empty layer', () => {
    expect(serializeUsda({ specs: new Map(), issues: [] })).toBe('#usda 1.0\n');
    expect(serializeUsda(parseUsda('#usda 1.0'))).toBe('#usda 1.0\n\n');
  });

  it('skips children without a spec', () => {
    const root: Spec = { type: 'pseudoRoot', fields: new Map([['primChildren', { type: 'names', names: ['gone'] }]]) };
    const layer: Layer = { specs: new Map([['/', root]]), issues: [] };
    expect(parseUsda(serializeUsda(layer)).specs.size).toBe(1);
  });

  it.each(['variantSet', 'variant'] as const)('skips a %s at the path of a prim', (type) => {
    const names = (field: string, name: string): Spec['fields'] => new Map([[field, { type: 'names', names: [name] }]]);
    const specs = new Map<string, Spec>([
      ['/', { type: 'pseudoRoot', fields: names('primChildren', 'look') }],
      ['/look', { type, fields: names('variantChildren', 'red') }],
    ]);
    expect(parseUsda(serializeUsda({ specs, issues: [] })).specs.size).toBe(1);
  });

  it('handles deep layers without recursion', () => {
    const specs = new Map<string, Spec>();
    const names = (name: string): Spec['fields'] => new Map([['primChildren', { type: 'names', names: [name] }]]);
    specs.set('/', { type: 'pseudoRoot', fields: names('a') });
    for (let path = '/a', k = 0; k < 2000; k++, path += '/a') specs.set(path, { type: 'prim', fields: names('a') });
    expect(serializeUsda({ specs, issues: [] })).toContain('over "a"');
  });
});
