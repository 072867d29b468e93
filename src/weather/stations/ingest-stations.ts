import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { notFound, tooLarge } from '../../errors.ts';
import type { StationDefaults } from './parse-station-table.ts';
import { parseStationTable } from './parse-station-table.ts';
import type { StationStore } from './station-store.ts';

/** Bytes of a table, which is read whole. */
const MAX_BYTES = 2 ** 28;

/** A table and where it goes. */
export interface IngestStationsOptions {
  readonly stations: StationStore;
  /** Name of the data set. */
  readonly name: string;
  /** Path of the table. */
  readonly path: string;
  /** Name under which the table is remembered: its path or its address. */
  readonly source: string;
  /** Changes whenever the table does. */
  readonly stamp: string;
  /** Where its one station is, if the table does not say it. */
  readonly station: Omit<StationDefaults, 'id'>;
}

/** Whether a name is that of a table. */
export const isStationTable = (name: string): boolean => /\.csv$/i.test(name);

/** Puts a table of stations into the store; returns its rows, or null if it was stored before. */
export async function ingestStationTable(options: IngestStationsOptions): Promise<number | null> {
  const { stations, name, path, source, station } = options;
  const stamp = `${options.stamp} ${Object.values(station).join(' ')}`.trimEnd();
  const known = await stations.find(name);
  if (known?.sources[source] === stamp) return null;
  const { size } = await stat(path).catch((cause: unknown) => {
    throw notFound('no-files', `There is no file or folder ${path}.`, { cause });
  });
  if (size > MAX_BYTES)
    throw tooLarge('table-too-large', `The table has more than ${MAX_BYTES / 2 ** 20} MB; split it.`);
  const text = new TextDecoder('utf-8').decode(await readFile(path));
  const id = basename(source)
    .replace(/\.csv$/i, '')
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const { series, rowCount } = parseStationTable(text, { ...station, id: id.slice(0, 60) || 'station' });
  await stations.put(name, series, { [source]: stamp });
  return rowCount;
}
