import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Scene, SceneStore } from '../catalog/index.ts';
import { toStacItem } from '../catalog/index.ts';
import { badInput, notFound } from '../errors.ts';
import type { ScenesCommand } from './arguments/index.ts';
import type { Terminal } from './terminal.ts';

interface ScenesDeps {
  readonly scenes: SceneStore;
  readonly terminal: Terminal;
}

/** `swath scenes list|show|remove` and `swath export`. */
export async function runScenes(command: ScenesCommand, { scenes, terminal }: ScenesDeps): Promise<void> {
  switch (command.name) {
    case 'scenes list':
      return listScenes(command, { scenes, terminal });
    case 'scenes show': {
      const scene = await scenes.findByViewId(command.viewId);
      if (scene === null) throw unknownScene(command.viewId);
      terminal.line(JSON.stringify(scene, null, 2));
      return;
    }
    case 'scenes remove':
      for (const viewId of command.viewIds) {
        if (!(await scenes.remove(viewId))) throw unknownScene(viewId);
        terminal.line(`Removed ${viewId} from the catalog; its files stay.`);
      }
      return;
    case 'export':
      return exportScenes(command, { scenes, terminal });
  }
}

const unknownScene = (viewId: string) =>
  notFound('unknown-scene', `There is no scene ${viewId}; "swath scenes list" shows them.`);

const optionsOf = (dataset: string | null) => (dataset === null ? {} : { dataset });

async function listScenes(
  { dataset, limit, json }: Extract<ScenesCommand, { name: 'scenes list' }>,
  { scenes, terminal }: ScenesDeps,
): Promise<void> {
  const listed: Scene[] = [];
  for await (const scene of scenes.list(optionsOf(dataset))) {
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

async function exportScenes(
  { dataset, output }: Extract<ScenesCommand, { name: 'export' }>,
  { scenes, terminal }: ScenesDeps,
): Promise<void> {
  if (output === null) {
    for await (const scene of scenes.list(optionsOf(dataset))) {
      terminal.line(JSON.stringify(toStacItem(scene)));
    }
    return;
  }
  const file = createWriteStream(output);
  let count = 0;
  try {
    await once(file, 'open');
    for await (const scene of scenes.list(optionsOf(dataset))) {
      if (!file.write(`${JSON.stringify(toStacItem(scene))}\n`)) await once(file, 'drain');
      count += 1;
    }
    file.end();
    await once(file, 'finish');
  } catch (error) {
    file.destroy();
    throw badInput('export-not-written', `The export could not be written to ${output}.`, { cause: error });
  }
  terminal.note(`Wrote ${count} STAC items to ${output}.`);
}
