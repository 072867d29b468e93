import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductLayout } from './index.ts';
import { findBandFile, sensors } from './index.ts';

const layouts = sensors.flatMap((sensor) => sensor.layouts.map((layout) => ({ sensor, layout })));
const layoutOf = (name: string) =>
  layouts.find(({ layout }) => layout.name === name) ?? assert.fail(`there is no layout ${name}`);

test('every sensor has a layout, and no two have the same name', () => {
  for (const { abbreviation, layouts: own } of sensors) assert.ok(own.length > 0, abbreviation);
  const names = layouts.map(({ layout }) => layout.name);
  assert.equal(new Set(names).size, names.length, names.join(', '));
});

test('patterns are anchored at both ends and have no unbounded repetition, so they take constant time', () => {
  for (const { layout } of layouts) {
    for (const { source, flags } of [layout.marker, layout.bandFile, ...Object.values(layout.files)]) {
      assert.ok(source.startsWith('^') && source.endsWith('$'), source);
      assert.doesNotMatch(source, /[*+]|\{[0-9]+,\}/, source);
      // no alternative may bypass the anchors
      assert.doesNotMatch(withoutGroups(source), /\|/, source);
      assert.equal(flags, '', source);
    }
  }
});

/** A pattern without its groups and classes. */
function withoutGroups(source: string): string {
  let depth = 0;
  let rest = '';
  for (const character of source) {
    if (character === '(') depth++;
    if (depth === 0) rest += character;
    if (character === ')') depth--;
  }
  return rest;
}

test('the sensor knows the quality layouts of its products', () => {
  for (const { sensor, layout } of layouts) {
    if (layout.quality !== undefined)
      assert.ok(sensor.quality?.layouts[layout.quality] !== undefined, layout.name);
    for (const band of [
      ...Object.values(layout.bandNames ?? {}),
      ...Object.values(layout.bandsInFile ?? {}).flat(),
    ])
      assert.ok(
        sensor.bands.some(({ name }) => name === band),
        `${layout.name} ${band}`,
      );
  }
});

