import type { Store } from '../adapters/store/index.ts';
import type { MeasureNow } from '../bulk/index.ts';
import { isUnavailable } from '../errors.ts';
import type { Fields } from '../fields/index.ts';
import type { Log } from '../http/index.ts';
import { toDryRunReport, toEventMessage } from '../http/index.ts';
import { makeCallbackSecrets } from '../keys/index.ts';
import type { Mosaics } from '../mosaic/index.ts';
import type { AddressPolicy } from '../net/index.ts';
import { makeGuardedFetch, postSigned } from '../net/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { toMayMail, toProxy } from '../settings/index.ts';
import type {
  Days,
  MeasureScene,
  SendEvents,
  Subscription,
  SubscriptionContent,
  WatchedShape,
  WatchJobs,
} from '../watch/index.ts';
import {
  AREA_ID,
  makeCheckSubscription,
  makeDryRun,
  makeJudgeScene,
  makeMeasureMosaic,
  startSendingEvents,
  startWatching,
} from '../watch/index.ts';
import type { MakeReport } from './renew-pyramids.ts';

interface WatchDeps {
  readonly config: Config;
  /** Its scenes are those of the catalog and of live catalogs. */
  readonly store: Pick<Store, 'watches' | 'scenes' | 'secrets' | 'rotations'>;
  readonly fields: Pick<Fields, 'listShapes' | 'putLastValues'>;
  readonly pool: JobRunner<WatchJobs>;
  readonly measureNow: MeasureNow;
  readonly mosaics: Pick<Mosaics, 'plan' | 'readValues' | 'readAreas'>;
  /** Whether scenes of a dataset come from the servers of others. */
  readonly isLive: (dataset: string) => boolean;
  readonly isActive: (owner: string) => Promise<boolean>;
  readonly log: Log;
  readonly version: string;
}

/** The longest time of one job: a window of a scene with thousands of fields. */
const JOB_TIMEOUT_MS = 600_000;
/** How long a receiver has to answer, and a server of e-mail for each of its steps. */
const TIMEOUT_MS = 10_000;
const MAIL_TIMEOUT_MS = 60_000;
/** How often due subscriptions and events are looked for. */
const LOOK_MS = 1_000;
/** Fields of one subscription: their outlines are in memory while it is checked. */
const MAX_FIELDS = 200_000;
const MINUTE_MS = 60_000;
/** Mosaics of fields that are planned and put together at once, for each thread: one waits while another is computed. */
const MOSAICS_PER_THREAD = 2;

/** The order of a dry run, as its task stores it. */
type DryRunOrder = SubscriptionContent & { readonly days: Days };

