/** The properties of an item as JSON. Those that all scenes of a dataset share are written once. */
import type { SceneHit } from '../../catalog/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { toExtensionBit } from './item-extensions.ts';
import type { ItemProperty } from './item-properties.ts';
import { itemProperties } from './item-properties.ts';

/** Properties with commas between them, and the bits of the extensions that they belong to. */
interface WrittenProperties {
  readonly text: string;
  readonly used: number;
}

/** A property that differs from scene to scene. */
interface OwnProperty {
  /** A comma, the name and a colon. */
  readonly before: string;
  readonly bit: number;
  readonly read: ItemProperty['read'];
}

/** What items of a dataset have. */
interface DatasetProperties {
  readonly sensor: Sensor;
  readonly shared: WrittenProperties;
  readonly own: readonly OwnProperty[];
  /** What radar adds, all of it or none; null for other datasets. */
  readonly radar: { readonly shared: WrittenProperties; readonly own: readonly OwnProperty[] } | null;
}

const knownDatasets = new Map<string, DatasetProperties>();

/** Found once for each dataset: a page has hundreds of items. */
function propertiesOf(dataset: string): DatasetProperties | null {
  const known = knownDatasets.get(dataset);
  if (known !== undefined) return known;
  const sensor = sensorByDataset(dataset);
  if (sensor === null) return null;
  const made = toDatasetProperties(sensor);
  knownDatasets.set(dataset, made);
  return made;
}

/** Properties that stand outside of `properties`, or are written for all datasets. */
const OUTSIDE: ReadonlySet<string> = new Set(['id', 'collection', 'datetime']);

function toDatasetProperties(sensor: Sensor): DatasetProperties {
  const all = Object.entries<ItemProperty>(itemProperties).filter(([name]) => !OUTSIDE.has(name));
  const [radar, others] = [true, false].map((isRadar) =>
    all.filter(([name]) => name.startsWith('sar:') === isRadar),
  ) as [typeof all, typeof all];
  const { instruments } = sensor.facts;
  const more = instruments.length === 0 ? [] : [['instruments', instruments] as const];
  return {
    sensor,
    shared: writeShared([...readShared(others, sensor), ...more]),
    own: listOwn(others),
    radar:
      sensor.facts.radar === undefined
        ? null
        : { shared: writeShared(readShared(radar, sensor)), own: listOwn(radar) },
  };
}

type Named = readonly (readonly [name: string, property: ItemProperty])[];

const readShared = (properties: Named, sensor: Sensor) =>
  properties.flatMap(([name, { isOfDataset, read }]) => {
    const value = isOfDataset ? read({} as never, sensor) : null;
    return value === null ? [] : [[name, value] as const];
  });

const writeShared = (entries: readonly (readonly [name: string, value: unknown])[]): WrittenProperties => ({
  text: entries.map(([name, value]) => `${toBefore(name)}${JSON.stringify(value)}`).join(''),
  used: entries.reduce((bits, [name]) => bits | toExtensionBit(name), 0),
});

const listOwn = (properties: Named): readonly OwnProperty[] =>
  properties
    .filter(([, { isOfDataset }]) => isOfDataset !== true)
    .map(([name, { read }]) => ({ before: toBefore(name), bit: toExtensionBit(name), read }));

const toBefore = (name: string): string => `,${JSON.stringify(name)}:`;

/** Writes the properties of a scene, and says to which extensions they belong. */
export function writeProperties(scene: SceneHit): WrittenProperties {
  const known = propertiesOf(scene.dataset);
  const { acquiredAt, sceneId, productId } = scene;
  let text = `"datetime":${JSON.stringify(acquiredAt)},"title":${JSON.stringify(sceneId)}`;
  let used = 0;
  if (known !== null) {
    text += known.shared.text;
    used |= known.shared.used;
    for (const { before, bit, read } of known.own) {
      const value = read(scene, known.sensor);
      if (value === null) continue;
      text += before + (typeof value === 'number' ? String(value) : JSON.stringify(value));
      used |= bit;
    }
    const radar = writeRadar(scene, known);
    text += radar.text;
    used |= radar.used;
  }
  if (productId !== undefined) text += PRODUCT_ID + JSON.stringify(productId);
  return { text, used };
}

const PRODUCT_ID = toBefore('swath:product_id');

const NOTHING: WrittenProperties = { text: '', used: 0 };

/** What a polarisation mode of Sentinel-1 records. */
const POLARIZATIONS: Readonly<Record<string, readonly string[]>> = {
  DV: ['VV', 'VH'],
  DH: ['HH', 'HV'],
  SV: ['VV'],
  SH: ['HH'],
};

/** Properties of radar: the sar extension requires all of them, and an item that names it and lacks one is invalid. */
function writeRadar(scene: SceneHit, { radar, sensor }: DatasetProperties): WrittenProperties {
  if (radar === null) return NOTHING;
  const { polarization } = scene.fields;
  const recorded = typeof polarization === 'string' ? POLARIZATIONS[polarization.toUpperCase()] : undefined;
  const values = radar.own.map(({ read }) => read(scene, sensor));
  if (recorded === undefined || values.includes(null)) return NOTHING;
  const own = radar.own.map(({ before }, i) => `${before}${JSON.stringify(values[i])}`);
  const text = `${radar.shared.text}${own.join('')}${toBefore('sar:polarizations')}${JSON.stringify(recorded)}`;
  return { text, used: radar.shared.used };
}
