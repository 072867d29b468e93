/**
 * Rows of the tables in sections 4.1 to 4.13 of the interface, and what the sentences between them promise, by section.
 * Every one has at least one test that is named after it: `4.2 MIN_MAX: …`.
 */
export const rows: Readonly<Record<string, readonly string[]>> = {
  '4.1': [
    ...['search', 'sort', 'page', 'limit', 'fields', 'range', 'one of', 'exact', 'point intersect'],
    // Between the tables, and what decisions add.
    ...['onAmazon', 'satellites', 'meta', 'results', 'shape'],
  ],
  '4.2': [
    ...['api_key', 'MIN_MAX', 'COLORS', 'THRESHOLDS', 'crs', 'CALIBRATE', 'COLORMAP', 'COLORS_LIMIT'],
    ...['cropper_ref', 'RESAMPLE', 'mimetype', 'PALETTE', 'PANSHARPENING', 'COMPOSITE'],
    // Between the tables: the path, and what is only used in examples.
    ...['view_id', 'bands', 'z, x, y', 'outside', 'CLUSTERING', 'CLUSTERS_NO', 'MIN_AREA', 'PS', 'PR_FD'],
  ],
  '4.3': ['x_bounds', 'y_bounds', 'projection_code', 'TILE_SIZE', 'outside', 'query'],
  '4.4': ['preview', 'watermark', 'api_key', 'thumb'],
  '4.5': [
    ...['Trigonometric', 'Hyperbolic', 'Rounding', 'Exponents and logarithms', 'Floating point'],
    ...['Arithmetic', 'Miscellaneous', 'Logical', 'Comparison', 'Indexing'],
    ...['bands', 'operators', 'integers', 'NODATA', 'Float32'],
  ],
  '4.6': ['priority', 'single-band images', 'Palette', 'Colormap', 'Range colors'],
  '4.7': ['values', 'BQA'],
  '4.8': [
    ...['INCLUDE_TYPE', 'TYPE', 'colors', 'type', 'thresholds_type', 'labels'],
    ...['colormap_list', 'colormap_id', 'colorbar', 'legend', 'legend MIN_MAX', 'legend LIMIT', 'COLORMAP'],
    // Ours: the address of any picture after the word legend.
    'legend of a picture',
  ],
  '4.9': ['POST', 'GET', '404'],
  '4.10': [
    ...['Landsat 8 RGB composite', 'single band, virtual band, index', 'three-band composite of Landsat 7'],
    ...['index images', 'RESAMPLE', 'PANSHARPENING or PS', 'supported'],
  ],
  '4.11': ['index_value', 'bands', 'lat, lon', 'CALIBRATE', 'api_key'],
  '4.12': [
    ...['method', 'min', 'max', 'multi', 'cloud', 'BBOX', 'only_opaque_cloud', 'cropper_ref', 'api_key'],
    ...['CALIBRATE', 'bands', 'Sentinel-2', 'Landsat 8', 'Landsat 4, 5, 7', 'MODIS', 'CBERS-4, NAIP'],
  ],
  '4.13': ['designators', 'expressions', 'band_ids', 'scene_id', 'api_key', '422'],
};

/** The functions of the table in section 4.5, by its rows. */
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