/** Builds the checks of subscriptions; `start` begins to carry them out in this process. */
export function makeWatch(deps: WatchDeps) {
  const { config, store, log } = deps;
  const checking = {
    scenes: store.scenes,
    listShapes: (subscription: Subscription) => listShapes(subscription, deps.fields),
    measureScene: makeMeasureScene(deps.measureNow),
    measureMosaic: makeMeasureMosaic({
      mosaics: deps.mosaics,
      atOnce: MOSAICS_PER_THREAD * config.threads,
      onRefused(period, fields, error) {
        log.warn({ err: error, period, fields }, 'mosaics of fields of a subscription could not be made');
      },
    }),
    judgeScene: makeJudgeScene(deps.pool),
    now: () => new Date(),
    onFailure(name: string, error: unknown) {
      log.warn({ err: error, view_id: name }, 'a scene or a mosaic could not be measured for a subscription');
    },
  };
  const ticketFor = (owner: string, signal: AbortSignal): Ticket => ({
    owner,
    lane: 'task',
    timeoutMs: JOB_TIMEOUT_MS,
    signal,
  });
  const dryRun = makeDryRun(checking);
  return {
    /** The report of a dry run. */
    makeReport: (async ({ id, owner, order }, { ticket, reportProgress }) => {
      const { days, ...content } = order as DryRunOrder;
      const subscription: Subscription = {
        ...content,
        owner,
        id,
        name: 'Dry run',
        delivery: { callbackUrl: null, mailTo: null },
        isPaused: false,
        createdAt: checking.now().toISOString(),
        since: days.from,
        checkedAt: null,
      };
      const found = await dryRun(subscription, days, {
        ticket,
        async onScene({ done, total }) {
          reportProgress({ done, total });
          return true;
        },
      });
      return toDryRunReport(found);
    }) satisfies MakeReport,
    /** Resolves when everything under way has ended. */
    start(): () => Promise<void> {
      const onFailure = (error: unknown, subscription: Subscription | null = null): void => {
        // A failing store is logged where it is noticed.
        if (isUnavailable(error) && subscription === null) return;
        log.warn({ err: error, subscription: subscription?.id }, 'a subscription could not be checked');
      };
      const watching = startWatching({
        store: store.watches,
        check: makeCheckSubscription({
          ...checking,
          store: store.watches,
          onReadings({ owner, ground, value: { expressions } }, { acquiredAt }, readings) {
            if (ground.kind === 'area') return;
            const date = acquiredAt.slice(0, 10);
            const rows = expressions.flatMap((expression, i) =>
              (readings[i] ?? []).map(({ fieldId: id, value }) => ({ id, expression, value, date })),
            );
            // Lists show them; events do not depend on it.
            deps.fields.putLastValues(owner, rows).catch(onFailure);
          },
        }),
        toIntervalMs: ({ value }) =>
          value.datasets.some(deps.isLive)
            ? config.watchCatalogMinutes * MINUTE_MS
            : config.watchSeconds * 1_000,
        isActive: deps.isActive,
        ticketFor,
        nowMs: Date.now,
        leaseMs: config.taskLeaseMs,
        lookMs: LOOK_MS,
        events: {
          onChecked({ id, owner }, { scenes, failed, fired }) {
            if (scenes + failed === 0) return;
            log.info(
              { subscription: id, owner, scenes, failed, events: fired },
              'a subscription was checked',
            );
          },
          onFailure,
        },
      });
      const sending = startSendingEvents({
        store: store.watches,
        senders: { callback: makeSendCallback(deps), mail: makeSendMail(config) },
        isActive: deps.isActive,
        nowMs: Date.now,
        leaseMs: MAIL_TIMEOUT_MS + config.taskLeaseMs,
        firstDelayMs: config.callbackRetryMs,
        lookMs: LOOK_MS,
        events: {
          onSent({ subscription, channel, events }, error) {
            const fields = { subscription: subscription.id, channel, events: events.length };
            if (error === null) log.info(fields, 'events were sent');
            else log.warn({ ...fields, error }, 'events could not be sent');
          },
          onFailure,
        },
      });
      return async () => {
        await Promise.all([watching.stop(), sending.stop()]);
      };
    },
  };
}

/** Measures the shapes of a check in scenes; what they cover of a grid is found once for all of its scenes. */
function makeMeasureScene({ makeSet, measure }: MeasureNow): MeasureScene {
  const sets = new WeakMap<readonly WatchedShape[], ReturnType<MeasureNow['makeSet']>>();
  return async ({ viewId }, { shapes, value }, ticket) => {
    const set = sets.get(shapes) ?? makeSet(shapes.map(({ geometry }) => geometry));
    sets.set(shapes, set);
    const measured = await measure({ viewId, set, expressions: value.expressions }, ticket);
    return measured.map((readings) =>
      readings.flatMap(({ shape, average, dataPercent, maskedPercent }) =>
        dataPercent >= value.minDataPercent && maskedPercent <= value.maxCloudPercent
          ? [{ fieldId: (shapes[shape] as WatchedShape).id, value: average }]
          : [],
      ),
    );
  };
}

