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

const SCHEME = 'tile';

/** The address under which MapLibre requests a template of this server: `https://host/api/…` → `tile://api/…`. */
export const toTileAddress = (template: string, origin: string): string =>
  `${SCHEME}:/${template.slice(origin.length)}`;

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
  addProtocol(SCHEME, async ({ url: address, headers }, { signal }) => {
    const url = location.origin + address.slice(`${SCHEME}:/`.length);
    try {
      const send = (sent: string) =>
        fetch(sent, { headers: { ...headers, 'x-api-key': readKey() ?? '' }, signal });
      const response = await inGroups(() =>
        orWithout(url, (sent) => patience(() => sendWhole(() => send(sent)), signal)),
      );
      if (!response.ok) throw toFailure(response.status, await response.text());
      return {
        data: await response.arrayBuffer(),
        cacheControl: response.headers.get('cache-control'),
        expires: response.headers.get('expires'),
      };
    } catch (error) {
      // The map gave the tile up itself and knows.
      if (signal.aborted) throw error;
      throw new TileError(error instanceof Failure ? error : toFailure(0, ''), url);
    }
  });
};
