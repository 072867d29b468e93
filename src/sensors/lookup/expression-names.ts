import type { NameMeaning, Names } from '../../bandmath/index.ts';
import type { Sensor } from '../definition/sensor.ts';
import type { Alias } from './aliases.ts';
import { aliasNames, findAlias } from './aliases.ts';
import { findBand } from './find-band.ts';

/** What band math may name on a sensor: bands by their names and roles, and the aliases whose bands it has. */
export function toExpressionNames(sensor: Sensor): Names {
  return {
    find(name) {
      const band = findBand(sensor, name);
      if (band !== null) return { kind: 'band', name: band.name, resolutionM: band.resolutionM };
      const alias = findAlias(sensor, name);
      return alias === null ? null : toMeaning(alias);
    },
    all: [
      ...sensor.bands.map(({ name }) => name),
      ...sensor.bands.flatMap(({ role }) => role ?? []),
      ...aliasNames.filter((name) => findAlias(sensor, name) !== null),
    ],
  };
}

/** Converts an alias to the type of `bandmath`, which does not import `sensors`. */
const toMeaning = (alias: Alias): NameMeaning => alias;
