/** Names of naming conventions for people. */

const WORDS: Readonly<Record<string, string>> = {
  arkit: 'ARKit',
  asf: 'ASF',
  bvh: 'BVH',
  cmu: 'CMU',
  daz: 'DAZ',
  def: 'DEF',
  ext: 'EXT',
  humanik: 'HumanIK',
  lafan1: 'LAFAN1',
  makehuman: 'MakeHuman',
  mmd: 'MMD',
  motionbuilder: 'MotionBuilder',
  mhr: 'MHR',
  mvn: 'MVN',
  nvidia: 'NVIDIA',
  r15: 'R15',
  renderpeople: 'RenderPeople',
  smpl: 'SMPL',
  smplx: 'SMPL-X',
  soma: 'SOMA',
  ue4: 'UE4',
  ue5: 'UE5',
  usdz: 'USDZ',
  vrchat: 'VRChat',
  vrm: 'VRM',
  vrm0: 'VRM 0',
  vrm1: 'VRM 1',
  vroid: 'VRoid',
  xr: 'XR',
};

export function conventionLabel(key: string): string {
  return key
    .split('_')
    .map((word) => WORDS[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
