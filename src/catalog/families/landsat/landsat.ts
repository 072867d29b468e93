import type { Family } from '../family.ts';
import { describeItem } from './from-item.ts';
import { describeProduct } from './from-product.ts';

/** Landsat 4 to 9: scenes of a path and a row, named by their scene id, or by their product id at level 2. */
export const landsat: Family = {
  name: 'landsat',
  describeProduct,
  items: {
    accepted: [
      {
        collections: ['landsat-c2-l1', 'landsat-c2-l2', 'landsat-c2l1', 'landsat-c2l2-sr'],
        telltale: { property: 'landsat:scene_id' },
      },
    ],
    refused: [
      {
        collection: /^landsat-c2l2(?:-st|alb-)/,
        reason:
          'It is one part of a product; ingest its scene from landsat-c2l2-sr, or from landsat-c2-l2 with both parts.',
      },
    ],
    bandSpellings: [
      // `SR_B4`, `OLI_B4`, `SR_B4.TIF`, `LE07_…_02_T1_B6_VCID_1`
      {
        pattern: /(?:^|_)(?:(?:SR|ST|OLI|TIRS|ETM|TM|MSS)_)?(B(?:[1-9]|1[01])(?:_VCID_[12])?)(?:\.TIF)?$/,
        band: '$1',
      },
      { pattern: /(?:^|_)qa_pixel(?:\.TIF)?$/i, band: 'BQA' },
    ],
    describe: describeItem,
  },
};
