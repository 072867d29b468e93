/** The order of a task: its body, by type, and how it is read and planned. */

import { isSwathError, nameParameter, SwathError } from '../../errors.ts';
import type { DownloadKind, DownloadOrders, Downloads, PlannedExport } from '../../exports/index.ts';
import { isMosaicOrder } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Colormaps } from '../../library/index.ts';
import type { AddressPolicy } from '../../net/index.ts';
import { mayLeadTo, parseAllowedUrl } from '../../net/index.ts';
import type { TaskError } from '../../tasks/index.ts';
import type { AreaDeps } from '../areas.ts';
import { badInput } from '../errors.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Fields, Params } from '../kit/fields.ts';
import { refuseField, text, toObjectSchema } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import type { FieldsOrderDeps } from '../statistics/fields-orders.ts';
import {
  fieldsOrderFields,
  LARGE_COLLECTION,
  readFieldsOrder,
  toRejected,
} from '../statistics/fields-orders.ts';
import { namesFields, refuseJoined, reported, statisticsFields } from '../statistics/statistics-fields.ts';
import type { StatisticsDefaults } from '../statistics/statistics-orders.ts';
import { estimateDocument, readStatistics } from '../statistics/statistics-orders.ts';
import {
  areaFields,
  bandsFields,
  indexFields,
  readArea,
  readBandsParams,
  readIndexParams,
  sceneFields,
} from './download-params.ts';
import {
  isMosaicParams,
  mosaicFields,
  mosaicValueFields,
  readMosaicParams,
  requireArea,
} from './mosaic-params.ts';
import { pictureFields, readPictureParams } from './picture-params.ts';
import type { TaskKind, TaskType } from './task-answers.ts';
import { TASK_TYPES, toTaskKind } from './task-answers.ts';

/** The body of an order: the type of the task, and the params of that type. */
const MAX_REFERENCE = 200;

/** What every order may have. */
export const orderFields = {
  reference: {
    schema: json.nullable(json.union([json.string({ max: MAX_REFERENCE }), json.number()]), {
      description:
        'Your own name for the order; one is made when it is missing. The same reference with the same params is the same task.',
    }),
    parse: parseReference,
  },
  /** Which addresses may be called is checked by `readCallbackUrl`. */
  callback_url: text({
    description:
      'A public http or https address that receives a signed POST when the task ends. Also accepted among the params.',
  }),
} as const satisfies Fields;

/** Any text, also an empty one; programs send numbers too. Null when it is left out. */
function parseReference(value: unknown): string | null {
  if (value == null || value === '') return null;
  const reference = typeof value === 'number' ? String(value) : value;
  if (typeof reference !== 'string' || reference.length > MAX_REFERENCE || reference.includes('\0'))
    throw badInput('bad-reference', `reference must be a text of up to ${MAX_REFERENCE} characters.`);
  return reference;
}

const toOrderSchema = (type: TaskType, description: string, params: Fields): JsonSchema =>
  json.object({
    type: json.literal(type, { description }),
    'callback_url?': orderFields.callback_url.schema,
    params: toObjectSchema({ ...params, ...orderFields }),
  });

const { bm_type, sensors, date_start, date_end, geometry, ...checkedFields } = statisticsFields;

/** Not validated here: the interface reports errors in these fields when the task is polled. */
const reportedFields: Fields = {
  bm_type: reported(bm_type, 'An index, a band or band math; or a list of them.'),
  sensors: reported(sensors, 'Dataset ids or abbreviations.'),
  date_start: reported(date_start, 'Such as 2026-01-01.'),
  date_end: reported(date_end, 'Included.'),
  geometry: reported(geometry, 'A Polygon or MultiPolygon in longitude and latitude; or pass cropper_ref.'),
};

/** What a task is ordered with. */
export const taskBody = {
  description: 'The type of the task, and what it needs. A param that is null counts as left out.',
  ifTooLarge: LARGE_COLLECTION,
  schema: json.oneOf([
    toOrderSchema('lbe', 'Bands as they were delivered.', { ...sceneFields, ...areaFields, ...bandsFields }),
    toOrderSchema('bandmath', 'Values of band math.', { ...sceneFields, ...indexFields, ...areaFields }),
    toOrderSchema('jpeg', 'A picture, in 8 bits a channel and Web Mercator.', {
      ...sceneFields,
      ...indexFields,
      ...areaFields,
      ...pictureFields,
    }),
    toOrderSchema('lbe', 'Bands of a mosaic.', {
      ...mosaicFields,
      ...mosaicValueFields,
      bands: bandsFields.bands,
      name_alias: indexFields.name_alias,
      ...areaFields,
    }),
    toOrderSchema('bandmath', 'Values of band math over a mosaic.', {
      ...mosaicFields,
      ...mosaicValueFields,
      ...indexFields,
      ...areaFields,
    }),
    toOrderSchema('jpeg', 'A picture of a mosaic.', {
      ...mosaicFields,
      ...indexFields,
      ...areaFields,
      ...pictureFields,
    }),
    toOrderSchema('mt_stats', 'Statistics of an area over time, or of many fields as one table.', {
      ...reportedFields,
      ...checkedFields,
      ...fieldsOrderFields,
    }),
  ]),
  example: {
    type: 'bandmath',
    params: {
      view_id: 'S2L2A/10/U/EU/2026/6/21/1',
      bm_type: '(B08-B04)/(B08+B04)',
      name_alias: 'NDVI',
      bbox: [-122.41, 48.21, -122.39, 48.23],
      reference: 'order-1',
    },
  },
};

