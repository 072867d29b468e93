import { readFile } from 'node:fs/promises';
import type { J2KDecoder, OpenJpegDecoder } from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { internal, sourceBroken } from '../errors.ts';
import { MAX_DECODER_BYTES } from './limits.ts';

/** A codestream, and what it must decode to. */
interface DecodeJob {
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
  let loading: Promise<OpenJpegDecoder> | null = null;
  let messages: string[] = [];

  const note = (line: string) => {
    // progress is printed as [INFO]; any other line means that something is wrong with the data
    if (line !== '' && !line.startsWith('[INFO]') && messages.length < MAX_MESSAGES) messages.push(line);
  };
  const load = async (): Promise<OpenJpegDecoder> => {
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

/** Bytes of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
/** Magic number and version come before the first section. */
const PREFIX_BYTES = 8;
const MEMORY_SECTION = 5;

/** A whole number in seven bits a byte, lowest first, and where it ends (WebAssembly core, 5.2.2). */
function readLeb(bytes: Uint8Array, offset: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = offset, scale = 1; at < bytes.length; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
  throw internal('bad-wasm', 'A WebAssembly module ends in the middle of a number.');
}

function toLeb(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low + 128, ...toLeb(Math.floor(value / 128))];
}

/**
 * The same module with a smaller maximum for its memory. OpenJPEG's build allows itself 2 GiB; a module can only be
 * held to less by what it says itself, and a decoder that reaches the maximum reports that it is out of memory.
 */
export function limitMemory(module: Uint8Array, maxBytes: number): Uint8Array {
  for (let at = PREFIX_BYTES; at < module.length; ) {
    const size = readLeb(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === MEMORY_SECTION) {
      // how many memories, then for each: flags, pages at the start, pages at most
      const count = readLeb(module, size.end);
      const initial = readLeb(module, count.end + 1);
      const maxPages = Math.floor(maxBytes / PAGE_BYTES);
      if (count.value !== 1 || initial.value > maxPages) break;
      const content = [1, 1, ...toLeb(initial.value), ...toLeb(maxPages)];
      const section = Uint8Array.from([MEMORY_SECTION, ...toLeb(content.length), ...content]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw internal('bad-wasm', 'A WebAssembly module has no memory that can be limited.');
}
