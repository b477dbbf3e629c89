/**
 * A throw-away S3 store on a free port of 127.0.0.1: `@20minutes/s3rver`, which checks the signature of every request,
 * behind a door that turns strangers away and can break its answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { serve } from '../../network/serve.ts';
import { makeTempDir } from '../temp-dir.ts';

/**
 * `hang`: no answer. `cut`: half a body. `longer`: a body of another length. `endless`: a body that never ends.
 * `moved`: an answer that leads elsewhere. `stranger`: what a web server answers. A number: an error of that status.
 */
export type S3Fault = 'hang' | 'cut' | 'longer' | 'endless' | 'moved' | 'stranger' | number;

export interface TestS3 {
  /** For S3_URL, S3_ACCESS_KEY and S3_SECRET_KEY. */
  readonly env: Readonly<Record<'S3_URL' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY', string>>;
  /** The same, as the server reads it. */
  readonly account: Readonly<Record<'url' | 'region' | 'accessKey' | 'secretKey', string>>;
  /** Where the objects are. */
  readonly folder: string;
  /** What was asked: `PUT /pictures/images/…`. */
  readonly asked: string[];
  /** How requests fail from now on: those whose line the pattern matches, so many of them. */
  fail(fault: S3Fault | null, which?: RegExp, times?: number): void;
  /** Lets strangers read. */
  publish(): void;
  stop(): Promise<void>;
}

/** What the store gives to strangers. */
const knownKey = 'S3RVER';

export async function startS3(bucket = 'pictures'): Promise<TestS3> {
  const dir = await makeTempDir('s3');
  const store = new S3rver({ silent: true, directory: dir.path, configureBuckets: [{ name: bucket }] });
  await store.configureBuckets();
  const answer = store.callback();
  const asked: string[] = [];
  let failing: { fault: S3Fault; which: RegExp; left: number } | null = null;
  let isPublic = false;
  const served = await serve((request, response) => {
    const line = `${request.method ?? ''} ${request.url ?? ''}`;
    asked.push(line);
    const fault = failing !== null && failing.left > 0 && failing.which.test(line) ? failing.fault : null;
    if (failing !== null && fault !== null) failing.left -= 1;
    if (fault !== null && fault !== 'cut') return breakAnswer(fault, request, response);
    if (request.headers.authorization === undefined && !isPublic) return sendError(request, response, 403);
    if (fault === 'cut') cutShort(response);
    answer(request, response);
  });
  const url = `${served.url}/${bucket}`;
  return {
    env: { S3_URL: url, S3_ACCESS_KEY: knownKey, S3_SECRET_KEY: knownKey },
    account: { url, region: 'us-east-1', accessKey: knownKey, secretKey: knownKey },
    folder: join(dir.path, bucket),
    asked,
    fail(fault, which = /./, times = Infinity) {
      failing = fault === null ? null : { fault, which, left: times };
    },
    publish() {
      isPublic = true;
    },
    async stop() {
      await served.close();
      await dir.remove();
    },
  };
}

function breakAnswer(fault: Exclude<S3Fault, 'cut'>, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (typeof fault === 'number') return sendError(request, response, fault);
  request.resume();
  if (fault === 'moved') return void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
  if (fault === 'stranger') return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>No</h1>');
  if (fault === 'longer') {
    const head = { 'content-range': 'bytes 0-9/10', 'content-length': '10' };
    return void response.writeHead(206, head).end('0123456789');
  }
  response.writeHead(200);
  const send = setInterval(() => response.write('more and more '), 5);
  response.once('close', () => clearInterval(send));
}

function sendError(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume();
  const code = status === 403 ? 'AccessDenied' : status === 404 ? 'NoSuchBucket' : 'InternalError';
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

/** Closes the connection after half of what the answer's head promises. */
function cutShort(response: ServerResponse): void {
  const write = response.write.bind(response);
  let sent = 0;
  response.write = (chunk: Buffer) => {
    const most = Math.floor(Number(response.getHeader('content-length') ?? 0) / 2);
    const part = chunk.subarray(0, Math.max(0, most - sent));
    sent += chunk.length;
    return write(part, () => sent >= most && response.destroy());
  };
}
