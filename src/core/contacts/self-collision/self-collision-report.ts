/** The report of arms that were kept out of a character. */

/** What keeping arms out of the character changed. */
export interface SelfCollisionReport {
  /** Seconds in which an arm is moved by more than 1° at shoulder or elbow. */
  readonly seconds: number;
  /** Greatest distance that a wrist was moved, meters. */
  readonly largestChange: number;
}
