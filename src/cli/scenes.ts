/** `swath scenes` and `swath export`: their commands, and what they do and print. */

import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { writeChunks } from '../files/index.ts';
import { makeCollectionExtents, makeToAddress, toStacItem } from '../ingest/index.ts';
import { redactAddresses } from '../net/index.ts';
import { parseViewId, sensorsByDataset } from '../sensors/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, severalArguments, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';

/** `swath scenes …` and `swath export`. */
type ScenesCommand =
  | CommandOf<(typeof scenes.commands)[number]>
  | CommandOf<(typeof exportTopic.commands)[number]>;

const dataset = option('--dataset ID', 'only this dataset');
const hint = '"swath scenes list" shows them';

/** `swath scenes`. */
export const scenes = topic({
  name: 'scenes',
  summary: 'list, show and remove scenes',
  about: [],
  commands: [
    command('scenes list', {
      about: 'Shows view ids, days and clouds, and how many scenes each dataset has.',
      options: {
        dataset,
        limit: withDefault(option('--limit N', 'show at most N scenes (100)', parseAmount), 100),
        ...jsonList,
      },
    }),
    command('scenes show', {
      about: 'Prints everything the catalog knows about a scene, as JSON.',
      arguments: { viewId: argument('<view id>', 'Which scene?') },
      hint,
    }),
    command('scenes remove', {
      about: 'Removes scenes from the catalog; their files stay.',
      arguments: { viewIds: severalArguments('<view id>', 'Which scenes?') },
      hint,
    }),
  ],
  fails: 'a scene does not exist',
});

/** `swath export`. */
export const exportTopic = topic({
  name: 'export',
  summary: 'write the catalog as STAC items',
  about: [],
  commands: [
    command('export', {
      about:
        'Writes the catalog as STAC items, one per line (ndjson), to standard output or a file. Next to the file it writes their collections, as <dataset>.collection.json. "swath ingest stac FILE" reads the items again.',
      options: { dataset, output: option('-o, --output FILE', 'write to FILE in place of standard output') },
    }),
  ],
});

interface ExportDeps {
  readonly terminal: Terminal;
  /** Where items go when no file is named. */
  readonly out: Writable;
  readonly dataDir: string;
  /** Mode of the files. */
  readonly outputMode: number;
}

/** Writes scenes as STAC items, one a line; next to a file, the collections that they belong to. */
export async function exportScenes(
  scenes: AsyncIterable<Scene>,
  output: string | null,
  { terminal, out, dataDir, outputMode }: ExportDeps,
): Promise<void> {
  // Other readers of STAC do not know our data directory.
  const toAddress = makeToAddress(dataDir);
  const extents = makeCollectionExtents();
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const scene of scenes) {
      count += 1;
      extents.add(scene);
      yield `${JSON.stringify(toStacItem(scene, { toAddress }))}\n`;
    }
  }
  if (output === null) {
    await pipeline(lines, out, { end: false });
    return;
  }
  // A run that fails leaves an older export as it was. The process makes private files; these are its caller's.
  const write = (path: string, texts: AsyncIterable<string>) =>
    writeChunks(path, toChunks(texts), { mode: outputMode }).catch((cause: unknown) => {
      if (isSwathError(cause) && cause.code !== 'write-failed' && cause.code !== 'no-space') throw cause;
      throw badInput('export-not-written', `The export could not be written to ${path}.`, { cause });
    });
  await write(output, lines());
  const collections = extents.list();
  for (const { name, collection } of collections) {
    const text = `${JSON.stringify(collection, null, 2)}\n`;
    await write(join(dirname(output), name), Readable.from([text]));
  }
  const names = collections.map(({ name }) => name).join(', ');
  terminal.note(
    count === 0
      ? `There are no scenes to export: ${output} is empty. "swath scenes list" shows what there is.`
      : `Wrote ${count} STAC items to ${output}, and next to it ${names}.`,
  );
}

/** Lines are written together: each would be a call of the system. */
const CHUNK_LENGTH = 64 * 1024;

async function* toChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK_LENGTH) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}

