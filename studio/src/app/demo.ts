/** The characters and motions that are part of the page. */
import type { InputFile } from './engine-client.ts';
import type { Studio } from './studio.ts';

/** Adds the built-in files: any motion goes on any character. */
export async function addDemo(studio: Studio, isShown: boolean): Promise<void> {
  const files = await studio.client.engine().demo();
  const inputs = files.map(({ path, bytes }): InputFile => {
    return { id: `demo-${path}`, name: path, blob: new Blob([bytes]), resources: new Map() };
  });
  await studio.add(inputs, { isBuiltIn: true, isShown });
}
