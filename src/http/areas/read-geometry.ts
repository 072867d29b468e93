import type { AreaParser, CheckedArea } from '../../areas/index.ts';
import { nameParameter } from '../../errors.ts';
import type { Ticket } from '../../pool/index.ts';
import { writeJson } from '../kit/json-body.ts';

/**
 * Reads an area from a field of a body, by the rules of stored areas: polygons that overlap would cancel each other out.
 * A refusal begins with the name of the field.
 */
export async function readGeometry(
  name: string,
  geometry: unknown,
  { areaParser, ticket }: { readonly areaParser: AreaParser; readonly ticket: Ticket },
): Promise<CheckedArea> {
  try {
    return await areaParser.check(writeJson(geometry), ticket);
  } catch (error) {
    throw nameParameter(name, error);
  }
}
