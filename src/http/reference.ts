/** What programs have to know to offer choices: sensors, colormaps and functions. */
import { listFunctions } from '../bandmath/index.ts';
import { listColormaps, parseColormapName, planColormap, toLegend } from '../color/index.ts';
import type { Alias, Band, Sensor } from '../sensors/index.ts';
import { aliasNames, describeAlias, findAlias, listCompositions, sensors } from '../sensors/index.ts';
import { COLORMAP_TYPES } from './colormaps.ts';
import { answerCachedJson } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { json } from './kit/json-schema.ts';

const bandSchema = json.object({
  name: json.string(),
  role: json.nullable(json.string(), {
    description: 'Generic name, which expressions may use on every sensor: NIR.',
  }),
  kind: json.choice(['reflective', 'thermal', 'radar', 'quality']),
  centre_nm: json.nullable(json.number()),
  width_nm: json.nullable(json.number()),
  resolution: json.number({ description: 'Pixel size in metres.' }),
});

const indexSchema = json.object({
  name: json.string(),
  title: json.string(),
  description: json.string(),
  kind: json.choice(['index', 'composite', 'change']),
  expression: json.string({
    description: 'Band math in the names of the sensor; of a change, that of the index that changes.',
  }),
});

const sensorSchema = json.object({
  dataset: json.string(),
  abbreviation: json.string(),
  title: json.string(),
  bands: json.list(bandSchema),
  compositions: json.list(
    json.object({
      name: json.nullable(json.string(), {
        description: 'Means the same on every sensor; null for one of this sensor only.',
      }),
      bands: json.list(json.string()),
    }),
  ),
  indices: json.list(indexSchema),
  pansharpening: json.boolean(),
  cloud_mask: json.boolean({ description: 'Whether pictures can have their clouds painted over.' }),
  cloud_cover: json.boolean({ description: 'Whether hits of a search say how cloudy they are.' }),
  fields: json.map(json.choice(['string', 'number', 'boolean', 'date', 'geometry']), {
    description: 'Names and types of the fields of search hits.',
  }),
});

/** Where scenes come from besides an ingest. */
export interface SceneOrigins {
  /** Live catalogs, in the order in which they are asked; what one has may have to be asked first. */
  readonly readCatalogs: () => Promise<readonly SearchedCatalog[]>;
  /** Origins of the pictures of all of them. */
  readonly pictureOrigins: readonly string[];
  /** Whether scenes of the demo world are among those of the store. */
  readonly hasDemo: () => Promise<boolean>;
}

/** A live catalog, for people and for pages that show its pictures. */
export interface SearchedCatalog {
  readonly name: string;
  readonly title: string;
  readonly datasets: readonly string[];
  readonly attribution: string;
  /** Origins of its own pictures, in the words of a content security policy. */
  readonly pictureOrigins: readonly string[];
}

const catalogSchema = json.object({
  name: json.string({ description: 'As SWATH_CATALOGS and answers to searches name it.' }),
  title: json.string(),
  datasets: json.list(json.string(), {
    description:
      'Datasets that it has and is asked for; an earlier catalog of the list may have more of its own.',
  }),
  attribution: json.string({ description: 'Who must be named where its pictures are shown.' }),
  picture_origins: json.list(json.string(), {
    description: 'Origins of its own thumbnails that the viewer may show; *. stands for any host below.',
  }),
});

