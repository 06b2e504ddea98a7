import type { Clip } from '../../core/animation/clip.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { FoundHumanoid } from '../../files/humanoid/find-humanoid.ts';
import type { OpenFile } from '../../files/open.ts';
import type { ComparedCharacter, CompareFigures, MeasuredMotion } from './figures.ts';

/** What is compared with the source: a copy by name, plain retargeting, retargeting with contacts, the result, and another result. */
export type CompareColumn = 'names' | 'off' | 'auto' | 'result' | 'with';

/** A clip and how it came out. */
export interface ComparedClip {
  /** Name of the clip in the source, or of its file where all clips of an exporter have that name. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Meters of the character per meter of the source. */
  readonly hipsScale: number;
  /** Figures of each column beside the source; without columns that do not exist. */
  readonly columns: Readonly<Partial<Record<CompareColumn, CompareFigures>>>;
}

/** Report of a comparison. */
export interface CompareReport {
  /** Whether clips were compared. */
  readonly ok: boolean;
  /** Name of the source file. */
  readonly source: string;
  /** Name of the result. */
  readonly result: string;
  /** Name of the other result; null without one. */
  readonly with: string | null;
  /** The clips. */
  readonly clips: readonly ComparedClip[];
  /** Number of clips beyond the limit of 24. */
  readonly clipsLeftOut: number;
  /** Why something is missing. */
  readonly issues: readonly Issue[];
}

export interface DrawnColumn {
  /** The column; null for the source. */
  readonly column: CompareColumn | null;
  readonly file: OpenFile;
  readonly found: FoundHumanoid;
  readonly character: ComparedCharacter;
  readonly surface: ContactSurface;
  readonly clip: Clip;
  /** Its figures over time; null for the source. */
  readonly measured: MeasuredMotion | null;
}
