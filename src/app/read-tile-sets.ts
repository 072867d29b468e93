import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sleep } from '../async/index.ts';
import { retry } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { ignoreMissing, writeWholeFile } from '../files/index.ts';
import type { Log } from '../http/index.ts';
import { mayPass } from '../net/index.ts';
import { openOwnObjects } from '../objects/index.ts';
import type { Config } from '../settings/index.ts';
import { MIB } from '../units.ts';
import { badInput, unavailable } from './errors.ts';

// Reads: nothing more

/** A tile matrix set of the operator, as it was written. */
interface TileSetFile {
  readonly name: string;
  readonly text: string;
}

/** Capabilities name every set. */
const MAX_FILES = 20;
const FOLDER = 'tile-matrix-sets';
/** What a bucket had at the last start, for a start while it is away. */
const COPY = 'tile-matrix-sets.copy.json';

/** A bucket that a node has never read may start together with it, as the parts of a cluster do. */
const FIRST_TRIES = 30;
const WAIT_MS = 2_000;

type TileSetConfig = Pick<Config, 'dataDir' | 'cubes' | 'sources'>;

/** Reads the tile matrix sets of the operator: files of `tile-matrix-sets/` in the data directory, or in the bucket of nodes. */
export async function readTileSets(
  config: TileSetConfig,
  log: Pick<Log, 'warn'>,
  wait?: Sleep,
): Promise<readonly TileSetFile[]> {
  if (config.cubes === null) return readStored(config);
  const copy = join(config.dataDir, COPY);
  const known = await readCopy(copy);
  let stored: readonly TileSetFile[];
  try {
    stored = known === null ? await readAtLast(config, log, wait) : await readStored(config);
  } catch (error) {
    // A set that is refused is there: another one in its place would hide the mistake.
    if (known === null || (isSwathError(error) && ['bad-input', 'too-large'].includes(error.tag)))
      throw error;
    log.warn(
      { err: error },
      'the bucket of SWATH_CUBES is away: tile matrix sets are those of the last start',
    );
    return known;
  }
  const bytes = new TextEncoder().encode(JSON.stringify(stored));
  await writeWholeFile(copy, (file) => file.write(bytes, 0));
  return stored;
}

/** Reads a bucket that may not answer yet. */
const readAtLast = (config: TileSetConfig, log: Pick<Log, 'warn'>, wait?: Sleep) =>
  retry(() => readStored(config), {
    toWaitMs(error, tries) {
      if (!mayPass(error)) return null;
      if (tries === FIRST_TRIES)
        throw unavailable(
          'bucket-unreachable',
          'The bucket of SWATH_CUBES cannot be read, and this node has not read it before. "swath doctor" says why.',
          { cause: error },
        );
      log.warn({ err: error }, 'the bucket of SWATH_CUBES cannot be read yet: the start waits for it');
      return WAIT_MS;
    },
    ...(wait === undefined ? {} : { sleep: wait }),
  });

/** The copy; `null` if there is none, or none that can be read. */
async function readCopy(path: string): Promise<readonly TileSetFile[] | null> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === null) return null;
  try {
    return JSON.parse(text) as TileSetFile[];
  } catch {
    return null;
  }
}

async function readStored(config: TileSetConfig): Promise<readonly TileSetFile[]> {
  const place = `${config.cubes ?? config.dataDir}/${FOLDER}`;
  const objects = openOwnObjects(config, FOLDER);
  const found: { readonly key: string; readonly size: number }[] = [];
  for await (const page of objects.list(''))
    found.push(...page.filter(({ key }) => key.endsWith('.json') && !key.includes('/')));
  if (found.length > MAX_FILES)
    throw badInput(
      'too-many-tile-sets',
      `${place} has ${found.length} tile matrix sets; ${MAX_FILES} are allowed.`,
    );
  const read = await Promise.all(
    found
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(async ({ key: name, size }) => {
        if (size > MIB) throw badInput('large-tile-set', `${place}/${name} is larger than 1 MiB.`);
        const object = await objects.read(name, { maxBytes: MIB });
        // It was removed after the list was made.
        if (object === null || object === 'same') return null;
        return { name, text: new TextDecoder().decode(object.bytes) };
      }),
  );
  return read.filter((file) => file !== null);
}
