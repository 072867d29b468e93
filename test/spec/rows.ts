/**
 * What docs/use/interface.md promises, in its tables and between them, by subject. Every promise has at least one test that
 * is named after it: `tile MIN_MAX: …`.
 */
export const rows: Readonly<Record<string, readonly string[]>> = {
  search: [
    ...['search', 'sort', 'page', 'limit', 'fields', 'range', 'one of', 'exact', 'point intersect'],
    // Between the tables.
    ...['onAmazon', 'satellites', 'meta', 'results', 'shape'],
  ],
  // Ours: docs/use/stac.md.
  stac: ['landing', 'collections', 'items', 'search', 'filter', 'aggregate', 'files'],
  // Ours: docs/use/ogc.md.
  ogc: [
    ...['layers', 'wmts tile', 'wmts scene', 'wmts info', 'legend', 'wmts refusals'],
    ...['wms map', 'wms refusals', 'xyz', 'api', 'api map', 'api coverage', 'schemas'],
  ],
  tile: [
    ...['api_key', 'MIN_MAX', 'COLORS', 'THRESHOLDS', 'crs', 'CALIBRATE', 'COLORMAP', 'COLORS_LIMIT'],
    ...['cropper_ref', 'RESAMPLE', 'mimetype', 'PALETTE', 'PANSHARPENING', 'COMPOSITE'],
    // Between the tables: the path, and what is only used in examples.
    ...['view_id', 'bands', 'z, x, y', 'outside', 'CLUSTERING', 'CLUSTERS_NO', 'MIN_AREA', 'PS', 'PR_FD'],
  ],
  bounds: ['x_bounds', 'y_bounds', 'projection_code', 'TILE_SIZE', 'outside', 'query'],
  preview: ['preview', 'watermark', 'api_key', 'thumb'],
  expression: [
    ...['Trigonometric', 'Hyperbolic', 'Rounding', 'Exponents and logarithms', 'Floating point'],
    ...['Arithmetic', 'Miscellaneous', 'Logical', 'Comparison', 'Indexing'],
    ...['bands', 'operators', 'integers', 'NODATA', 'Float32'],
  ],
  colors: ['priority', 'single-band images', 'Palette', 'Colormap', 'Range colors'],
  palette: ['values', 'BQA'],
  colormaps: [
    ...['INCLUDE_TYPE', 'TYPE', 'colors', 'type', 'thresholds_type', 'labels'],
    ...['colormap_list', 'colormap_id', 'colorbar', 'legend', 'legend MIN_MAX', 'legend LIMIT', 'COLORMAP'],
    // Ours: the address of any picture after the word legend.
    'legend of a picture',
  ],
  areas: ['POST', 'GET', '404'],
  // Ours: beyond the interface.
  zones: ['POST', 'prescription'],
  classes: ['POST', 'formats', 'presets', 'mosaic', 'refusals'],
  fields: ['POST', 'list', 'change', 'field', 'groups', 'import', 'export'],
  recipes: ['POST', 'tile', 'tilejson', 'point', 'statistics', 'download', 'search', 'public'],
  pansharpening: [
    ...['Landsat 8 RGB composite', 'single band, virtual band, index', 'three-band composite of Landsat 7'],
    ...['index images', 'RESAMPLE', 'PANSHARPENING or PS', 'supported'],
  ],
  // Ours: beyond the interface.
  explain: ['picture', 'drawn', 'point', 'pansharpening', 'intensity', 'statistics', 'refusal'],
  point: ['index_value', 'bands', 'lat, lon', 'CALIBRATE', 'api_key'],
  // Ours: docs/use/mosaics.md.
  mosaic: [
    ...['tile', 'mask', 'image', 'ETag', 'sources', 'point', 'ir and legend', 'statistics', 'area'],
    ...['TileJSON', 'elsewhere', 'refusals'],
    ...['lbe', 'bandmath', 'jpeg', 'several files', 'refused orders'],
  ],
  terrain: [
    ...['format', 'FILTERING', 'COLORMAP', 'MIN_SLOPE', 'SLOPE_RANGE', 'AZIMUTH', 'ALTITUDE', 'THRESHOLDS'],
    ...['COLORS', 'z, x, y', 'api_key', 'geotiff', 'point'],
    // Ours: beyond the interface.
    ...[
      'terrarium',
      'terrainrgb',
      'aspect',
      'contours',
      'tilejson',
      'legend',
      'profile',
      'statistics',
      '@2x',
    ],
  ],
  intensity: [
    ...['method', 'min', 'max', 'multi', 'cloud', 'BBOX', 'only_opaque_cloud', 'cropper_ref', 'api_key'],
    ...['CALIBRATE', 'bands', 'Sentinel-2', 'Landsat 8', 'Landsat 4, 5, 7', 'MODIS', 'CBERS-4, NAIP'],
  ],
  tasks: [
    ...['task_id', 'status', 'reference', 'req_id', 'task_timeout', 'result_url'],
    ...['authentication', 'created', 'started', 'finish', 'finished, 303', 'error', 'api_key', 'area'],
    ...['cropper_ref not found', 'callback_url'],
    // Ours: beyond the interface.
    ...['DELETE', 'estimated_bytes', 'link', 'ranges', 'HEAD'],
  ],
  lbe: [
    ...['view_id', 'bands', 'bbox', 'geometry', 'cropper_ref', 'merge', 'metadata', 'reference'],
    ...['jp2', 'TIF', 'zip'],
  ],
  bandmath: [
    ...['view_id', 'bm_type', 'name_alias', 'bbox', 'geometry', 'cropper_ref', 'reference'],
    ...['file name', 'GTiff', 'no-data', 'lowest resolution', 'number of bands'],
  ],
  jpeg: [
    ...['view_id', 'bm_type', 'name_alias', 'bbox', 'geometry', 'cropper_ref', 'resample', 'colormap'],
    ...['levels', 'colors_limit', 'calibrate', 'size', 'georeference', 'format', 'pansharpening'],
    ...[
      'colors, thresholds',
      'reference',
      'px_size',
      'georeference jpeg',
      'file name',
      'Web Mercator',
      'outside',
    ],
  ],
  statistics: [
    ...['type', 'result', 'bm_type', 'sensors', 'date_start, date_end', 'reference', 'geometry'],
    ...['cropper_ref', 'limit', 'cloud', 'max_cloud_cover_in_aoi', 'exclude_cover_pixels'],
    ...['cloud_masking_level', 'notes', 'errors', 'soilmoisture', 'ctime10'],
    // Codes of error_status; 01010 needs a broken catalog: src/http/statistics/statistics-answers.test.ts.
    ...['00001', '00010', '00011', '00100', '00101', '00110', '00111', '01000', '01001', '01011', '01100'],
    // Ours: beyond the interface.
    ...['in one request', 'histogram', 'seasons', 'collection', 'file', 'group and fields', 'layout'],
    'weather',
  ],
  weather: [
    ...['forecast-history', 'hardening_index', 'start_date, end_date', 'polygon_id', 'required', 'geometry'],
    ...['forecast', 'Rain, Windspeed', 'full', 'api_key'],
    // Ours: beyond the interface.
    ...['forecast/world', 'days', 'fields', 'step', 'CSV', 'normals', 'headers'],
  ],
  parse_vb: ['designators', 'expressions', 'band_ids', 'scene_id', 'api_key', '422'],
};

/** The functions of band expressions, by group. */
export const functions: Readonly<Record<string, string>> = {
  Trigonometric:
    'sin, cos, tan, arcsin, arccos, arctan, degrees, radians, unwrap, deg2rad, rad2deg, hypot, arctan2',
  Hyperbolic: 'sinh, cosh, tanh, arcsinh, arccosh, arctanh',
  Rounding: 'around, round, rint, fix, floor, ceil, trunc',
  'Exponents and logarithms': 'exp, expm1, exp2, log, log10, log2, log1p, logaddexp, logaddexp2',
  'Floating point': 'copysign, ldexp, nextafter',
  Arithmetic:
    'negative, reciprocal, add, multiply, divide, power, subtract, true_divide, floor_divide, float_power, fmod, mod, modf, remainder, divmod',
  Miscellaneous:
    'sqrt, cbrt, square, abs, fabs, sign, absolute, fmin, fmax, minimum, maximum, heaviside, clip, pi',
  Logical: 'logical_and, logical_or, logical_xor, logical_not',
  Comparison:
    'allclose, isclose, array_equal, array_equiv, greater, greater_equal, less, less_equal, equal, not_equal',
  Indexing: 'where',
};
