import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicLink } from './public-links.ts';
import { endPublicLink, listPublicLinks, makePublicLink, toRecipeBody } from './public-links.ts';

const NOW = new Date('2026-07-01T12:00:00.000Z');
const VIEW_ID = 'S2L2A/10/U/EU/2026/6/21/1';
const SCENE_TEMPLATE = `https://maps.example/api/render/${VIEW_ID}/B04,B03,B02/{z}/{x}/{y}?STRETCH=natural`;
const options = { name: 'Fields', days: 7, now: NOW };

const recipe = (id: string, terms: object | null) => ({ id, name: `Map ${id}`, public: terms });

test('a link contains the scene, the bands and the style of the picture, with an expiry', () => {
  const clip = 'a'.repeat(32);
  const template = `https://maps.example/api/render/${VIEW_ID}/(B08-B04)%2F(B08%2BB04)/{z}/{x}/{y}?COLORMAP=viridis&cropper_ref=${clip}`;
  const body = toRecipeBody(template, VIEW_ID, options);
  assert.equal(body.bands, '(B08-B04)/(B08+B04)');
  assert.deepEqual(body.scenes, { view_id: VIEW_ID });
  // A clipped picture shows its area alone.
  assert.deepEqual(body.style, { COLORMAP: 'viridis', cropper_ref: clip });
  assert.equal(body.public.expires, '2026-07-08T12:00:00.000Z');
  assert.equal(toRecipeBody(template, VIEW_ID, { ...options, days: null }).public.expires, null);
});

test('a link to the clear view is the mosaic that the map shows', () => {
  const template =
    'https://maps.example/api/mosaic/S2L2A,L8/2026-04-02..2026-09-29/RED,GREEN,BLUE/{z}/{x}/{y}?STRETCH=natural&selection=nearest&date=2026-07-01&prefer=sensors&max_cloud=60';
  const { name: _, public: __, ...content } = toRecipeBody(template, VIEW_ID, options);
  assert.deepEqual(content, {
    scenes: { search: { sensors: ['S2L2A', 'L8'], period: '2026-04-02..2026-09-29', max_cloud: 60 } },
    bands: 'RED,GREEN,BLUE',
    style: { STRETCH: 'natural' },
    selection: 'nearest',
    date: '2026-07-01',
    prefer: 'sensors',
  });
});

test('public recipes are listed over all pages; private and expired ones are not', async () => {
  const paths: string[] = [];
  const pages: Record<string, object> = {
    'api/recipes?limit=50': {
      recipes: [
        recipe('1', null),
        recipe('2', { token: 't2', expires: null }),
        recipe('3', { token: 't3', expires: '2026-06-30T00:00:00.000Z' }),
      ],
      next: '3',
    },
    'api/recipes?limit=50&after=3': {
      recipes: [recipe('4', { token: 't4', expires: '2026-08-01T00:00:00.000Z' })],
      next: null,
    },
  };
  const call = async (path: string) => {
    paths.push(path);
    return pages[path];
  };
  const links = await listPublicLinks({ call }, NOW);
  assert.deepEqual(
    links.map(({ id, token }) => [id, token]),
    [
      ['2', 't2'],
      ['4', 't4'],
    ],
  );
  assert.equal(paths.length, 2);
});

test("a recipe that is already public gets the new expiry, and a refusal shows the server's message", async () => {
  const sent: [string, string][] = [];
  const answers = [
    recipe('5', { token: 't5', expires: '2026-07-02T00:00:00.000Z' }),
    recipe('5', { token: 't5', expires: '2026-07-08T12:00:00.000Z' }),
  ];
  const send = async (path: string, { method = 'GET' }: RequestInit) => {
    sent.push([method, path]);
    return Response.json(answers.shift());
  };
  const body = toRecipeBody(SCENE_TEMPLATE, VIEW_ID, options);
  const link = await makePublicLink({ send }, body);
  assert.equal(link?.expires, body.public.expires);
  assert.deepEqual(sent, [
    ['POST', 'api/recipes'],
    ['PATCH', 'api/recipes/5'],
  ]);
  const refuse = async () =>
    Response.json({ error: 'This key may only read.', code: 'role-needed' }, { status: 403 });
  await assert.rejects(makePublicLink({ send: refuse }, body), /may only read/);
  await assert.rejects(endPublicLink({ send: refuse }, link as PublicLink), /may only read/);
});
