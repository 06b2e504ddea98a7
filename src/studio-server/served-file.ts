export interface ServedFile {
  readonly mediaType: string;
  /** Whether its content never changes. */
  readonly isImmutable: boolean;
  /** Reads the content at the time of the request. */
  readonly read: () => Promise<Uint8Array>;
}
