/** Whole items that were written before: searches of one area list the same scenes again and again. */
import type { FiledHit, Scene, SceneHit } from '../../catalog/index.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { ItemTools } from './item.ts';
import { makeWriteItem } from './item.ts';
import { toItemId } from './item-properties.ts';
import { toInner } from './json-template.ts';

/** Some three thousand items. */
const MAX_BYTES = 32 * 2 ** 20;

/**
 * An item as it is sent, with the signed addresses of the key that asked last. They belong to a key and an hour; all else
 * is the same for everyone.
 */
interface KnownItem {
  bytes: Buffer;
  /** What signs the addresses that are in it (`ItemTools.signedFor`). */
  signedFor: string;
  /** These addresses, as they stand in JSON, and where. */
  signed: readonly SignedPart[];
}

interface SignedPart {
  readonly text: string;
  readonly at: readonly number[];
}

/** Items that were written before, and names of those that were written once. */
export interface KnownItems {
  readonly items: Lru<KnownItem>;
  readonly once: Lru<true>;
}

/** The memory holds about so many items. An item that comes back after more names than that would have been dropped already. */
const MAX_ONCE = 4_096;

/** Makes the memory. */
export const makeKnownItems = (): KnownItems => ({
  items: makeLru<KnownItem>({ name: 'stac-items', max: MAX_BYTES }),
  once: makeLru<true>({ max: MAX_ONCE }),
});

/**
 * Builds the function that writes items as JSON, whole or without their assets. An item is as `makeWriteItem` writes it. The
 * bytes must be copied before another item is written: the next key may write its addresses into those of a known one.
 */
export function makeWriteKnownItem(
  tools: ItemTools,
  known: KnownItems,
  { withAssets = true }: { readonly withAssets?: boolean } = {},
): (scene: FiledHit | Scene | SceneHit) => Buffer {
  const write = makeWriteItem(tools, withAssets ? undefined : (part) => part !== 'assets');
  // Addresses of thumbnails change with their secret, for all scenes at once.
  const oneThumbnail = tools.toThumbnail({ stored: '', viewId: '', isLive: false });
  const base = `${tools.publicUrl} ${oneThumbnail} ${tools.toMap === null} ${withAssets}`;
  const { signedFor, toFolder, toMap } = tools;
  /** What is signed of an item, as it stands in JSON. */
  const toSigned = (viewId: string): readonly string[] =>
    [toFolder(viewId), ...(toMap === null ? [] : [toMap(toItemId(viewId))])].map(toInner);
  return (scene) => {
    // What is known of files changes the links, and a hit of a live catalog may change under one version.
    const kind = 'files' in scene ? 'files' : 'assets' in scene ? 'assets' : 'hit';
    if (scene.provenance === 'live') return write(scene);
    const { viewId, version, indexedAt } = scene;
    // Most of a large catalog are asked for once.
    const name = `${version} ${viewId}`;
    if (known.once.get(name) === undefined) {
      known.once.set(name, true);
      return write(scene);
    }
    // The version is that of all a scene says, except when it was stored.
    const key = `${name} ${indexedAt} ${kind} ${base}`;
    const item = known.items.get(key);
    if (item !== undefined) {
      // Signing takes longer than copying an item.
      if (item.signedFor !== signedFor) sign(item, toSigned(viewId), signedFor);
      return item.bytes;
    }
    const bytes = toOwnBytes(write(scene));
    const signed = toSigned(viewId).map((text) => ({ text, at: findAll(bytes, text) }));
    known.items.set(key, { bytes, signedFor, signed }, bytes.length);
    return bytes;
  };
}

/** Bytes of their own: short ones share a block, which would live as long as any of them. */
function toOwnBytes(bytes: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Where in the bytes of some JSON a text begins. A character for each byte is searched faster than bytes are. */
function findAll(bytes: Buffer, text: string): readonly number[] {
  const json = bytes.toString('latin1');
  const searched = Buffer.from(text).toString('latin1');
  const found: number[] = [];
  for (let at = json.indexOf(searched); at >= 0; at = json.indexOf(searched, at + searched.length))
    found.push(at);
  return found;
}

/** Puts other addresses in the places of those that an item has. */
function sign(item: KnownItem, texts: readonly string[], signedFor: string): void {
  const isAlike = item.signed.every(
    ({ text }, i) => Buffer.byteLength(text) === Buffer.byteLength(texts[i] as string),
  );
  if (isAlike) {
    for (const [i, { at }] of item.signed.entries())
      for (const begin of at) item.bytes.write(texts[i] as string, begin);
    item.signed = item.signed.map(({ at }, i) => ({ text: texts[i] as string, at }));
  } else {
    // Keys have ids of different lengths.
    let json = item.bytes.toString();
    for (const [i, { text }] of item.signed.entries()) json = json.replaceAll(text, () => texts[i] as string);
    item.bytes = toOwnBytes(Buffer.from(json));
    item.signed = texts.map((text) => ({ text, at: findAll(item.bytes, text) }));
  }
  item.signedFor = signedFor;
}
