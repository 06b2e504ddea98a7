/** The contacts of feet, trunks and hands as one module, imported on first use. */
export { applyContacts } from '../core/contacts/plan/apply-contacts.ts';
export { planContacts } from '../core/contacts/plan/plan-contacts.ts';
export { fitGround } from '../core/contacts/plants/fit-ground.ts';
export { findMotionEvents } from '../core/contacts/plants/motion-events.ts';
export { describeContactSurface } from '../core/contacts/surface/contact-surface.ts';
