/** The extensions of STAC 1.1 that an export uses, by the prefix of their fields. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  proj: 'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
  eo: 'https://stac-extensions.github.io/eo/v2.0.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v2.0.0/schema.json',
  view: 'https://stac-extensions.github.io/view/v1.0.0/schema.json',
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * The extensions whose fields these objects have. An extension that is named but not used makes an item invalid: a radar
 * scene has neither clouds nor a sun.
 */
export function listExtensions(objects: readonly Fields[]): readonly string[] {
  const used = new Set(objects.flatMap((object) => Object.keys(object)).map((name) => name.split(':')[0]));
  return Object.entries(EXTENSIONS)
    .filter(([prefix]) => used.has(prefix))
    .map(([, address]) => address);
}
