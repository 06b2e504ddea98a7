/** Errors as the user sees them: one line, an exit code, and JSON where that was asked for. */
import { FormatError, type Place, printPlace } from '../core/report/format-error.ts';
import { OptionError } from '../files/option-error.ts';
import { OutputError } from '../files/output-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { InputError } from './input-error.ts';
import { oneLine } from './io.ts';
import { UsageError } from './usage-error.ts';

/** Why a command ended early. */
export interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly where: Place;
  /** The file that it is about; null when it is about none. */
  readonly file: string | null;
  /** Whether the error is our own fault. */
  readonly isBug: boolean;
}

/** What goes before a message about an option of the library, its flag: `targetSkeleton` → `--target-skeleton: `. The file itself has none. */
function flagOf(option: string): string {
  if (option === 'file') return '';
  if (option === 'output') return '--out: ';
  if (option === 'mesh') return '--no-mesh: ';
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: `;
}

/** What an error means for the user. */
export function failureOf(error: unknown): Failure {
  const base = { where: {}, file: null, isBug: false };
  if (error instanceof InputError) {
    const { file, reason } = error;
    return { ...base, exit: EXIT.unreadable, code: reason.code, message: reason.message, where: reason.where, file };
  }
  if (error instanceof FormatError) {
    return { ...base, exit: EXIT.unreadable, code: error.code, message: error.message, where: error.where };
  }
  if (error instanceof OptionError) {
    return { ...base, exit: EXIT.usage, code: 'OPTION_INVALID', message: `${flagOf(error.option)}${error.message}` };
  }
  if (error instanceof OutputError) {
    const exit = error.code === 'OVERWRITE_REFUSED' ? EXIT.usage : EXIT.unwritable;
    return { ...base, exit, code: error.code, message: error.message, file: error.path };
  }
  // Errors of citty about missing arguments.
  if (error instanceof UsageError || (error instanceof Error && error.name === 'CLIError')) {
    return { ...base, exit: EXIT.usage, code: 'USAGE', message: error.message };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, exit: EXIT.nothing, code: 'BUG', message, isBug: true };
}

/** `error CODE: message (file, place)`; only lists of choices take more than one line. */
export function printFailure({ exit, code, message, where, file, isBug }: Failure): string {
  if (isBug) return `error ${code}: ${oneLine(message)}. This is a bug of anyrig; please report it`;
  const showsFile = file !== null && !message.includes(file);
  const place = [showsFile ? file : '', printPlace(where)].filter((part) => part !== '').join(', ');
  const text = exit === EXIT.usage ? message.split('\n').map(oneLine).join('\n') : oneLine(message);
  return `error ${code}: ${text}${place === '' ? '' : ` (${oneLine(place)})`}`;
}

/** The same for programs. */
export function failureJson({ code, message, where, file }: Failure): object {
  return { ok: false, error: { code, message, where, file } };
}
