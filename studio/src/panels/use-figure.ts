/** Asks the worker for what is known about the figure of a file. */
import { useEffect, useState } from 'preact/hooks';
import { editsOf } from '../app/project.ts';
import type { FigureData } from '../engine/protocol.ts';
import { usePage } from './context.ts';

/**
 * Describes the figure of a file with the present decisions about it.
 *
 * @param file Id of the file; null for none.
 * @returns The description; null until it is known.
 */
export function useFigure(file: string | null): FigureData | null {
  const { studio } = usePage();
  const [data, setData] = useState<FigureData | null>(null);
  const edits = file === null ? null : editsOf(studio.history.state.value, file);
  const key = JSON.stringify([file, edits]);
  // The key stands for file and edits.
  useEffect(() => {
    if (file === null || edits === null) return setData(null);
    let isCurrent = true;
    const show = (found: FigureData): void => {
      if (isCurrent) setData(found);
    };
    const fail = (error: Error): void => show({ joints: [], humanoid: null, reason: error.message });
    studio.client.engine().figure(file, edits).then(show, fail);
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return data;
}
