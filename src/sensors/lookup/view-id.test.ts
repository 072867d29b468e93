import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { formatViewId, parseViewId, sensorByAbbreviation, sensors, takeViewId } from '../index.ts';

/** View ids that clients use, with the day of acquisition. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'S2/36/U/XU/2016/5/2/0': '2016-05-02',
  'S2/55/P/DS/2020/8/15/0': '2020-08-15',
  'S2/16/T/EL/2020/6/9/0': '2020-06-09',
  'S2/30/T/YP/2020/1/14/1': '2020-01-14',
  'S2/55/J/GF/2018/6/17/0': '2018-06-17',
  'S2/1/C/AA/2024/2/29/10': '2024-02-29',
  'S2L2A/33/N/WA/2020/10/2/0': '2020-10-02',
  'S2L2A/13/R/EL/2023/3/1/0': '2023-03-01',
  'L8/LC80110312016028LGN00': '2016-01-28',
  'L8/LC08_L1TP_041036_20171218_20171224_01_T1': '2017-12-18',
  'L8/LC08_L2SP_001062_20201031_20201106_02_T2': '2020-10-31',
  'L9/LC09_L1TP_112081_20220209_20220209_02_T1': '2022-02-09',
  'L7/LE71040782013119ASA00': '2013-04-29',
  'L5TM/LT52240631988227CUB02': '1988-08-14',
  'L5MSS/LM05_L1TP_200030_20121230_20200820_02_T2': '2012-12-30',
  'L4TM/LT04_L2SP_002026_19830110_20200918_02_T1': '1983-01-10',
  'L4MSS/LM04_L1GS_001001_19830527_20210902_02_T2': '1983-05-27',
  'MODIS/12/04/2017204/2017213034223': '2017-07-23',
  'CBERS4MUX/CBERS_4_MUX_20160518_163_128_L4': '2016-05-18',
  'CBERS4AWFI/CBERS_4_AWFI_20170420_146_129_L2': '2017-04-20',
  'CBERS4PAN10M/CBERS_4_PAN10M_20170427_161_109_L4': '2017-04-27',
  'CBERS4PAN5M/CBERS_4_PAN5M_20170425_153_114_L4': '2017-04-25',
  'NAIP/al/2015/1m/rgbir/30085/m_3008501_ne_16_1_20151014': '2015-10-14',
  'NAIP/nv/2020/60cm/rgb/32116/m_3211605_ne_11_060_20200415_20200730': '2020-04-15',
  'NAIP/al/2023/060cm/rgbir/30087/m_3008736_se_16_060_20230730_20231018': '2023-07-30',
  'PS/20230915_103045_12_24c8': '2023-09-15',
  'PS/20160831_142848_0e26': '2016-08-31',
  'S1/S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B': '2018-07-16',
  'S1/S1A_S1_GRDH_1SDV_20230809T020729_20230809T020754_049792_05FCE6_1175': '2023-08-09',
  'S1/S1A_EW_GRDM_1SDH_20221130T014342_20221130T014446_046117_058549': '2022-11-30',
};

test('every example is parsed and written again, character by character', () => {
  for (const [text, date] of Object.entries(EXAMPLES)) {
    const view = parseViewId(text);
    assert.equal(view.viewId, text);
    assert.equal(view.date, date, text);
    assert.equal(`${view.sensor.abbreviation}/${view.sceneName}`, text);
    assert.equal(formatViewId(view.sensor, view.parts), text);
  }
});

test('other spellings of a view id lead to the canonical one', () => {
  const others = {
    'CBERS4/CBERS_4_MUX_20160518_163_128_L4': 'CBERS4MUX/CBERS_4_MUX_20160518_163_128_L4',
    'CBERS4/CBERS_4_PAN5M_20170425_153_114_L4': 'CBERS4PAN5M/CBERS_4_PAN5M_20170425_153_114_L4',
    'S1/115/S1A_IW_GRDH_1SDV_20161201T141548_20161201T141613_014197_016F0B_1A2B':
      'S1/S1A_IW_GRDH_1SDV_20161201T141548_20161201T141613_014197_016F0B_1A2B',
  };
  for (const [sent, canonical] of Object.entries(others)) assert.equal(parseViewId(sent).viewId, canonical);
});

test('a view id is parsed at the start of a longer path', () => {
  const { view, rest } = takeViewId('S2/36/U/XU/2016/5/2/0/(B08-B04)/(B08+B04)/10/611/354'.split('/'));
  assert.equal(view.viewId, 'S2/36/U/XU/2016/5/2/0');
  assert.deepEqual(rest, ['(B08-B04)', '(B08+B04)', '10', '611', '354']);
  // an encoded slash does not make two segments of one
  assert.throws(() => takeViewId(['S2', '36/U', 'XU', '2016', '5', '2', '0', '0']), {
    code: 'unknown-scene',
  });
});

test('fields may be numbers and are checked before they become a view id', () => {
  const at = (abbreviation: string) => sensorByAbbreviation(abbreviation)!;
  assert.equal(
    formatViewId(at('MODIS'), { horizontal: 12, vertical: 4, yearDay: 2017204, produced: '2017213034223' }),
    'MODIS/12/04/2017204/2017213034223',
  );
  const tile = { utmZone: 36, latitudeBand: 'U', square: 'XU', year: 2016, month: 5, day: 2 };
  assert.equal(formatViewId(at('S2'), { ...tile, sequence: 0 }), 'S2/36/U/XU/2016/5/2/0');
  assert.throws(() => formatViewId(at('S2'), tile), { tag: 'bad-input', code: 'bad-scene-name' });
  assert.throws(() => formatViewId(at('S2'), { ...tile, sequence: 0, day: 32 }), { message: /day must be/ });
  assert.throws(() => formatViewId(at('S2'), { ...tile, sequence: 0, square: 'X/U' }), { tag: 'bad-input' });
});

test('an error says what is wrong', () => {
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['X9/anything', /no sensor "X9"; sensors are /],
    ['s2/36/U/XU/2016/5/2/0', /no sensor "s2"/],
    ['S2/36/U/XU/2016/5/2', /7 path segments, as in 36\/U\/XU\/2016\/5\/2\/0/],
    ['S2/36/U/XU/2016/5/2/0/0', /ends after/],
    ['S2/61/U/XU/2016/5/2/0', /utmZone must be a number from 1 to 60/],
    ['S2/36/I/XU/2016/5/2/0', /latitudeBand/],
    ['S2/36/U/XW/2016/5/2/0', /square/],
    ['S2/36/U/AU/2016/5/2/0', /one of STUVWXYZ in zone 36/],
    ['S2/36/U/XU/2016/05/2/0', /month must be a number from 1 to 12 without leading zeros, not "05"/],
    ['S2/36/U/XU/2023/2/29/0', /no such day/],
    ['L8/LC82340312016028LGN00', /path must be 3 digits, 001 to 233/],
    ['L8/LE70110312016028LGN00', /instrument must be one of LC, LO, LT/],
    ['L8/LC08_L1TP_041036_20171218_20171217_01_T1', /processed before it was acquired/],
    ['L8/LC08_L2SP_041036_20171218_20171224_01_T1', /collection 01 has no level 2/],
    ['MODIS/12/04/2017204/2017203034223', /produced before it was acquired/],
    ['NAIP/al/2015/1m/rgbir/30086/m_3008501_ne_16_1_20151014', /different squares/],
    ['NAIP/zz/2015/1m/rgbir/30085/m_3008501_ne_16_1_20151014', /state/],
    ['CBERS4MUX/CBERS_4_AWFI_20170420_146_129_L2', /camera must be MUX, not "AWFI"/],
    ['CBERS4/CBERS_4_XYZ_20170420_146_129_L2', /CBERS-4 MUX: camera must be MUX.*CBERS-4 AWFI/],
    ['S1/S1A_IW_SLC__1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B', /must look like/],
    ['S1/176/S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B', /Sentinel-1/],
  ];
  for (const [text, message] of refusals) {
    assert.throws(
      () => parseViewId(text),
      (error) => {
        assert.ok(isSwathError(error) && error.tag === 'not-found', text);
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test('an unknown sensor is refused with the names of all sensors, including shared ones', () => {
  const names = sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [
    abbreviation,
    ...sharedAbbreviations,
  ]);
  const list = [...new Set(names)].toSorted().join(', ');
  assert.throws(() => parseViewId('X9/anything'), {
    message: new RegExp(`no sensor "X9"; sensors are ${list}\\.`),
  });
});

test('a very long view id is refused at once, with a short message', () => {
  const many = 300_000;
  const { system, user } = process.cpuUsage();
  for (const text of [
    `S2/${'1'.repeat(many)}/U/XU/2016/5/2/0`,
    `L8/${'LC8'.repeat(many / 3)}`,
    `S1/${'_'.repeat(many)}`,
    `S2${'/'.repeat(many)}`,
    'x'.repeat(many),
    `NAIP/al/2015/1m/rgb/30085/m_${'0'.repeat(many)}`,
  ]) {
    const isShortRefusal = (error: unknown) => isSwathError(error) && error.message.length < 1_000;
    assert.throws(() => parseViewId(text), isShortRefusal);
    assert.throws(() => takeViewId(text.split('/')), isShortRefusal);
  }
  const spent = process.cpuUsage({ system, user });
  assert.ok((spent.user + spent.system) / 1_000 < 1_000, 'took more than a second');
});

test('names of NAIP images state where they are', () => {
  const pointOf = (scene: string, state = 'al') =>
    parseViewId(`NAIP/${state}/2015/1m/rgbir/${scene.slice(2, 7)}/${scene}`).point;
  // The first quadrangle of a square is in its north-west, and the last one in its south-east.
  assert.deepEqual(pointOf('m_3008501_nw_16_1_20151014'), [-86 + 1 / 32, 31 - 1 / 32]);
  assert.deepEqual(pointOf('m_3008501_ne_16_1_20151014'), [-86 + 3 / 32, 31 - 1 / 32]);
  assert.deepEqual(pointOf('m_3008564_se_16_1_20151014'), [-85 - 1 / 32, 30 + 1 / 32]);
  // Longitudes of Guam count eastwards.
  assert.equal(pointOf('m_1314401_ne_55_1_20151014', 'gu'), null);
  assert.equal(parseViewId('L8/LC80110312016028LGN00').point, null);
});
