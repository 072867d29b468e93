import type { Band, Calibration } from '../../sensors/index.ts';
import type { BandScale } from '../families/scene-facts.ts';

/** The scale of a band in its record, and what to say about that of its file. */
interface ChosenScale extends BandScale {
  /** Null if there is nothing to say. */
  readonly note: string | null;
}

/** Rules that a scale of the file takes the part of. The others compute with the numbers as they are stored. */
const BY_SCALE: ReadonlySet<Calibration['kind']> = new Set(['none', 'scaled', 'quantified']);

/**
 * Whether a band is scaled as the product's metadata say it, or as its file does (GDAL's scale and offset). The metadata
 * go first; a file that disagrees with them is reported, never ignored silently.
 */
export function chooseScale(
  { name, kind, calibration }: Pick<Band, 'name' | 'kind' | 'calibration'>,
  { stated, ofFile }: { readonly stated: BandScale; readonly ofFile: BandScale },
): ChosenScale {
  const isUsable = Number.isFinite(ofFile.scale) && ofFile.scale !== 0 && Number.isFinite(ofFile.offset);
  if (isPlain(ofFile) || !isUsable || isNear(ofFile, stated)) return { ...stated, note: null };
  const what = `the scale ${ofFile.scale} and offset ${ofFile.offset} of its file`;
  const refuse = (why: string): ChosenScale => ({
    ...stated,
    note: `${name}: ${what} are not used: ${why}.`,
  });
  if (!isPlain(stated))
    return refuse(`the product's metadata say ${stated.scale} and ${stated.offset}, which go first`);
  if (kind === 'quality') return refuse('it holds classes or bits');
  if (!BY_SCALE.has(calibration.kind)) return refuse('its calibration is made of the stored numbers');
  return { ...ofFile, note: `${name}: CALIBRATE uses ${what}.` };
}

const isPlain = ({ scale, offset }: BandScale): boolean => scale === 1 && offset === 0;

/** Writers print some digits only, and 32-bit floats have seven. */
const isNear = (a: BandScale, b: BandScale): boolean =>
  Math.abs(a.scale - b.scale) <= 1e-6 * Math.abs(b.scale) &&
  Math.abs(a.offset - b.offset) <= 1e-6 * Math.max(1, Math.abs(b.offset));
