export type { BitsPlan, ColorPlan, RampPlan, StepsPlan, ValuesPlan } from './color-plan.ts';
export { type ColorbarSize, paintColorbar } from './colorbar.ts';
export {
  type Colormap,
  type ColormapReference,
  type ListedColormap,
  listColormaps,
  parseColormapName,
  unknownColormap,
} from './colormap.ts';
export { isCurved, type Stretch } from './curve.ts';
export {
  type ColormapAnswer,
  type ColormapContent,
  toColormapAnswer,
  toColormapId,
} from './custom/colormap-content.ts';
export { parseColormap } from './custom/parse-colormap.ts';
export { findPreset } from './custom/preset-colormaps.ts';
export { type Legend, toLegend } from './legend.ts';
export { type ColorJob, type PaintedIndexes, paintIndexed, toRgbaPlanes } from './paint-indexed.ts';
export { type ColorRequest, type DefaultPalette, parseColorsLimit, planColor } from './plan-color.ts';
export { type ColormapCache, planColormap } from './plan-colormap.ts';
export { canWrite } from './small-font.ts';
export { type PaintedPlanes, paintPlanes } from './stretch.ts';
export { paintWatermark } from './watermark.ts';
