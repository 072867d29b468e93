/**
 * A made-up Earth on this machine, to try live catalogs without the internet: `npm run node -- test/earth/serve-fake-earth.ts`.
 *
 * It answers as a public catalog does (`--style earth-search`, `planetary-computer`, `copernicus`, `usgs`), has Sentinel-2
 * of every tile every five days since 2015, Landsat of every path and row, and cells of a DEM, and serves their files.
 * `--delay-ms 30` plays a distance, `--noise 100` makes files as large as real ones. It prints a file for SWATH_CATALOGS.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFakeEarth } from '../../src/live/testing/fake-earth.ts';
import { startFakeStac, TOKEN_PATH } from '../../src/live/testing/fake-stac.ts';
import type { StyleName } from '../../src/live/testing/fake-styles.ts';
import { STYLES } from '../../src/live/testing/fake-styles.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9000' },
    style: { type: 'string', default: 'earth-search' },
    'delay-ms': { type: 'string' },
    noise: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
});
if (!Object.hasOwn(STYLES, values.style) || values.style === 'plain') {
  throw new Error(`--style is one of ${Object.keys(STYLES).join(', ')}`);
}
const style = values.style as StyleName;
const today = new Date().toISOString().slice(0, 10);
const fake = await startFakeStac({
  style,
  port: Number(values.port),
  earth: (place) => makeFakeEarth(style, place, { today, noise: Number(values.noise) }),
  ...(values['delay-ms'] === undefined ? {} : { delayMs: Number(values['delay-ms']) }),
});

const store = { region: 'local', endpoint: fake.origin, pathStyle: true };
const catalogs = [
  {
    preset: style,
    url: fake.url,
    sources: {
      hosts: ['127.0.0.1'],
      allowHttp: true,
      ports: [fake.port],
      privateNetworks: ['127.0.0.0/8'],
      s3: [{ ...store, buckets: ['copernicus-dem-30m', 'eodata', 'usgs-landsat'] }],
      tokens: [{ hosts: ['127.0.0.1'], endpoint: `${fake.origin}${TOKEN_PATH}` }],
    },
  },
];
const path = values.out ?? join(mkdtempSync(join(tmpdir(), 'swath-fake-earth-')), 'catalogs.json');
writeFileSync(path, `${JSON.stringify(catalogs, null, 2)}\n`, { mode: 0o600 });
console.log(`${STYLES[style].title}, made up, at ${fake.url}`);
console.log(`SWATH_CATALOGS=${path}`);
