import { setTimeout as sleep } from 'node:timers/promises';
import { toSourceLines } from './app/source-lines.ts';
import { readVersion } from './app/version.ts';
import type { Command, Terminal } from './cli/index.ts';
import {
  EXIT,
  makeTerminal,
  parseCommand,
  printHelp,
  printReport,
  runCallbacks,
  runDem,
  runKeys,
  runScenes,
  runSoilMoisture,
  runTasks,
  runTop,
  runUsage,
  runWeather,
  toExitStatus,
} from './cli/index.ts';
import { isSwathError } from './errors.ts';
import { keepFilesPrivate } from './files/index.ts';
import { makeCallbackSecrets, makeKeys } from './keys/index.ts';
import type { Config } from './settings/index.ts';
import { parseConfig, withEarth } from './settings/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one command and gives its exit status. */
export async function main(argv: readonly string[], env: Environment): Promise<number> {
  // The reader of our output may close it early (`swath export | head`): that is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.done);
  });
  // Nor is a closed standard error: the service goes on, and stops when it is told to.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const terminal = makeTerminal({
    out: process.stdout,
    err: process.stderr,
    noColor: env.NO_COLOR !== undefined && env.NO_COLOR !== '',
  });
  try {
    return await run(parseCommand(argv), env, terminal);
  } catch (error) {
    terminal.note(describeFailure(error));
    return toExitStatus(error);
  }
}

/** One line for what was thrown on purpose; a bug shows where it is. */
function describeFailure(error: unknown): string {
  if (isSwathError(error)) return `swath: ${error.message}`;
  return `Swath crashed: ${error instanceof Error ? toSourceLines(error.stack ?? error.message) : String(error)}`;
}

