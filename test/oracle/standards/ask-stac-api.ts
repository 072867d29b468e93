/**
 * Asks stac-api-validator, stac-validator, pystac, pystac-client and cql2 whether the STAC API of a service with scenes of eight sensors is one.
 *   npm run oracle standards
 * Installs the Python packages once, below node_modules/.cache.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasPython, installPython } from '../../support/python-packages.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { tellClaims, tellMissing } from './verdicts.ts';

const PACKAGES = [
  'pystac[validation]==1.15.2',
  'pystac-client==0.9.1',
  'stac-validator==4.1.2',
  'stac-api-validator==0.6.8',
  'cql2==0.6.0',
];

const service = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../spec/spec-server.ts', import.meta.url))],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
try {
  const [line] = (await once(createInterface(service.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  await tellClaims(url, SERVICE_KEY);
  if (hasPython()) {
    const bin = await installPython('standards', PACKAGES, console.log);
    const judge = fileURLToPath(new URL('judge_stac_api.py', import.meta.url));
    const { status } = spawnSync(`${bin}/python3`, [judge, `${url}/stac`, SERVICE_KEY, 'sentinel2l2a'], {
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  } else tellMissing('stac-api-validator, pystac and others', 'there is no python3 with venv');
} finally {
  service.stdin.end();
}
