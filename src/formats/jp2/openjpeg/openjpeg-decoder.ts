import { readFile } from 'node:fs/promises';
import type { J2KDecoder, OpenJpeg } from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { sourceBroken } from '../../../errors.ts';
import { MAX_DECODER_BYTES } from '../limits.ts';
import { limitMemory } from './wasm-memory.ts';

/** A codestream, and what must come out of it. */
export interface DecodeJob {
  readonly codestream: Uint8Array;
  /** Times to halve; the decoder skips what it does not need for that. */
  readonly level: number;
  /** Of the full resolution: the decoder reports no other. */
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly isSigned: boolean;
  /** Bytes of the samples at that level. */
  readonly byteLength: number;
}

/** OpenJPEG in WebAssembly, one a thread; loaded with the first decode. */
export interface Jp2Decoder {
  /** Samples pixel by pixel, in one or two bytes each; anything doubtful throws `jp2-decode`. */
  decode(job: DecodeJob): Promise<ArrayBuffer>;
}

/** Its memory grows and never shrinks: past this size it is thrown away and made anew, which takes some 10 ms. */
const MAX_IDLE_BYTES = 96 * 1024 * 1024;
/** Messages retained of one decode: a damaged file can cause thousands. */
const MAX_MESSAGES = 8;

const undecodable = (why: string) =>
  sourceBroken('jp2-decode', 'The JPEG 2000 file is damaged: a tile cannot be decoded.', {
    cause: new Error(`OpenJPEG: ${why}`),
  });

/** Builds the decoder of a thread. */
export function makeJp2Decoder(): Jp2Decoder {
  let loading: Promise<OpenJpeg> | null = null;
  let messages: string[] = [];

  const note = (line: string) => {
    // progress is printed as [INFO]; any other line means that something is wrong with the data
    if (line !== '' && !line.startsWith('[INFO]') && messages.length < MAX_MESSAGES) messages.push(line);
  };
  const load = async (): Promise<OpenJpeg> => {
    const { default: start } = await import('@cornerstonejs/codec-openjpeg/decodewasmjs');
    const file = new URL(import.meta.resolve('@cornerstonejs/codec-openjpeg/decodewasm'));
    const wasmBinary = limitMemory(await readFile(file), MAX_DECODER_BYTES);
    return start({ wasmBinary, print: note, printErr: note });
  };
  const forget = () => {
    loading = null;
  };

  return {
    async decode(job) {
      loading ??= load();
      const openJpeg = await loading.catch((error: unknown) => {
        forget();
        throw error;
      });
      // From here to the end nothing waits, so one decode cannot see another's messages.
      messages = [];
      const decoder = new openJpeg.J2KDecoder();
      let run: ReturnType<typeof runDecoder>;
      try {
        run = runDecoder(decoder, job);
      } catch (error) {
        // A trap or a C++ exception skips all clean-up: that memory is not used again.
        forget();
        throw undecodable(String(error));
      }
      decoder.delete();
      if (run.memoryBytes > MAX_IDLE_BYTES) forget();
      if (messages.length > 0) throw undecodable(messages.join(' '));
      if (!isAsked(run, job))
        throw undecodable(`${run.samples.byteLength} bytes of ${JSON.stringify(run.frame)}`);
      return run.samples;
    },
  };
}

function runDecoder(decoder: J2KDecoder, { codestream, level }: DecodeJob) {
  decoder.getEncodedBuffer(codestream.length).set(codestream);
  decoder.decodeSubResolution(level, 0);
  const samples = decoder.getDecodedBuffer().buffer;
  const memoryBytes = decoder.getEncodedBuffer(0).buffer.byteLength;
  return { samples, memoryBytes, frame: decoder.getFrameInfo() };
}

/** A decode that failed quietly leaves a frame of another size, or none. */
const isAsked = ({ samples, frame }: ReturnType<typeof runDecoder>, job: DecodeJob): boolean =>
  frame.width === job.width &&
  frame.height === job.height &&
  frame.componentCount === job.bandCount &&
  frame.bitsPerSample === job.bitsPerSample &&
  frame.isSigned === job.isSigned &&
  samples.byteLength === job.byteLength;
