import { isUnavailable } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { Keys, UsageStore } from '../keys/index.ts';
import { makeQuotas, makeUsageCounter, USAGE_FLUSH_MS } from '../keys/index.ts';
import type { Config } from '../settings/index.ts';

/** Old usage is removed this often; every node does it, and one that is restarted more often leaves it to the others. */
const PRUNE_MS = 3_600_000;

interface UsageDeps {
  readonly config: Config;
  readonly store: UsageStore;
  readonly keys: Keys;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** Starts to count what keys use, and to hold them to the quotas of their roles. */
export function startUsage({ config, store, keys, log, parts }: UsageDeps) {
  const usage = makeUsageCounter({
    store,
    nowMs: Date.now,
    onFailure(error) {
      if (!isUnavailable(error)) log.warn({ err: error }, 'the usage of keys could not be stored');
    },
  });
  const timer = setInterval(() => void usage.flush(), USAGE_FLUSH_MS).unref();
  const pruning = setInterval(() => void usage.prune(), PRUNE_MS).unref();
  parts.defer(async () => {
    clearInterval(timer);
    clearInterval(pruning);
    await usage.flush();
  });
  const quotas = makeQuotas({
    quotas: { requests: config.requestsPerDay, tasks: config.tasksPerDay },
    usage,
    findKey: keys.findActive,
    nowMs: Date.now,
  });
  return {
    usage,
    quotas,
    /** How many fields a key may store. */
    async maxFields(owner: string): Promise<number> {
      const { fieldsByRole, fieldsPerKey } = config;
      const key = Object.keys(fieldsByRole).length === 0 ? null : await keys.findActive(owner);
      return (key === null ? undefined : fieldsByRole[key.role]) ?? fieldsPerKey;
    },
  };
}
