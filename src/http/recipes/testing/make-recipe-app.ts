import assert from 'node:assert/strict';
import type { NewScene, Scene } from '../../../catalog/index.ts';
import { box, makeScene } from '../../../catalog/testing/make-scene.ts';
import { makeAreas, makeColormaps, makeRecipes } from '../../../library/index.ts';
import {
  createArea,
  makeMemoryAreas,
  makeMemoryColormaps,
  makeMemoryRecipes,
  unlimitedAreas,
  unlimitedColormaps,
  unlimitedRecipes,
} from '../../../library/testing/memory-library.ts';
import type { ReadPoint, Renderer, ScenePictureRequest } from '../../../render/index.ts';
import type { TestAppOptions } from '../../testing/make-test-app.ts';
import { makeTestApp, otherRecord, readerRecord } from '../../testing/make-test-app.ts';

/** The scene of the recipes: a degree wide and high, from 2° east and 42° north. */
export const VIEW_ID = 'S2/31/T/DH/2026/6/21/0';

/** A body of a recipe. */
export const aBody = {
  name: 'Fields',
  scenes: { view_id: VIEW_ID },
  bands: 'B04,B03,B02',
  style: { MIN_MAX: '0,3000' },
};

/** What a recipe is answered as. */
export interface WireRecipe {
  readonly id: string;
  readonly name: string;
  readonly style: Readonly<Record<string, string>>;
  readonly bands: string;
  readonly tiles: string;
  readonly public: {
    readonly token: string;
    readonly expires: string | null;
    readonly rate_per_minute: number;
    readonly tiles: string;
  } | null;
}

/** A square of a tenth of a degree in the middle of the scene. */
export const field = box(2.45, 42.45, 2.55, 42.55);

/** Routes over recipes, areas and colormaps in memory, and one scene; pictures are handed back as what was to be drawn. */
export function makeRecipeApp({
  scene: moreScene = {},
  ...options
}: TestAppOptions & { readonly scene?: Partial<NewScene> } = {}) {
  const { store, stored } = makeMemoryRecipes();
  const clock = { date: new Date('2026-07-01T12:00:00.000Z') };
  const scene: Scene = { ...makeScene(21, moreScene), version: 'v1' };
  const scenes = new Map([[scene.viewId, scene]]);
  const planned: ScenePictureRequest[] = [];
  const points: Parameters<ReadPoint>[0][] = [];
  const owners: string[] = [];
  const renderer: Renderer = {
    async plan(request) {
      planned.push(request);
      return { etag: 'e1', request } as never;
    },
    async render(_, { owner }) {
      owners.push(owner);
      return { bytes: Uint8Array.of(1, 2, 3), format: 'png', stagesMs: {}, etag: 'e1' };
    },
    findContrast: async () => [{ min: 0, max: 1 }],
    findColor: async () => null,
  };
  const areas = makeAreas({ ...unlimitedAreas, store: makeMemoryAreas().store });
  const colormaps = makeColormaps({ ...unlimitedColormaps, store: makeMemoryColormaps().store });
  const app = makeTestApp({
    recipes: makeRecipes({ ...unlimitedRecipes, maxPerOwner: 9, store, now: () => clock.date }),
    areas,
    colormaps,
    scenes: {
      findByViewId: async (viewId) => scenes.get(viewId) ?? null,
      findByName: async () => null,
    },
    renderer,
    readPoint: async (request) => {
      points.push(request);
      return [0.5];
    },
    records: [readerRecord, otherRecord],
    now: () => clock.date,
    ...options,
  });
  const create = async (more: object = {}): Promise<WireRecipe> => {
    const response = await app.post('/api/recipes', { ...aBody, ...more });
    assert.ok([200, 201].includes(response.status), await response.clone().text());
    return (await response.json()) as WireRecipe;
  };
  /** A public recipe, its token and a call without a key below its address. */
  const publish = async (more: object = {}, terms: unknown = { rate_per_minute: 1000 }) => {
    const recipe = await create({ ...more, public: terms });
    const token = recipe.public?.token ?? assert.fail('it is not public');
    const visit = (path: string, init: RequestInit = {}) =>
      app.call(`/api/public/${token}/${path}`, { key: null, ...init });
    return { recipe, token, visit };
  };
  const change = (id: string, body: unknown, init: { key?: string } = {}) =>
    app.call(`/api/recipes/${id}`, { method: 'PATCH', body: JSON.stringify(body), ...init });
  const remove = (id: string, init: { key?: string } = {}) =>
    app.call(`/api/recipes/${id}`, { method: 'DELETE', ...init });
  const storeField = (owner = 'configured') => createArea(areas, field, owner);
  return {
    ...app,
    create,
    publish,
    change,
    remove,
    storeField,
    stored,
    scenes,
    planned,
    points,
    owners,
    areas,
    colormaps,
    clock,
  };
}
