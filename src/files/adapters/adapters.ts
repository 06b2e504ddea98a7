import type { OpenFile } from '../open-file.ts';
import { formatFamily, type OutputFormat } from '../outputs/output-format.ts';
import { BVH_ADAPTER } from './bvh-adapter.ts';
import { FBX_ADAPTER } from './fbx-adapter.ts';
import type { FormatAdapter } from './format-adapter.ts';
import { GLTF_ADAPTER } from './gltf-adapter.ts';
import { MMD_ADAPTER } from './mmd-adapter.ts';
import { NPZ_ADAPTER } from './npz-adapter.ts';
import { POINTS_ADAPTER } from './points-adapter.ts';
import { USD_ADAPTER } from './usd-adapter.ts';

export const ADAPTERS: {
  readonly [Format in OpenFile['format']]: FormatAdapter<Extract<OpenFile, { format: Format }>>;
} = {
  gltf: GLTF_ADAPTER,
  bvh: BVH_ADAPTER,
  fbx: FBX_ADAPTER,
  usd: USD_ADAPTER,
  npz: NPZ_ADAPTER,
  mmd: MMD_ADAPTER,
  points: POINTS_ADAPTER,
};

export function adapterOf<File extends OpenFile>(file: File): FormatAdapter<File> {
  return ADAPTERS[file.format] as unknown as FormatAdapter<File>;
}

export function adapterForOutput(format: OutputFormat): FormatAdapter {
  return ADAPTERS[formatFamily(format)] as unknown as FormatAdapter;
}
