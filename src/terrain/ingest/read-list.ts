import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { toShownAddress } from '../../net/index.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { CopernicusTile } from './copernicus.ts';
import { lastPart, parseCopernicusName } from './copernicus.ts';
import type { DemSource, FoundImage, LeftOut, SourceDoors } from './dem-source.ts';
import { toAllowedHref } from './dem-source.ts';

/** The list of all tiles of the Copernicus DEM has 1.2 MB in 26,450 lines. */
const MAX_LIST_BYTES = 64 * 2 ** 20;
const MAX_LINES = 500_000;

/** The name by which mirrors of the Copernicus DEM call the list of all tiles that there are. */
export const isTileListName = (name: string): boolean => /^tilelist\.txt$/i.test(name);

/** Reads a list of images: one name, path or address a line. */
export async function readList(
  from: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  const lines = await readListLines(from, doors, signal);
  const [items, faults]: [FoundImage[], LeftOut[]] = [[], []];
  for (const line of lines) {
    const address = resolveLine(line, from);
    const name = line.slice(0, 300);
    if (address === null) faults.push({ name, ...NO_ADDRESS });
    else items.push({ kind: 'image', name, address, version: null, sidecars: null });
  }
  const name = lastPart(from);
  return {
    items,
    skipped: [],
    faults,
    tileList: isTileListName(name) ? toTiles(lines) : null,
    scope: 'common-folder',
    label: name.replace(/\.txt$/i, ''),
  };
}

const NO_ADDRESS = {
  code: 'bad-address',
  reason: 'The line is neither a name nor a path or address that a list may have.',
} as const;

/** Reads the lines of a list, without empty ones and comments. */
export async function readListLines(
  from: string,
  doors: SourceDoors,
  signal?: AbortSignal,
): Promise<string[]> {
  const text = isAbsolute(from) ? await readLocal(from) : await readRemote(from, doors, signal);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > MAX_LINES) {
    throw tooLarge('list-too-long', `The list ${lastPart(from)} has more than ${MAX_LINES} lines.`);
  }
  return lines;
}

async function readLocal(path: string): Promise<string> {
  try {
    checkSize(path, (await stat(path)).size);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && 'syscall' in cause)
      throw badInput('no-list', `The list ${path} cannot be read.`, { cause });
    throw cause;
  }
}

async function readRemote(
  address: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<string> {
  const source = await doors.open(toAllowedHref(address, doors), signal);
  try {
    checkSize(address, source.size);
    return new TextDecoder().decode(await source.read(0, source.size, signal));
  } finally {
    await source.close();
  }
}

function checkSize(from: string, bytes: number): void {
  if (bytes <= MAX_LIST_BYTES) return;
  throw tooLarge('list-too-long', `The list ${toShownAddress(from)} has more than ${MAX_LIST_BYTES} bytes.`);
}

/** The tiles that lines name. */
export const toTiles = (lines: readonly string[]): readonly CopernicusTile[] =>
  lines.flatMap((line) => parseCopernicusName(lastPart(line)) ?? []);

/**
 * The path or address that a line of a list means. A tile of the Copernicus DEM lies in a folder of its own name. A list
 * from the network must not refer to files of this machine. Null for anything else.
 */
export function resolveLine(line: string, list: string): string | null {
  const isLocal = isAbsolute(list);
  if (/^[a-z][a-z0-9+.-]*:/i.test(line)) return /^(?:https?|s3):\/\//.test(line) ? line : null;
  const isTileName = !/[./]/.test(line) && parseCopernicusName(line) !== null;
  const relative = isTileName ? `${line}/${line}.tif` : line;
  if (isLocal) return resolve(dirname(list), relative);
  if (list.startsWith('s3://')) {
    return relative.startsWith('/') ? null : `${list.slice(0, list.lastIndexOf('/') + 1)}${relative}`;
  }
  return URL.parse(relative, list)?.href ?? null;
}
