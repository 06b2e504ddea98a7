/** Flags for how motions are put on characters, of `retarget` and `batch`. */
import type { RetargetMotionsOptions } from '../../files/jobs/retarget-motions.ts';
import type { InputOptions } from '../open-input.ts';
import { type EditArgs, readEdits } from './edit-flags.ts';
import {
  POSE_CHOICES,
  readContacts,
  readHands,
  readHipsScale,
  readHumanoidOptions,
  readSpace,
} from './read-options.ts';

/** Definitions of the flags for citty. */
export const RETARGET_FLAGS = {
  face: {
    type: 'boolean',
    default: true,
    description: 'Retarget expressions, morph weights and look-at by meaning',
    negativeDescription: 'Transfer only morph weights of nodes and targets with equal names',
  },
  'hips-scale': {
    type: 'string',
    valueHint: 'SCALE',
    description:
      'How far the hips travel per meter of the motion: hips (ratio of the hips heights, the default), legs (of the legs), stature (of the heights), none (1), or a factor',
  },
  contacts: {
    type: 'string',
    valueHint: 'MODE',
    description:
      'Contacts with the ground: auto (as the motion has them), lock (planted feet do not move), ground (only nothing below the floor), off (rotations exactly those of the motion)',
  },
  'arm-space': {
    type: 'string',
    valueHint: 'DEGREES',
    description: 'Rotate the upper arms outward: degrees, or auto for wider characters',
  },
  'leg-space': {
    type: 'string',
    valueHint: 'DEGREES',
    description: 'Rotate the upper legs outward; same values',
  },
  'self-collision': {
    type: 'boolean',
    default: true,
    description: 'Keep arms out of trunk, head and thighs, as far as those of the motion are out',
    negativeDescription: 'Let arms go through trunk, head and thighs',
  },
  hands: {
    type: 'string',
    valueHint: 'MODE',
    description:
      'Contacts of hands with each other, trunk, head, arms and legs: keep (as the motion has them; needs meshes of both), off (the default)',
  },
  distribute: {
    type: 'boolean',
    description: 'Distribute rotations of trunk and fingers over the joints between the bones, as in long spines',
  },
  twist: {
    type: 'boolean',
    default: true,
    description: 'Rotate twist joints of arms and legs by their position along the limb',
    negativeDescription: 'Keep twist joints of arms and legs in their rest pose',
  },
  'source-map': {
    type: 'string',
    valueHint: 'FILE',
    description: 'Bone map of the motions, from "anyrig map"',
  },
  'target-map': { type: 'string', valueHint: 'FILE', description: 'Bone map of the character' },
  'source-skeleton': {
    type: 'string',
    valueHint: 'NAME|INDEX',
    description: 'Skeleton of the motions, if there are several',
  },
  'target-skeleton': {
    type: 'string',
    valueHint: 'NAME|INDEX',
    description: 'Skeleton of the character, if there are several',
  },
  'source-pose': {
    type: 'string',
    valueHint: 'POSE',
    description: `Reference pose of the motions: ${POSE_CHOICES}`,
  },
  'target-pose': {
    type: 'string',
    valueHint: 'POSE',
    description: 'Reference pose of the character; same values',
  },
} as const;

/** Values of the flags. */
export interface RetargetArgs extends EditArgs {
  /** Retargets faces by meaning. */
  readonly face: boolean;
  /** Scale of hips translation. */
  readonly 'hips-scale'?: string | undefined;
  /** How contacts are kept. */
  readonly contacts?: string | undefined;
  /** Outward rotation of the upper arms. */
  readonly 'arm-space'?: string | undefined;
  /** Outward rotation of the upper legs. */
  readonly 'leg-space'?: string | undefined;
  /** Keeps arms out of the trunk. */
  readonly 'self-collision': boolean;
  /** Contacts of hands. */
  readonly hands?: string | undefined;
  /** Distributes rotations of trunk and fingers. */
  readonly distribute?: boolean | undefined;
  /** Rotates twist joints. */
  readonly twist: boolean;
  /** Bone map of the motions. */
  readonly 'source-map'?: string | undefined;
  /** Bone map of the character. */
  readonly 'target-map'?: string | undefined;
  /** Skeleton of the motions. */
  readonly 'source-skeleton'?: string | undefined;
  /** Skeleton of the character. */
  readonly 'target-skeleton'?: string | undefined;
  /** Reference pose of the motions. */
  readonly 'source-pose'?: string | undefined;
  /** Reference pose of the character. */
  readonly 'target-pose'?: string | undefined;
}

/**
 * Converts flag values to options, and reads the files that they name.
 * @param args values of {@link RETARGET_FLAGS} and of the edits
 * @param input which files an input may reference
 * @returns options of the job
 * @throws UsageError for values out of range; InputError when a file cannot be read
 */
export async function readRetargetOptions(
  args: RetargetArgs,
  input: InputOptions,
): Promise<Omit<RetargetMotionsOptions, 'output'>> {
  const contacts = args.contacts ?? 'auto';
  return {
    face: args.face,
    contacts: readContacts(contacts),
    armSpace: readSpace('arm-space', args['arm-space'], contacts),
    legSpace: readSpace('leg-space', args['leg-space'], contacts),
    ...(args['self-collision'] ? {} : { selfCollision: false }),
    hands: readHands(args.hands, contacts),
    channels: {
      hipsScale: readHipsScale(args['hips-scale'] ?? 'hips'),
      distribute: args.distribute === true,
      twist: args.twist,
    },
    edits: readEdits(args),
    source: await readHumanoidOptions(
      { map: args['source-map'], skeleton: args['source-skeleton'], pose: args['source-pose'] },
      input,
    ),
    target: await readHumanoidOptions(
      { map: args['target-map'], skeleton: args['target-skeleton'], pose: args['target-pose'] },
      input,
    ),
  };
}
