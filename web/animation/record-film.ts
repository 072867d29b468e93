/** Makes a file of frames: the page reads the pictures, with its key, and a worker encodes them. */
import type { Api } from '../api/api.ts';
import type { Box } from '../scenes/footprint.ts';
import type { PictureSize } from '../scenes/rectangle.ts';
import { fillRectangle } from '../scenes/rectangle.ts';
import { toOwnAddress } from '../scenes/tile-template.ts';
import type { Caption, FilmAnswer, FilmFormat, FilmOptions, FilmRequest } from './film-format.ts';
import { MIME_TYPES } from './film-format.ts';

/** A frame: its tile template, and what is written into it. */
export interface FilmFrame {
  readonly template: string;
  readonly caption: Caption | null;
}

interface Recording {
  readonly api: Api;
  readonly frames: readonly FilmFrame[];
  readonly bounds: Box;
  readonly options: FilmOptions;
  readonly signal: AbortSignal;
  onProgress(done: number): void;
}

/** The server draws the next ones while one is encoded; more at once would be in the way of others. */
const READ_AHEAD = 2;

type Kind<Name extends FilmAnswer['kind']> = Extract<FilmAnswer, { kind: Name }>;

/** A worker that is asked one thing after the other. */
interface FilmWorker {
  ask<Name extends FilmAnswer['kind']>(
    request: FilmRequest,
    expected: Name,
    transfer?: Transferable[],
  ): Promise<Kind<Name>>;
  end(): void;
}

const openWorker = (): FilmWorker => {
  const worker = new Worker(new URL(FILM_WORKER_URL, location.href), { type: 'module' });
  return {
    ask(request, expected, transfer = []) {
      const { promise, resolve, reject } = Promise.withResolvers<Kind<typeof expected>>();
      worker.onmessage = ({ data }: MessageEvent<FilmAnswer>) => {
        if (data.kind === expected) resolve(data as Kind<typeof expected>);
        else reject(new Error(data.kind === 'failure' ? data.reason : `The encoder answered ${data.kind}.`));
      };
      worker.onerror = (event) => reject(new Error(event.message || 'The encoder could not be loaded.'));
      worker.postMessage(request, transfer);
      return promise;
    },
    end: () => worker.terminate(),
  };
};

/** The formats that this browser can write. */
export const readFormats = async (size: PictureSize): Promise<readonly FilmFormat[]> => {
  const worker = openWorker();
  try {
    return (await worker.ask({ kind: 'ask', size }, 'formats')).formats;
  } finally {
    worker.end();
  }
};

/** Records a film; throws an `AbortError` when its signal was used. */
export const recordFilm = async (recording: Recording): Promise<Blob> => {
  const { api, frames, bounds, options, signal, onProgress } = recording;
  const worker = openWorker();
  // What is still read is given up too when a frame fails.
  const reading = new AbortController();
  const stop = (): void => reading.abort();
  signal.addEventListener('abort', stop);
  const readFrame = async ({ template }: FilmFrame): Promise<ImageBitmap> => {
    const path = toOwnAddress(fillRectangle(template, bounds, options), '').slice(1);
    return createImageBitmap(await api.readPicture(path, reading.signal));
  };
  try {
    signal.throwIfAborted();
    await worker.ask({ kind: 'start', options }, 'ready');
    const ahead: Promise<ImageBitmap>[] = [];
    for (const [i, { caption }] of frames.entries()) {
      for (const frame of frames.slice(i + ahead.length, i + 1 + READ_AHEAD)) {
        const picture = readFrame(frame);
        // Whether it failed is seen when it is its turn.
        picture.catch(() => {});
        ahead.push(picture);
      }
      const picture = (await ahead.shift()) as ImageBitmap;
      signal.throwIfAborted();
      await worker.ask({ kind: 'frame', picture, caption }, 'ready', [picture]);
      onProgress(i + 1);
    }
    const { bytes } = await worker.ask({ kind: 'finish' }, 'film');
    signal.throwIfAborted();
    return new Blob([bytes], { type: MIME_TYPES[options.format] });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    worker.end();
  }
};
