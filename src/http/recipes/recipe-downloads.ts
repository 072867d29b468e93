/** Files of a recipe, ordered as tasks. */

import { splitExpressions } from '../../bandmath/index.ts';
import type {
  DownloadKind,
  DownloadOrders,
  ExportArea,
  MosaicContent,
  MosaicOrder,
  PictureOrder,
} from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Recipes } from '../../library/index.ts';
import { badInput } from '../errors.ts';
import { explainFile, refuseDrawn } from '../explain/explain-files.ts';
import type { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, toObjectSchema } from '../kit/fields.ts';
import { readExplainMode } from '../kit/parameters.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { MosaicDeps } from '../mosaic/mosaic-picture.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import { findNamedThings } from '../pictures/picture.ts';
import { areaFields, indexFields, readArea } from '../tasks/download-params.ts';
import { mosaicValueFields, requireArea } from '../tasks/mosaic-params.ts';
import { pictureFields, readFile, readPixel } from '../tasks/picture-params.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { downloadHost, orderTask } from '../tasks/task.ts';
import { orderFields, planOrder, readOrderFields } from '../tasks/task-orders.ts';
import { makeOwnAccess } from './recipe-access.ts';
import type { MosaicPicture, RecipePicture, ScenePicture } from './recipe-picture.ts';
import { isCalibrated, orGone, readRecipe, toPlainBands } from './recipe-picture.ts';
import { withGone } from './recipe-views.ts';

/** What orders of recipes are read and carried out with. */
export interface RecipeOrderDeps extends TaskDeps, PictureDeps, Pick<MosaicDeps, 'mosaics'> {
  readonly recipes: Recipes;
}

/** The body of an order, which may be missing. */
export function toOrderBody(value: unknown): Params {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw badInput('bad-body', 'The body must be an object.');
}

const downloadFields = defineFields({
  type: choice({
    names: ['jpeg', 'bandmath', 'lbe'],
    fallback: 'jpeg' as const,
    description:
      'jpeg: the picture, as the recipe draws it; bandmath: the values of its expressions; lbe: its bands as they were delivered. jpeg by default.',
  }),
  ...areaFields,
  name_alias: indexFields.name_alias,
  format: pictureFields.format,
  georeference: pictureFields.georeference,
  px_size: pictureFields.px_size,
  crs: mosaicValueFields.crs,
  ...orderFields,
});

/** `POST /api/recipes/{recipe_id}/download`. */
export const recipeDownload = (deps: RecipeOrderDeps): Endpoint => {
  const access = makeOwnAccess(deps.recipes);
  return {
    ...downloadHost.docs.create,
    summary: 'Order a file of a recipe',
    description:
      'Creates a task, as `POST /api` does: a picture as the recipe draws it, the values of its expressions, or its bands. Cropped to the area of the order, by default that of the recipe; a search needs one of them.',
    tag: 'Recipes',
    params: access.params,
    body: {
      description: 'The type of file, its area and its form.',
      schema: toObjectSchema(downloadFields),
      required: false,
      example: { type: 'jpeg', georeference: 'tiff' },
    },
    answers: {
      ...withGone(downloadHost.docs.create.answers, access),
      422: {
        description: 'The recipe has no file of this type; or explain=drawn, which is for other requests.',
      },
    },
    async handle(request): Promise<Answer> {
      const recipe = await access.find(request);
      const body = toOrderBody(await request.readOptionalJson());
      const fields = readOrderFields(body, body, deps.callbackPolicy);
      const picture = readRecipe(recipe);
      const mode = readExplainMode(request.query);
      if (mode !== null) refuseDrawn(mode);
      return orGone(recipe, access, async () => {
        const nameAlias = downloadFields.name_alias.read(body) || recipe.name;
        const area = await readArea(
          { ...body, ...chooseCrop(body, picture.query.areaRef) },
          request.ticket,
          deps,
        );
        const toOrder = picture.kind === 'scene' ? toSceneOrder(picture) : toMosaicOrder(picture);
        const { kind, order } = await toOrder(body, { nameAlias, area, deps });
        const planned = await planOrder(kind, order, deps);
        if (mode !== null && planned.file !== null) return explainFile(request, planned.file, deps);
        return orderTask(request, { ...fields, ...planned }, downloadHost.form, deps);
      });
    },
  };
};

/** An order without an area has that of the recipe. */
const chooseCrop = (body: Params, ref: string | null): Params =>
  Object.keys(areaFields).some((name) => (body[name] ?? '') !== '') ? {} : { cropper_ref: ref };

interface OrderParts {
  readonly nameAlias: string;
  readonly area: ExportArea | null;
  readonly deps: RecipeOrderDeps;
}

interface RecipeOrder {
  readonly kind: DownloadKind;
  readonly order: DownloadOrders[DownloadKind];
}

/** Makes the order of a file, as `POST /api` would read it. */
type ToOrder = (body: Params, parts: OrderParts) => Promise<RecipeOrder>;

const KINDS = { jpeg: 'picture', bandmath: 'index', lbe: 'bands' } as const;

/** The options of a picture without what its file decides. */
async function findOptions(
  { query }: RecipePicture,
  deps: RecipeOrderDeps,
): Promise<PictureOrder['options']> {
  const { format: _, area: _ref, watermark: _none, ...options } = await findNamedThings(query, deps);
  return options;
}

const toMosaicOrder =
  (picture: MosaicPicture): ToOrder =>
  async (body, { nameAlias, area, deps }) => {
    const type = downloadFields.type.read(body);
    const { search, composition, bands } = await toMosaic(picture.path, picture.parameters, deps.areas);
    const content: MosaicContent =
      type === 'jpeg'
        ? { kind: 'picture', options: await findOptions(picture, deps), file: readFile(body) }
        : { kind: 'values', areBands: type === 'lbe', calibrated: type !== 'lbe' && isCalibrated(picture) };
    const order: MosaicOrder = {
      mosaic: { search, composition },
      bands,
      nameAlias,
      area: requireArea(area),
      pixelM: downloadFields.px_size.read(body),
      epsg: type === 'jpeg' ? null : downloadFields.crs.read(body),
      content,
    };
    return { kind: KINDS[type], order };
  };

const toSceneOrder =
  (picture: ScenePicture): ToOrder =>
  async (body, { nameAlias, area, deps }) => {
    const { scene, bands } = picture;
    const { viewId, sceneName, sensor } = scene;
    const common = { viewId, sceneName, sensor: sensor.abbreviation, area };
    const plainBands = toPlainBands(picture);
    switch (downloadFields.type.read(body)) {
      case 'lbe':
        return {
          kind: 'bands',
          order: { ...common, bands: splitExpressions(plainBands), merge: true, metadata: [] },
        };
      case 'bandmath':
        return {
          kind: 'index',
          order: { ...common, expressions: plainBands, nameAlias, calibrated: isCalibrated(picture) },
        };
      case 'jpeg': {
        const drawn = parseSharpenPattern({ sensor, bands, options: await findOptions(picture, deps) });
        return {
          kind: 'picture',
          order: {
            ...common,
            bands: drawn.bands,
            nameAlias,
            options: drawn.options,
            pixel: readPixel(body),
            file: readFile(body),
          },
        };
      }
    }
  };
