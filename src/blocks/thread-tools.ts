import { threadId } from 'node:worker_threads';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import type { PoolLink } from '../pool/index.ts';
import type { Kernels } from '../raster/index.ts';
import { loadKernels } from '../raster/index.ts';
import type { ArenaHandle, OpenSource, OpenSourceOptions } from '../sources/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import type { BlockCache } from './cache/block-cache.ts';
import { joinBlockCache } from './cache/block-cache.ts';
import type { SharedHandle } from './cache/layout.ts';
import type { Offer } from './fetch/offers.ts';
import { makeOffers } from './fetch/offers.ts';
import { makeRelayedOpen } from './fetch/relayed-open.ts';
import type { OpenFiles, OpenImage } from './image-files.ts';
import { isRemoteHref, makeOpenFiles } from './image-files.ts';
import type { ReadWindow } from './read-window.ts';
import { makeReadTally, makeReadWindow } from './read-window.ts';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
  /** Where bytes of remote files are fetched to; without it the thread reads them itself. */
  readonly arena?: ArenaHandle | undefined;
}

/** What the jobs of one thread read and compute with. */
export interface ThreadTools {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  /** The open files and the cache that windows are read with. */
  readonly files: OpenFiles;
  readonly blocks: BlockCache;
}

/** Builds the tools of the calling thread; with `link` and an arena remote files are read by the network thread. */
export function makeThreadTools(settings: ThreadSettings, link?: PoolLink): ThreadTools {
  const { arena } = settings;
  const opens =
    link === undefined || arena === undefined
      ? makeOwnOpen(settings.files)
      : makeSharedOpen(settings.files, arena, link);
  const jp2Decoder = makeJp2Decoder();
  const tally = makeReadTally();
  link?.countFigures(tally.take);
  const open = tally.countBytes(opens.openImage);
  const blocks = joinBlockCache(settings.blocks, threadId);
  const files = makeOpenFiles({ open, jp2Decoder });
  return {
    open: opens.open,
    jp2Decoder,
    readWindow: makeReadWindow({ open, blocks, jp2Decoder, files, tally }),
    kernels: loadKernels(),
    files,
    blocks,
  };
}

interface Opens {
  readonly open: OpenSource;
  readonly openImage: OpenImage;
}

function makeOwnOpen(files: OpenSourceOptions): Opens {
  const open = makeOpenSource(files);
  return { open, openImage: open };
}

function makeSharedOpen(
  { network: _, ...files }: OpenSourceOptions,
  arena: ArenaHandle,
  { connect, onJob }: PoolLink,
): Opens {
  const openFile = makeOpenSource(files);
  const offers = makeOffers(arena);
  onJob((attachment) => offers.begin((attachment ?? null) as Offer | null));
  const relayed = makeRelayedOpen({ connect, offers });
  return {
    open: (href, signal) => (isRemoteHref(href) ? relayed.open(href, signal) : openFile(href, signal)),
    openImage(href, signal, known) {
      if (!isRemoteHref(href)) return openFile(href, signal);
      return known === undefined ? relayed.open(href, signal) : relayed.openKnown(href, known.stamp, signal);
    },
  };
}
