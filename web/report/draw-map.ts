/** The map as a picture of any size: drawn anew, with tiles as fine as the picture, and not the screen enlarged. */
import type { StyleSpecification } from 'maplibre-gl';
import { MapLibreMap } from 'maplibre-gl';
import { TileError } from '../map/tile-requests.ts';
import type { Box } from '../scenes/footprint.ts';
import { makeCanvas } from './canvas-sheet.ts';
import type { PictureStyle } from './picture-style.ts';
import { toPictureStyle } from './picture-style.ts';

/** A picture of a map. */
export interface MapPicture {
  readonly canvas: HTMLCanvasElement;
  /** Of a pixel of the page in the middle of the picture, in metres on the ground; `null` where the map is tilted. */
  readonly metresPerPx: number | null;
  /** Degrees that the map is turned, clockwise. */
  readonly bearing: number;
  /** Who must be named, as MapLibre has them: HTML. */
  readonly attributions: readonly string[];
}

/** What is drawn. */
export interface MapPictureOptions extends PictureStyle {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The ground to show; what the map shows by default. */
  readonly box?: Box;
  readonly signal: AbortSignal;
}

/** The circumference of the Earth at the equator, in metres, over the pixels of a whole map at zoom 0. */
const EQUATOR_PX_M = 40_075_016.686 / 512;

/** The most pixels that the graphics driver draws in one direction. */
export const readMaxPx = (gl: MapLibreMap): number => {
  const context = gl.getCanvas().getContext('webgl2');
  if (context === null) return 4096;
  const [width = 0, height = 0] = context.getParameter(context.MAX_VIEWPORT_DIMS) as Int32Array;
  return Math.min(width, height, context.getParameter(context.MAX_RENDERBUFFER_SIZE) as number);
};

const attributionsOf = (style: StyleSpecification): readonly string[] => [
  ...new Set(
    Object.values(style.sources).flatMap((source) =>
      'attribution' in source && source.attribution ? [source.attribution] : [],
    ),
  ),
];

/** Draws it; throws what a tile failed with, and an `AbortError` when the signal was used. */
export const drawMap = async (gl: MapLibreMap, options: MapPictureOptions): Promise<MapPicture> => {
  const { widthPx, heightPx, scale, box, signal } = options;
  signal.throwIfAborted();
  const style = gl.getStyle();
  const container = document.createElement('div');
  container.className = 'picture-map';
  container.inert = true;
  container.style.width = `${widthPx}px`;
  container.style.height = `${heightPx}px`;
  document.body.append(container);
  let map: MapLibreMap | null = null;
  try {
    map = new MapLibreMap({
      container,
      style: toPictureStyle(style, options),
      center: gl.getCenter(),
      zoom: gl.getZoom(),
      bearing: box === undefined ? gl.getBearing() : 0,
      pitch: box === undefined ? gl.getPitch() : 0,
      maxPitch: gl.getMaxPitch(),
      ...(box === undefined
        ? {}
        : {
            bounds: [...box] as [number, number, number, number],
            fitBoundsOptions: { padding: Math.min(widthPx, heightPx) / 8, maxZoom: 17 },
          }),
      pixelRatio: scale,
      maxCanvasSize: [widthPx * scale, heightPx * scale],
      canvasContextAttributes: { preserveDrawingBuffer: true },
      interactive: false,
      attributionControl: false,
      fadeDuration: 0,
    });
    const drawn = map;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let failure: unknown = null;
    drawn.on('error', ({ error }) => {
      failure ??= error instanceof TileError ? error.failure : error;
    });
    drawn.once('idle', () => (failure === null ? resolve() : reject(failure)));
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', stop));
    const { canvas, context } = makeCanvas(widthPx * scale, heightPx * scale);
    context.drawImage(drawn.getCanvas(), 0, 0, canvas.width, canvas.height);
    const { lat } = drawn.getCenter();
    return {
      canvas,
      metresPerPx:
        drawn.getPitch() > 0 ? null : (EQUATOR_PX_M * Math.cos((lat * Math.PI) / 180)) / 2 ** drawn.getZoom(),
      bearing: drawn.getBearing(),
      attributions: attributionsOf(style),
    };
  } finally {
    map?.remove();
    container.remove();
  }
};
