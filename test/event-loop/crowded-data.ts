import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { openWeatherCubes } from '../../src/weather/index.ts';
import type { WeatherVariable } from '../../src/weather/weather-series.ts';
import { WEATHER_VARIABLES } from '../../src/weather/weather-series.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { makeOnce } from '../support/made-once.ts';

/** As many scenes as a page of hits may show, and some more: all are the demo scene on other days. */
const SCENES = 1_100;
export const LAST_SCENE_DAY = '2026-06-20';

/** Ten years of hours, whose days are not stored: the most that a history reads. */
export const WEATHER = { first: '2016-01-01', last: '2025-12-31', lon: -122.4, lat: 48.22 } as const;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The small demo with a thousand scenes and ten years of hourly weather; for the caller to use and remove. */
export async function makeCrowdedData(): Promise<string> {
  const [made = ''] = await makeOnce([
    { name: 'crowded', madeBy: 'test/event-loop/crowded-data.ts', make: makeCrowd },
  ]);
  const directory = mkdtempSync(join(tmpdir(), 'swath-crowded-'));
  // With its times, to the nanosecond: files of other times would be taken for replaced ones.
  execFileSync('cp', ['-a', `${made}/.`, directory]);
  return directory;
}

async function makeCrowd(dataDir: string): Promise<void> {
  const small = await makeDemoData();
  execFileSync('cp', ['-a', `${small}/.`, dataDir]);
  const store = openSqliteStore(dataDir);
  try {
    const scene = await store.scenes.findByViewId(DEMO_SCENE.viewId);
    if (scene === null) throw new Error('the demo has no scene');
    const { version: _, ...record } = scene;
    await store.scenes.putMany(Array.from({ length: SCENES }, (_, i) => toOtherDay(record, i)));
  } finally {
    await store.close();
  }
  await fillWeather(dataDir);
}

function toOtherDay(scene: NewScene, i: number): NewScene {
  const at = new Date(Date.parse(`${LAST_SCENE_DAY}T19:10:00Z`) - i * DAY_MS);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const { productId: _, ...rest } = scene;
  return {
    ...rest,
    viewId: `S2L2A/10/U/EU/${year}/${month}/${day}/1`,
    sceneId: `S2B_tile_${at.toISOString().slice(0, 10).replaceAll('-', '')}_10UEU_1`,
    acquiredAt: at.toISOString(),
    fields: { ...scene.fields, date: at.toISOString().slice(0, 10) },
  };
}

const CELLS = 25;

/** Any numbers that change from step to step and from cell to cell. */
function toValues(variable: WeatherVariable, step: number): Float32Array {
  const [base, scale] = WEATHER_VARIABLES[variable].units === 'degC' ? [10, 8] : [5, 1];
  const wave = Math.sin(step / 24) + Math.sin(step / 8_766);
  const values = new Float32Array(CELLS);
  for (let cell = 0; cell < CELLS; cell += 1) values[cell] = base + scale * (wave + cell / 10);
  return values;
}

async function fillWeather(dataDir: string): Promise<void> {
  const { cubes } = openWeatherCubes({ dataDir, cubes: null, sources: { folders: [] } });
  const [firstStep, lastStep] = [WEATHER.first, WEATHER.last].map((day) => Date.parse(day) / HOUR_MS) as [
    number,
    number,
  ];
  const grid = {
    west: WEATHER.lon - 0.5,
    north: WEATHER.lat + 0.5,
    lonStep: 0.25,
    latStep: 0.25,
    width: 5,
    height: 5,
  };
  const writer = await cubes.openWriter('years', { grid, stepHours: 1 });
  for (const variable of Object.keys(WEATHER_VARIABLES) as WeatherVariable[]) {
    const fields = Array.from({ length: lastStep - firstStep + 24 }, (_, i) => ({
      step: firstStep + i,
      values: toValues(variable, firstStep + i),
    }));
    await writer.write(
      [{ variable, about: WEATHER_VARIABLES[variable], fields }],
      new Map([[`${variable}.nc`, '1']]),
    );
  }
}
