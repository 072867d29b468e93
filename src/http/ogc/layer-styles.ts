/** The styles of a layer: what can be drawn of a sensor, by names that mean the same on every sensor where they can. */
import type { Sensor } from '../../sensors/index.ts';
import {
  aliasNames,
  describeAlias,
  findAlias,
  findIndexRange,
  listCompositions,
} from '../../sensors/index.ts';

/** A way to draw a layer. */
export interface LayerStyle {
  readonly name: string;
  readonly title: string;
  /** Bands or an index, as in the address of a picture. */
  readonly bands: string;
  /** The query of a picture, as texts. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether its colours stand for values. */
  readonly hasLegend: boolean;
}

/** Styles of one layer at most: capabilities list them all. */
const MAX_STYLES = 24;

const known = new WeakMap<Sensor, readonly LayerStyle[]>();

/** The compositions of a sensor, then its indices; the first one is the default. */
export function listStyles(sensor: Sensor): readonly LayerStyle[] {
  const before = known.get(sensor);
  if (before !== undefined) return before;
  const made = [...toCompositions(sensor), ...toIndices(sensor), ...toBands(sensor)].slice(0, MAX_STYLES);
  known.set(sensor, made);
  return made;
}

const toCompositions = (sensor: Sensor): readonly LayerStyle[] =>
  listCompositions(sensor).map(({ name, bands }) => ({
    name: name ?? bands.join('-').toLowerCase(),
    title: `${name === null ? 'Composition' : toTitle(name)} (${bands.join(', ')})`,
    bands: bands.join(),
    parameters: {},
    hasLegend: bands.length === 1,
  }));

const toTitle = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Indices with a range that is known in advance look the same on every map, and need no measured contrast. */
function toIndices(sensor: Sensor): readonly LayerStyle[] {
  return aliasNames.flatMap((name): LayerStyle[] => {
    const alias = findAlias(sensor, name);
    const words = describeAlias(name);
    if (words === null || (alias?.kind !== 'index' && alias?.kind !== 'composite')) return [];
    const range = alias.kind === 'index' ? findIndexRange(name) : null;
    return [
      {
        name: name.toLowerCase(),
        title: `${name}: ${words.title}`,
        bands: name,
        parameters: range === null ? {} : { COLORMAP: 'RdYlGn', MIN_MAX: `${range.min},${range.max}` },
        hasLegend: alias.kind === 'index',
      },
    ];
  });
}

/** A sensor without compositions, such as a radar, shows its first band. */
function toBands({ bands, defaultCompositions }: Sensor): readonly LayerStyle[] {
  const [first] = bands.filter(({ kind }) => kind !== 'quality');
  if (defaultCompositions.length > 0 || first === undefined) return [];
  return [
    {
      name: first.name.toLowerCase(),
      title: first.name,
      bands: first.name,
      parameters: {},
      hasLegend: true,
    },
  ];
}

/** The bands of a sensor that measure something. */
export const measuresOf = ({ bands }: Sensor): readonly string[] =>
  bands.filter(({ kind }) => kind !== 'quality').map(({ name }) => name);
