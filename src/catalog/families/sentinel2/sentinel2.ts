import type { NewScene } from '../../scene.ts';
import type { Family } from '../family.ts';
import { describeItem } from './from-item.ts';
import { describeProduct } from './from-product.ts';
import { SAME_RECORDING_MS } from './name-recording.ts';

/** The number of a recording within its day may be ours; the satellite (`S2A`) is always the provider's. */
const isSameRecording = (one: NewScene, other: NewScene): boolean =>
  Math.abs(Date.parse(one.acquiredAt) - Date.parse(other.acquiredAt)) < SAME_RECORDING_MS &&
  one.sceneId.slice(0, 3) === other.sceneId.slice(0, 3);

/** Hits of L1C give the path of the same recording as L2A. */
function linkFields({ fields: own }: NewScene, { fields: higher }: NewScene): NewScene['fields'] {
  const { awsPathL2A: _, ...fields } = own;
  const path = higher.awsPathL2A ?? higher.awsPath;
  return { ...fields, processedL2A: true, ...(path === undefined ? {} : { awsPathL2A: path }) };
}

/** Sentinel-2: tiles of the 100 km grid on a day. */
export const sentinel2: Family = {
  name: 'sentinel-2',
  describeProduct,
  items: {
    accepted: [
      {
        datasets: ['sentinel2'],
        collections: ['sentinel-2-l1c', 'sentinel-s2-l1c'],
        telltale: { property: 's2:product_type', values: ['S2MSI1C'] },
      },
      {
        datasets: ['sentinel2l2a'],
        collections: [
          'sentinel-2-l2a',
          'sentinel-2-c1-l2a',
          'sentinel-2-pre-c1-l2a',
          'sentinel-s2-l2a',
          'sentinel-s2-l2a-cogs',
        ],
        telltale: { property: 's2:product_type', values: ['S2MSI2A'] },
      },
    ],
    bandSpellings: [
      // `B04`, `B04_10m`, `T35MNM_20200731T080611_B04_10m`
      { pattern: /(?:^|_)(B(?:0[1-9]|1[0-2]|8A))(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
      { pattern: /(?:^|_)scl(?:_\d{2}m)?(?:-jp2)?$/i, band: 'SCL' },
      { pattern: /^(blue|green|red|rededge[123]|nir|swir1|swir2|coastal)(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
    ],
    describe: describeItem,
  },
  levels: { lower: 'sentinel2', higher: 'sentinel2l2a', isSameRecording, linkFields },
};
