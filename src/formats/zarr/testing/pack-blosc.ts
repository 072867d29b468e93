import { text } from 'node:stream/consumers';
import { registry } from 'zarrita';

/**
 * Packs chunks with c-blosc in WebAssembly, which makes code from text: a program of its own, because tests run without
 * that. Reads and prints JSON: `{ config, bytes }[]` in, the packed bytes out, all bytes in base64.
 */
interface Order {
  readonly config: unknown;
  readonly bytes: string;
}

const orders = JSON.parse(await text(process.stdin)) as readonly Order[];
const codec = await (
  registry.get('blosc') as () => Promise<{
    fromConfig(config: unknown): { encode(bytes: Uint8Array): Promise<Uint8Array> };
  }>
)();
const packed: string[] = [];
for (const { config, bytes } of orders) {
  const chunk = await codec.fromConfig(config).encode(new Uint8Array(Buffer.from(bytes, 'base64')));
  packed.push(Buffer.from(chunk).toString('base64'));
}
process.stdout.write(JSON.stringify(packed));
