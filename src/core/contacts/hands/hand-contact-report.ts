/** The report of contacts of hands. */

/** What keeping the contacts of hands changed. */
export interface HandContactReport {
  /** Number of contacts of the source: a hand on the trunk, the head, a leg, the other hand or the other arm. */
  readonly contacts: number;
  /** Number of them that the arms cannot bring about: these hands are as after plain retargeting. */
  readonly lost: number;
  /** Seconds in which a hand touches. */
  readonly seconds: number;
  /** Greatest distance from the shoulder to where the wrist should be, relative to the length of the arm. Above 1 it is out of reach. */
  readonly reach: number;
  /** Greatest distance that a wrist was moved, meters. */
  readonly largestChange: number;
}
