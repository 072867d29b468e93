/**
 * What schemathesis reports and is right as it is. It knows a request only by the schema, and calls it wrong that a
 * request that fits the schema is refused (ST202), or one that does not is accepted (ST201). Everything that is not in
 * this list fails the check; a 5xx can never be explained.
 */
interface Explained {
  /** The rule of schemathesis. */
  readonly rule: 'ST201' | 'ST202' | 'ST401';
  /** The code of our answer; null for an answer without an error. */
  readonly code: RegExp | null;
  /** The operations it concerns. */
  readonly operations: RegExp;
  readonly reason: string;
}

const ANY = /./;

export const EXPLAINED: readonly Explained[] = [
  {
    rule: 'ST401',
    code: /^too-many-wrong-keys$/,
    operations: ANY,
    reason: 'It sends a wrong key in each case: after thirty in a minute the answer is 429, not 403.',
  },
  {
    rule: 'ST202',
    code: /^(area-.*|bad-area|bad-geometry|no-geometry|statistics-(geometry|area).*|several-areas)$/,
    operations: /^POST/,
    reason: 'Rings must be closed and simple and lie on the earth: no schema can say that.',
  },
  {
    rule: 'ST202',
    code: /^(no-location|bad-fields|bad-days|bad-step|bad-(start|end)-date|bad-period.*|bad-base-temperature)$/,
    operations: /forecast|weather/,
    reason: 'One of two fields is needed, and dates and fields depend on each other.',
  },
  {
    rule: 'ST202',
    code: /^(page-too-deep|unknown-field|not-filterable|bad-(filter|sort|shape|value|date|range).*|.*-filter.*|list-too-long|no-satellites)$/,
    operations: /search/,
    reason: 'Fields and their types depend on the dataset; page × limit has one bound.',
  },
  {
    rule: 'ST202',
    code: /^(unpaired-range-colors|lone-range-colors|lone-mask-color|bad-bounds|bad-bbox|bad-line|bad-min-max|flat-min-max|bad-colormap|too-many-colors|bad-slope-.*|bad-thresholds|bad-colors|unsupported-.*|no-such-.*|unordered-.*)$/,
    operations: ANY,
    reason: 'Two parameters must fit each other, or a pair of numbers must be in order.',
  },
  {
    rule: 'ST202',
    code: /^(scene-id-needed|unknown-band|.*expression.*|bad-bands|syntax.*|too-complex|empty-.*|unknown-name)$/,
    operations: /parse_vb|point|\/ir\/|statistics|^POST \/api/,
    reason: 'Random strings are not valid band math.',
  },
  {
    rule: 'ST202',
    code: /^(bad-callback-url|callback-.*|bad-.*|statistics-.*|unknown-.*)$/,
    operations: /^POST \/api(\/gdw\/api|\/statistics|\/tasks\/estimate)?$/,
    reason: 'Orders name scenes, indices, dates and public addresses, which a schema does not know.',
  },
  {
    rule: 'ST201',
    code: null,
    operations: /terrain/,
    reason: 'Parameters of another format than the chosen one are not read.',
  },
  {
    rule: 'ST201',
    code: null,
    operations: /^POST .*(forecast|weather|\/api\/gdw\/api|\/api\/tasks\/estimate)/,
    reason: 'polygon_id is not read next to a geometry; faults of statistics orders are told by the poll.',
  },
  {
    rule: 'ST201',
    code: null,
    operations: /^POST .*search/,
    reason:
      'Numbers and switches as texts, and names in any case, are read as programs send them; unknown keys are told in a header.',
  },
];
