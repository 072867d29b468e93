import { sensors } from '../../src/sensors/index.ts';

const MARK = /(<!-- fields:[^\n]*-->\n)[\s\S]*$/;

/** The guide of search with the fields of every dataset behind its mark. */
export function toSearchText(guide: string): string {
  if (!MARK.test(guide)) throw new Error('docs/search.md has no mark "<!-- fields: … -->".');
  const rows = sensors.map(({ dataset, datasetGroups, title, hit }) => {
    const names = [dataset, ...datasetGroups].map((name) => `\`${name}\``).join(', ');
    const fields = hit.map(({ name, type }) => (type === 'string' ? `\`${name}\`` : `\`${name}\` ${type}`));
    return `| ${names} | ${title} | ${fields.join(', ')} |`;
  });
  const head = 'A field without a type is a text.\n\n| Dataset | Sensor | Fields |\n|---|---|---|\n';
  return guide.replace(MARK, (_, mark: string) => `${mark}\n${head}${rows.join('\n')}\n`);
}
