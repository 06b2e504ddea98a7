import { mkdirSync } from 'node:fs';
import { OutputError } from '../../files/outputs/output-error.ts';
import { writeReason } from '../../files/reports/system-reason.ts';
import { checkOwn, type Journal, openJournal, readJournals, readReadyLine } from './journal.ts';
import {
  createResultFinder,
  publish,
  removeResult,
  removeTemporaryFiles,
  temporaryFolderOf,
  temporaryPrefix,
} from './publish.ts';
import { pathsOf, type ResultStore } from './result-store.ts';

function openFolder(folder: string, name: string): Journal {
  try {
    mkdirSync(folder, { recursive: true });
    const journal = openJournal(folder, name);
    checkOwn(temporaryFolderOf(folder), 'folder');
    removeTemporaryFiles(folder, true);
    return journal;
  } catch (error) {
    if (error instanceof OutputError) throw error;
    throw new OutputError('CANNOT_WRITE', folder, `${folder} cannot be written: ${writeReason(error)}`);
  }
}

export function createFolderStore(folder: string, name: string): ResultStore {
  const records = readJournals(folder);
  const { find } = createResultFinder(folder);
  let journal: Journal | null = null;
  const openedJournal = (): Journal => {
    if (journal === null) throw new TypeError('The store is not open; call open() before it is written');
    return journal;
  };
  const prune: ResultStore['prune'] = async (planned, current) => {
    const kept = pathsOf(current);
    const removed: string[] = [];
    for (const [id, { results }] of records) {
      if (planned.has(id) && !current.has(id)) continue;
      for (const [key, line] of results) {
        if (key === current.get(id)?.key) continue;
        removed.push(...(await removeResult(folder, line, kept)));
        openedJournal().append({ state: 'removed', id, key });
      }
    }
    return removed;
  };
  return {
    find: (task, key) => find(task, records.get(task.id), key),
    open: async () => {
      journal = openFolder(folder, name);
    },
    destination: () => ({
      type: 'folder',
      temporaryFolder: temporaryFolderOf(folder),
      prefix: temporaryPrefix(),
    }),
    publish: async (id, key, made) => {
      const position = await publish(folder, openedJournal(), id, key, made);
      return () => readReadyLine(position);
    },
    prune,
    close: () => {
      if (journal === null) return;
      journal.close();
      removeTemporaryFiles(folder, true);
    },
  };
}
