import type { NameMeaning, Names } from '../../../src/bandmath/index.ts';
import type { Sensor } from '../../../src/sensors/index.ts';
import { aliasNames, findAlias, findBand } from '../../../src/sensors/index.ts';

/** What names mean on a sensor. */
export function toNames(sensor: Sensor): Names {
  const find = (name: string): NameMeaning | null => {
    const band = findBand(sensor, name);
    if (band !== null) return { kind: 'band', name: band.name, resolutionM: band.resolutionM };
    return findAlias(sensor, name);
  };
  const roles = sensor.bands.flatMap(({ role }) => role ?? []);
  const aliases = aliasNames.filter((name) => findAlias(sensor, name) !== null);
  return { find, all: [...sensor.bands.map(({ name }) => name), ...roles, ...aliases] };
}
