import type { Store } from '../adapters/store/index.ts';
import type { Command, Terminal } from '../cli/index.ts';
import { printTruth } from '../cli/index.ts';
import type { DemoSize, MakeDemoDeps } from '../demo/index.ts';
import { askDemoTruth, findUnfinishedDemo, listDemoFields, makeDemo, removeDemo } from '../demo/index.ts';
import { isSwathError } from '../errors.ts';
import type { Log } from '../http/index.ts';
import { sensorByAbbreviation, sensors } from '../sensors/index.ts';
import type { Config } from '../settings/index.ts';
import { badInput } from './errors.ts';
import { makeDemDoors } from './files.ts';
import { lockFolder, openStore } from './open-store.ts';
import { withStopSignal } from './stop-signals.ts';

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
    case 'demo fields':
      return printFields(command.limit, deps);
  }
}

async function build(size: DemoSize, { config, terminal }: DemoDeps): Promise<void> {
  const store = await openStore(config);
  try {
    await withStopSignal(async (signal) => {
      const progress = terminal.progress('Making the demo world');
      let scenes = 0;
      await makeDemo({
        ...toDemoDeps(config, store),
        size,
        signal,
        niceness: 0,
        onProgress: progress.update,
        onScene: (count) => {
          scenes = count;
        },
      });
      progress.done(toReadyText(scenes));
    });
  } finally {
    await store.close();
  }
}

async function remove({ config, terminal }: DemoDeps): Promise<void> {
  const store = await openStore(config);
  try {
    const count = await removeDemo(toDemoDeps(config, store));
    terminal.line(`Removed the demo: ${count} ${count === 1 ? 'scene' : 'scenes'} and all its files.`);
  } finally {
    await store.close();
  }
}

/** A feature a line: a diff shows what has changed, and tools that read lines can use it. */
async function printFields(limit: number, { terminal }: DemoDeps): Promise<void> {
  const features = (await listDemoFields(limit)).map((feature) => JSON.stringify(feature));
  terminal.line('{"type": "FeatureCollection", "features": [');
  terminal.line(features.join(',\n'));
  terminal.line(']}');
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
  const truth = await askDemoTruth({ longitude, latitude, date: day, sensor });
  if (json) terminal.line(JSON.stringify(truth, null, 2));
  else printTruth(truth, terminal);
}

/** The demo set that a server has to make: all of it for an empty catalog, the rest if a run was stopped; null for none. */
export async function planDemo(config: Config, scenes: number): Promise<DemoSize | null> {
  const { demo } = config;
  if (demo === 'off') return null;
  if (scenes > 0) return findUnfinishedDemo(config);
  return demo === 'small' ? 'small' : 'standard';
}

interface FillDeps extends DemoDeps {
  readonly size: DemoSize;
  readonly store: Store;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called when the map has something to show. */
  readonly onFirstScene: () => void;
}

/** Below the threads that draw (5), so that the map stays quick while the rest of the world is made. */
const NICENESS = 10;

/**
 * Makes the demo world while the service runs. A failure is reported and leaves a working service. Of nodes that start at
 * once on one database, one makes it.
 */
export async function fillCatalog(deps: FillDeps): Promise<void> {
  const { config, store, log } = deps;
  try {
    const lock = await store.tryLock('demo');
    if (lock === null) {
      log.info({}, 'another node makes the demo world');
      return;
    }
    try {
      // Another node may have made it since this one has counted.
      if ((await planDemo(config, await store.scenes.count())) !== null) await fillLocked(deps);
    } finally {
      await lock.release();
    }
  } catch (error) {
    log.error({ err: error }, 'the demo world could not be made');
  }
}

async function fillLocked(deps: FillDeps): Promise<void> {
  const { size, config, store, terminal, log, signal, onFirstScene } = deps;
  const progress = terminal.progress('Making the demo world');
  let count = 0;
  try {
    await makeDemo({
      ...toDemoDeps(config, store),
      size,
      signal,
      niceness: NICENESS,
      onProgress: progress.update,
      onScene: (made) => {
        count = made;
        if (made === 1) onFirstScene();
      },
    });
    progress.done(toReadyText(count));
  } catch (error) {
    if (signal.aborted) {
      progress.done('The demo world is not whole yet; the next start goes on with it.');
      return;
    }
    log.error({ err: error }, 'the demo world could not be made');
    const why = isSwathError(error) ? `: ${error.message}` : '';
    progress.done(`The demo world could not be made${why}; the catalog has ${count} scenes of it.`);
  }
}

const toDemoDeps = (
  config: Config,
  { scenes, dems }: Store,
): Pick<MakeDemoDeps, 'config' | 'lockFolder' | 'demDoors' | 'scenes' | 'dems'> => ({
  config,
  lockFolder,
  demDoors: makeDemDoors(config),
  scenes,
  dems,
});

const toReadyText = (scenes: number): string =>
  `The demo world is ready: ${scenes} ${scenes === 1 ? 'scene' : 'scenes'}.`;
