/** Edits of clips on their way from file to file, in the order in which they are done. */
export interface ClipEdits {
  /** Seconds of the motion that are kept; where one is missing, from its start or to its end. */
  readonly trim?: { readonly from?: number; readonly to?: number };
  /** 2 is twice as fast. */
  readonly speed?: number;
  /** Left becomes right. */
  readonly mirror?: boolean;
  /** The end is made to meet the start. */
  readonly loop?: boolean;
  /** Degrees: keys are dropped as long as no tip of a joint is further off than if its whole chain had turned by that. */
  readonly reduce?: number;
}

/** Whether anything is to be done. */
export function hasEdits({ trim, speed, mirror, loop, reduce }: ClipEdits): boolean {
  return trim !== undefined || speed !== undefined || mirror === true || loop === true || reduce !== undefined;
}
