import { existsSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { inspectPostgresStore, openPostgresStore } from '../adapters/postgres/index.ts';
import { inspectSqliteStore } from '../adapters/sqlite/index.ts';
import type { Finding, ReportSection } from '../cli/index.ts';
import { describeRights } from '../files/index.ts';
import { httpLimits } from '../http/index.ts';
import { examineCatalog, makeCatalogFetch, toUserAgent } from '../live/index.ts';
import type { Config } from '../settings/index.ts';
import { describeConfig } from '../settings/index.ts';
import { makeOpenSource, makeTryFile } from '../sources/index.ts';
import type { ResultPlace } from '../tasks/index.ts';
import { toMib } from '../units.ts';
import { toHeaderCache } from './files.ts';
import { findUnreached, toProblem } from './reach.ts';
import { describeResults } from './results.ts';
import { readVersion } from './version.ts';

const GIB = 2 ** 30;

/** Below this the demo world and the database's log may not fit. */
const SCARCE_BYTES = GIB;

/** All that `swath doctor` reports; reads, and changes nothing. */
export async function examine(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ReportSection[]> {
  return [
    { title: 'Versions', findings: examineVersions() },
    { title: 'Settings', findings: describeConfig(config, env).map(toSettingFinding) },
    {
      title: 'Limits',
      findings: Object.entries(httpLimits).map(([name, value]) => good(name, String(value))),
    },
    ...(await examineStores(config)),
    ...(await examineNetwork(config, env)),
  ];
}

/** The way out, and each live catalog; nothing is asked of the network unless a catalog is set. */
async function examineNetwork(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ReportSection[]> {
  const userAgent = toUserAgent(readVersion(), config.catalogContact);
  const catalogs = await Promise.all(
    config.liveCatalogs.map(async (catalog) => ({
      title: `Catalog ${catalog.name}`,
      findings: await examineCatalog(catalog, {
        fetch: makeCatalogFetch(catalog, { userAgent }),
        tryFile: makeTryFile({ ...catalog.sources, userAgent }),
        nowMs: () => performance.now(),
      }),
    })),
  );
  const file = env.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return catalogs;
  return [{ title: 'Certificates', findings: [examineAuthorities(file)] }, ...catalogs];
}

/** Node only warns of a file that it cannot read, in a line that scrolls away. */
function examineAuthorities(file: string): Finding {
  const count = getCACertificates('extra').length;
  const name = 'NODE_EXTRA_CA_CERTS';
  return count > 0
    ? good(name, `${count} of ${file}`)
    : {
        name,
        value: `no certificate could be read from ${file}: it must be a readable file in PEM format`,
        ok: false,
      };
}

/** The data directory, the database, and the results of those that use it. */
async function examineStores(config: Config): Promise<readonly ReportSection[]> {
  const { dataDir, databaseUrl } = config;
  const data = examineData(dataDir, databaseUrl === null);
  const postgres = databaseUrl === null ? null : await examinePostgres(databaseUrl);
  const { resultPlaces } = postgres ?? data;
  const sections = [
    { title: 'Data directory', findings: data.findings },
    { title: 'PostgreSQL', findings: postgres?.findings ?? [] },
    { title: 'Results of tasks', findings: await describeResults(config, resultPlaces) },
    { title: 'Files of scenes', findings: postgres?.isNewest === true ? await examineReach(config) : [] },
  ];
  return sections.filter(({ findings }) => findings.length > 0);
}

/** Places of the shared catalog that these settings cannot read; a database that must be migrated first is not read. */
async function examineReach({ databaseUrl, dataDir, sources }: Config): Promise<readonly Finding[]> {
  if (databaseUrl === null) return [];
  const store = await openPostgresStore(databaseUrl);
  try {
    const open = makeOpenSource({ dataDir, ...sources, ...toHeaderCache({ dataDir, sources }) });
    const { signal } = new AbortController();
    const unreached = await findUnreached({ scenes: store.scenes, open, signal });
    if (unreached.length === 0) return [good('Places', 'one file of each was opened')];
    return unreached.map((one) => ({ name: 'Place', value: `cannot read ${toProblem(one)}`, ok: false }));
  } finally {
    await store.close();
  }
}

/** What is found of a database, and where those that use it store results. */
interface ExaminedStore {
  readonly findings: readonly Finding[];
  readonly resultPlaces: readonly ResultPlace[];
}

function examineVersions(): readonly Finding[] {
  const kernels = existsSync(new URL('../../kernels/dist/swath.wasm', import.meta.url));
  const viewer = existsSync(new URL('../../web/dist/index.html', import.meta.url));
  return [
    good('Swath', readVersion()),
    good('Node.js', `${process.version} on ${process.platform} ${process.arch}`),
    good('SQLite', process.versions.sqlite ?? 'unknown'),
    good('Machine', `${availableParallelism()} cores, ${(totalmem() / GIB).toFixed(1)} GiB of memory`),
    { name: 'WebAssembly kernels', value: kernels ? 'built' : 'missing: run "npm run prepare"', ok: kernels },
    { name: 'Viewer', value: viewer ? 'built' : 'missing: run "npm run prepare"', ok: viewer },
    examineCodeGeneration(),
  ];
}

/** The service must run with --disallow-code-generation-from-strings, which the start scripts set. */
function examineCodeGeneration(): Finding {
  try {
    // biome-ignore lint/complexity/useArrowFunction: the constructor is what is probed here
    (function () {}).constructor('return 1');
    return {
      name: 'Code from text',
      value: 'possible: start with "npm start" or the swath command',
      ok: false,
    };
  } catch {
    return good('Code from text', 'blocked');
  }
}

/** Where catalog and keys are in PostgreSQL, the directory needs no database. */
function examineData(directory: string, hasDatabase: boolean): ExaminedStore {
  const resultPlaces: readonly ResultPlace[] = [];
  if (!existsSync(directory)) {
    return { findings: [good('Path', `${directory} (not made yet; "swath serve" makes it)`)], resultPlaces };
  }
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  const findings = [
    good('Path', directory),
    toRightsFinding(directory),
    { name: 'Free space', value: `${(freeBytes / GIB).toFixed(1)} GiB`, ok: freeBytes >= SCARCE_BYTES },
  ];
  if (!hasDatabase) return { findings, resultPlaces };
  const database = examineSqlite(directory);
  return { ...database, findings: [...findings, ...database.findings] };
}

function examineSqlite(directory: string): ExaminedStore {
  const path = join(directory, 'swath.db');
  if (!existsSync(path)) return { findings: [good('Database', 'not made yet')], resultPlaces: [] };
  const size = `${toMib(statSync(path).size)} MiB`;
  try {
    const { schemaVersion, damage, resultPlaces, ...counts } = inspectSqliteStore(directory);
    const findings = [
      good('Database', `schema version ${schemaVersion}, ${size}`),
      toContents(counts),
      {
        name: 'Integrity',
        value: damage.length === 0 ? 'every page checked' : damage.join('; '),
        ok: damage.length === 0,
      },
    ];
    return { findings, resultPlaces };
  } catch (error) {
    return { findings: [{ name: 'Database', value: (error as Error).message, ok: false }], resultPlaces: [] };
  }
}

/** What a database holds, by number. */
interface Contents {
  readonly keys: number;
  readonly scenes: number;
  readonly knownScenes: number;
}

const toContents = ({ keys, scenes, knownScenes }: Contents): Finding =>
  good('Contents', `${scenes} scenes, ${knownScenes} cached scenes of live catalogs, ${keys} keys`);

function toRightsFinding(directory: string): Finding {
  const { text, ok } = describeRights(directory);
  return { name: 'Rights', value: text, ok };
}

async function examinePostgres(url: string): Promise<ExaminedStore & { readonly isNewest: boolean }> {
  try {
    const { address, server, postgis, schemaVersion, isNewest, missing, resultPlaces, ...counts } =
      await inspectPostgresStore(url);
    const reached = [good('Address', address), good('Server', server)];
    if (missing.length > 0)
      return { findings: [...reached, ...missing.map(toMissingFinding)], resultPlaces, isNewest };
    const findings = [
      ...reached,
      { name: 'PostGIS', value: postgis ?? 'not enabled; "swath serve" tries to', ok: true },
      good(
        'Schema version',
        schemaVersion === null ? 'not made yet; "swath serve" makes it' : String(schemaVersion),
      ),
      toContents(counts),
    ];
    return { findings, resultPlaces, isNewest };
  } catch (error) {
    const findings = [{ name: 'Server', value: (error as Error).message, ok: false }];
    return { findings, resultPlaces: [], isNewest: false };
  }
}

type Missing = Awaited<ReturnType<typeof inspectPostgresStore>>['missing'][number];

const toMissingFinding = ({ code, problem, remedy }: Missing): Finding => ({
  name: code.startsWith('postgis') ? 'PostGIS' : 'Rights',
  value: `${problem} ${remedy}`,
  ok: false,
});

const toSettingFinding = ({
  variable,
  value,
  fromEnvironment,
}: ReturnType<typeof describeConfig>[number]): Finding =>
  good(variable, fromEnvironment ? value : `${value}  (default)`);

const good = (name: string, value: string): Finding => ({ name, value, ok: true });
