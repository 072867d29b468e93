import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command, Terminal } from '../cli/index.ts';
import { printTruth } from '../cli/index.ts';
import { badInput } from '../errors.ts';
import { sensorByAbbreviation, sensors } from '../sensors/index.ts';
import type { Config } from './config.ts';
import { removeDemoSoilMoisture } from './demo-soil-moisture.ts';
import { removeDemoTerrain } from './demo-terrain.ts';
import { DEMO_FOLDER, isDemoFile, isOfDemo, lockDemo, makeDemo, toReadyText } from './make-demo.ts';
import { openStore } from './open-store.ts';

type DemoCommand = Extract<Command, { readonly name: `demo ${string}` }>;

interface DemoDeps {
  readonly config: Config;
  readonly terminal: Terminal;
}

/** `swath demo …`, put together. */
export async function demo(command: DemoCommand, deps: DemoDeps): Promise<void> {
  switch (command.name) {
    case 'demo build':
      return build(command.set, deps);
    case 'demo remove':
      return remove(deps);
    case 'demo truth':
      return tell(command, deps);
  }
}

async function build(size: 'small' | 'standard' | 'full', { config, terminal }: DemoDeps): Promise<void> {
  const store = await openStore(config);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = terminal.progress('Making the demo world');
  let scenes = 0;
  try {
    await makeDemo({
      size,
      config,
      scenes: store.scenes,
      dems: store.dems,
      signal: stopping.signal,
      niceness: 0,
      onProgress: progress.update,
      onScene: (count) => {
        scenes = count;
      },
    });
    progress.done(toReadyText(scenes));
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await store.close();
  }
}

async function remove({ config, terminal }: DemoDeps): Promise<void> {
  const store = await openStore(config);
  try {
    const lock = lockDemo(config.dataDir);
    const viewIds: string[] = [];
    for await (const scene of store.scenes.list()) if (isOfDemo(scene)) viewIds.push(scene.viewId);
    for (const viewId of viewIds) await store.scenes.remove(viewId);
    await removeDemoTerrain(store.dems, isDemoFile);
    await removeDemoSoilMoisture(config);
    // Before its folder goes: an open file cannot be removed everywhere.
    lock.release();
    await rm(join(config.dataDir, DEMO_FOLDER), { recursive: true, force: true });
    terminal.line(
      `Removed the demo: ${viewIds.length} ${viewIds.length === 1 ? 'scene' : 'scenes'} and all its files.`,
    );
  } finally {
    await store.close();
  }
}

async function tell(
  { longitude, latitude, day, sensor: name, json }: Extract<DemoCommand, { name: 'demo truth' }>,
  { terminal }: DemoDeps,
): Promise<void> {
  const sensor = sensorByAbbreviation(name);
  if (sensor === null) {
    const known = sensors.map(({ abbreviation }) => abbreviation).join(', ');
    throw badInput('usage', `There is no sensor "${name.slice(0, 40)}". Known: ${known}.`);
  }
  const { askTruth } = await import('../../world/index.ts');
  const truth = askTruth({ longitude, latitude, date: day, sensor });
  if (json) terminal.line(JSON.stringify(truth, null, 2));
  else printTruth(truth, terminal);
}
