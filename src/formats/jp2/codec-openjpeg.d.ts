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

declare module '@cornerstonejs/codec-openjpeg/wasmjs' {
  export interface FrameInfo {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: number;
    readonly componentCount: number;
    readonly isSigned: boolean;
    /** Required but ignored: three components are always transformed. */
    readonly isUsingColorTransform: boolean;
  }
  /** OpenJPEG's encoder for one image; its memory is freed by `delete` alone. It has `setTileSize` too, without effect. */
  export interface J2KEncoder {
    /** Memory for the samples, pixel by pixel in one or two bytes each, to be filled before `encode`. */
    getDecodedBuffer(frame: FrameInfo): Uint8Array;
    setQuality(isLossless: boolean, quality: number): void;
    /** Each side must have at least two to that power of pixels. */
    setDecompositions(count: number): void;
    /** 0 LRCP, 1 RLCP, 2 RPCL, 3 PCRL, 4 CPRL. */
    setProgressionOrder(order: number): void;
    /** Errors are printed, and thrown as a number: the address of a C++ exception. */
    encode(): void;
    /** A view of the bare codestream, until the next call. */
    getEncodedBuffer(): Uint8Array;
    delete(): void;
  }
  export interface OpenJpegEncoder {
    readonly J2KEncoder: new () => J2KEncoder;
  }
  export interface ModuleOptions {
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }
  const load: (options: ModuleOptions) => Promise<OpenJpegEncoder>;
  export default load;
}
