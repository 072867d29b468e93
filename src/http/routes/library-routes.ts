import { createArea, deleteArea, readArea } from '../areas.ts';
import {
  colorbar,
  colormapLegend,
  colormapList,
  createColormap,
  deleteColormap,
  readColormap,
} from '../colormaps.ts';
import { anyExplanation, fileExplanation } from '../explain/explain-schema.ts';
import { explainable } from '../explain/explainable.ts';
import { exportFile, exportShared, importFile } from '../fields/field-files.ts';
import {
  changeField,
  createField,
  deleteField,
  deleteGroup,
  listFields,
  listSharedFields,
  readField,
} from '../fields/fields.ts';
import { listGroups, shareGroup } from '../fields/groups.ts';
import type { Route } from '../kit/endpoint.ts';
import { drawn, read, shown, write } from '../kit/endpoint.ts';
import { recipeDownload } from '../recipes/recipe-downloads.ts';
import { deleteRecipePyramid, orderRecipePyramid } from '../recipes/recipe-pyramid.ts';
import { recipeStatistics } from '../recipes/recipe-statistics.ts';
import { recipeTilejson } from '../recipes/recipe-tilejson.ts';
import { recipeLegend, recipePicture, recipePoint } from '../recipes/recipe-views.ts';
import { changeRecipe, createRecipe, deleteRecipe, listRecipes, readOneRecipe } from '../recipes/recipes.ts';
import { dryRunSubscription } from '../watch/dry-run.ts';
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  listEvents,
  listSubscriptions,
  readSubscription,
} from '../watch/subscriptions.ts';
import type { Services } from './services.ts';

/** What a key stores: areas, colormaps, recipes, fields and subscriptions. */
export const libraryRoutes = ({
  areas,
  colormaps,
  pictures,
  pyramids,
  tasks,
  watches,
  recipes,
  fields,
  files,
  own,
  everyone,
}: Services): readonly Route[] => [
  write.post('/api/render/cropper', 'createArea', createArea(areas), { cost: 5 }),
  drawn.get('/api/render/cropper/:cropper_ref', 'readArea', readArea(areas)),
  write.remove('/api/render/cropper/:cropper_ref', 'deleteArea', deleteArea(areas)),

  drawn.get('/api/render/colormap/:all{[Aa][Ll][Ll]}', 'listColormaps', colormapList, {
    shownPath: '/api/render/colormap/all',
  }),
  write.post('/api/render/colormap', 'createColormap', createColormap(colormaps), { cost: 5 }),
  drawn.get('/api/render/colormap/:colormap_id', 'readColormap', readColormap(colormaps)),
  write.remove('/api/render/colormap/:colormap_id', 'deleteColormap', deleteColormap(colormaps)),
  drawn.get('/api/render/colorbar/:colormap_name', 'getColorbar', colorbar(pictures)),
  drawn.get('/api/render/legend/:colormap', 'getColormapLegend', colormapLegend(colormaps)),

  write.post('/api/recipes', 'createRecipe', createRecipe(recipes), { cost: 5 }),
  read.get('/api/recipes', 'listRecipes', listRecipes(recipes), { cost: 5 }),
  read.get('/api/recipes/:recipe_id', 'readRecipe', readOneRecipe(recipes)),
  write.patch('/api/recipes/:recipe_id', 'changeRecipe', changeRecipe(recipes)),
  write.remove('/api/recipes/:recipe_id', 'deleteRecipe', deleteRecipe(recipes)),
  drawn.get('/api/recipes/:recipe_id/:z/:x/:y', 'getRecipeTile', explainable(recipePicture(own, recipes))),
  drawn.get('/api/recipes/:recipe_id/legend', 'getRecipeLegend', explainable(recipeLegend(own, recipes))),
  drawn.get('/api/recipes/:recipe_id/tilejson.json', 'getRecipeTilejson', recipeTilejson(own, recipes)),
  drawn.get(
    '/api/recipes/:recipe_id/point/:lat/:lon',
    'getRecipePoint',
    explainable(recipePoint(own, recipes)),
  ),
  write.post(
    '/api/recipes/:recipe_id/statistics',
    'measureRecipe',
    explainable(recipeStatistics({ ...tasks, ...recipes }), anyExplanation),
    { cost: 20 },
  ),
  write.post(
    '/api/recipes/:recipe_id/download',
    'downloadRecipe',
    explainable(recipeDownload({ ...tasks, ...recipes }), fileExplanation),
    { cost: 10 },
  ),
  write.post(
    '/api/recipes/:recipe_id/pyramid',
    'orderRecipePyramid',
    orderRecipePyramid({ ...pyramids, ...recipes }),
  ),
  write.remove(
    '/api/recipes/:recipe_id/pyramid',
    'deleteRecipePyramid',
    deleteRecipePyramid({ ...pyramids, ...recipes }),
  ),
  shown.get('/api/public/:token/:z/:x/:y', 'getPublicTile', recipePicture(everyone, recipes)),
  shown.get('/api/public/:token/legend', 'getPublicLegend', recipeLegend(everyone, recipes)),
  shown.get('/api/public/:token/tilejson.json', 'getPublicTilejson', recipeTilejson(everyone, recipes)),
  shown.get('/api/public/:token/point/:lat/:lon', 'getPublicPoint', recipePoint(everyone, recipes)),

  write.post('/api/fields', 'createField', createField(fields), { cost: 5 }),
  read.get('/api/fields', 'listFields', listFields(fields), { cost: 10 }),
  write.remove('/api/fields', 'deleteGroup', deleteGroup(fields)),
  read.get('/api/fields/groups', 'listGroups', listGroups(fields), { cost: 5 }),
  write.patch('/api/fields/groups', 'shareGroup', shareGroup(fields)),
  write.post('/api/fields/import', 'importFields', importFile(files), { cost: 20 }),
  read.get('/api/fields/export', 'exportFields', exportFile(files), { cost: 20 }),
  shown.get('/api/public/:token/fields.geojson', 'exportSharedFields', exportShared(files)),
  read.get('/api/fields/:field_id', 'readField', readField(fields)),
  write.patch('/api/fields/:field_id', 'changeField', changeField(fields), { cost: 5 }),
  write.remove('/api/fields/:field_id', 'deleteField', deleteField(fields)),
  shown.get('/api/public/:token/fields', 'listSharedFields', listSharedFields(fields)),
  write.post('/api/subscriptions', 'createSubscription', createSubscription(watches), { cost: 5 }),
  read.get('/api/subscriptions', 'listSubscriptions', listSubscriptions(watches), { cost: 5 }),
  write.post('/api/subscriptions/dry-run', 'trySubscription', dryRunSubscription(watches), { cost: 10 }),
  read.get('/api/subscriptions/:subscription_id', 'readSubscription', readSubscription(watches)),
  write.patch('/api/subscriptions/:subscription_id', 'changeSubscription', changeSubscription(watches)),
  write.remove('/api/subscriptions/:subscription_id', 'deleteSubscription', deleteSubscription(watches)),
  read.get('/api/subscriptions/:subscription_id/events', 'listEvents', listEvents(watches), { cost: 5 }),
];
