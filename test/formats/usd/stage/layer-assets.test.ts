import { expect, it } from 'vitest';
import { layerAssets } from '../../../../src/formats/usd/stage/layer-assets.ts';
import { resolveTexts } from './scene.ts';

it('layerAssets: lists composition assets of a layer, each once, without textures', () => {
  const root = resolveTexts({
    root: `(subLayers = [@sub@])
      def "A" (prepend references = [@ref@, </B>, @ref@</X>]
        payload = @pay@
        delete inherits = </C>
        clips = { dictionary default = { asset[] assetPaths = [@c1@, @c2@]
            asset manifestAssetPath = @man@ } }
        variants = { string v = "x" }
        prepend variantSets = "v") { asset tex = @t.png@
        variantSet "v" = { "x" (references = @var@) {} } }`,
  })('root', '');
  expect(layerAssets(root?.layer ?? { specs: new Map(), issues: [] }).sort()).toEqual([
    'c1',
    'c2',
    'man',
    'pay',
    'ref',
    'sub',
    'var',
  ]);
});
