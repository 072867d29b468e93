import { makeGate } from '../../async/index.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { notAllowed, sourceBroken } from '../errors.ts';
import type { ProductStore } from '../folder/put-products.ts';
import type { ProductReport } from '../folder/report.ts';
import { toReport } from '../folder/report.ts';
import type { AddressRules } from './addresses.ts';
import { parseItem } from './item.ts';
import { makeBatch } from './make-batch.ts';

/** Options of an ingest of one item that somebody has sent. */
export interface IngestItemOptions extends Pick<AddressRules, 'isAllowedHref'> {
  readonly store: ProductStore;
  /** Opens the files of scenes, in the same way as the catalog later. */
  readonly open: OpenSource;
  /** Only reports what would be ingested: reads no file and puts nothing. */
  readonly isDry: boolean;
  readonly onBug: (error: unknown, product: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Headers that are read concurrently: as many as a scene has. */
const HEADERS_AT_ONCE = 16;

/**
 * Takes an item into the catalog by the rules of `ingestStac`, and reports on it. The item came over the network: it may
 * refer to allowed servers, and to no file of this machine. Throws `stac-…` for a text that is not an item.
 */
export async function ingestItem(text: string, options: IngestItemOptions): Promise<ProductReport> {
  const { open, isDry, signal } = options;
  const value = parse(text);
  const item = parseItem(value);
  const lines: ProductReport[] = [];
  const batch = makeBatch({
    ...options,
    toHref() {
      throw notAllowed(
        'source-not-allowed',
        'The files of an item that is sent must be at https, http or s3 addresses.',
      );
    },
    doors: isDry ? null : { open, jp2Decoder: makeJp2Decoder(), gate: makeGate(HEADERS_AT_ONCE), signal },
    onLine: (line) => void lines.push(line),
  });
  // A base that no relative address can be resolved by: the item may have a link to itself for that.
  await batch.add({ item, value, location: { kind: 'url', url: 'about:blank' } });
  await batch.flush();
  const [line] = toReport(lines, false).products;
  if (line === undefined) throw sourceBroken('stac-no-item', 'This is not an item that could be ingested.');
  return line;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw sourceBroken('stac-bad-json', 'It is not valid JSON.', { cause: error });
  }
}
