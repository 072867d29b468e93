/** The forms of explanations, for the documentation; the files beside this one write them. */

import { json } from '../kit/json-schema.ts';

/** A media type of its own: clients that are generated from the document keep the type of the plain answer. */
export const EXPLANATION_TYPE = 'application/vnd.swath.explanation+json';

const size = json.object({ width: json.number(), height: json.number() });

const problem = json.object({ code: json.string(), error: json.string() });

const blocks = json.object({
  format: json.choice(['tiff', 'jp2']),
  block_size: size,
  count: json.number({ description: 'Blocks of the file that the window touches.' }),
  surveyed: json.number({
    description: 'Blocks that the figures below are about: all but for huge windows.',
  }),
  cached: json.number({ description: 'Blocks whose pixels are in memory.' }),
  bytes_stored: json.number({
    description: 'Bytes of the other blocks in the file; an estimate for JPEG 2000.',
  }),
  bytes_decoded: json.number({ description: 'Memory of the other blocks.' }),
  bytes_in_memory: json.number({ description: 'Stored bytes of a remote file that are in memory.' }),
  bytes_on_disk: json.number({ description: 'Stored bytes of a remote file that are in the disk cache.' }),
});

const file = json.object({
  store: json.choice(['folder', 'http', 's3']),
  name: json.nullable(json.string(), { description: 'Without its folder; null if it is not shown.' }),
  band_index: json.number(),
});

/** An input: which pixels of which file, and what becomes of their numbers. */
const input = json.named(
  'ExplainedInput',
  json.object({
    role: json.choice(['band', 'panchromatic', 'clouds']),
    band: json.string(),
    view_id: json.string({ description: 'The scene of the file: an earlier one for changes.' }),
    file,
    read: json.nullable(
      json.object({
        level: json.number({ description: '0 is the full image, 1 its first overview.' }),
        level_size: size,
        window: json.object({
          x: json.number(),
          y: json.number(),
          width: json.number(),
          height: json.number(),
        }),
        resampling: json.string({ description: 'copy if the pixels are not resampled.' }),
      }),
      { description: 'Null if the file has no pixel here.' },
    ),
    calibration: json.object({
      rule: json.string({ description: 'plain for stored numbers.' }),
      parameters: json.map(json.number()),
    }),
    'absent?': json.boolean({ description: 'The product says that the band measured nothing.' }),
    'blocks?': blocks,
    'problem?': problem,
  }),
);

const grid = json.object({
  epsg: json.number(),
  width: json.number(),
  height: json.number(),
  bounds: json.list(json.number(), { description: 'Left, bottom, right, top.' }),
});

const steps = json.list(
  json.object({
    step: json.string(),
    stage: json.string({ description: 'The entry of Server-Timing that its time is in.' }),
    detail: json.string(),
  }),
);

const cost = json.object({
  bytes: json.number({ description: 'Estimated pixel memory.' }),
  bytes_limit: json.number(),
  work: json.number({ description: 'Additions of all pixels.' }),
  work_limit: json.number(),
});

const channels = json.list(
  json.object({
    contrast: json.choice(['fixed', 'stored', 'to-be-measured']),
    'min?': json.number(),
    'max?': json.number(),
    'gamma?': json.number(),
    'percentiles?': json.list(json.number()),
    'cloud_cover?': json.string({ description: 'Where the cloud cover that corrects it is known from.' }),
    'sample?': size,
  }),
);

const sceneList = json.list(
  json.object({
    view_id: json.string(),
    version: json.string(),
    role: json.choice(['shown', 'earlier', 'candidate']),
  }),
);

const readFigures = {
  blocks_decoded: json.number(),
  blocks_cached: json.number({ description: 'Found decoded, also by a thread that helped.' }),
  bytes_read: json.number({ description: 'Bytes that threads read of files.' }),
  bytes_fetched: json.number({ description: 'Bytes of remote files that were not in memory.' }),
};

const drawn = json.object({
  total_ms: json.number(),
  stages_ms: json.map(json.number(), { description: 'As in Server-Timing.' }),
  jobs: json.list(
    json.object({
      job: json.string(),
      queue_ms: json.number(),
      'fetch_ms?': json.number(),
      run_ms: json.number(),
      shared: json.boolean({ description: 'An equal request had it run already.' }),
      ...readFigures,
    }),
    { description: 'The work of threads, in the order in which it ended.' },
  ),
  ...readFigures,
  'picture?': json.object({ format: json.string(), bytes: json.number() }),
});

const sample = json.object({ bands: json.string(), grid, inputs: json.list(input), steps, cost });