interface ScenesDeps {
  readonly scenes: SceneStore;
  readonly terminal: Terminal;
  /** Where `export` writes when no file is named. */
  readonly out: Writable;
  readonly dataDir: string;
  /** Mode of the export's file. */
  readonly outputMode: number;
}

/** `swath scenes list|show|remove` and `swath export`; false when a scene was not there. */
export async function runScenes(command: ScenesCommand, deps: ScenesDeps): Promise<boolean> {
  const { scenes, terminal } = deps;
  switch (command.name) {
    case 'scenes list':
      await listScenes(command, deps);
      return true;
    case 'scenes show': {
      const scene = await findScene(scenes, command.viewId);
      if (scene === null) return sayUnknown(command.viewId, terminal);
      terminal.line(redactAddresses(JSON.stringify(scene, null, 2)));
      return true;
    }
    case 'scenes remove':
      return removeScenes(command.viewIds, deps);
    case 'export':
      await exportScenes(listAll(scenes, command.dataset), command.output, deps);
      return true;
  }
}

/** By any name that works in a tile's address too. */
async function findScene(scenes: SceneStore, name: string): Promise<Scene | null> {
  try {
    const { viewId, sensor, sceneName } = parseViewId(name);
    return (await scenes.findByViewId(viewId)) ?? (await scenes.findByName(sensor.dataset, sceneName));
  } catch (error) {
    if (isSwathError(error) && error.tag === 'not-found') return null;
    throw error;
  }
}

function sayUnknown(name: string, { note }: Terminal): false {
  note(`There is no scene ${name}; "swath scenes list" shows them.`);
  return false;
}

async function removeScenes(
  names: readonly string[],
  { scenes, terminal }: Pick<ScenesDeps, 'scenes' | 'terminal'>,
): Promise<boolean> {
  let isComplete = true;
  for (const name of names) {
    const scene = await findScene(scenes, name);
    if (scene !== null && (await scenes.remove(scene.viewId))) {
      terminal.line(`Removed ${scene.viewId} from the catalog; its files stay.`);
    } else isComplete = sayUnknown(name, terminal);
  }
  return isComplete;
}

/** The datasets an id means: one, the sensors of a group, or all without an id. */
function toDatasets(dataset: string | null): readonly { readonly dataset?: string }[] {
  if (dataset === null) return [{}];
  const known = sensorsByDataset(dataset);
  if (known.length === 0) throw badInput('usage', `There is no dataset "${dataset.slice(0, 60)}".`);
  return known.map((sensor) => ({ dataset: sensor.dataset }));
}

async function* listAll(scenes: SceneStore, dataset: string | null): AsyncGenerator<Scene> {
  for (const options of toDatasets(dataset)) yield* scenes.list(options);
}

async function listScenes(
  { dataset, limit, json }: Extract<ScenesCommand, { name: 'scenes list' }>,
  { scenes, terminal }: ScenesDeps,
): Promise<void> {
  const listed: Scene[] = [];
  for await (const scene of listAll(scenes, dataset)) {
    if (listed.push(scene) >= limit) break;
  }
  if (json) {
    terminal.line(JSON.stringify(listed.map(toLine), null, 2));
    return;
  }
  const counts = await scenes.countByDataset();
  if (counts.size === 0) {
    terminal.line('The catalog is empty. "swath ingest folder <path>" adds scenes.');
    return;
  }
  for (const scene of listed) {
    const { viewId, date, cloudPercent } = toLine(scene);
    const cloud = cloudPercent === null ? '' : `${cloudPercent.toFixed(1)} % cloud`;
    terminal.line(`${date}  ${viewId}  ${terminal.style.dim(cloud)}`.trimEnd());
  }
  const all = [...counts].map(([id, count]) => `${id} ${count}`).join(', ');
  terminal.note(`${listed.length} shown; in the catalog: ${all}.`);
}

const toLine = ({ viewId, sceneId, dataset, acquiredAt, cloudPercent }: Scene) => ({
  viewId,
  sceneId,
  dataset,
  date: acquiredAt.slice(0, 10),
  cloudPercent,
});
