import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { watch } from '../bystander.ts';
import { nextTile, TILE } from '../demo-tiles.ts';
import { ask, countStatuses, makeAgent } from '../polite.ts';
import type { RawConnection } from '../wire.ts';
import { openRaw } from '../wire.ts';

/** Key holders who take all they can get. */
export const greedyKeys: Family = {
  name: 'greedy keys',
  attacks: [
    {
      name: 'slow uploads of one key',
      severity: 'high',
      does: '96 slow POST /api/render/cropper of one key, spelled in four ways, while another key requests pictures',
      limit: 'a share of the slots per key, however the path is spelled',
      run: runSlowUploads,
    },
    {
      name: 'two greedy keys',
      severity: 'high',
      does: 'two keys request distinct tiles on 40 connections each, a third one tile at a time',
      limit: 'keys take turns in the queue; the third is never refused, p95 ≤ 1 s',
      run: runTwoGreedy,
    },
  ],
};

/** The same key in every way that a client may write it. */
const spellings = (key: string): readonly { readonly query: string; readonly header: string }[] => {
  const encoded = [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  return [
    { query: '', header: `x-api-key: ${key}\r\n` },
    { query: `?api_key=%61${key.slice(1)}`, header: '' },
    { query: `?api_key=${encoded}`, header: 'x-api-key: \r\n' },
    { query: `?api_key=${key}`, header: `x-api-key: ${key}\r\n` },
  ];
};

async function runSlowUploads({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [mine, ...theirs] = addresses(5);
  // Recently valid keys have slots of their own.
  for (const key of [keys.alice, keys.bob]) await ask(server, TILE, { key });
  const uploads: RawConnection[] = [];
  const bystander = { server, key: keys.bob, localAddress: mine, tile: TILE, pauseMs: 30 };
  const { report } = await watch(bystander, async () => {
    for (const [i, { query, header }] of spellings(keys.alice).entries()) {
      for (let n = 0; n < 24; n += 1) {
        const upload = openRaw({ port: server.port, localAddress: theirs[i] });
        upload.socket.write(
          `POST /api/render/cropper${query} HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 90000\r\n\r\n{`,
        );
        uploads.push(upload);
      }
      await sleep(700);
    }
    const trickle = setInterval(() => {
      for (const { socket } of uploads) if (socket.writable) socket.write(' ');
    }, 500);
    await sleep(4_000);
    clearInterval(trickle);
  });
  for (const { socket } of uploads) socket.destroy();
  return judge(`the other key: ${report.text}`, { 'every picture of the other key': report.isServed });
}

async function runTwoGreedy({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [mine, ...theirs] = addresses(9);
  for (const key of [keys.alice, keys.bob, keys.carol]) await ask(server, TILE, { key });
  const until = performance.now() + 8_000;
  const statuses: number[] = [];
  const client = async (key: string, localAddress: string | undefined): Promise<void> => {
    const agent = makeAgent(localAddress, 10);
    const connection = async (): Promise<void> => {
      while (performance.now() < until) {
        const { status } = await ask(server, nextTile(), { key, agent });
        statuses.push(status);
        // A refusal costs the server little; without a pause the attacker would only fill its own core.
        if (status !== 200) await sleep(100);
      }
    };
    await Promise.all(Array.from({ length: 10 }, connection));
    agent.destroy();
  };
  const bystander = { server, key: keys.carol, localAddress: mine, tile: nextTile(), pauseMs: 20 };
  const { report } = await watch(bystander, async () => {
    await Promise.all(theirs.map((address, i) => client(i % 2 === 0 ? keys.alice : keys.bob, address)));
  });
  return judge(`greedy: ${countStatuses(statuses)}; the third: ${report.text}`, {
    'the third is never refused': report.isServed,
    'its p95 within 1 s': report.tileP95 <= 1_000,
    'the greedy ones get tiles or 503': statuses.every((status) => status === 200 || status === 503),
  });
}
