/**
 * A client of Swath for programs in Node and in browsers: typed, over fetch, without dependencies. The viewer uses the same
 * calls.
 *
 *     const swath = makeClient({ url: 'http://localhost:8080', key: '…' });
 *     const { scenes } = await swath.searchScenes('sentinel2l2a', { maxCloudPercent: 10, limit: 1 });
 */
import type { SceneCalls } from './scenes.ts';
import { makeSceneCalls } from './scenes.ts';
import type { StatisticsCalls } from './statistics.ts';
import { makeStatisticsCalls } from './statistics.ts';
import type { Following, Task, TaskCalls } from './tasks.ts';
import { followTask, makeTaskCalls } from './tasks.ts';
import type { TransportOptions } from './transport.ts';
import { ask, makeTransport, toPost } from './transport.ts';
import type { WeatherCalls } from './weather.ts';
import { makeWeatherCalls } from './weather.ts';

/** The calls of a service. Each throws a `SwathError` when it is refused, and the reason of its signal when that is used. */
export interface SwathClient extends SceneCalls, StatisticsCalls, TaskCalls, WeatherCalls {
  /** Waits until a task is over; the task with the link to its file, or null if the service has forgotten it. */
  followTask(id: string, following?: Following): Promise<Task | null>;
  /** The file of a task, by its link. */
  readFile(href: string, signal?: AbortSignal): Promise<Response>;
  /** Any other request of the interface; waits while the service says 429, and throws every other refusal. */
  call(path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
}

/** Builds the client of a service. */
export function makeClient(options: TransportOptions): SwathClient {
  const transport = makeTransport(options);
  const tasks = makeTaskCalls(transport);
  return {
    ...makeSceneCalls(transport),
    ...makeStatisticsCalls(transport),
    ...tasks,
    ...makeWeatherCalls(transport),
    async followTask(id, following) {
      await followTask(transport, id, following);
      for (let after: string | null = null; ; ) {
        const page = await tasks.listTasks({ limit: 100, after }, following?.signal);
        const task = page.tasks.find((one) => one.id === id);
        if (task !== undefined || page.next === null) return task ?? null;
        after = page.next;
      }
    },
    readFile: (href, signal) => ask(transport, { path: href, signal }),
    call: (path, body, signal) =>
      ask(transport, { path, signal, ...(body === undefined ? {} : { init: toPost(body) }) }),
  };
}

export type { Geometry, Scene, ScenePage, SceneQuery } from './scenes.ts';
export { toTileUrl } from './scenes.ts';
export type { FailedScene, Measured, MeasuredScene, Metrics, StatisticsQuery } from './statistics.ts';
export type { Following, Task, TaskOrder, TaskPage } from './tasks.ts';
export type { TransportOptions } from './transport.ts';
export { SwathError } from './transport.ts';
export type { Weather, WeatherDay, WeatherQuery } from './weather.ts';
