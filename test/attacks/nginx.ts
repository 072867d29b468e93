import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../src/testing/wait-for.ts';
import { skip } from './attack.ts';
import { findFreePort } from './free-port.ts';
import { ask } from './polite.ts';

/** A proxy before the server, as operators have it. */
export interface Nginx {
  readonly port: number;
  /** HTTP/2 with a certificate of its own; null without openssl. */
  readonly tlsPort: number | null;
  stop(): Promise<void>;
}

/** Starts nginx in front of a server, with keep-alive connections to it; skips if nginx is not installed. */
export async function startNginx(upstreamPort: number): Promise<Nginx> {
  const version = readVersion();
  if (version === null) skip('nginx is not installed');
  const home = mkdtempSync(join(tmpdir(), 'swath-nginx-'));
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  const hasTls = makeCertificate(home);
  writeFileSync(
    join(home, 'nginx.conf'),
    toConfig({ home, port, tlsPort: hasTls ? tlsPort : null, upstreamPort, version }),
  );
  const child = spawn('nginx', ['-p', home, '-c', join(home, 'nginx.conf'), '-e', join(home, 'error.log')], {
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await waitFor(async () => {
      if (child.exitCode !== null) throw new Error('it has ended');
      return (await ask({ port }, '/healthz', { timeoutMs: 60_000 })).status === 200;
    });
  } catch {
    const said = readFileSync(join(home, 'error.log'), 'utf8').trim();
    await stop();
    throw new Error(`nginx did not start: ${said}`);
  }
  return { port, tlsPort: hasTls ? tlsPort : null, stop };
}

function readVersion(): number | null {
  try {
    // It prints to standard error.
    const said = execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' });
    const [, major = '', minor = ''] = /nginx\/(\d+)\.(\d+)/.exec(said) ?? [];
    return major === '' ? null : Number(major) * 1000 + Number(minor);
  } catch {
    return null;
  }
}

function makeCertificate(home: string): boolean {
  try {
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${home}/key.pem -out ${home}/cert.pem`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    return true;
  } catch {
    return false;
  }
}

interface ConfigOptions {
  readonly home: string;
  readonly port: number;
  readonly tlsPort: number | null;
  readonly upstreamPort: number;
  readonly version: number;
}

function toConfig({ home, port, tlsPort, upstreamPort, version }: ConfigOptions): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  // Bodies go straight through, so that what nginx makes of them reaches the server byte by byte.
  const location =
    'location / { proxy_pass http://swath; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; proxy_request_buffering off; }';
  // "http2 on" came with 1.25; before that it was an option of listen.
  const [behind, line] = version >= 1025 ? ['', 'http2 on;'] : [' http2', ''];
  const tls =
    tlsPort === null
      ? ''
      : `server { listen 127.0.0.1:${tlsPort} ssl${behind}; ${line} ssl_certificate ${home}/cert.pem; ssl_certificate_key ${home}/key.pem; ${location} }`;
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  access_log off; ${temporary.join(' ')}
  upstream swath { server 127.0.0.1:${upstreamPort}; keepalive 4; }
  server { listen 127.0.0.1:${port}; ${location} }
  ${tls}
}
`;
}
