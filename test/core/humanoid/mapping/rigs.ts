/** Hand-made rigs in the text format of placedRig: unusual humanoids, and other things. */

const LEG = `
 *thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12`;
const ARM = `
   *clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.45 1.42 -0.03 > hand 0.7 1.42 0`;
const HEAD = `
   neck 0 1.48 -0.01 > head 0 1.58 0.02`;

export const HUMAN: string = `
hips 0 0.97 0
 spine 0 1.08 0
  chest 0 1.25 -0.02${ARM}${HEAD}${LEG}`;

/** Humanoids of all kinds. */
export const HUMANOIDS: Readonly<Record<string, string>> = {
  'a plain humanoid': HUMAN,
  'a humanoid with a tail and long ears': `
hips 0 0.97 0
 tail1 0 0.95 -0.1 > tail2 0 0.8 -0.35 > tail3 0 0.6 -0.55 > tail4 0 0.5 -0.8
 spine 0 1.08 0
  chest 0 1.25 -0.02${ARM}
   neck 0 1.48 -0.01 > head 0 1.58 0.02
    *ear1 0.06 1.75 0 > ear2 0.1 1.95 0 > ear3 0.12 2.15 -0.02${LEG}`,
  'a humanoid in a skirt with twin tails of hair': `
hips 0 0.97 0
 spine 0 1.08 0
  chest 0 1.25 -0.02${ARM}
   neck 0 1.48 -0.01 > head 0 1.58 0.02
    *hair1 0.1 1.7 -0.05 > hair2 0.2 1.5 -0.1 > hair3 0.22 1.2 -0.12 > hair4 0.22 0.9 -0.12
 *skirtFront1 0.1 0.9 0.1 > skirtFront2 0.14 0.7 0.16 > skirtFront3 0.17 0.5 0.2
 *skirtBack1 0.1 0.9 -0.1 > skirtBack2 0.14 0.7 -0.16 > skirtBack3 0.17 0.5 -0.2${LEG}`,
  'a humanoid on a chair': `
hips 0 0.5 0
 spine 0 0.61 0
  chest 0 0.78 -0.02
   *clavicle 0.03 0.95 0 > upperarm 0.18 0.95 -0.02 > forearm 0.2 0.7 0.05 > hand 0.16 0.62 0.28
   neck 0 1.01 -0.01 > head 0 1.11 0.02
 *thigh 0.09 0.47 0 > shin 0.1 0.48 0.42 > foot 0.1 0.07 0.4 > toe 0.1 0.02 0.54`,
  'a toy without neck, shoulders and toes': `
hips 0 0.4 0
 chest 0 0.55 0
  *arm 0.2 0.85 0 > elbow 0.38 0.75 -0.02 > fist 0.55 0.66 0.02
  head 0 0.95 0.02
 *leg 0.12 0.38 0 > knee 0.12 0.22 0.02 > foot 0.12 0.06 -0.01`,
  'a humanoid with its arms down': `
hips 0 0.97 0
 spine 0 1.08 0
  chest 0 1.25 -0.02
   *clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.2 1.16 -0.03 > hand 0.21 0.92 0.02${HEAD}${LEG}`,
  'a humanoid with a weapon in one hand and a cape': `
hips 0 0.97 0
 spine 0 1.08 0
  chest 0 1.25 -0.02${ARM}${HEAD}
   cape1 0 1.4 -0.1 > cape2 0 1.1 -0.15 > cape3 0 0.8 -0.2 > cape4 0 0.4 -0.25
   scabbard 0.2 1.1 -0.1 > sword1 0.3 0.8 -0.1 > sword2 0.4 0.5 -0.1${LEG}`,
  'a humanoid that leans and looks down': `
hips 0 0.97 0
 spine 0 1.08 0.03
  chest 0 1.24 0.1
   *clavicle 0.03 1.39 0.2 > upperarm 0.18 1.39 0.18 > forearm 0.3 1.16 0.15 > hand 0.36 0.93 0.2
   neck 0 1.44 0.23 > head 0 1.5 0.31${LEG}`,
};

