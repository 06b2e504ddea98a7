/** Types of the part of gltf-validator that anyrig uses; the package ships none. */
declare module 'gltf-validator' {
  export const validateBytes: import('./validator-issues.ts').RunValidator;
}
