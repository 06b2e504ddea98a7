/** Declares draco3dgltf for our own build; the package ships no types. What users see is in draco-module.ts. */
declare module 'draco3dgltf' {
  const draco3d: {
    createDecoderModule(options: {
      print: () => void;
      printErr: () => void;
    }): Promise<import('./draco-module.ts').DecoderModule>;
  };
  export default draco3d;
}