/** Rigs that are not humanoids. */
export const OTHERS: Readonly<Record<string, string>> = {
  'a spider': `
body 0 0.3 0
 *a1 0.1 0.3 0.15 > a2 0.4 0.6 0.4 > a3 0.8 0.4 0.7 > a4 1.1 0 0.9
 *b1 0.1 0.3 0.05 > b2 0.5 0.6 0.15 > b3 0.9 0.4 0.25 > b4 1.2 0 0.3
 *c1 0.1 0.3 -0.05 > c2 0.5 0.6 -0.15 > c3 0.9 0.4 -0.25 > c4 1.2 0 -0.3
 *d1 0.1 0.3 -0.15 > d2 0.4 0.6 -0.4 > d3 0.8 0.4 -0.7 > d4 1.1 0 -0.9
 head 0 0.3 0.3
  *fang1 0.05 0.3 0.4 > fang2 0.04 0.2 0.45
 tail 0 0.35 -0.5`,
  'a dog': `
hips 0 0.55 -0.4
 spine1 0 0.56 -0.2 > spine2 0 0.56 0 > chest 0 0.56 0.2
  neck 0 0.65 0.35 > head 0 0.75 0.45 > jaw 0 0.7 0.55
  *shoulder 0.08 0.5 0.22 > elbow 0.08 0.3 0.15 > wrist 0.08 0.1 0.17 > paw 0.08 0.02 0.2
 *thigh 0.08 0.52 -0.4 > knee 0.08 0.32 -0.32 > hock 0.08 0.16 -0.47 > paw 0.08 0.02 -0.43
 tail1 0 0.55 -0.5 > tail2 0 0.6 -0.65 > tail3 0 0.65 -0.8`,
  'the arm of a robot with a gripper': `
base 0 0 0 > turn 0 0.2 0 > upper 0 0.5 0.1 > lower 0 0.9 0.3 > wrist 0 1 0.6 > flange 0 0.95 0.7
 *grip1 0.05 0.93 0.75 > grip2 0.05 0.9 0.8 > grip3 0.03 0.88 0.85`,
  'a snake': Array.from({ length: 30 }, (_, k) => `s${k} ${Math.sin(k / 3).toFixed(2)} 0 ${(k / 5).toFixed(2)}`).join(
    ' > ',
  ),
  'a stick of two joints': 'a 0 0 0 > b 0 1 0',
  'a chair': `
seat 0 0.5 0
 back 0 0.9 -0.25
 *front 0.25 0.45 0.25 > frontMiddle 0.25 0.22 0.25 > frontEnd 0.25 0 0.25
 *rear 0.25 0.45 -0.25 > rearMiddle 0.25 0.22 -0.25 > rearEnd 0.25 0 -0.25`,
  'a bird': `
hips 0 0.3 -0.05
 spine 0 0.33 0 > chest 0 0.36 0.08
  neck1 0 0.42 0.14 > neck2 0 0.5 0.17 > head 0 0.55 0.2 > beak 0 0.54 0.28
  *wing1 0.05 0.4 0.06 > wing2 0.3 0.45 0.02 > wing3 0.6 0.45 0.05 > wing4 0.9 0.43 -0.05
 *thigh 0.04 0.28 -0.03 > shin 0.04 0.2 0.03 > tarsus 0.04 0.12 -0.05 > toes 0.04 0.01 0
 tail1 0 0.3 -0.12 > tail2 0 0.29 -0.25`,
  'a table lamp': 'foot 0 0 0 > arm 0 0.3 0.1 > arm2 0 0.6 -0.1 > shade 0 0.7 0.1',
  'a hand alone': `
wrist 0 0 0
 thumb1 0.02 0 0.03 > thumb2 0.04 0 0.05 > thumb3 0.06 0 0.07
 index1 0.09 0 0.03 > index2 0.13 0 0.03 > index3 0.155 0 0.03
 middle1 0.095 0 0.01 > middle2 0.14 0 0.01 > middle3 0.166 0 0.01
 ring1 0.09 0 -0.01 > ring2 0.13 0 -0.01 > ring3 0.156 0 -0.01
 little1 0.08 0 -0.03 > little2 0.11 0 -0.03 > little3 0.13 0 -0.03`,
};
