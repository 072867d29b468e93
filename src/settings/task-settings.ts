import { availableParallelism } from 'node:os';
import type { AddressPolicy } from '../net/index.ts';
import type { SettingsOf } from './setting.ts';
import { isNetwork, parseChoice, parseCount } from './setting.ts';

/** Where callbacks may go; null if none are sent. */
type CallbackHosts = AddressPolicy | null;

/** The settings of tasks, statistics and callbacks. */
export interface TaskConfig {
  readonly roles: 'all' | 'api' | 'worker';
  readonly taskSlots: number;
  readonly tasksPerKey: number;
  readonly openTasks: number;
  readonly endedTasksPerKey: number;
  readonly resultMbPerKey: number;
  readonly resultDays: number;
  readonly taskTimeoutS: number;
  readonly taskLeaseMs: number;
  readonly statisticsScenes: number;
  readonly statisticsKm2: number;
  readonly statisticsIndices: number;
  readonly pyramidMinutes: number;
  readonly callbackHosts: CallbackHosts;
  readonly callbackRetryMs: number;
  readonly callbacksPerMinute: number;
}

/** How these settings are read. */
export const taskSettings: SettingsOf<TaskConfig> = {
  roles: {
    variable: 'SWATH_ROLES',
    summary:
      'What this process does: all; api takes requests and orders, and leaves tasks to others; worker runs tasks, and answers only health checks and metrics. Several processes share a database, or a data directory on one machine.',
    fallbackText: 'all',
    fallback: () => 'all' as const,
    parse: (text) => parseChoice(text, ['all', 'api', 'worker']),
  },
  taskSlots: {
    variable: 'SWATH_TASK_SLOTS',
    summary:
      'Tasks that this process runs at the same time; up to twice as many while keys without a running task wait.',
    fallbackText: 'twice the number of cores',
    fallback: () => 2 * availableParallelism(),
    parse: (text) => parseCount(text, 1, 256),
  },
  pyramidMinutes: {
    variable: 'SWATH_PYRAMID_MINUTES',
    summary:
      'How often the pyramids of mosaics are brought up to date, in minutes; 0 for never. Tiles whose scenes have not changed are not made again.',
    fallbackText: '60',
    fallback: () => 60,
    parse: (text) => parseCount(text, 0, 100_000),
  },
  tasksPerKey: {
    variable: 'SWATH_TASKS_PER_KEY',
    summary: 'Max open tasks of one key; 0 for no limit.',
    fallbackText: '50',
    fallback: () => 50,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  openTasks: {
    variable: 'SWATH_OPEN_TASKS',
    summary: 'Max open tasks of all keys; 0 for no limit.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 0, 10_000_000),
  },
  endedTasksPerKey: {
    variable: 'SWATH_ENDED_TASKS_PER_KEY',
    summary:
      'Max ended tasks of one key; beyond that, the oldest are removed with their results. 0 for no limit.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 0, 10_000_000),
  },
  resultMbPerKey: {
    variable: 'SWATH_RESULT_MB_PER_KEY',
    summary:
      'Storage for the orders and results of one key, including the estimates of its open tasks, in MiB; 0 for no limit.',
    fallbackText: '51200',
    fallback: () => 51_200,
    parse: (text) => parseCount(text, 0, 1_073_741_824),
  },
  resultDays: {
    variable: 'SWATH_RESULT_DAYS',
    summary: 'How long tasks and their results are stored after the end of the task, in days.',
    fallbackText: '7',
    fallback: () => 7,
    parse: (text) => parseCount(text, 1, 3_650),
  },
  taskTimeoutS: {
    variable: 'SWATH_TASK_TIMEOUT_S',
    summary: 'Time limit of a task after its creation, in seconds.',
    fallbackText: '172800',
    fallback: () => 172_800,
    parse: (text) => parseCount(text, 1, 31_536_000),
  },
  taskLeaseMs: {
    variable: 'SWATH_TASK_LEASE_MS',
    summary:
      'How long a worker may be silent before another one takes over its tasks, in milliseconds; must be the same for all processes.',
    fallbackText: '15000',
    fallback: () => 15_000,
    parse: (text) => parseCount(text, 1_000, 600_000),
  },
  statisticsScenes: {
    variable: 'SWATH_STATISTICS_SCENES',
    summary: 'Max scenes of one statistics order.',
    fallbackText: '500',
    fallback: () => 500,
    parse: (text) => parseCount(text, 1, 10_000),
  },
  statisticsKm2: {
    variable: 'SWATH_STATISTICS_KM2',
    summary: 'Max area of statistics, in square kilometres.',
    fallbackText: '200',
    fallback: () => 200,
    parse: (text) => parseCount(text, 1, 20_000),
  },
  statisticsIndices: {
    variable: 'SWATH_STATISTICS_INDICES',
    summary: 'Max indices of one order at /api/gdw/api.',
    fallbackText: '3',
    fallback: () => 3,
    parse: (text) => parseCount(text, 1, 10),
  },
  callbackHosts: {
    variable: 'SWATH_CALLBACK_HOSTS',
    summary:
      'Where callbacks of tasks may go: hosts such as `hooks.example.org`, `*.example.org` or `hooks.example.org:8443`, and private networks such as `10.0.0.0/8`, separated by spaces; off sends none.',
    fallbackText: '(any host with a public address)',
    fallback: () => publicHosts,
    parse: parseCallbackHosts,
    show: describeCallbackHosts,
  },
  callbackRetryMs: {
    variable: 'SWATH_CALLBACK_RETRY_MS',
    summary:
      'Delay between the first and the second attempt at a callback, in milliseconds; the next delays are 6, 30 and 180 times as long.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 1, 20_000),
  },
  callbacksPerMinute: {
    variable: 'SWATH_CALLBACKS_PER_MINUTE',
    summary:
      'Max callback attempts per minute and key, counted by each process; further ones wait. 0 for no limit.',
    fallbackText: '120',
    fallback: () => 120,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
};

const PORTS: readonly number[] = [443, 80];

/** Every host with a public address, at the ports of http and https. */
export const publicHosts: CallbackHosts = { allowHttp: true, ports: PORTS };

const HOST = /^((?:\*\.)?[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::(\d{1,5}))?$/;

/**
 * Reads SWATH_CALLBACK_HOSTS: `off`, or entries with spaces between them: hosts (`hooks.example.org`, `*.example.org`, with
 * `:port` if it is another than 80 or 443), outside of which nothing is called, and networks (`10.0.0.0/8`) that may be called
 * although they are not public. The error continues the variable's name.
 */
export function parseCallbackHosts(text: string): CallbackHosts {
  if (text.trim() === 'off') return null;
  const hosts: string[] = [];
  const ports = new Set(PORTS);
  const privateNetworks: string[] = [];
  for (const entry of text.split(/\s+/).filter((word) => word !== '')) {
    const [, host, port] = HOST.exec(entry) ?? [];
    if (isNetwork(entry)) privateNetworks.push(entry);
    else if (host !== undefined && (port === undefined || isPort(Number(port)))) {
      hosts.push(host);
      if (port !== undefined) ports.add(Number(port));
    } else {
      throw new Error(
        `lists "${entry.slice(0, 80)}"; it must be off, or hosts such as hooks.example.org, *.example.org or hooks.example.org:8443 and networks such as 10.0.0.0/8`,
      );
    }
  }
  const policy = { allowHttp: true, ports: [...ports], privateNetworks };
  return hosts.length === 0 ? policy : { ...policy, hosts };
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/** The setting as `doctor` prints it. */
export function describeCallbackHosts(policy: CallbackHosts): string {
  if (policy === null) return 'off';
  const { hosts, ports = [], privateNetworks = [] } = policy;
  const where = [...(hosts ?? ['(any host with a public address)']), ...privateNetworks].join(' ');
  const more = ports.filter((port) => !PORTS.includes(port));
  return more.length === 0 ? where : `${where}, also at port ${more.join(', ')}`;
}
