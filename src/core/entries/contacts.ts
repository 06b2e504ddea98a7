/** Contacts in retargeted clips: soles and surfaces of characters, planted feet, characters that sit, kneel or lie, arms outside of the trunk. */
export { collectSkinPoints } from '../asset/collect-skin-points.ts';
export { createSourceSamples, type SourceSamples } from '../contacts/frames/source-samples.ts';
export type { HandContactReport } from '../contacts/hands/hand-contact-report.ts';
export { createLiveContacts, type LiveContacts, type LivePlant } from '../contacts/live/live-contacts.ts';
export { applyContacts, type ContactResult } from '../contacts/plan/apply-contacts.ts';
export type {
  ContactMode,
  ContactOptions,
  ContactPlan,
  ContactReport,
  GroundReport,
} from '../contacts/plan/contact-plan.ts';
export { planContacts } from '../contacts/plan/plan-contacts.ts';
export type { SelfCollisionReport } from '../contacts/self-collision/self-collision-report.ts';
export type { Space, SpacingPlan } from '../contacts/spacing/plan-spacing.ts';
export { type ContactSurface, describeContactSurface } from '../contacts/surface/contact-surface.ts';
export type { Sole } from '../contacts/surface/find-sole.ts';
export type { PointGroups } from '../contacts/surface/point-groups.ts';
export type { BoneRadii, RadiusMap } from '../contacts/surface/radius-map.ts';
export { mirrorSkinPoints, type SkinPoints } from '../deform/skin-points.ts';
export type { Side } from '../humanoid/bones.ts';
