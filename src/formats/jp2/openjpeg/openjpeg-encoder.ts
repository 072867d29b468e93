import { readFile } from 'node:fs/promises';
import type { OpenJpeg } from '@cornerstonejs/codec-openjpeg/wasmjs';
import { internal } from '../../../errors.ts';
import { MAX_ENCODER_BYTES } from '../limits.ts';
import { limitMemory } from './wasm-memory.ts';

/** A tile to be encoded as an image of its own. */
export interface EncodeJob {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  /** Up to 8 for samples of one byte, up to 16 for those of two. */
  readonly bitsPerSample: number;
  /** Times that the tile is halved; each side must have at least two to that power of pixels. */
  readonly decompositions: number;
  /** Pixel by pixel, in little-endian order. */
  readonly samples: Uint8Array;
}

/** OpenJPEG's lossless encoder in WebAssembly, one a thread; the same samples give the same bytes everywhere. */
export interface Jp2Encoder {
  /** A bare codestream of one tile. */
  encode(job: EncodeJob): Promise<Uint8Array>;
}

/** Resolution by resolution, so that a small copy of a tile is at its beginning. */
const RPCL = 2;

/** Builds the encoder of a thread; it is loaded with the first tile. */
export function makeJp2Encoder(): Jp2Encoder {
  let loading: Promise<OpenJpeg> | null = null;
  const messages: string[] = [];
  const note = (line: string) => {
    if (line !== '' && !line.startsWith('[INFO]')) messages.push(line);
  };
  const load = async (): Promise<OpenJpeg> => {
    const { default: start } = await import('@cornerstonejs/codec-openjpeg/wasmjs');
    const file = new URL(import.meta.resolve('@cornerstonejs/codec-openjpeg/wasm'));
    const wasmBinary = limitMemory(await readFile(file), MAX_ENCODER_BYTES);
    return start({ wasmBinary, print: note, printErr: note });
  };
  return {
    async encode({ samples, decompositions, bandCount, ...size }) {
      loading ??= load();
      const openJpeg = await loading;
      const encoder = new openJpeg.J2KEncoder();
      try {
        const frame = { isSigned: false, isUsingColorTransform: false, componentCount: bandCount, ...size };
        encoder.getDecodedBuffer(frame).set(samples);
        encoder.setQuality(true, 0);
        encoder.setDecompositions(decompositions);
        encoder.setProgressionOrder(RPCL);
        encoder.encode();
        return encoder.getEncodedBuffer().slice();
      } catch (cause) {
        // after a trap nothing in that memory is to be trusted
        loading = null;
        const why = messages.splice(0).join(' ') || String(cause);
        throw internal('jp2-encode', `A tile of ${size.width} × ${size.height} pixels cannot be encoded.`, {
          cause: new Error(`OpenJPEG: ${why}`),
        });
      } finally {
        if (loading !== null) encoder.delete();
      }
    },
  };
}
