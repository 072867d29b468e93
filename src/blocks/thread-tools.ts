import { threadId } from 'node:worker_threads';
import type { Jp2Decoder } from '../formats/index.ts';
import { makeJp2Decoder } from '../formats/index.ts';
import type { Kernels } from '../raster/index.ts';
import { loadKernels } from '../raster/index.ts';
import type { OpenSource, OpenSourceOptions } from '../storage/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import type { SharedHandle } from './cache/index.ts';
import { joinBlockCache } from './cache/index.ts';
import type { ReadWindow } from './read-window.ts';
import { makeReadWindow } from './read-window.ts';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
}

/** What the jobs of one thread read and compute with. */
export interface ThreadTools {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
}

/** Builds the tools of the calling thread. */
export function makeThreadTools({ files, blocks }: ThreadSettings): ThreadTools {
  const open = makeOpenSource(files);
  const jp2Decoder = makeJp2Decoder();
  return {
    open,
    jp2Decoder,
    readWindow: makeReadWindow({ open, blocks: joinBlockCache(blocks, threadId), jp2Decoder }),
    kernels: loadKernels(),
  };
}