/** `GET /api/sensors`: what sensors there are, what can be drawn of them, and what search knows of their scenes. */
export const sensorList = (origins: SceneOrigins): Endpoint => ({
  summary: 'All sensors: bands, compositions, indices and search fields',
  description:
    'For programs that offer choices: bands with their wavelengths, compositions, the indices that its bands allow, with their formulas, and the fields of search hits. Also where scenes come from.',
  tag: 'Service',
  answers: {
    200: {
      description: 'The sensors, in the order of the documentation.',
      content: {
        'application/json': json.object({
          sensors: json.list(sensorSchema),
          catalogs: json.list(catalogSchema, { description: 'Live catalogs that searches ask.' }),
          demo: json.boolean({ description: 'Whether the demo world is among the scenes.' }),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
  },
  async handle(request) {
    const catalogs = await origins.readCatalogs();
    const demo = await origins.hasDemo();
    return answerCachedJson(request, {
      sensors: sensors.map(toWireSensor),
      ...toWireOrigins(catalogs, demo),
    });
  },
});

/** Where scenes come from, as the answer has it. */
export const toWireOrigins = (catalogs: readonly SearchedCatalog[], demo: boolean) => ({
  catalogs: catalogs.map(({ pictureOrigins, ...catalog }) => ({
    ...catalog,
    picture_origins: pictureOrigins,
  })),
  demo,
});

/** A sensor as the answer has it. */
export const toWireSensor = (sensor: Sensor) => ({
  dataset: sensor.dataset,
  abbreviation: sensor.abbreviation,
  title: sensor.title,
  bands: sensor.bands.map(toWireBand),
  compositions: listCompositions(sensor),
  indices: aliasNames.flatMap((name) => {
    const alias = findAlias(sensor, name);
    const words = describeAlias(name);
    // A change needs an earlier scene, which only some sensors define.
    if (alias === null || words === null || (alias.kind === 'change' && sensor.earlierScene === null))
      return [];
    return [{ name, ...words, kind: alias.kind, expression: toExpression(alias) }];
  }),
  pansharpening: sensor.pansharpening !== null,
  cloud_mask: ['bits', 'mask-file', 'classes'].includes(sensor.cloud.kind),
  cloud_cover: Object.hasOwn(sensor.hitFields, 'cloudCoverage'),
  fields: Object.fromEntries(sensor.hit.map(({ name, type }) => [name, type])),
});

const toWireBand = ({ name, role, kind, centreNm, widthNm, resolutionM }: Band) => ({
  name,
  role,
  kind,
  centre_nm: centreNm,
  width_nm: widthNm,
  resolution: resolutionM,
});

function toExpression(alias: Alias): string {
  if (alias.kind === 'index') return alias.expression;
  return alias.kind === 'change' ? alias.of.expression : alias.of.map(({ expression }) => expression).join();
}

/** Enough stops that a gradient looks like the colormap itself at the width of a list. */
const STOPS = 17;
const RANGE = { min: 0, max: 1 };

/** `GET /api/colormaps`: named colormaps with some of their colours. */
export const colormapStops: Endpoint = {
  summary: 'All named colormaps with colours to preview them by',
  description: `Without the reversed ones (suffix \`_r\`). Continuous ones have ${STOPS} equally spaced colours, both ends included; discrete ones have all of theirs.`,
  tag: 'Service',
  answers: {
    200: {
      description: 'The colormaps, in the order of their names.',
      content: {
        'application/json': json.object({
          colormaps: json.list(
            json.object({
              name: json.string(),
              type: json.choice(COLORMAP_TYPES),
              colors: json.list(json.string()),
            }),
          ),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
  },
  handle: (request) => answerCachedJson(request, { colormaps: toColormapStops() }),
};

/** Every named colormap with its colours, as the answer has them. */
export const toColormapStops = () =>
  listColormaps()
    .filter(({ name }) => !name.endsWith('_r'))
    .flatMap(({ name, type }) => {
      const colormap = parseColormapName(name);
      if (colormap.kind !== 'named') return [];
      const plan = planColormap(colormap, { colorsLimit: STOPS, range: RANGE });
      return [{ name, type, colors: toLegend(plan, RANGE).colors }];
    });

/** `GET /api/functions`: what band math can call. */
export const functionList: Endpoint = {
  summary: 'All functions of band math',
  tag: 'Service',
  answers: {
    200: {
      description: 'The functions, in the order of their names, with the number of their operands.',
      content: {
        'application/json': json.object({
          functions: json.list(
            json.object({ name: json.string(), min_args: json.integer(), max_args: json.integer() }),
          ),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
  },
  handle: (request) => answerCachedJson(request, { functions: toWireFunctions() }),
};

/** The functions as the answer has them. */
export const toWireFunctions = () =>
  listFunctions().map(({ name, minArgs, maxArgs }) => ({ name, min_args: minArgs, max_args: maxArgs }));
