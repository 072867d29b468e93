import { formatViewId, parseViewId, sensors, takeViewId } from '../../../src/sensors/index.ts';
import type { FuzzTarget } from '../target.ts';

/** View ids, alone and at the beginning of a path: what is understood is written again, and means the same. */
export const viewId: FuzzTarget = {
  name: 'view-id',
  maxBytes: 4 * 1024,
  tokens: [
    ...['0', '-1', '00', '1e1', '61', '٣', '2147483648', '2023', '/', '//', '_', '', ' ', '\0', '%2F', '..'],
    ...['29', '02', '366', '20230229', 'S2', 'L8', 'CBERS4', 'S1', 'NAIP', 'MODIS', 'LC08', 'T1', 'I', 'XW'],
    ...['__proto__', 'constructor', 'toString'],
  ],
  readSeeds: () => [
    ...sensors.flatMap(({ abbreviation, sharedAbbreviations, sceneName }) =>
      [abbreviation, ...sharedAbbreviations].map((name) => Buffer.from(`${name}/${sceneName.example}`)),
    ),
    Buffer.from('L8/LC08_L1TP_041036_20171218_20171224_01_T1'),
    Buffer.from('S1/115/S1A_IW_GRDH_1SDV_20161201T141548_20161201T141613_014197_016F0B_1A2B'),
    Buffer.from('S2/36/U/XU/2016/5/2/0/(B08-B04)/10/611/354'),
  ],
  run(input) {
    const text = Buffer.from(input).toString();
    const { view, rest } = takeViewId(text.split('/'));
    if (!text.endsWith(rest.join('/'))) throw new Error(`${text} leaves ${rest.join('/')} behind`);
    const again = parseViewId(view.viewId);
    if (again.viewId !== view.viewId || again.date !== view.date || again.sensor !== view.sensor) {
      throw new Error(`${view.viewId} is read as ${again.viewId}`);
    }
    const written = formatViewId(view.sensor, view.parts);
    if (written !== view.viewId) throw new Error(`${view.viewId} is written as ${written}`);
    if (rest.length === 0) parseViewId(text);
  },
};
