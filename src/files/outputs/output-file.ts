/** A file to write. */
export interface OutputFile {
  /** Path of the file, relative to the same folder as the `output` option. */
  readonly path: string;
  /** The content in pieces, in order, so that large data need not be joined in memory. */
  readonly parts: readonly Uint8Array[];
  /** Whether the file is written only because another output references it, such as a layer of a USD scene. */
  readonly isDependency?: boolean;
}
