import type { RemoteInfo } from 'node:dgram';
import { createSocket } from 'node:dgram';

/** The address that a name has this time, of either version; null for a name that does not exist. */
type Answer = (name: string) => readonly string[] | null;

/** A DNS server on a loopback address, at port 53: resolvers are told no other. */
export interface LocalDns {
  readonly address: string;
  /** Names that were asked for, in their order. */
  readonly asked: readonly string[];
  close(): void;
}

const [A, AAAA] = [1, 28];

/** Starts one; null without the right to listen at port 53. Answers may not be remembered. */
export async function startLocalDns(answer: Answer): Promise<LocalDns | null> {
  const address = '127.53.53.53';
  const asked: string[] = [];
  const socket = createSocket('udp4');
  const reply = (question: Buffer, { address: to, port }: RemoteInfo): void => {
    const { name, type, end } = readQuestion(question);
    if (type === A) asked.push(name);
    const found = answer(name);
    const bytes = (found ?? []).flatMap((one) => {
      const isSix = one.includes(':');
      return isSix === (type === AAAA) ? [isSix ? toSix(one) : Buffer.from(one.split('.').map(Number))] : [];
    });
    const header = Buffer.alloc(12);
    question.copy(header, 0, 0, 2);
    // A response with recursion; 3 says that there is no such name.
    header.writeUInt16BE(0x8180 | (found === null ? 3 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(bytes.length, 6);
    const records = bytes.map((data) => {
      const record = Buffer.alloc(12);
      // The name is that of the question, at byte 12; class IN; valid for 0 s.
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), port, to);
  };
  socket.on('message', reply);
  const isBound = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(53, address, () => resolve(true));
  });
  if (!isBound) return null;
  return { address, asked, close: () => socket.close() };
}

/** The first question of a message (RFC 1035, 4.1.2), and where it ends. */
function readQuestion(message: Buffer): {
  readonly name: string;
  readonly type: number;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = 12;
  while (message[at] !== 0) {
    const length = message[at] ?? 0;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The bytes of `::1` and of mapped addresses such as `::ffff:127.0.0.1`. */
function toSix(text: string): Buffer {
  const mapped = /^::ffff:([\d.]+)$/.exec(text)?.[1];
  const bytes = Buffer.alloc(16);
  if (mapped === undefined) bytes[15] = 1;
  else bytes.set([0xff, 0xff, ...mapped.split('.').map(Number)], 10);
  return bytes;
}
