import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientCheck } from './client-check.ts';
import { findProgram, run } from './run-program.ts';
import { fillIn, readSnippets } from './snippets.ts';

const needs = (name: string) => (): string | null =>
  findProgram(name) === null ? `${name} is not installed` : null;

const onOneLine = (text: string): string => text.trim().split('\n').slice(-3).join('; ').slice(0, 120);

const curl: ClientCheck = {
  name: 'curl',
  whyNot: needs('curl'),
  async run(stage) {
    const [code = ''] = readSnippets('curl', 'bash');
    const printed = await run('bash', ['-e', '-c', fillIn(code, stage)], { cwd: stage.folder });
    const bytes = readFileSync(join(stage.folder, 'tile.png')).length;
    if (!/"found":[1-9]/.test(printed) || !printed.includes('index_value')) throw new Error(printed);
    return `a search, a tile of ${bytes} bytes, a point`;
  },
};

/** A Python snippet of the guide, or an example, run as it is. */
const python = (name: string, readCode: () => string, args: readonly string[] = []): ClientCheck => ({
  name,
  async run(stage) {
    const file = join(stage.folder, 'snippet.py');
    writeFileSync(file, fillIn(readCode(), stage));
    const printed = await run(join(stage.pythonBin, 'python'), [file, ...args], {
      cwd: stage.folder,
      env: { HOME: stage.folder },
    });
    if (printed.trim() === '') throw new Error('It printed nothing.');
    return onOneLine(printed);
  },
});

const readExample = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), 'utf8');

const gdal: ClientCheck = {
  name: 'GDAL TMS',
  whyNot: needs('gdal_translate'),
  async run(stage) {
    writeFileSync(join(stage.folder, 'swath.xml'), fillIn(readSnippets('GDAL', 'xml')[0]!, stage));
    await run('bash', ['-e', '-c', readSnippets('GDAL', 'bash')[0]!], { cwd: stage.folder });
    const info = await run('gdalinfo', ['-mm', 'out.tif'], { cwd: stage.folder });
    const [, min = '0', max = '0'] = /Computed Min\/Max=([\d.]+),([\d.]+)/.exec(info) ?? [];
    if (Number(max) - Number(min) < 50) throw new Error(`The picture is flat: ${info}`);
    return `a window of the tiles as GeoTIFF, values ${min} to ${max}`;
  },
};

const qgis: ClientCheck = {
  name: 'QGIS (XYZ address)',
  async run(stage) {
    const template = fillIn(readSnippets('QGIS', 'text')[0]!.trim(), stage);
    const answer = await fetch(template.replace('{z}', '12').replace('{x}', '655').replace('{y}', '1420'));
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return `its address gives ${answer.headers.get('content-type')}`;
  },
};

const typescript: ClientCheck = {
  name: 'openapi-typescript',
  async run(stage) {
    const { folder, npmFolder, url } = stage;
    const bin = (name: string): string => join(npmFolder, 'node_modules/.bin', name);
    symlinkSync(join(npmFolder, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    await run(process.execPath, [bin('openapi-typescript'), `${url}/openapi.json`, '-o', 'api.d.ts'], {
      cwd: folder,
    });
    writeFileSync(join(folder, 'client.ts'), fillIn(readSnippets('Generated TypeScript', 'ts')[0]!, stage));
    const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];
    await run(
      process.execPath,
      [bin('tsc'), ...flags, '--allowImportingTsExtensions', '--noEmit', 'client.ts'],
      {
        cwd: folder,
      },
    );
    const printed = await run(process.execPath, ['client.ts'], { cwd: folder });
    if (printed.includes('undefined')) throw new Error(printed);
    return onOneLine(printed);
  },
};

const generatedPython: ClientCheck = {
  name: 'openapi-python-client',
  async run(stage) {
    const { folder, pythonBin, url } = stage;
    writeFileSync(join(folder, 'generator.yaml'), readSnippets('Generated Python', 'yaml')[0]!);
    mkdirSync(join(folder, 'run'));
    await run(
      join(pythonBin, 'openapi-python-client'),
      [
        ...['generate', '--url', `${url}/openapi.json`, '--config', 'generator.yaml', '--fail-on-warning'],
        ...['--meta', 'none', '--output-path', 'run/swath_client'],
      ],
      { cwd: folder, env: { PATH: `${pythonBin}:${process.env.PATH}` } },
    );
    writeFileSync(
      join(folder, 'run/client.py'),
      fillIn(readSnippets('Generated Python', 'python')[0]!, stage),
    );
    return onOneLine(await run(join(pythonBin, 'python'), ['run/client.py'], { cwd: folder }));
  },
};

/** Every snippet of docs/use/clients.md that needs no browser, and the examples in Python. */
export const guideChecks: readonly ClientCheck[] = [
  curl,
  python('Python requests', () => readSnippets('Python requests', 'python')[0]!),
  python('EODAG, as documented', () => readSnippets('EODAG', 'python')[0]!),
  python('examples/ndvi_of_an_area.py', () => readExample('ndvi_of_an_area.py'), ['ndvi.png']),
  python('examples/ndvi_curve.py', () => readExample('ndvi_curve.py')),
  qgis,
  gdal,
  typescript,
  generatedPython,
];
