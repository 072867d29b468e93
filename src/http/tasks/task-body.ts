/** The body of an order: the type of the task, and the params of that type. */
import { badInput } from '../../errors.ts';
import type { Fields } from '../kit/fields.ts';
import { text, toObjectSchema } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { areaFields, bandsFields, indexFields, sceneFields } from './download-params.ts';
import { pictureFields } from './picture-params.ts';
import { reported, statisticsFields } from './statistics-fields.ts';
import type { TaskType } from './task-types.ts';

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
  schema: json.oneOf([
    toOrderSchema('lbe', 'Bands as they were delivered.', { ...sceneFields, ...areaFields, ...bandsFields }),
    toOrderSchema('bandmath', 'Values of band math.', { ...sceneFields, ...indexFields, ...areaFields }),
    toOrderSchema('jpeg', 'A picture, in 8 bits a channel and Web Mercator.', {
      ...sceneFields,
      ...indexFields,
      ...areaFields,
      ...pictureFields,
    }),
    toOrderSchema('mt_stats', 'Statistics of an area over time.', { ...reportedFields, ...checkedFields }),
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
