import { badInput, isSwathError, nameParameter } from '../../errors.ts';
import type { DownloadKind, DownloadOrders, Downloads } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Colormaps } from '../../library/index.ts';
import type { AddressPolicy } from '../../net/index.ts';
import { mayLeadTo, parseAllowedUrl } from '../../net/index.ts';
import type { StoredStatistics, TaskError } from '../../tasks/index.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Params } from '../kit/fields.ts';
import { refuseField } from '../kit/fields.ts';
import type { AreaDeps } from './download-params.ts';
import { readArea, readBandsParams, readIndexParams } from './download-params.ts';
import { readPictureParams } from './picture-params.ts';
import { RefusedStatistics } from './statistics-answers.ts';
import type { StatisticsDefaults, StatisticsLimits } from './statistics-params.ts';
import {
  asksForMoisture,
  isIndexList,
  readMoistureParams,
  readStatisticsParams,
} from './statistics-params.ts';
import { orderFields } from './task-body.ts';
import type { TaskKind } from './task-types.ts';
import { TASK_TYPES, toTaskKind } from './task-types.ts';

/** What orders are read and planned with. */
export interface OrderDeps extends AreaDeps {
  readonly colormaps: Colormaps;
  readonly downloads: Downloads;
  readonly statisticsLimits: StatisticsLimits;
  /** Where callbacks may go; null if none are sent. */
  readonly callbackPolicy: AddressPolicy | null;
}

/** An order that can be carried out. */
export interface ReadOrder {
  readonly kind: TaskKind;
  readonly reference: string | null;
  readonly callbackUrl: string | null;
  /** The scene; null for statistics. */
  readonly viewId: string | null;
  /** As the task stores it: the order, and apart from it the area as JSON. */
  readonly order: unknown;
  readonly area: string | null;
  readonly estimatedBytes: number;
  /** What the file will be called; null where there is none. */
  readonly fileName: string | null;
  /** Why the task will fail at once: of statistics, programs learn that from the poll. Null if it can be carried out. */
  readonly refusal: TaskError | null;
}

/** Reads the body of a new task and plans its file, so that what cannot be done is refused at once. */
export async function readOrder(
  request: ApiRequest,
  defaults: StatisticsDefaults,
  deps: OrderDeps,
): Promise<ReadOrder> {
  const body = toObject(await request.readJson(), 'The body');
  const { type, params: given } = body;
  const kind = toTaskKind(type);
  if (kind === null) throw badInput('bad-type', `type must be one of ${TASK_TYPES.join(', ')}.`);
  const params = toObject(given, 'params');
  const reference = orderFields.reference.parse(params.reference);
  const callbackUrl = readCallbackUrl(body, params, deps.callbackPolicy);
  if (kind === 'statistics') {
    const stored = await readStatistics(params, { request, defaults }, deps);
    const estimatedBytes = estimateDocument(stored.order);
    const refusal = stored.order.kind === 'refused' ? stored.order.error : null;
    return { kind, reference, callbackUrl, viewId: null, ...stored, estimatedBytes, fileName: null, refusal };
  }
  try {
    const order = await readParams(kind, params, request, deps);
    const { estimatedBytes, fileName } = await deps.downloads.plan(kind, order);
    const stored = deps.downloads.toStored(order);
    const common = { kind, reference, callbackUrl, viewId: order.viewId, refusal: null };
    return { ...common, ...stored, estimatedBytes, fileName };
  } catch (error) {
    throw toBadOrder(nameOrdered(error));
  }
}

async function readParams(
  kind: DownloadKind,
  params: Params,
  { ticket }: ApiRequest,
  deps: OrderDeps,
): Promise<DownloadOrders[DownloadKind]> {
  switch (kind) {
    case 'bands':
      return { ...readBandsParams(params), area: await readArea(params, ticket, deps) };
    case 'index':
      return { ...readIndexParams(params), area: await readArea(params, ticket, deps) };
    case 'picture':
      return {
        ...(await readPictureParams(params, deps.colormaps)),
        area: await readArea(params, ticket, deps),
      };
  }
}

