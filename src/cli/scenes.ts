/** `swath scenes`: its commands, and what they do and print; and which scenes `swath export` writes. */

import type { Writable } from 'node:stream';
import type { Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { redactAddresses } from '../net/index.ts';
import { parseViewId, sensorsByDataset } from '../sensors/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, severalArguments, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import type { exportTopic } from './export-scenes.ts';
import { dataset, exportScenes } from './export-scenes.ts';
import { parseAmount } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';

/** `swath scenes …` and `swath export`. */
type ScenesCommand =
  | CommandOf<(typeof scenes.commands)[number]>
  | CommandOf<(typeof exportTopic.commands)[number]>;

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
      await exportScenes(() => listAll(scenes, command.dataset), command, deps);
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
