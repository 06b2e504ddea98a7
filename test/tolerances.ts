/**
 * Every tolerance of the tests, each with its reason.
 * Angles of quaternions are measured by the chord, never by acos, which loses half the digits near 0.
 */

/** A few roundings of float64 on values around 1. */
export const EXACT = 1e-12;
/** float64 where values are in the hundreds or several results build on each other (determinants, inverses). */
export const EXACT_CHAIN = 1e-10;
/** The shortest arc, which takes directions within 1e-12 of opposite for opposite; a turn doubles that. */
export const NEAR_OPPOSITE = 3e-12;
/** The laws of retargeting in float64: some hundred products along the longest chain. */
export const LAW_F64 = 1e-9;
/** The same, radians, once the keys went through float32: 2⁻²⁴ a component, times the depth of a chain. */
export const LAW_F32 = 1e-5;
/** Agreement with other people's players, which compute in float32 or with approximations of slerp. */
export const SECOND_OPINION = 1e-5;
/** World rotation, degrees, where a motion was resampled: twice the bound of the resampler, for the float32 store. */
export const GESTURE_DEGREES = 0.01;