/** An order of statistics as its task stores it. */
export type ReadStatistics =
  | { readonly order: Extract<StoredStatistics, { kind: 'refused' }>; readonly area: null }
  | TakenStatistics;

/** One that was not refused. */
export interface TakenStatistics {
  readonly order: Exclude<StoredStatistics, { kind: 'refused' }>;
  /** JSON text. */
  readonly area: string;
}

/** Reads an order of statistics; a refusal with a code of the interface is what its poll will say. */
export async function readStatistics(
  params: Params,
  { request, defaults }: { readonly request: ApiRequest; readonly defaults: StatisticsDefaults },
  deps: OrderDeps,
): Promise<ReadStatistics> {
  const { ticket } = request;
  const isList = isIndexList(params);
  try {
    if (asksForMoisture(params)) {
      const { order, area } = await readMoistureParams(params, { ticket, defaults }, deps);
      return { order: { kind: 'soil-moisture', order, isList }, area };
    }
    const { order, area } = await readStatisticsParams(params, { ticket, defaults }, deps);
    return { order: { kind: 'scenes', order, isList }, area };
  } catch (error) {
    if (!(error instanceof RefusedStatistics)) throw error;
    return { order: { kind: 'refused', error: { code: error.code, message: error.message } }, area: null };
  }
}

/** Bytes of a scene in a document, for each expression, and of each count of its histogram. */
const SCENE_BYTES = 500;
const COUNT_BYTES = 6;

/** What a document will take at most, roughly. */
export function estimateDocument(stored: StoredStatistics): number {
  if (stored.kind === 'refused') return 0;
  if (stored.kind === 'soil-moisture') return SCENE_BYTES * stored.order.limit;
  const { limit, expressions, histogram } = stored.order;
  return (SCENE_BYTES + COUNT_BYTES * (histogram?.bins ?? 0)) * limit * expressions.length;
}

function toObject(value: unknown, name: string): Params {
  if (isObject(value)) return value;
  throw badInput('bad-body', `${name} must be an object.`);
}

/** As long as browsers and proxies take an address. */
const MAX_CHARACTERS = 2_048;

/**
 * The address that we call when a task is over, in normal form; null by default. It stands next to `type` or among the
 * `params`. The sender checks where its name leads, because that may change until then.
 */
function readCallbackUrl(body: Params, params: Params, policy: AddressPolicy | null): string | null {
  const given = [body.callback_url, params.callback_url].find((value) => (value ?? '') !== '') ?? null;
  if (given === null) return null;
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS)
    throw refuseField('callback_url', `must be a text of up to ${MAX_CHARACTERS} characters.`);
  if (policy === null) throw refuseField('callback_url', 'cannot be used: this service sends no callbacks.');
  const url = parseAllowed(given, policy);
  if (url === null || url.href.length > MAX_CHARACTERS || !mayLeadTo(url, policy)) {
    throw refuseField(
      'callback_url',
      'must be a public http or https address without a user name or password, at a port and host that this service may call.',
    );
  }
  return url.href;
}

function parseAllowed(text: string, policy: AddressPolicy): URL | null {
  try {
    return parseAllowedUrl(text, policy);
  } catch (error) {
    if (isSwathError(error)) return null;
    throw error;
  }
}

/** What the parts of an order that is planned elsewhere are called in params. */
const PARAMETERS: ReadonlyMap<unknown, string> = new Map([
  ['expressions', 'bm_type'],
  ['bands', 'bands'],
]);

/** A refusal of a part of the order with the name of its parameter. */
function nameOrdered(error: unknown): unknown {
  const name = isSwathError(error) ? PARAMETERS.get(error.details.about) : undefined;
  return name === undefined ? error : nameParameter(name, error);
}

/** What params call the parameters of tiles. */
const toParam = (name: string): string => (name === 'MIN_MAX' ? 'levels' : name.toLowerCase());

/** An order that cannot be carried out is a bad one: 400, where a picture would be 422. */
function toBadOrder(error: unknown): unknown {
  if (!isSwathError(error) || (error.tag !== 'unsupported' && error.tag !== 'too-large')) return error;
  return badInput(error.code, error.tell(toParam), { details: error.details, cause: error });
}
