declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  /** OpenJPEG's decoder for one image after another; its memory is freed by `delete` alone. */
  export interface J2KDecoder {
    /** Memory for the codestream, to be filled before `decodeSubResolution`. */
    getEncodedBuffer(byteLength: number): Uint8Array;
    /** `layers` 0 means all. Errors are printed, or thrown as a number: the address of a C++ exception. */
    decodeSubResolution(level: number, layers: number): void;
    getFrameInfo(): {
      readonly width: number;
      readonly height: number;
      readonly bitsPerSample: number;
      readonly componentCount: number;
      readonly isSigned: boolean;
    };
    /** A copy of the samples, pixel by pixel, in one or two bytes each. */
    getDecodedBuffer(): Uint8ClampedArray<ArrayBuffer>;
    delete(): void;
  }
  export interface OpenJpegDecoder {
    readonly J2KDecoder: new () => J2KDecoder;
  }
  export interface ModuleOptions {
    /** The compiled module; without it the file next to the script is read. */
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }
  const load: (options: ModuleOptions) => Promise<OpenJpegDecoder>;
  export default load;
}
