import type { Column, TableEncoder } from '../tables.ts';
import { cellOf, toIsoTime } from '../tables.ts';

/**
 * Writes a FeatureCollection (RFC 7946), a feature a line. The first column of geometries is the geometry; a column of
 * text named `id` is the id of the feature as well.
 */
export function makeGeoJsonEncoder(columns: readonly Column[]): TableEncoder {
  const shape = columns.findIndex(({ type }) => type === 'geometry');
  const id = columns.findIndex(({ name, type }) => name === 'id' && type === 'text');
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const indexes = columns.map((_, i) => i).filter((i) => columns[i]?.type !== 'geometry');
  let isFirst = true;
  return {
    begin: () => Buffer.from('{"type":"FeatureCollection","features":[\n'),
    encode: ({ rows, columns: values }) => {
      let text = '';
      for (let row = 0; row < rows; row++) {
        const own = id < 0 ? null : cellOf(values[id]!, row);
        const properties = indexes.map((i) => {
          const value = cellOf(values[i]!, row);
          return names[i] + JSON.stringify(columns[i]?.type === 'timestamp' ? toIsoTime(value) : value);
        });
        const geometry = shape < 0 ? null : cellOf(values[shape]!, row);
        text += `${isFirst ? '' : ',\n'}{"type":"Feature"${own === null ? '' : `,"id":${JSON.stringify(own)}`},"geometry":${JSON.stringify(geometry)},"properties":{${properties.join(',')}}}`;
        isFirst = false;
      }
      return Buffer.from(text);
    },
    end: () => Buffer.from('\n]}\n'),
  };
}
