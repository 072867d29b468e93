/** What covers a picture: clouds that are painted over, and classes of like pixels in place of colours. */
import { unsupported } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import { json } from '../kit/json-schema.ts';
import { choice, custom, decimal, defineParameters, whole } from '../kit/parameters.ts';
import type { Query } from '../kit/query.ts';
import { isOff, OFF_NAMES } from '../kit/texts.ts';

/** White, as clouds are. */
const DEFAULT_COLOR = 'ffffff';

/** How clouds are painted over. */
export const cloudParameters = defineParameters({
  MASKING: choice({
    description: 'CLOUD paints over clouds; only for sensors whose products have a cloud mask.',
    names: ['CLOUD', ...OFF_NAMES],
    ignoresCase: true,
    fallback: null,
    rule: 'must be CLOUD, or 0 for none.',
  }),
  MASK_COLOR: custom({
    description: 'The colour of painted clouds, three or six hexadecimal digits; white by default.',
    example: 'fefefe',
    schema: json.string({ pattern: /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/ }),
    fallback: null,
    rule: 'must be three or six hexadecimal digits, such as fefefe.',
    read(text) {
      const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? [];
      if (digits === undefined) return null;
      const full = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
      return full.toLowerCase();
    },
  }),
});

/** Reads `MASKING=CLOUD` and `MASK_COLOR`, the colour that clouds are painted with; empty if MASKING is not set. */
export function parseCloudCover(query: Query): Pick<RenderOptions, 'clouds'> {
  const color = cloudParameters.MASK_COLOR.read(query);
  if (color !== null && !query.has('MASKING')) {
    throw unsupported('lone-mask-color', 'MASK_COLOR needs MASKING=CLOUD as well.');
  }
  const masking = cloudParameters.MASKING.read(query);
  return masking === null || isOff(masking) ? {} : { clouds: { color: color ?? DEFAULT_COLOR } };
}

const DEFAULT_CLUSTERS = 5;

/** How pixels are clustered. More classes would be hard to distinguish by colour. */
export const clusterParameters = defineParameters({
  CLUSTERING: choice({
    description:
      'kmeans shows classes of like pixels, fitted once to the area or the scene and numbered by their centres.',
    names: ['kmeans', ...OFF_NAMES],
    ignoresCase: true,
    fallback: null,
    rule: 'must be kmeans, or 0 for none.',
    refuse: unsupported,
  }),
  CLUSTERS_NO: whole({
    description: `How many classes CLUSTERING makes: ${DEFAULT_CLUSTERS} by default.`,
    example: String(DEFAULT_CLUSTERS),
    min: 2,
    max: 20,
    fallback: null,
    refuse: unsupported,
  }),
  MIN_AREA: decimal({
    description:
      'With CLUSTERING and cropper_ref: patches smaller than this, in square metres, join their largest neighbour.',
    example: '2000',
    min: 0,
    max: Number.MAX_VALUE,
    schema: json.number({ min: 0 }),
    fallback: null,
    rule: 'must be a number of square metres from 0 up.',
    refuse: unsupported,
  }),
});

/**
 * Reads `CLUSTERING=kmeans`, `CLUSTERS_NO` and `MIN_AREA`; empty if CLUSTERING is not set. The other two have no
 * meaning without it, and are refused alone.
 */
export function parseClusters(query: Query): Pick<RenderOptions, 'clusters'> {
  if (!query.has('CLUSTERING') && (query.has('CLUSTERS_NO') || query.has('MIN_AREA'))) {
    throw unsupported('lone-clusters-no', 'CLUSTERS_NO and MIN_AREA need CLUSTERING=kmeans as well.');
  }
  const clustering = clusterParameters.CLUSTERING.read(query);
  if (clustering === null || isOff(clustering)) return {};
  const count = clusterParameters.CLUSTERS_NO.read(query) ?? DEFAULT_CLUSTERS;
  const minAreaM2 = clusterParameters.MIN_AREA.read(query) ?? 0;
  return { clusters: { count, minAreaM2 } };
}
