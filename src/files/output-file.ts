/** A file to be written: its parts one after the other, so that large data need not be joined. */
export interface OutputFile {
  readonly path: string;
  readonly parts: readonly Uint8Array[];
}
