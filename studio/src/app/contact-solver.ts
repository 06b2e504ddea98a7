/** A second worker for contacts, which take seconds: the first one stays free for quick results. */
import type { RetargetRequest, RetargetResult } from '../engine/protocol.ts';
import { createEngineClient, type EngineClient, type InputFile } from './engine-client.ts';

/** Retargets with contacts beside the first worker. */
export interface ContactSolver {
  /** Retargets a clip with all options. */
  retarget(request: RetargetRequest): Promise<RetargetResult>;
  /** Frees a file. */
  close(id: string): Promise<void>;
}

/** Lists the files that a request needs: motion, character, and those whose poses are used. */
function filesOf({ motion, character, source, target }: RetargetRequest): Set<string> {
  const poses = [source.pose, target.pose].flatMap((pose) => (pose.kind === 'file' ? [pose.file] : []));
  return new Set([motion, character, ...poses]);
}

/** Creates a solver. Its worker starts, and files are opened in it, when it is first needed. */
export function createContactSolver(fileOf: (id: string) => InputFile): ContactSolver {
  let client: EngineClient | null = null;
  const opened = new Map<string, Promise<void>>();

  async function retarget(request: RetargetRequest): Promise<RetargetResult> {
    client ??= createEngineClient();
    for (const id of filesOf(request)) {
      const loading = opened.get(id) ?? client.load(fileOf(id));
      opened.set(id, loading);
      // A file that could not be opened is tried again.
      loading.catch(() => opened.delete(id));
      await loading;
    }
    return await client.retarget(request);
  }

  return {
    retarget,
    close: async (id) => {
      if (opened.delete(id)) await client?.close(id);
    },
  };
}
