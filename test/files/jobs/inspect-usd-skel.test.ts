import { describe, expect, it } from 'vitest';
import { inspectUsdSkel } from '../../../src/files/jobs/inspect-usd-skel.ts';
import { demoBytes } from '../../support/make/demo-files.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
const API = 'prepend apiSchemas = ["SkelBindingAPI"]';
/** A skeleton that another file references. */
const SCENE = `def SkelRoot "R" (
  ${API}
  references = @body.usda@</Body>
)
{
  rel skel:skeleton = </R/S>
  def Mesh "M" {
    point3f[] points = [(1, 2, 3)]
  }
}
`;
const BODY = 'def Xform "Body" {\n  def Skeleton "S" {\n    uniform token[] joints = ["a"]\n  }\n}\n';

describe('inspectUsdSkel', () => {
  it('describes the skeletons of a scene in several files', async () => {
    const readResource = async (): Promise<Uint8Array> => bytesOf(BODY);
    const report = await inspectUsdSkel(bytesOf(SCENE), { name: 'x/a.usda', readResource });
    expect(report).toMatchObject({
      file: 'x/a.usda',
      roots: [{ path: '/R', bindings: [{ skeleton: '/R/S', joints: ['a'], samples: [{ t: 'default' }] }] }],
    });
    expect(report.roots[0].bindings[0].samples[0].prims).toEqual([{ prim: '/R/M', points: [[1, 2, 3]] }]);
  });

  it('reports missing files as issues', async () => {
    const { roots, issues } = await inspectUsdSkel(bytesOf(SCENE), { hasSamples: false });
    expect(roots).toEqual([{ path: '/R', bindings: [] }]);
    expect(issues.map(({ code }) => code)).toContain('RESOURCE_MISSING');
  });

  it('throws for formats other than USD', async () => {
    const failure = (bytes: Uint8Array): Promise<unknown> =>
      inspectUsdSkel(bytes, { name: 'walk.glb' }).catch((error: unknown) => error);
    expect(await failure(demoBytes('walk.glb'))).toMatchObject({
      name: 'OptionError',
      message: 'walk.glb is GLB; expected USD: .usda, .usdc, .usdz or .usd',
    });
    expect(await failure(new TextEncoder().encode('hello'))).toMatchObject({ code: 'FORMAT_UNKNOWN' });
    expect(await failure(bytesOf('def'))).toMatchObject({ code: 'USD_SYNTAX' });
  });
});
