/** Scenes of texts: the first file is the root. */

import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import type { ResolveLayer } from '../../../../src/formats/usd/stage/layer-stack.ts';
import { type OpenStageOptions, openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage, Time } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

/** Braces at the end of a line are read where the grammar wants statements to end with theirs. */
function parseText(text: string): ReturnType<typeof parseUsda> {
  return parseUsda(`#usda 1.0\n${text.replaceAll(' }', '\n}')}`);
}

/** Finds texts by the name behind `./`; each is parsed once. */
export function resolveTexts(files: Readonly<Record<string, string>>): ResolveLayer {
  const layers = new Map(Object.entries(files).map(([name, text]) => [name, { id: name, layer: parseText(text) }]));
  return (asset) => layers.get(asset.replace(/^\.\//, '')) ?? null;
}

/** A stage of a text and of the files that it names. */
export function stageOf(
  root: string,
  files: Readonly<Record<string, string>> = {},
  options: Omit<OpenStageOptions, 'resolve'> = {},
): Stage {
  const resolve = resolveTexts({ ...files, 'root.usda': root });
  const opened = resolve('root.usda', '');
  if (opened === null) throw new Error('no root');
  return openStage(opened.layer, { id: 'root.usda', resolve, ...options });
}

/** A value as plain numbers or texts; null when there is none. */
export function plain(stage: Stage, path: string, name: string, time: Time = 'default'): unknown {
  const value = attributeValue(stage, path, name, time);
  if (value === null) return null;
  const items = 'numbers' in value ? [...value.numbers] : 'texts' in value ? [...value.texts] : [];
  return items.length === 1 && 'isArray' in value && !value.isArray ? items[0] : items;
}
