export {
  type AreaPut,
  type AreaStore,
  type Areas,
  type AreaUsage,
  type KeptArea,
  makeAreas,
  type NewArea,
  type StoredArea,
} from './areas.ts';
export { reverseColormap, toNamedContent } from './colormap-content.ts';
export {
  type ColormapStore,
  type Colormaps,
  type ColormapUsage,
  makeColormaps,
  type NewColormap,
} from './colormaps.ts';
export type { DatasetProvider, DatasetText, DatasetTextStore } from './dataset-texts.ts';
export {
  makeRecipes,
  type Recipe,
  type RecipeChanges,
  type RecipeContent,
  type RecipePut,
  type RecipeScenes,
  type RecipeStore,
  type Recipes,
  type RecipeUsage,
  type Share,
  type ShareTerms,
} from './recipes.ts';
