import type { AsyncReadable } from 'zarrita';
import { registry } from 'zarrita';
import { sourceBroken, unsupported } from '../../errors.ts';

/** The codec of arrays whose chunks lie together in one file; zarrita handles it apart from its registry. */
const SHARDING = 'sharding_indexed';

/** Throws when an array names a codec that is not known: zarrita would leave a rejection that ends the process. */
export async function checkCodecs(store: AsyncReadable, name: string): Promise<void> {
  const [newer, older] = [await store.get(`/${name}/zarr.json`), await store.get(`/${name}/.zarray`)];
  const bytes = newer ?? older;
  if (bytes === undefined) return;
  const document = JSON.parse(Buffer.from(bytes).toString('utf8')) as Readonly<
    Record<string, unknown>
  > | null;
  if (typeof document !== 'object' || document === null) throw damaged();
  if (newer !== undefined) checkList(document.codecs, 'name');
  else
    checkList(
      [document.compressor, ...toList(document.filters)].filter((one) => one !== null),
      'id',
    );
}

const damaged = () => sourceBroken('zarr-damaged', 'The Zarr folder is damaged: its codecs make no sense.');

function toList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw damaged();
  return value;
}

function checkList(codecs: unknown, key: 'name' | 'id'): void {
  for (const codec of toList(codecs)) {
    if (typeof codec !== 'object' || codec === null) throw damaged();
    const entry = codec as Readonly<Record<string, unknown>>;
    const name = entry[key];
    if (typeof name !== 'string') throw damaged();
    if (name === SHARDING && key === 'name') {
      const inner = entry.configuration as Readonly<Record<string, unknown>> | null | undefined;
      checkList(inner?.codecs, key);
      checkList(inner?.index_codecs, key);
      continue;
    }
    const isKnown = [name, `numcodecs.${name}`].some((one) =>
      registry.has(one as Parameters<typeof registry.has>[0]),
    );
    if (!isKnown) throw unsupported('zarr-codec', `The Zarr codec "${name.slice(0, 40)}" is not known.`);
  }
}