/** What a plan says of a picture, a legend, a range or a value. */
const planned = {
  explains: json.choice([
    ...['picture', 'legend', 'intensity', 'point'],
    ...[
      'mosaic',
      'mosaic-sources',
      'mosaic-legend',
      'mosaic-intensity',
      'mosaic-point',
      'mosaic-values',
      'mosaic-statistics',
    ],
  ]),
  'etag?': json.string(),
  bands: json.string(),
  scenes: sceneList,
  'grid?': grid,
  'empty?': json.boolean({ description: 'The picture is transparent, and nothing is read.' }),
  'inputs?': json.list(input),
  'steps?': steps,
  'channels?': channels,
  'cost?': cost,
  'cached?': json.boolean({ description: 'The finished answer is in the cache.' }),
  'cloud_cover?': json.string(),
  'found?': json.number({ description: 'Scenes that touch the picture of a mosaic.' }),
  'pyramid?': json.string({ description: 'The tile of the pyramid that is drawn instead of scenes.' }),
  'parts?': json.list(json.object({ view_id: json.string(), inputs: json.list(input), steps, cost }), {
    description: 'The scenes of a mosaic that are read first, and all of them where all count.',
  }),
  'contrast?': json.list(json.object({ view_id: json.string(), channels }), {
    description:
      'The scenes of a mosaic that its contrast is the median of; none where the contrast is fixed.',
  }),
  'samples?': json.list(sample, { description: 'What ranges are measured on; cloud cover last.' }),
};

/** What a picture, a legend, a range or a value is made of. */
export const explanation = json.named(
  'Explanation',
  json.object({ request_id: json.string(), ...planned, 'drawn?': drawn }),
);

/** What an answer about terrain is read from. */
export const terrainExplanation = json.named(
  'TerrainExplanation',
  json.object({
    explains: json.choice(['terrain', 'elevation', 'profile', 'terrain-statistics']),
    request_id: json.string(),
    'etag?': json.string(),
    models: json.list(json.string(), {
      description:
        'Elevation models by rank: the next one is read only where those before it know no height.',
    }),
    empty: json.boolean({ description: 'No model knows a height here.' }),
    grid,
    inputs: json.list(
      json.object({
        role: json.literal('heights'),
        model: json.string(),
        file,
        read: json.object({
          level: json.number(),
          'level_size?': size,
          window: json.object({
            x: json.number(),
            y: json.number(),
            width: json.number(),
            height: json.number(),
          }),
          resampling: json.string(),
        }),
        calibration: json.object({
          rule: json.string({ description: 'Metres are stored numbers × scale + offset.' }),
          parameters: json.map(json.number()),
        }),
        'blocks?': blocks,
        'problem?': problem,
      }),
    ),
    steps,
    cost: json.object({
      bytes: json.number({ description: 'Estimated pixel memory.' }),
      bytes_limit: json.number(),
    }),
    'cached?': json.boolean({ description: 'The finished tile is in the cache.' }),
    'drawn?': drawn,
  }),
);

/** What an order of statistics would measure. */
export const statisticsExplanation = json.named(
  'StatisticsExplanation',
  json.object({
    explains: json.literal('statistics'),
    request_id: json.string(),
    scenes_found: json.number({ description: 'Scenes of the search; the newest are explained.' }),
    scenes: json.list(
      json.object({
        view_id: json.string(),
        scene_id: json.string(),
        date: json.string(),
        'problem?': problem,
        'stored?': json.number({ description: 'Expressions that were measured before.' }),
        'bytes?': json.number({ description: 'Estimated pixel memory.' }),
        'groups?': json.list(
          json.object({
            bands: json.string(),
            pieces: json.number({ description: 'Parts of the window that are read one after the other.' }),
            grid,
            inputs: json.list(input),
            steps,
          }),
          { description: 'Expressions that are read together, with the first piece.' },
        ),
      }),
      { max: 20 },
    ),
    'drawn?': json.object({
      total_ms: json.number(),
      stages_ms: json.map(json.number(), {
        description: 'Until the task began (queue), and until it ended (run).',
      }),
    }),
  }),
);

/** What a file would be made of. */
export const fileExplanation = json.named(
  'FileExplanation',
  json.object({
    explains: json.literal('file'),
    request_id: json.string(),
    file_name: json.string(),
    content_type: json.string(),
    estimated_bytes: json.number({ description: 'What the file will take at most, roughly.' }),
    blocks: json.number({ description: 'Parts of the work, by which its progress is counted.' }),
    'grid?': grid,
    'images?': json.list(json.object({ bands: json.string(), grid, inputs: json.list(input), steps }), {
      description: 'Images with bands or values of a scene, and all that is read for them.',
    }),
    'tile?': json.object(planned, { description: 'One of the tiles that a picture is drawn in.' }),
    'block?': json.object(planned, { description: 'The block in the middle of a mosaic.' }),
  }),
);

/** Of an order of any type. */
export const orderExplanation = json.union([statisticsExplanation, fileExplanation]);

/** Of statistics, where a recipe decides on what. */
export const anyExplanation = json.union([explanation, statisticsExplanation]);