/** What orders are read and planned with. */
export interface OrderDeps extends AreaDeps, FieldsOrderDeps {
  readonly colormaps: Colormaps;
  readonly downloads: Downloads;
  /** Where callbacks may go; null if none are sent. */
  readonly callbackPolicy: AddressPolicy | null;
}

/** An order that can be carried out. */
export interface ReadOrder {
  readonly kind: TaskKind;
  readonly reference: string | null;
  readonly callbackUrl: string | null;
  /** The scene; null for mosaics and statistics. */
  readonly viewId: string | null;
  /** As the task stores it: the order, and apart from it the area as JSON. */
  readonly order: unknown;
  readonly area: string | null;
  readonly estimatedBytes: number;
  /** The file as it is planned; null where there is none. */
  readonly file: PlannedExport | null;
  /** Why the task will fail at once: of statistics, programs learn that from the poll. Null if it can be carried out. */
  readonly refusal: TaskError | null;
  /** What the answer says of features of a collection that are left out. */
  readonly rejected?: object;
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
  const fields = readOrderFields(body, params, deps.callbackPolicy);
  if (kind === 'statistics' && namesFields(params)) {
    const { ticket } = request;
    const { faults, ...read } = await readFieldsOrder(params, { ticket, defaults }, deps);
    const rejected = toRejected(faults);
    return {
      kind: 'fields-statistics',
      ...fields,
      viewId: null,
      ...read,
      file: null,
      refusal: null,
      rejected,
    };
  }
  if (kind === 'statistics') {
    refuseJoined(params);
    const stored = await readStatistics(params, { request, defaults }, deps);
    const estimatedBytes = estimateDocument(stored.order);
    const refusal = stored.order.kind === 'refused' ? stored.order.error : null;
    return { kind, ...fields, viewId: null, ...stored, estimatedBytes, file: null, refusal };
  }
  try {
    const order = await readParams(kind, params, request, deps);
    return { ...fields, ...(await planStored(kind, order, deps)) };
  } catch (error) {
    throw toBadOrder(nameOrdered(error));
  }
}

/** Reads what every order may have. */
export const readOrderFields = (
  body: Params,
  params: Params,
  policy: AddressPolicy | null,
): Pick<ReadOrder, 'reference' | 'callbackUrl'> => ({
  reference: orderFields.reference.parse(params.reference),
  callbackUrl: readCallbackUrl(body, params, policy),
});

/** An order of a file that was planned, as its task stores it. */
type PlannedOrder = Omit<ReadOrder, 'reference' | 'callbackUrl'>;

/** Plans the file of an order that is already read, so that what cannot be done is refused at once. */
export async function planOrder(
  kind: DownloadKind,
  order: DownloadOrders[DownloadKind],
  deps: Pick<OrderDeps, 'downloads'>,
): Promise<PlannedOrder> {
  try {
    return await planStored(kind, order, deps);
  } catch (error) {
    throw toBadOrder(nameOrdered(error));
  }
}

async function planStored(
  kind: DownloadKind,
  order: DownloadOrders[DownloadKind],
  { downloads }: Pick<OrderDeps, 'downloads'>,
): Promise<PlannedOrder> {
  const file = await downloads.plan(kind, order);
  return {
    kind,
    viewId: isMosaicOrder(order) ? null : order.viewId,
    ...downloads.toStored(order),
    estimatedBytes: file.estimatedBytes,
    file,
    refusal: null,
  };
}

async function readParams(
  kind: DownloadKind,
  params: Params,
  { ticket }: ApiRequest,
  deps: OrderDeps,
): Promise<DownloadOrders[DownloadKind]> {
  if (isMosaicParams(params)) {
    const area = await readArea(params, ticket, deps);
    return { ...(await readMosaicParams(kind, params, deps)), area: requireArea(area) };
  }
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
export function readCallbackUrl(body: Params, params: Params, policy: AddressPolicy | null): string | null {
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
  return new SwathError('bad-input', error.code, error.tell(toParam), {
    details: error.details,
    cause: error,
  });
}
