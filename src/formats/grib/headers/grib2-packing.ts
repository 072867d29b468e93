import { damaged, over, unread } from '../bytes/grib-errors.ts';
import { getSigned16, toView } from '../bytes/numbers.ts';
import type { Scaling } from '../bytes/unpack-bits.ts';
import { MAX_BITS, MAX_POINTS } from '../limits.ts';
import type { Groups, Packing } from './packing.ts';
import { checkScaling } from './packing.ts';

/** The shortest section 5 of each template that is read. */
const MIN_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 20],
  [2, 47],
  [3, 49],
  [4, 12],
  [40, 20],
  [41, 20],
  [42, 25],
]);

/** The packing of section 5 of edition 2. */
export function toGrib2Packing(section: Uint8Array): Packing {
  const view = toView(section);
  const [count, template] = [view.getUint32(5), view.getUint16(9)];
  const minBytes = MIN_BYTES.get(template);
  if (minBytes === undefined)
    throw unread(
      'packing',
      `The GRIB file is in packing 5.${template}, which is not read; repack it, for example with grib_set -r -s packingType=grid_simple.`,
    );
  if (section.length < minBytes) throw damaged('the header of the numbers is too short');
  if (count > MAX_POINTS) throw over('A field', count, MAX_POINTS);
  if (template === 4) {
    const precision = view.getUint8(11);
    if (precision !== 1 && precision !== 2)
      throw unread('packing', `The GRIB file has floats of precision ${precision}; 32 and 64 bits are read.`);
    return { kind: 'ieee', count, bytes: precision === 1 ? 4 : 8 };
  }
  const scaling: Scaling = {
    reference: view.getFloat32(11),
    binary: 2 ** getSigned16(view, 15),
    decimal: 10 ** -getSigned16(view, 17),
  };
  checkScaling(scaling);
  const bits = view.getUint8(19);
  if (bits > MAX_BITS) throw damaged(`its numbers have ${bits} bits`);
  if (template === 0) return { kind: 'simple', count, bits, scaling };
  if (template === 40) return { kind: 'jpeg2000', count, bits, scaling };
  if (template === 41) return { kind: 'png', count, bits, scaling };
  if (template === 42)
    return {
      kind: 'ccsds',
      count,
      bits,
      scaling,
      flags: view.getUint8(21),
      blockSize: view.getUint8(22),
      interval: view.getUint16(23),
    };
  return { kind: 'complex', count, scaling, groups: toGroups(view, template === 3) };
}

function toGroups(view: DataView, isDifferenced: boolean): Groups {
  const groups: Groups = {
    count: view.getUint32(31),
    referenceBits: view.getUint8(19),
    width: { reference: view.getUint8(35), bits: view.getUint8(36) },
    length: {
      reference: view.getUint32(37),
      increment: view.getUint8(41),
      bits: view.getUint8(46),
      last: view.getUint32(42),
    },
    gaps: view.getUint8(22),
    order: isDifferenced ? view.getUint8(47) : 0,
    startBytes: isDifferenced ? view.getUint8(48) : 0,
  };
  if (groups.count > MAX_POINTS) throw over('A field', groups.count, MAX_POINTS);
  if (groups.gaps > 2 || (isDifferenced && groups.order !== 1 && groups.order !== 2))
    throw unread('packing', 'The GRIB file is in a variant of complex packing that is not read.');
  if (groups.width.bits > MAX_BITS || groups.length.bits > MAX_BITS || groups.startBytes > 4)
    throw damaged('groups of its numbers are too wide');
  return groups;
}
