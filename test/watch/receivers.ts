/** Receivers of events on this machine: a web server that checks signatures, and a server of e-mail. */

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';

/** A message as it came. */
interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Whether a message was signed with a secret, as a receiver checks it. */
export const isSigned = ({ headers, body }: Received, secret: string): boolean =>
  headers['x-swath-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Takes messages; refuses the first ones with 503. */
export async function startReceiver(refused: number) {
  const messages: Received[] = [];
  const refusals: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const message = { headers: request.headers, body: Buffer.concat(parts).toString() };
      const isRefused = refusals.length < refused;
      (isRefused ? refusals : messages).push(message);
      response.writeHead(isRefused ? 503 : 204).end();
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/events`, port, messages, refusals, stop: () => server.close() };
}

/** Takes e-mail without a password, as far as SMTP is needed for that. */
export async function startMailServer() {
  const mails: { readonly to: string; readonly text: string }[] = [];
  const server = createTcpServer((socket) => {
    let [buffer, to, isData] = ['', '', false];
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say('220 mail.test');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      buffer += bytes.toString();
      for (;;) {
        const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const text = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (isData) {
          mails.push({ to, text });
          isData = false;
          say('250 taken');
        } else if (/^(EHLO|HELO|MAIL|RSET)/i.test(text)) say('250 mail.test');
        else if (/^RCPT/i.test(text)) {
          to = /<([^>]*)>/.exec(text)?.[1] ?? '';
          say('250 known');
        } else if (/^DATA/i.test(text)) {
          isData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
        else say('500 what');
      }
    });
  });
  const port = await listen(server);
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => server.close() };
}
