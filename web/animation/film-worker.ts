/** Encodes films away from the page, which stays quick meanwhile. */
import { drawFrame } from './draw-frame.ts';
import type { FilmAnswer, FilmEncoder, FilmFormat, FilmOptions, FilmRequest } from './film-format.ts';
import { makeGif } from './gif.ts';
import { findCodec, makeVideo } from './video.ts';
import { canEncodeWebp, makeWebp } from './webp.ts';

/** The worker's own side of the conversation; the types of the page know only the window. */
interface WorkerSide {
  onmessage: ((event: MessageEvent<FilmRequest>) => void) | null;
  postMessage(answer: FilmAnswer, transfer?: readonly Transferable[]): void;
}

interface Film {
  readonly options: FilmOptions;
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  readonly encoder: FilmEncoder;
}

const side = globalThis as unknown as WorkerSide;
let film: Film | null = null;

const listFormats = async (size: { widthPx: number; heightPx: number }): Promise<readonly FilmFormat[]> => {
  const [mp4, webm, isWebp] = await Promise.all([
    findCodec('mp4', size),
    findCodec('webm', size),
    canEncodeWebp(),
  ]);
  return [
    ...(mp4 === null ? [] : (['mp4'] as const)),
    ...(webm === null ? [] : (['webm'] as const)),
    ...(isWebp ? (['webp'] as const) : []),
    'gif',
  ];
};

const startFilm = async (options: FilmOptions): Promise<Film> => {
  const { format, widthPx, heightPx } = options;
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d', { willReadFrequently: format === 'gif' });
  if (context === null) throw new Error('This browser cannot draw frames.');
  const makers = { gif: makeGif, webp: makeWebp };
  const encoder =
    format === 'gif' || format === 'webp'
      ? makers[format](options)
      : await makeVideo(format, options, canvas);
  return { options, canvas, context, encoder };
};

const answer = async (request: FilmRequest): Promise<FilmAnswer> => {
  if (request.kind === 'ask') return { kind: 'formats', formats: await listFormats(request.size) };
  if (request.kind === 'start') {
    film = await startFilm(request.options);
    return { kind: 'ready' };
  }
  if (film === null) throw new Error('No film was started.');
  const { options, canvas, context, encoder } = film;
  if (request.kind === 'finish') return { kind: 'film', bytes: await encoder.finish() };
  drawFrame(context, request.picture, { caption: request.caption, ...options });
  request.picture.close();
  await encoder.add(canvas, context);
  return { kind: 'ready' };
};

side.onmessage = async ({ data }) => {
  try {
    const said = await answer(data);
    side.postMessage(said, said.kind === 'film' ? [said.bytes.buffer] : []);
  } catch (error) {
    side.postMessage({ kind: 'failure', reason: error instanceof Error ? error.message : String(error) });
  }
};
