import { join } from 'node:path';

/** Folder of the built page of the studio, found from here in the source and in the bundle. */
export const STUDIO_PAGE: string = join(import.meta.dirname, '../../dist/studio');
