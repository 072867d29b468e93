import type { TruthAnswer } from '../world/index.ts';
import type { Terminal } from './terminal.ts';

/** Prints what is true at a place of the demo world. */
export function printTruth(truth: TruthAnswer, { line, style }: Terminal): void {
  const { heightM, slopeDeg, cover, field, bands, indices, cloud, at, hasScene } = truth;
  const row = (name: string, value: string): void => line(`${style.dim(name.padEnd(14))}${value}`);
  row('moment', `${at}${hasScene ? '' : ' (no scene of that day: noon)'}`);
  row('height', `${heightM.toFixed(1)} m, slope ${slopeDeg.toFixed(1)}°`);
  row('cover', cover);
  row('field', field === null ? 'none' : `${field.id}, mean NDVI ${field.meanNdvi.toFixed(3)}`);
  row('sky', cloud === null ? 'not asked' : cloud);
  line();
  line(style.bold(`${'band'.padEnd(14)}${'surface'.padStart(10)}${'top'.padStart(10)}`));
  for (const { name, surface, top } of bands) {
    line(`${name.padEnd(14)}${toText(surface).padStart(10)}${toText(top).padStart(10)}`);
  }
  line();
  for (const [name, value] of Object.entries(indices)) row(name, value.toFixed(4));
}

/** Reflectances to four digits, temperatures to a hundredth of a kelvin. */
const toText = (value: number): string => (value > 100 ? `${value.toFixed(2)} K` : value.toFixed(4));
