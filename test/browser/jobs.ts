/**
 * Twelve jobs that people come with, from the first page on, as steps of a pair of hands. Tests do them with the keyboard,
 * `npm run pictures` with the mouse; docs/use/viewer.md lists them.
 */
import type { Download, Page } from 'playwright-core';
import type { Hands } from './hands.ts';
import { whenMapIdle } from './map-pixels.ts';

/** What came of a job. */
export interface JobResult {
  readonly hectares?: number;
  readonly file?: Download;
  /** A link that was copied. */
  readonly link?: string;
}

/** A job. */
export interface Job {
  readonly title: string;
  /** How it is done, for people. */
  readonly how: string;
  readonly clicks: number;
  run(hands: Hands): Promise<JobResult>;
}

/** The page on which all jobs begin: the newest clear view. */
export const FIRST_PAGE = '#clear=,90';

const open = (hands: Hands, panel: string): Promise<void> =>
  hands.press(hands.page.getByRole('navigation').getByRole('button', { name: panel, exact: true }));

const tell = (hands: Hands, story: RegExp): Promise<void> =>
  hands.press(hands.page.getByRole('button', { name: story }));

const saveFile = async (page: Page, press: () => Promise<void>): Promise<Download> => {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return file;
};

const copyLink = async (hands: Hands, button: RegExp): Promise<string> => {
  await hands.press(hands.page.getByRole('button', { name: button }).first());
  await hands.page.getByText(/ copied\.$/).waitFor();
  return String(await hands.page.evaluate('navigator.clipboard.readText()'));
};

/** Hectares that the last row of the table adds up. */
const readTogether = async (page: Page): Promise<number> => {
  const row = page.getByRole('table').getByRole('row', { name: 'Together' });
  await row.waitFor();
  const [text = ''] = await row.getByRole('cell').allInnerTexts();
  return Number(text.replaceAll(',', ''));
};

const measure = async (hands: Hands, preset?: string): Promise<JobResult> => {
  await whenMapIdle(hands.page);
  await open(hands, 'Measure');
  if (preset !== undefined) await hands.choose(hands.page.getByLabel('What to measure'), preset);
  await hands.press(hands.page.locator('#panel').getByRole('button', { name: 'Measure', exact: true }));
  return { hectares: await readTogether(hands.page) };
};

/** The jobs by their names. */
export const JOBS = {
  clear: {
    title: 'The newest clear view of the valley',
    how: 'Place search, Farming valley',
    clicks: 2,
    async run(hands) {
      await hands.findPlace('', /^Farming valley/);
      await whenMapIdle(hands.page);
      return {};
    },
  },
  place: {
    title: 'A place by its name',
    how: 'Place search, type Kyiv, choose it',
    clicks: 2,
    async run(hands) {
      await hands.findPlace('Kyiv', /^Kyiv/);
      await hands.page.waitForURL(/#map=[\d.]+\/50\.4/);
      await whenMapIdle(hands.page);
      return {};
    },
  },
  burnt: {
    title: 'Hectares that a fire burnt',
    how: 'Place search, Forest fire, **Measure**, Measure',
    clicks: 4,
    async run(hands) {
      await hands.findPlace('', /^Forest fire/);
      return measure(hands);
    },
  },
  flood: {
    title: 'Hectares under water',
    how: 'Place search, Flood, **Measure**, Water by radar, Measure',
    clicks: 6,
    async run(hands) {
      await hands.findPlace('', /^Flood of/);
      return measure(hands, 'Water by radar');
    },
  },
  radar: {
    title: 'A flood by radar, before and after',
    how: 'The story The flood',
    clicks: 1,
    async run(hands) {
      await tell(hands, /^The flood/);
      await hands.page.locator('#second-map[aria-busy=false]').waitFor();
      await whenMapIdle(hands.page);
      return {};
    },
  },
  curve: {
    title: 'The curve of a field',
    how: 'The story A field and its curve',
    clicks: 1,
    async run(hands) {
      await tell(hands, /^A field and its curve/);
      await hands.page.locator('#dock canvas').first().waitFor();
      return {};
    },
  },
  report: {
    title: 'A report of a field',
    how: 'The story A field and its curve, Field report, Save',
    clicks: 3,
    async run(hands) {
      await tell(hands, /^A field and its curve/);
      await hands.press(hands.page.getByRole('button', { name: 'Field report…' }));
      const save = hands.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
      return { file: await saveFile(hands.page, () => hands.press(save)) };
    },
  },
  film: {
    title: 'A season as a video',
    how: 'The story A season from above, Save, Save',
    clicks: 3,
    async run(hands) {
      await tell(hands, /^A season from above/);
      await hands.page.locator('.film-date').waitFor();
      await hands.press(hands.page.getByRole('button', { name: 'Save', exact: true }));
      const save = hands.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
      return { file: await saveFile(hands.page, () => hands.press(save)) };
    },
  },
  compare: {
    title: 'Two dates compared',
    how: '**Compare**, Swipe',
    clicks: 2,
    async run(hands) {
      await open(hands, 'Compare');
      await hands.pick(hands.page.getByRole('radio', { name: 'Swipe' }));
      await hands.page.locator('#second-map[aria-busy=false]').waitFor();
      await whenMapIdle(hands.page);
      return {};
    },
  },
  geotiff: {
    title: 'The bands of a scene as GeoTIFF',
    how: 'A scene of the list, **Download**, Make file, Save',
    clicks: 4,
    async run(hands) {
      const { page } = hands;
      await hands.press(page.locator('button.scene').first());
      await page.waitForURL(/[&]scene=/);
      await open(hands, 'Download');
      await page.locator('.estimate strong').waitFor();
      await hands.press(page.getByRole('button', { name: 'Make file' }));
      const link = page.locator('.task').first().getByRole('link');
      return { file: await saveFile(page, () => hands.press(link)) };
    },
  },
  share: {
    title: 'A link to what you see',
    how: '**Share**, Copy',
    clicks: 2,
    async run(hands) {
      await open(hands, 'Share');
      return { link: await copyLink(hands, /^Copy Link$/) };
    },
  },
  guest: {
    title: 'A link for someone without a key',
    how: '**Share**, Make link, Copy',
    clicks: 3,
    async run(hands) {
      const { page } = hands;
      await open(hands, 'Share');
      await hands.press(page.getByRole('button', { name: 'Make link' }));
      await page.locator('.public-link').first().waitFor();
      return { link: await copyLink(hands, /^Copy (?!Link$)/) };
    },
  },
} as const satisfies Readonly<Record<string, Job>>;

/** The name of a job. */
export type JobName = keyof typeof JOBS;

/** The jobs as docs/use/viewer.md lists them. */
export const toJobsTable = (): string =>
  [
    '| Job | Clicks | How | |',
    '|---|---|---|---|',
    ...Object.entries(JOBS).map(
      ([name, { title, how, clicks }]) =>
        `| ${title} | ${clicks} | ${how} | ![${title}](../images/viewer/job-${name}.jpg) |`,
    ),
  ].join('\n');