/** Names as providers ship them: layout, marker, and what files hold. */
const PRODUCTS: readonly (readonly [string, string, Readonly<Record<string, string | null>>])[] = [
  [
    'landsat5-t-pre-collection',
    'LT52240631988227CUB02_MTL.txt',
    { 'LT52240631988227CUB02_B6.TIF': 'B6', 'LT52240631988227CUB02_B8.TIF': null },
  ],
  [
    'landsat8-cot-collection-1',
    'LC08_L1TP_016037_20170813_20170814_01_RT_MTL.txt',
    {
      'LC08_L1TP_016037_20170813_20170814_01_RT_B11.TIF': 'B11',
      'LC08_L1TP_016037_20170813_20170814_01_RT_BQA.TIF': 'BQA',
      'LC08_L1TP_016037_20170813_20170814_01_RT_B1.TIF.ovr': null,
      'x/LC08_L1TP_016037_20170813_20170814_01_RT_B1.TIF': null,
    },
  ],
  [
    'landsat7-e-collection-2',
    'LE07_L1TP_107068_20220310_20220405_02_T1_MTL.json',
    {
      'LE07_L1TP_107068_20220310_20220405_02_T1_B6_VCID_1.TIF': 'B6',
      'LE07_L1TP_107068_20220310_20220405_02_T1_B6_VCID_2.TIF': 'B6_VCID_2',
      'LE07_L1TP_107068_20220310_20220405_02_T1_QA_PIXEL.TIF': 'BQA',
      'LE07_L1TP_107068_20220310_20220405_02_T1_GM_B1.TIF': null,
      'LE07_L1TP_107068_20220310_20220405_02_T1_QA_RADSAT.TIF': null,
    },
  ],
  [
    'landsat8-cot-collection-2-level-2',
    'LC08_L2SP_001062_20201031_20201106_02_T2_MTL.xml',
    {
      'LC08_L2SP_001062_20201031_20201106_02_T2_SR_B4.TIF': 'B4',
      'LC08_L2SP_001062_20201031_20201106_02_T2_ST_B10.TIF': 'B10',
      'LC08_L2SP_001062_20201031_20201106_02_T2_QA_PIXEL.TIF': 'BQA',
      'LC08_L2SP_001062_20201031_20201106_02_T2_ST_TRAD.TIF': null,
      'LC08_L2SP_001062_20201031_20201106_02_T2_SR_QA_AEROSOL.TIF': null,
    },
  ],
  [
    'landsat5-m-collection-2',
    'LM05_L1TP_200030_20121230_20200820_02_T2_MTL.xml',
    { 'LM05_L1TP_200030_20121230_20200820_02_T2_B4.TIF': 'B4' },
  ],
  ['sentinel2-l1c-bucket', 'tileInfo.json', { 'B8A.jp2': 'B8A', 'TCI.jp2': null, 'preview/B01.jp2': null }],
  [
    'sentinel2-l1c-safe',
    'MTD_MSIL1C.xml',
    {
      'GRANULE/L1C_T46RER_A032448_20210908T043714/IMG_DATA/T46RER_20210908T042701_B12.jp2': 'B12',
      'GRANULE/L1C_T46RER_A032448_20210908T043714/IMG_DATA/T46RER_20210908T042701_TCI.jp2': null,
    },
  ],
  [
    'sentinel2-l1c-safe-of-granules',
    'S2A_OPER_MTD_SAFL1C_PDMC_20160318T145513_R059_V20160318T101009_20160318T101009.xml',
    {
      'GRANULE/S2A_OPER_MSI_L1C_TL_SGS__20160318T152524_A003854_T32TQR_N02.01/IMG_DATA/S2A_OPER_MSI_L1C_TL_SGS__20160318T152524_A003854_T32TQR_B8A.jp2':
        'B8A',
      'GRANULE/S2A_OPER_MSI_L1C_TL_SGS__20160318T152524_A003854_T32TQR_N02.01/QI_DATA/S2A_OPER_PVI_L1C_TL_SGS__20160318T152524_A003854_T32TQR.jp2':
        null,
    },
  ],
  [
    'sentinel2-l2a-bucket',
    'tileInfo.json',
    { 'R10m/B02.jp2': 'B02', 'R20m/SCL.jp2': 'SCL', 'R20m/AOT.jp2': null },
  ],
  [
    'sentinel2-l2a-safe',
    'MTD_MSIL2A.xml',
    {
      'GRANULE/L2A_T22HBD_A020258_20210122T133224/IMG_DATA/R20m/T22HBD_20210122T133229_B8A_20m.jp2': 'B8A',
      'GRANULE/L2A_T22HBD_A020258_20210122T133224/IMG_DATA/R20m/T22HBD_20210122T133229_SCL_20m.jp2': 'SCL',
      'GRANULE/L2A_T22HBD_A020258_20210122T133224/IMG_DATA/R20m/T22HBD_20210122T133229_WVP_20m.jp2': null,
    },
  ],
  [
    'sentinel2-l2a-cog',
    'S2A_29RKH_20200219_0_L2A.json',
    { 'B04.tif': 'B04', 'SCL.tif': 'SCL', 'AOT.tif': null },
  ],
  [
    'sentinel1-bucket',
    'productInfo.json',
    { 'measurement/iw-vv.tiff': 'VV', 'measurement/s1-vh.tiff': 'VH', 'annotation/iw-vv.xml': null },
  ],
  [
    'sentinel1-safe',
    'manifest.safe',
    { 'measurement/s1a-iw-grd-vh-20180716t004042-20180716t004107-022812-02792a-002.tiff': 'VH' },
  ],
  [
    'modis-mcd43a4',
    'MCD43A4.A2017006.h21v11.006.2017018074804_B01.TIF',
    {
      'MCD43A4.A2017006.h21v11.006.2017018074804_B07.TIF': 'B07',
      'MCD43A4.A2017006.h21v11.006.2017018074804_B03qa.TIF': 'B03qa',
      'MYD13A1.A2020153.h30v10.006.2020170024036_NDVI_B01.TIF': null,
    },
  ],
  [
    'cbers4-awfi',
    'CBERS_4_AWFI_20170420_146_129_L2_BAND13.tif',
    {
      'CBERS_4_AWFI_20170420_146_129_L2_BAND16.tif': 'BAND16',
      'CBERS_4_AWFI_20170420_146_129_L2_BAND5.tif': null,
    },
  ],
];

test('files of real products are recognised, and other files are not', () => {
  for (const [name, marker, files] of PRODUCTS) {
    const { sensor, layout } = layoutOf(name);
    assert.match(marker, layout.marker);
    for (const [path, band] of Object.entries(files)) {
      const found = findBandFile(sensor, layout, path);
      assert.deepEqual(found?.bands.map((held) => held.name) ?? null, band === null ? null : [band], path);
    }
  }
});

