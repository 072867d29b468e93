import type { Ask } from './largest-bodies.ts';
import {
  bodyOf,
  largestColormap,
  largestField,
  largestPolygon,
  largestRecipe,
  largestSubscription,
  lat,
  lon,
  publicOf,
  recipeOf,
  refOf,
  subscriptionOf,
  TILE,
} from './largest-bodies.ts';

/** The largest requests about what keys store, in this order: what is removed is removed last. */
export const LARGEST_STORED: Readonly<Record<string, readonly Ask[]>> = {
  'POST /api/render/cropper': [
    (i) => ({ path: '/api/render/cropper', body: bodyOf(largestPolygon(100 + i)) }),
  ],
  'GET /api/render/cropper/:cropper_ref': [
    (i, stored) => ({ path: `/api/render/cropper/${refOf(stored, i)}` }),
  ],
  'DELETE /api/render/cropper/:cropper_ref': [
    (i, { areaRefs }) => ({ path: `/api/render/cropper/${areaRefs.at(-1 - i)}`, status: 204 }),
  ],
  'GET /api/render/colormap/all': [() => ({ path: '/api/render/colormap/all' })],
  'POST /api/render/colormap': [(i) => ({ path: '/api/render/colormap', body: bodyOf(largestColormap(i)) })],
  'GET /api/render/colormap/:colormap_id': [
    (i, { colormapIds }) => ({ path: `/api/render/colormap/${colormapIds[i % colormapIds.length]}_r` }),
  ],
  'DELETE /api/render/colormap/:colormap_id': [
    (i, { colormapIds }) => ({ path: `/api/render/colormap/${colormapIds.at(-1 - i)}`, status: 204 }),
  ],
  'GET /api/render/colorbar/:colormap_name': [() => ({ path: '/api/render/colorbar/viridis' })],
  'GET /api/render/legend/:colormap': [
    (_, { colormapIds }) => ({ path: `/api/render/legend/${colormapIds[0]}?MIN_MAX=0,255` }),
  ],
  'POST /api/subscriptions': [
    (i) => ({ path: '/api/subscriptions', body: bodyOf(largestSubscription(400 + i)), status: 201 }),
  ],
  'GET /api/subscriptions': [() => ({ path: '/api/subscriptions' })],
  'POST /api/subscriptions/dry-run': [
    (i) => ({
      path: '/api/subscriptions/dry-run',
      body: bodyOf({ ...largestSubscription(450 + i), days: 1 }),
      status: 202,
    }),
  ],
  'GET /api/subscriptions/:subscription_id': [(i, stored) => ({ path: subscriptionOf(stored, i) })],
  'PATCH /api/subscriptions/:subscription_id': [
    (i, stored) => ({ path: subscriptionOf(stored, i), body: bodyOf({ name: `${i} `.padEnd(200, 'y') }) }),
  ],
  'DELETE /api/subscriptions/:subscription_id': [
    (i, { subscriptionIds }) => ({
      path: `/api/subscriptions/${subscriptionIds.at(-1 - i)}`,
      status: 204,
    }),
  ],
  'GET /api/subscriptions/:subscription_id/events': [
    (i, stored) => ({ path: `${subscriptionOf(stored, i)}/events?limit=1000` }),
  ],
  'POST /api/recipes': [
    (i, stored) => ({
      path: '/api/recipes',
      body: bodyOf(largestRecipe(refOf(stored, i), 500 + i)),
      status: 201,
    }),
  ],
  'GET /api/recipes': [() => ({ path: '/api/recipes?limit=50' })],
  'GET /api/recipes/:recipe_id': [(i, stored) => ({ path: recipeOf(stored, i) })],
  'PATCH /api/recipes/:recipe_id': [
    (i, stored) => ({ path: recipeOf(stored, i), body: bodyOf({ name: `${i} `.padEnd(200, 'y') }) }),
  ],
  'GET /api/recipes/:recipe_id/:z/:x/:y': [(i, stored) => ({ path: `${recipeOf(stored, i)}/${TILE}` })],
  'GET /api/recipes/:recipe_id/legend': [(i, stored) => ({ path: `${recipeOf(stored, i)}/legend` })],
  'GET /api/recipes/:recipe_id/tilejson.json': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/tilejson.json` }),
  ],
  'GET /api/recipes/:recipe_id/point/:lat/:lon': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/point/${lat}/${lon}` }),
  ],
  'POST /api/recipes/:recipe_id/statistics': [
    (i, stored) => ({
      path: `${recipeOf(stored, i)}/statistics`,
      body: bodyOf({ geometry: largestPolygon(i, 0.002) }),
      mayTakeLonger: true,
    }),
  ],
  'POST /api/recipes/:recipe_id/download': [
    (i, stored) => ({
      path: `${recipeOf(stored, i)}/download`,
      body: bodyOf({ geometry: largestPolygon(i), reference: `recipe ${i} ${Math.random()}` }),
      status: 202,
    }),
  ],
  // The largest recipes are of one scene.
  'POST /api/recipes/:recipe_id/pyramid': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/pyramid`, status: 422 }),
  ],
  'DELETE /api/recipes/:recipe_id/pyramid': [
    (i, stored) => ({ path: `${recipeOf(stored, i)}/pyramid`, status: 422 }),
  ],
  'GET /api/public/:token/:z/:x/:y': [(i, stored) => ({ path: `${publicOf(stored, i)}/${TILE}@2x` })],
  'GET /api/public/:token/legend': [(i, stored) => ({ path: `${publicOf(stored, i)}/legend` })],
  'GET /api/public/:token/tilejson.json': [(i, stored) => ({ path: `${publicOf(stored, i)}/tilejson.json` })],
  'GET /api/public/:token/point/:lat/:lon': [
    (i, stored) => ({ path: `${publicOf(stored, i)}/point/${lat}/${lon}` }),
  ],
  // Last, because the others use them.
  'DELETE /api/recipes/:recipe_id': [
    (i, { recipes }) => ({ path: `/api/recipes/${recipes.at(-1 - i)?.id}`, status: 204 }),
  ],
  'POST /api/fields': [(i) => ({ path: '/api/fields', body: bodyOf(largestField(1_000 + i)), status: 201 })],
  'GET /api/fields': [() => ({ path: '/api/fields?limit=1000' })],
  'GET /api/fields/groups': [() => ({ path: '/api/fields/groups' })],
  'PATCH /api/fields/groups': [
    (i) => ({
      path: '/api/fields/groups',
      body: bodyOf({ group: 'largest', public: { rate_per_minute: 60_000 - i } }),
    }),
  ],
  'POST /api/fields/import': [
    (i) => ({
      path: `/api/fields/import?group=file${i}`,
      body: bodyOf({
        type: 'FeatureCollection',
        // Files of more than 4 MiB become a task.
        features: Array.from({ length: 5 }, (_, n) => ({
          type: 'Feature',
          id: `imported ${i} ${n}`,
          properties: {},
          geometry: largestPolygon(3_000 + 5 * i + n),
        })),
      }),
    }),
  ],
  // A thread writes the file, whatever its size: five fields are as good as fifty.
  'GET /api/fields/export': [() => ({ path: '/api/fields/export?group=file0' })],
  'GET /api/public/:token/fields.geojson': [
    (_, { fieldsToken }) => ({ path: `/api/public/${fieldsToken}/fields.geojson` }),
  ],
  'GET /api/fields/:field_id': [
    (i, { fieldIds }) => ({ path: `/api/fields/${fieldIds[i % fieldIds.length]}` }),
  ],
  'PATCH /api/fields/:field_id': [
    (i, { fieldIds }) => ({
      path: `/api/fields/${fieldIds[i % fieldIds.length]}`,
      body: bodyOf({ geometry: largestPolygon(2_000 + i) }),
    }),
  ],
  'GET /api/public/:token/fields': [
    (_, { fieldsToken }) => ({ path: `/api/public/${fieldsToken}/fields?limit=1000` }),
  ],
  'DELETE /api/fields/:field_id': [
    (i, { fieldIds }) => ({ path: `/api/fields/${fieldIds.at(-1 - i)}`, status: 204 }),
  ],
  'DELETE /api/fields': [(i) => ({ path: `/api/fields?group=${i}` })],
};
