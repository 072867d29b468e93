export type { ByteSource } from './byte-source.ts';