/** The ground of a subscription as shapes. */
async function listShapes(
  { owner, ground }: Pick<Subscription, 'owner' | 'ground'>,
  fields: Pick<Fields, 'listShapes'>,
): Promise<readonly WatchedShape[]> {
  if (ground.kind === 'area') return [{ id: AREA_ID, name: null, externalId: null, geometry: ground.area }];
  const selection =
    ground.kind === 'group'
      ? { owner, group: ground.group }
      : ground.kind === 'fields'
        ? { owner, ids: ground.ids }
        : { owner };
  const shapes: WatchedShape[] = [];
  for await (const page of fields.listShapes(selection)) {
    for (const { id, externalId, name, geometry } of page) {
      if (shapes.length < MAX_FIELDS) shapes.push({ id, externalId, name, geometry });
    }
  }
  return shapes;
}

/** Sends events as signed posts; null where the operator allows none. */
function makeSendCallback({ config, store, version }: WatchDeps): SendEvents | null {
  const policy: AddressPolicy | null = config.callbackHosts;
  if (policy === null) return null;
  const secrets = makeCallbackSecrets(store);
  const subject = { file: 'the receiver of these events', server: 'the receiver of these events' };
  const fetch = makeGuardedFetch({
    policy,
    proxy: toProxy(config),
    subject,
    timeouts: { connectMs: TIMEOUT_MS, headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS },
  });
  return async ({ subscription, events, attempt }, signal) => {
    const url = subscription.delivery.callbackUrl;
    // The owner has removed the address since these events were leased.
    if (url === null) return 'no-receiver';
    const posted = await postSigned(
      {
        url,
        headers: { 'x-swath-subscription': subscription.id, 'x-swath-attempt': String(attempt) },
        body: JSON.stringify(toEventMessage(subscription, events)),
        secret: await secrets.find(subscription.owner),
      },
      { fetch, userAgent: `swath/${version}`, wallClockMs: Date.now, signal },
    );
    if (posted.kind === 'delivered') return null;
    return posted.failure.error ?? `status ${posted.failure.status}`;
  };
}

/** Sends events by e-mail; null where the operator has set up no server. */
function makeSendMail(config: Config): SendEvents | null {
  const { mailServer, mailFrom } = config;
  const mayMail = toMayMail(config);
  if (mailServer === null || mailFrom === null || mayMail === null) return null;
  const { host, port, isSecure, user, password } = mailServer;
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure: isSecure,
      ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof openTransport> | undefined;
  return async ({ subscription, events }) => {
    const { mailTo } = subscription.delivery;
    if (mailTo === null) return 'no-receiver';
    if (!mayMail(mailTo)) return 'address-not-allowed';
    try {
      // Loaded with the first e-mail: most services send none.
      transport ??= openTransport();
      await (await transport).sendMail({
        from: mailFrom,
        to: { name: '', address: mailTo },
        subject: toMailSubject(subscription, events.length),
        text: toMailText(subscription, events),
        // The same events have the same id: a mail that was sent twice can be told.
        messageId: `<${events[0]?.id ?? subscription.id}.${events.length}@swath>`,
      });
      return null;
    } catch {
      // Answers of the server may hold addresses.
      return 'not-accepted';
    }
  };
}

const toMailSubject = ({ name }: Subscription, count: number): string =>
  `${name}: ${count === 1 ? 'one event' : `${count} events`}`;

const toMailText = ({ id }: Subscription, events: Parameters<SendEvents>[0]['events']): string =>
  [
    ...events.map(({ fieldName, fieldId, acquiredAt, expression, value, compared, viewId, mosaic }) => {
      const against = compared === null ? '' : ` (compared with ${compared.toFixed(3)})`;
      const field = fieldName ?? (fieldId === AREA_ID ? 'the area' : fieldId);
      const [when, what] =
        mosaic === undefined
          ? [acquiredAt.slice(0, 10), `scene ${viewId}`]
          : [mosaic.period, `mosaic of ${mosaic.viewIds.length} scenes`];
      return `${when}  ${field}: ${expression} ${value.toFixed(3)}${against}, ${what}`;
    }),
    '',
    `Subscription ${id}. All events are in its feed: /api/subscriptions/${id}/events`,
  ].join('\n');
