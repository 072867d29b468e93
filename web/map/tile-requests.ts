/**
 * How the map gets its tiles: by requests of the page's own, to its own server only, with the key in a header. MapLibre's
 * own requests do not report status 404, which here says that a scene is not there.
 */
import { addProtocol } from 'maplibre-gl';
import { Failure, toFailure } from '../api/failure.ts';
import type { Patience } from '../api/patience.ts';
import { sendWhole } from '../api/patience.ts';
import { makePictureFallback } from '../api/picture-fallback.ts';
import { makeTileGroups } from './tile-groups.ts';

/** A tile that could not be loaded. It holds the failure instead of being one: MapLibre does not report errors of status 404. */
export class TileError extends Error {
  readonly failure: Failure;
  readonly url: string;

  constructor(failure: Failure, url: string) {
    super(failure.message);
    this.name = 'TileError';
    this.failure = failure;
    this.url = url;
  }
}

/** Pictures are decoded here, so that those of a group are ready together; anything else is MapLibre's to read. */
const SCHEMES = { picture: 'tile', bytes: 'tile-bytes' } as const;

type TileKind = keyof typeof SCHEMES;

/** The address under which MapLibre requests a template of this server: `https://host/api/…` → `tile://api/…`. */
export const toTileAddress = (template: string, origin: string, kind: TileKind = 'picture'): string =>
  `${SCHEMES[kind]}:/${template.slice(origin.length)}`;

/** The picture of a tile; no bytes where a tile is empty. */
const decode = async (response: Response): Promise<ImageBitmap | ArrayBuffer> => {
  const blob = await response.blob();
  return blob.size === 0 ? new ArrayBuffer(0) : createImageBitmap(blob);
};

/**
 * Takes over the requests of tiles; `readKey` is called for each, so that a changed key is used at once. Tiles come in
 * groups while `mayGroup` says so.
 */
export const serveTiles = (
  readKey: () => string | null,
  patience: Patience,
  mayGroup: () => boolean,
): void => {
  const orWithout = makePictureFallback();
  const inGroups = makeTileGroups(mayGroup);
  const serve = (kind: TileKind): void =>
    addProtocol(SCHEMES[kind], async ({ url: address, headers }, { signal }) => {
      const url = location.origin + address.slice(`${SCHEMES[kind]}:/`.length);
      const send = (sent: string) =>
        fetch(sent, { headers: { ...headers, 'x-api-key': readKey() ?? '' }, signal });
      const load = async () => {
        const response = await orWithout(url, (sent) => patience(() => sendWhole(() => send(sent)), signal));
        if (!response.ok) throw toFailure(response.status, await response.text());
        return {
          data: await (kind === 'picture' ? decode(response) : response.arrayBuffer()),
          cacheControl: response.headers.get('cache-control'),
          expires: response.headers.get('expires'),
        };
      };
      try {
        return await inGroups(load);
      } catch (error) {
        // The map gave the tile up itself and knows.
        if (signal.aborted) throw error;
        throw new TileError(error instanceof Failure ? error : toFailure(0, ''), url);
      }
    });
  serve('picture');
  serve('bytes');
};
