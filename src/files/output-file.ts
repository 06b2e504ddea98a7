/** A file to be written: its parts one after the other, so that large data need not be joined. */
export interface OutputFile {
  readonly path: string;
  readonly parts: readonly Uint8Array[];
  /** Whether it is there because another output names it, as layers of a USD scene. */
  readonly comesAlong?: boolean;
}