async function run(command: Command, env: Environment, terminal: Terminal): Promise<number> {
  let outputMode = 0o600;
  /** Before a command makes its first file. */
  const readConfig = (settings = env): Config => {
    const config = parseConfig(settings);
    const rights = keepFilesPrivate(config.dataDir);
    ({ outputMode } = rights);
    if (rights.tightened.length > 0) {
      const names = rights.tightened.join(', ');
      terminal.note(
        `Other users of this machine could read ${names} in ${config.dataDir}; Swath has made them private.`,
      );
    }
    return config;
  };
  switch (command.name) {
    case 'help':
      printHelp(terminal, command.topic);
      return EXIT.done;
    case 'version':
      terminal.line(readVersion());
      return EXIT.done;
    case 'serve': {
      // Loaded when needed: other commands answer at once without the server's libraries.
      const { serve } = await import('./app/serve.ts');
      return serve({
        config: readConfig(command.earth ? withEarth(env) : env),
        version: readVersion(),
        terminal,
        isUnderNpm: env.npm_lifecycle_event !== undefined,
      });
    }
    case 'doctor': {
      const { examine } = await import('./app/examine.ts');
      return printReport(await examine(parseConfig(env), env), terminal) ? EXIT.done : EXIT.failed;
    }
    case 'keys create':
    case 'keys list':
    case 'keys revoke':
    case 'keys delete-stored':
    case 'keys rotate-callback-secret': {
      const { openStore } = await import('./app/open-store.ts');
      const config = readConfig();
      await using store = disposing(await openStore(config));
      const keys = makeKeys({ store: store.keys, configuredSecret: null, now: () => new Date() });
      await runKeys(command, {
        keys,
        callbackSecrets: makeCallbackSecrets(store),
        areas: store.areas,
        colormaps: store.colormaps,
        recipes: store.recipes,
        fields: store.fields,
        watches: store.watches,
        tasks: store.tasks,
        removeTasks: async (owner) =>
          (await import('./app/results.ts')).cleanUpTasks({ days: 0, owner }, { config, store }),
        terminal,
      });
      return EXIT.done;
    }
    case 'usage': {
      const { openStore } = await import('./app/open-store.ts');
      await using store = disposing(await openStore(readConfig()));
      const keys = makeKeys({ store: store.keys, configuredSecret: null, now: () => new Date() });
      await runUsage(command, { usage: store.usage, keys, nowMs: Date.now, terminal });
      return EXIT.done;
    }
    case 'top': {
      const { openStore } = await import('./app/open-store.ts');
      const { readNodeMetrics } = await import('./app/named-server.ts');
      const config = readConfig();
      await using store = disposing(await openStore(config));
      await runTop(command, {
        usage: store.usage,
        keys: makeKeys({ store: store.keys, configuredSecret: null, now: () => new Date() }),
        tasks: store.tasks,
        readMetrics: (url) => readNodeMetrics(url, config),
        nowMs: Date.now,
        sleep,
        terminal,
        isScreen: process.stdout.isTTY === true,
      });
      return EXIT.done;
    }
    case 'scenes list':
    case 'scenes show':
    case 'scenes remove':
    case 'export': {
      const { openStore } = await import('./app/open-store.ts');
      const config = readConfig();
      await using store = disposing(await openStore(config));
      const isDone = await runScenes(command, {
        scenes: store.scenes,
        terminal,
        out: process.stdout,
        dataDir: config.dataDir,
        outputMode,
      });
      return isDone ? EXIT.done : EXIT.failed;
    }
    case 'ingest dem': {
      const { ingestModel } = await import('./app/ingest-dem.ts');
      const config = readConfig();
      return (await ingestModel(command, { config, terminal, outputMode })) ? EXIT.done : EXIT.failed;
    }
    case 'dem list':
    case 'dem remove':
    case 'dem order': {
      const { openStore } = await import('./app/open-store.ts');
      const config = readConfig();
      await using store = disposing(await openStore(config));
      const removeOverviews = async (dem: string): Promise<void> =>
        (await import('./app/ingest-dem.ts')).removeDemOverviews(dem, config);
      const isDone = await runDem(command, { dems: store.dems, removeOverviews, terminal });
      return isDone ? EXIT.done : EXIT.failed;
    }
    case 'ingest soilmoisture': {
      const { ingestSoilMoisture } = await import('./app/ingest-grids.ts');
      const config = readConfig();
      return (await ingestSoilMoisture(command, { config, terminal, outputMode })) ? EXIT.done : EXIT.failed;
    }
    case 'soilmoisture list':
    case 'soilmoisture remove': {
      const { lockCubes } = await import('./cubes/index.ts');
      const { lockFolder } = await import('./app/open-store.ts');
      const { openMoistureCubes } = await import('./soil-moisture/index.ts');
      const config = readConfig();
      const lock = command.name === 'soilmoisture remove' ? await lockCubes(config, lockFolder) : null;
      try {
        const isDone = await runSoilMoisture(command, { cubes: openMoistureCubes(config, lock), terminal });
        return isDone ? EXIT.done : EXIT.failed;
      } finally {
        await lock?.release();
      }
    }
    case 'ingest weather': {
      const { ingestWeather } = await import('./app/ingest-grids.ts');
      const config = readConfig();
      return (await ingestWeather(command, { config, terminal, outputMode })) ? EXIT.done : EXIT.failed;
    }
    case 'weather list':
    case 'weather remove': {
      const { lockCubes } = await import('./cubes/index.ts');
      const { lockFolder } = await import('./app/open-store.ts');
      const { openRemovableWeather, openStations } = await import('./weather/index.ts');
      const config = readConfig();
      const lock = command.name === 'weather remove' ? await lockCubes(config, lockFolder) : null;
      try {
        const isDone = await runWeather(command, {
          cubes: openRemovableWeather(config, lock),
          stations: openStations(config),
          terminal,
        });
        return isDone ? EXIT.done : EXIT.failed;
      } finally {
        await lock?.release();
      }
    }
    case 'tasks list':
    case 'tasks show':
    case 'tasks cancel':
    case 'tasks retry':
    case 'tasks prune': {
      const { openStore } = await import('./app/open-store.ts');
      const config = readConfig();
      await using store = disposing(await openStore(config));
      const isDone = await runTasks(command, {
        tasks: store.tasks,
        cleanUp: async (options) =>
          (await import('./app/results.ts')).cleanUpTasks(options, { config, store }),
        terminal,
      });
      return isDone ? EXIT.done : EXIT.failed;
    }
    case 'callbacks list':
    case 'callbacks show':
    case 'callbacks retry': {
      const { openStore } = await import('./app/open-store.ts');
      await using store = disposing(await openStore(readConfig()));
      return (await runCallbacks(command, { callbacks: store.callbacks, terminal }))
        ? EXIT.done
        : EXIT.failed;
    }
    case 'demo build':
    case 'demo remove':
    case 'demo fields':
    case 'demo truth': {
      const { demo } = await import('./app/demo.ts');
      await demo(command, { config: readConfig(), terminal });
      return EXIT.done;
    }
    case 'sync': {
      const { syncScenes } = await import('./app/sync-scenes.ts');
      const config = readConfig();
      const isDone = await syncScenes(command, { config, version: readVersion(), terminal, outputMode });
      return isDone ? EXIT.done : EXIT.failed;
    }
    case 'ingest folder':
    case 'ingest stac': {
      const { ingestScenes } = await import('./app/ingest-scenes.ts');
      const config = readConfig();
      return (await ingestScenes(command, { config, terminal, outputMode })) ? EXIT.done : EXIT.failed;
    }
  }
}

/** Closes a store when its command is over. */
const disposing = <S extends { close(): Promise<void> }>(store: S) => ({
  ...store,
  [Symbol.asyncDispose]: () => store.close(),
});
