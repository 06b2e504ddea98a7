/** The worker of the page: offers the functions of `engine.ts`. */
import { expose, transfer } from 'comlink';
import * as engine from './engine.ts';
import type { RetargetRequest, RetargetResult, StageClip, WriteRequest, WrittenFile } from './protocol.ts';
import { buffersOf } from './stage-clip.ts';

/** The functions that the page calls; large results are moved, not copied. */
const api = {
  open: engine.open,
  close: engine.close,
  bones: engine.bones,
  demo: async (): Promise<WrittenFile[]> => {
    const { DEMO_CHARACTERS, DEMO_MOTIONS } = await import('../../../src/demo/index.ts');
    // One motion and one character first: something moves at once.
    const [first, ...others] = DEMO_MOTIONS;
    return [first, ...DEMO_CHARACTERS, ...others].map((file) => ({
      path: file.name,
      bytes: file.bytes() as Uint8Array<ArrayBuffer>,
    }));
  },
  figure: engine.figure,
  mirroredPose: engine.mirroredPose,
  glb: async (id: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await engine.glb(id);
    return transfer(bytes, [bytes.buffer]);
  },
  sourceClip: async (id: string, index: number): Promise<StageClip | null> => {
    const clip = await engine.sourceClip(id, index);
    return clip === null ? null : transfer(clip, buffersOf(clip));
  },
  retarget: async (request: RetargetRequest): Promise<RetargetResult> => {
    const result = await engine.retarget(request);
    return result.clip === null ? result : transfer(result, buffersOf(result.clip));
  },
  write: async (request: WriteRequest): Promise<WrittenFile[]> => {
    const files = await engine.write(request);
    return transfer(
      files,
      files.map(({ bytes }) => bytes.buffer),
    );
  },
};

/** The functions of the worker. */
export type Engine = typeof api;

expose(api);
