import type { FieldValue, Layer, Reference } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import { namesField, referenceListField } from './spec-fields.ts';

/** Maximum nesting of dictionaries in `clips` metadata. */
const MAX_DEPTH = 5;

/**
 * Lists the asset paths of other layers: sublayers, references, payloads, value clips and their manifests. If files can only be read asynchronously,
 * load these recursively before opening a stage. Files of value clip templates are not included.
 */
export function layerAssets(layer: Layer): string[] {
  const assets = new Set<string>(namesField(layer.specs.get('/'), 'subLayers'));
  const addAll = (references: readonly Reference[]): void => {
    for (const { asset } of references) if (asset !== '') assets.add(asset);
  };
  const addValue = (value: Value, depth: number): void => {
    if (value.type === 'asset') for (const asset of value.texts) if (asset !== '') assets.add(asset);
    if (value.type !== 'dictionary' || depth > MAX_DEPTH) return;
    for (const entry of value.entries.values()) addValue(entry, depth + 1);
  };
  for (const spec of layer.specs.values()) {
    for (const field of ['references', 'payload']) {
      const edit = referenceListField(spec, field);
      if (edit === null) continue;
      addAll(edit.explicit ?? [...edit.added, ...edit.prepended, ...edit.appended]);
    }
    const clips = spec.fields.get('clips');
    if (clips?.type === 'dictionary') addValue(clips, 0);
  }
  return [...assets];
}

export function attributeAssets(layer: Layer): string[] {
  const assets = new Set<string>();
  const add = (value: FieldValue | undefined): void => {
    if (value?.type === 'asset') for (const asset of value.texts) if (asset !== '') assets.add(asset);
  };
  for (const { type, fields } of layer.specs.values()) {
    if (type !== 'attribute') continue;
    add(fields.get('default'));
    const samples = fields.get('timeSamples');
    if (samples?.type === 'timeSamples') for (const value of samples.values) add(value);
  }
  return [...assets];
}
