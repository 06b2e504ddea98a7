/** Files that `anyrig studio` serves together with the page. */
import type { InputFile } from './engine-client.ts';

/** A served file. */
interface GivenFile {
  readonly name: string;
  readonly url: string;
  readonly resources?: readonly GivenFile[];
}

async function blobOf({ url }: GivenFile): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: the server answered ${response.status}.`);
  return await response.blob();
}

/** Reads the files that the page names. */
export async function givenFiles(): Promise<InputFile[]> {
  const list = document.querySelector('#anyrig-files')?.textContent;
  if (list === undefined || list === null) return [];
  const given = JSON.parse(list) as readonly GivenFile[];
  return await Promise.all(
    given.map(async (file, k) => {
      const resources = await Promise.all(
        (file.resources ?? []).map(async (one) => [one.name, await blobOf(one)] as const),
      );
      return { id: `given-${k}`, name: file.name, blob: await blobOf(file), resources: new Map(resources) };
    }),
  );
}
