import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { isSwathError } from '../../../errors.ts';
import { walkFolder } from '../../../files/index.ts';
import { isObject } from '../../../json.ts';
import { badInput, cancelled, sourceBroken, tooLarge } from '../../errors.ts';
import { readItems } from '../geoparquet.ts';
import type { Found, SourceLimits } from './source.ts';
import { isCatalog, toItems, walkLinks } from './walk-links.ts';

interface FileDeps {
  readonly limits: SourceLimits;
  readonly signal?: AbortSignal | undefined;
}

const LINES = /\.(?:ndjson|jsonl|geojsonl)$/i;
const DOCUMENT = /\.(?:json|geojson)$/i;
const TABLE = /\.(?:geo)?parquet$/i;

/** The items of a file or of all files of a folder: JSON of items, lists and catalogs, one item per line, or GeoParquet. */
export async function* readLocal(from: string, deps: FileDeps): AsyncGenerator<Found> {
  const path = resolve(from);
  const facts = await stat(path).catch((cause: unknown) => {
    throw badInput('stac-no-file', `The file or folder ${from} does not exist or cannot be read.`, { cause });
  });
  if (facts.isDirectory()) yield* readDirectory(path, deps);
  else if (LINES.test(path)) yield* readLines(path, deps);
  else if (TABLE.test(path)) yield* readTable(path, deps);
  else yield* readDocument(path, deps);
}

/** Catalogs in a folder are not followed: their items are in the folder too. */
async function* readDirectory(folder: string, deps: FileDeps): AsyncGenerator<Found> {
  const { files, skipped } = await walkFolder(folder, deps.signal ? { signal: deps.signal } : {});
  for (const { name, code, reason } of skipped) {
    const isBroken = code === 'folder-unreadable';
    yield { kind: 'fault', name, code, reason, isSkipped: !isBroken };
  }
  for (const { path, parts } of files) {
    const [isLines, isTable] = [LINES.test(path), TABLE.test(path)];
    if (!isLines && !isTable && !DOCUMENT.test(path)) continue;
    try {
      if (isLines) yield* readLines(path, deps);
      else if (isTable) yield* readTable(path, deps);
      else {
        const location = { kind: 'folder', folder: dirname(path) } as const;
        const items = toItems(await readJson(path, deps));
        for (const value of items) if (isItemLike(value)) yield { kind: 'item', value, location };
      }
    } catch (error) {
      if (!isSwathError(error) || error.tag === 'internal' || error.tag === 'cancelled') throw error;
      yield { kind: 'fault', name: parts.join('/'), code: error.code, reason: error.message };
    }
  }
}

/** Folders may contain other GeoJSON: an item has assets or a STAC version. */
const isItemLike = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('assets' in value || 'stac_version' in value);

async function* readDocument(path: string, deps: FileDeps): AsyncGenerator<Found> {
  const document = await readJson(path, deps);
  if (!isCatalog(document) && !isList(document) && toItems(document).length === 0) {
    throw sourceBroken('stac-no-catalog', `The JSON in ${path} is neither a catalog nor an item.`);
  }
  const root = dirname(path);
  const door = {
    read: (ref: string) => readJson(ref, deps),
    resolve(href: string, from: string): string | null {
      const next = /^[a-z][a-z0-9+.-]+:/i.test(href) ? null : resolve(dirname(from), href);
      return next !== null && isInside(next, root) ? next : null;
    },
    locationOf: (ref: string) => ({ kind: 'folder', folder: dirname(ref) }) as const,
  };
  yield* walkLinks({ ref: path, document }, { door, limits: deps.limits });
}

/** A list without items is one all the same. */
const isList = (document: unknown): boolean =>
  Array.isArray(document) || (isObject(document) && document.type === 'FeatureCollection');

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readJson(path: string, { limits }: FileDeps): Promise<unknown> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw sourceBroken('stac-no-file', `The file ${path} does not exist or cannot be read.`, { cause });
  });
  if (facts.size > limits.maxBytes) {
    throw tooLarge('stac-too-large', `The file ${path} has more than ${limits.maxBytes} bytes.`);
  }
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw sourceBroken('stac-bad-json', `The file ${path} is not JSON.`, { cause });
  }
}

/** Reads line by line, so that a file may have any size. */
async function* readLines(path: string, { limits, signal }: FileDeps): AsyncGenerator<Found> {
  const location = { kind: 'folder', folder: dirname(path) } as const;
  let number = 0;
  for await (const line of toLines(path, limits.maxBytes, signal)) {
    number++;
    if (line.trim() === '') continue;
    let values: readonly unknown[];
    try {
      const document: unknown = JSON.parse(line);
      // Such files may contain collections too, which are not scenes.
      values = isCatalog(document) ? [] : toItems(document);
      if (values.length === 0 && !isCatalog(document)) values = [document];
    } catch {
      const name = `line ${number}`;
      yield { kind: 'fault', name, code: 'stac-bad-json', reason: 'The line is not JSON.' };
      continue;
    }
    for (const value of values) yield { kind: 'item', value, location };
  }
}

/** Reads GeoParquet row group by row group; other tables than those of items have no assets. */
async function* readTable(path: string, { signal }: FileDeps): AsyncGenerator<Found> {
  const location = { kind: 'folder', folder: dirname(path) } as const;
  let number = 0;
  for await (const { item, fault } of readItems(path, signal)) {
    number++;
    if (fault === null) yield { kind: 'item', value: item, location };
    else yield { kind: 'fault', name: `row ${number}`, code: 'stac-no-item', reason: fault };
  }
}

async function* toLines(path: string, maxBytes: number, signal?: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of toChunks(path, signal)) {
    // Only the new chunk is searched: a long line arrives in a thousand chunks.
    const [first = '', ...more] = chunk.split('\n');
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
    if (rest.length > maxBytes) {
      throw tooLarge('stac-too-large', `A line of ${path} has more than ${maxBytes} bytes.`);
    }
  }
  if (rest !== '') yield rest;
}

async function* toChunks(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const stream = createReadStream(path, { encoding: 'utf8', signal });
  const chunks = (stream as AsyncIterable<string>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        if (signal?.aborted) throw cancelled('cancelled', 'The ingest was stopped.', { cause });
        throw sourceBroken('stac-no-file', `The file ${path} does not exist or cannot be read.`, { cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    stream.destroy();
  }
}
