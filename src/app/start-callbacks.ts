import type { Store } from '../adapters/store/index.ts';
import { isUnavailable } from '../errors.ts';
import type { Log, WriteDocument } from '../http/index.ts';
import { toCallbackBody } from '../http/index.ts';
import { makeCallbackSecrets } from '../keys/index.ts';
import type { AddressPolicy } from '../net/index.ts';
import { makeGuardedFetch, toShownAddress } from '../net/index.ts';
import type { Config, ProxyConfig } from '../settings/index.ts';
import { noLimitAtZero, toProxy } from '../settings/index.ts';
import type { CallbackEnd } from '../tasks/index.ts';
import { startCallbackSender } from '../tasks/index.ts';
import type { Tracing } from './traced.ts';

interface CallbackDeps {
  readonly config: ProxyConfig &
    Pick<Config, 'publicUrl' | 'taskLeaseMs' | 'callbackRetryMs' | 'callbacksPerMinute'>;
  readonly policy: AddressPolicy;
  readonly store: Pick<Store, 'callbacks' | 'tasks' | 'secrets' | 'rotations'>;
  readonly log: Log;
  readonly version: string;
  readonly toResultLink: (id: string, fileName: string) => Promise<string>;
  readonly writeDocument: WriteDocument;
  readonly traceAttempt: Tracing['callbacks'] | undefined;
  /** Called at the end of each attempt. */
  readonly onEnd: (end: CallbackEnd) => void;
}

/** How long a receiver has to answer (docs/use/callbacks.md). */
const TIMEOUT_MS = 10_000;

/** Starts the sender of callbacks, which notify others that their tasks are over. */
export function startCallbacks({
  config,
  policy,
  store,
  log,
  version,
  toResultLink,
  writeDocument,
  traceAttempt,
  onEnd,
}: CallbackDeps) {
  const secrets = makeCallbackSecrets(store);
  return startCallbackSender({
    store: store.callbacks,
    tasks: store.tasks,
    toBody: (task, { form, publicUrl }) =>
      toCallbackBody(
        task,
        { form, publicUrl: config.publicUrl ?? publicUrl },
        { toResultLink, findDocument: store.tasks.findDocument, writeDocument },
      ),
    findSecret: secrets.find,
    fetch: makeGuardedFetch({
      policy,
      proxy: toProxy(config),
      subject: { file: 'the receiver of this callback', server: 'the receiver of this callback' },
      timeouts: { connectMs: TIMEOUT_MS, headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS },
    }),
    userAgent: `swath/${version}`,
    traceAttempt,
    // The longest call, and the silence after which a worker is considered dead.
    leaseMs: TIMEOUT_MS + config.taskLeaseMs,
    firstDelayMs: config.callbackRetryMs,
    perMinute: noLimitAtZero(config.callbacksPerMinute),
    events: {
      onEnd({ taskId, url, attempts }, end, posted) {
        onEnd(end);
        const fields = { task_id: taskId, url: toShownAddress(url), attempt: attempts, end };
        if (posted?.kind !== 'failed') return log.info(fields, 'an attempt at a callback ended');
        const { failure, cause } = posted;
        log.warn({ ...fields, ...failure, err: cause ?? undefined }, 'an attempt at a callback failed');
      },
      onFailure(error, callback) {
        // A failing store is logged where it is noticed.
        if (isUnavailable(error)) return;
        log.warn({ err: error, task_id: callback?.taskId }, 'a callback could not be sent');
      },
    },
  });
}
