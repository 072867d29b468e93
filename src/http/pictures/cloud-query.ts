import { badInput, unsupported } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { Query } from '../request/query.ts';
import { isOff } from '../request/switch.ts';

/** What MASKING may say. */
export const MASKING_NAMES = ['CLOUD'] as const;

/** White, as clouds are. */
const DEFAULT_COLOR = 'ffffff';

/** Reads `MASKING=CLOUD` and `MASK_COLOR`, the colour that clouds are painted over with; nothing when it is not asked for. */
export function parseCloudCover(query: Query): Pick<RenderOptions, 'clouds'> {
  const masking = query.get('MASKING')?.toUpperCase();
  const text = query.get('MASK_COLOR');
  const color = text === undefined ? DEFAULT_COLOR : parseColor(text);
  if (masking === undefined && text !== undefined) {
    throw unsupported('lone-mask-color', 'MASK_COLOR needs MASKING=CLOUD as well.');
  }
  if (masking === undefined || isOff(masking)) return {};
  if (masking !== MASKING_NAMES[0]) {
    throw badInput('bad-masking', `MASKING must be ${MASKING_NAMES.join(' or ')}, or 0 for none.`);
  }
  return { clouds: { color } };
}

function parseColor(text: string): string {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? [];
  if (digits === undefined) {
    throw badInput('bad-mask-color', 'MASK_COLOR must be three or six hexadecimal digits, such as fefefe.');
  }
  const full = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
  return full.toLowerCase();
}
