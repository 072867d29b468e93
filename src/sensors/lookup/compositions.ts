import type { BandRole, Sensor } from '../definition/sensor.ts';

/** A composition with the name by which it means the same on every sensor. */
export interface NamedComposition {
  /** Null for one that only this sensor has. */
  readonly name: string | null;
  readonly bands: readonly string[];
}

interface Rule {
  readonly name: string;
  /** Each channel takes the first of its roles that the sensor has. */
  readonly roles: readonly (readonly BandRole[])[];
}

const rules: readonly Rule[] = [
  { name: 'natural', roles: [['RED'], ['GREEN'], ['BLUE']] },
  { name: 'false-colour', roles: [['NIR'], ['RED'], ['GREEN']] },
  { name: 'swir', roles: [['SWIR2'], ['NIR2', 'NIR'], ['RED']] },
  { name: 'agriculture', roles: [['SWIR1'], ['NIR2', 'NIR'], ['BLUE']] },
];

/** The compositions of a sensor: its own defaults first, then those that its bands allow, each once. */
export function listCompositions({ bands, defaultCompositions }: Sensor): readonly NamedComposition[] {
  const common = rules.flatMap(({ name, roles }): NamedComposition[] => {
    const found = roles.map((channel) =>
      channel
        .map((role) => bands.find((band) => band.role === role)?.name)
        .find((band) => band !== undefined),
    );
    const names = found.filter((band) => band !== undefined);
    return names.length === roles.length ? [{ name, bands: names }] : [];
  });
  const own = defaultCompositions.map(
    (names): NamedComposition =>
      common.find((one) => one.bands.join() === names.join()) ?? { name: null, bands: names },
  );
  return [...own, ...common.filter((one) => !own.includes(one))];
}