test('a NAIP file contains four bands in order', () => {
  const { sensor, layout } = layoutOf('naip');
  const file = findBandFile(sensor, layout, 'm_3008501_ne_16_1_20110815.tif');
  assert.deepEqual(
    file?.bands.map(({ name }) => name),
    ['R', 'G', 'B', 'N'],
  );
  assert.equal(findBandFile(sensor, layout, 'm_3008501_ne_16_1_20110815.txt'), null);
});

test('a PlanetScope file contains four bands or eight, in order, whole or clipped', () => {
  const { sensor, layout } = layoutOf('planetscope-sr');
  const bandsOf = (end: string, id = '20230915_103045_12_24c8') =>
    findBandFile(sensor, layout, `${id}_3B_${end}`)
      ?.bands.map(({ name }) => name)
      .join(' ') ?? null;
  for (const end of ['AnalyticMS_SR.tif', 'AnalyticMS_SR_clip.tif', 'AnalyticMS_SR_harmonized_clip.tif']) {
    assert.equal(bandsOf(end), 'BLUE GREEN RED NIR', end);
    assert.equal(bandsOf(end, '20160831_142848_0e26'), 'BLUE GREEN RED NIR', end);
  }
  assert.equal(bandsOf('AnalyticMS_SR_8b_clip.tif'), 'COASTAL BLUE GREEN1 GREEN YELLOW RED REDEDGE NIR');
  for (const end of [
    'udm2.tif',
    'AnalyticMS.tif',
    'AnalyticMS_metadata.xml',
    'Visual.tif',
    'AnalyticMS_SR.tif.aux.xml',
  ])
    assert.equal(bandsOf(end), null, end);
});

test('a file with a role contains no bands, and neither does one that a layout of several bands does not list', () => {
  const { sensor, layout: naip } = layoutOf('naip');
  const layout: ProductLayout = {
    ...naip,
    bandFile: /^(?<id>\d{8})_(?<band>[a-z]{2,8})\.tif$/,
    bandsInFile: { sr: ['B', 'G', 'R', 'N'] },
    files: { 'cloud-image': /^(?<id>\d{8})_udm\.tif$/ },
  };
  const bandsOf = (path: string, of = layout) =>
    findBandFile(sensor, of, path)?.bands.map(({ name }) => name) ?? null;
  assert.deepEqual(bandsOf('20230915_sr.tif'), ['B', 'G', 'R', 'N']);
  assert.equal(bandsOf('20230915_visual.tif'), null);
  assert.equal(bandsOf('20230915_udm.tif'), null);
  assert.equal(bandsOf('20230915_udm.tif', { ...layout, bandsInFile: { udm: ['R'] } }), null);
});

test('the best resolution of a band comes first', () => {
  const { sensor, layout } = layoutOf('sentinel2-l2a-bucket');
  const rank = (path: string) => findBandFile(sensor, layout, path)?.rank;
  assert.deepEqual(['R10m/B02.jp2', 'R20m/B02.jp2', 'R60m/B02.jp2'].map(rank), [0, 1, 2]);
});

test('files for calibration and clouds are found by role', () => {
  const found: readonly (readonly [string, string, string])[] = [
    ['sentinel2-l1c-bucket', 'cloud-polygons', 'qi/MSK_CLOUDS_B00.gml'],
    ['sentinel2-l1c-bucket', 'product-metadata', 'productInfo.json'],
    [
      'sentinel2-l1c-safe',
      'cloud-image',
      'GRANULE/L1C_T46RER_A032448_20210908T043714/QI_DATA/MSK_CLASSI_B00.jp2',
    ],
    [
      'sentinel1-safe',
      'calibration',
      'annotation/calibration/calibration-s1a-iw-grd-vv-20210809t173953-20210809t174018-039156-049f13-001.xml',
    ],
    ['sentinel1-bucket', 'annotation', 'annotation/iw-vv.xml'],
    ['landsat8-cot-collection-2', 'metadata', 'LC08_L1TP_090084_20160121_20200907_02_T1_MTL.txt'],
    ['cbers4-mux', 'metadata', 'CBERS_4_MUX_20170528_090_084_L2_BAND6.xml'],
    ['planetscope-sr', 'cloud-image', '20230915_103045_12_24c8_3B_udm2_clip.tif'],
    ['planetscope-sr', 'metadata', '20230915_103045_12_24c8_metadata.json'],
    ['naip', 'metadata', 'm_3211605_ne_11_060_20200415_20200730.xml'],
  ];
  for (const [name, role, path] of found) {
    const pattern = Object.entries(layoutOf(name).layout.files).find(([key]) => key === role)?.[1];
    assert.ok(pattern?.test(path), `${name} ${role}`);
  }
});
