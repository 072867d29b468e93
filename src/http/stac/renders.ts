/**
 * How scenes of a dataset can be drawn, in the words of the render extension: the styles that maps have, and the recipes of
 * the caller. Names are those of styles and layers at `/ogc`.
 */
import type { Recipe } from '../../library/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findAlias } from '../../sensors/index.ts';
import type { LayerStyle } from '../ogc/layer-styles.ts';
import { listStyles } from '../ogc/layer-styles.ts';

/** The address of the extension. */
export const RENDER_EXTENSION = 'https://stac-extensions.github.io/render/v2.0.0/schema.json';

/** A way to draw. */
interface Render {
  readonly title: string;
  /** The bands it reads. */
  readonly assets: readonly string[];
  readonly expression?: string;
  readonly rescale?: readonly (readonly number[])[];
  readonly colormap_name?: string;
}

/** All of them, by name; empty for a sensor that has none. */
export function listRenders(sensor: Sensor, recipes: readonly Recipe[]): Readonly<Record<string, Render>> {
  const styles = listStyles(sensor).flatMap((style) => {
    const render = toRender(sensor, style);
    return render === null ? [] : [[style.name, render] as const];
  });
  const own = recipes
    .filter(({ content }) => isOf(sensor, content.scenes))
    .flatMap(({ id, name, content }) => {
      const { bands, query } = content;
      const render = toRender(sensor, { title: name, bands, parameters: query });
      return render === null ? [] : [[`recipe.${id}`, render] as const];
    });
  return Object.fromEntries([...styles, ...own]);
}

function isOf({ abbreviation }: Sensor, scenes: Recipe['content']['scenes']): boolean {
  return scenes.kind === 'search'
    ? scenes.sensors.includes(abbreviation)
    : scenes.viewId.startsWith(`${abbreviation}/`);
}

type Drawn = Pick<LayerStyle, 'title' | 'bands' | 'parameters'>;

/** Null for what has no bands of its own, such as a change between two scenes. */
function toRender(sensor: Sensor, { title, bands, parameters }: Drawn): Render | null {
  const alias = findAlias(sensor, bands);
  const expression =
    alias === null
      ? bands
      : alias.kind === 'index'
        ? alias.expression
        : alias.kind === 'composite'
          ? alias.of.map((part) => part.expression).join(';')
          : null;
  if (expression === null) return null;
  const assets = listBands(sensor, expression);
  if (assets.length === 0) return null;
  const rescale = toRescale(parameters.MIN_MAX);
  const colormap = parameters.COLORMAP;
  return {
    title,
    assets,
    // Bands one after another need no expression.
    ...(expression === assets.join() ? {} : { expression }),
    ...(rescale === null ? {} : { rescale }),
    ...(colormap === undefined ? {} : { colormap_name: colormap.toLowerCase() }),
  };
}

/** The bands that an expression names, in its order. */
function listBands({ bands }: Sensor, expression: string): readonly string[] {
  const names = new Set(bands.map(({ name }) => name));
  return [...new Set(expression.match(/\w+/g) ?? [])].filter((word) => names.has(word));
}

/** `0,1` for all channels, or `0,1;0,2` for each. */
function toRescale(text: string | undefined): readonly (readonly number[])[] | null {
  const ranges = (text ?? '').split(';').map((range) => range.split(',').map(Number));
  const isRight = ranges.every((range) => range.length === 2 && range.every(Number.isFinite));
  return text === undefined || !isRight ? null : ranges;
}
