export type { ColorPlan, RampPlan, StepsPlan } from './color-plan.ts';
export {
  type Colormap,
  type ColormapCache,
  type ColormapReference,
  listColormaps,
  parseColormapName,
  planColormap,
  unknownColormap,
} from './colormap.ts';
export {
  type ColormapContent,
  findPreset,
  parseColormap,
  toColormapAnswer,
  toColormapId,
} from './custom-colormap.ts';
export { type ColorbarSize, paintColorbar, toLegend } from './legend.ts';
export { type PaintedIndexes, paintIndexed, toRgbaPlanes } from './paint-indexed.ts';
export {
  type ColorOptions,
  type ColorRequest,
  type DefaultPalette,
  isOfClasses,
  needsContrast,
  parseColorsLimit,
  planColor,
  shownRange,
} from './plan-color.ts';
export { countColors } from './rgb.ts';
export { isCurved, type PaintedPlanes, paintNearest, paintPlanes, type Stretch } from './stretch.ts';
export { canWrite, paintWatermark } from './watermark.ts';
