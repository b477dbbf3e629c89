/**
 * A backup is restored onto a disk, a server starts on it, people send messages and pictures, and the power of the disk is
 * cut. Then the server starts again: all that was acknowledged is there, and every file is whole.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { openDatabase } from '../../../server/src/storage/database.ts';
import { newClientId } from '../answers.ts';
import { operate } from '../services/operate.ts';
import { makePowerCutDisk, type DiskKind } from '../services/disks/power-cut-disk.ts';
import { startServerProcess } from '../services/process.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import { connect, makePeople } from '../worlds/crowd.ts';
import { makeTunemates } from '../worlds/durability.ts';
import type { Person } from '../worlds/people.ts';

export interface PowerCuts {
  kind: DiskKind;
  cuts: number;
  acknowledged: { messages: number; pictures: number };
  lost: { messages: number; pictures: number };
  /** Anything else that is not as it was, in words. */
  wrong: string[];
}

const messagesEach = 15;
const picturesEach = 2;

/** The power is cut so many milliseconds after the last answer, once for each. Throws `ServiceUnavailable`. */
export async function powerCuts(kind: DiskKind, afterMs: readonly number[]): Promise<PowerCuts> {
  await using dir = await makeTempDir('power-cuts');
  const source = join(dir.path, 'source');
  await mkdir(source);
  const pair = (await makePeople(`sqlite:${join(source, 'tunemate.sqlite')}`, 2)) as [Person, Person];
  await makeTunemates(`sqlite:${join(source, 'tunemate.sqlite')}`, [pair]);
  const backup = join(dir.path, 'backup.tar.gz');
  const made = await operate(['backup', backup], { DATA_DIR: source });
  if (made.exitCode !== 0) throw new Error(made.said);
  const report: PowerCuts = {
    ...{ kind, cuts: 0, wrong: [] },
    acknowledged: { messages: 0, pictures: 0 },
    lost: { messages: 0, pictures: 0 },
  };
  for (const ms of afterMs) await cutOnce(kind, ms, backup, pair, report);
  return report;
}

async function cutOnce(
  kind: DiskKind,
  afterMs: number,
  backup: string,
  pair: readonly [Person, Person],
  report: PowerCuts,
): Promise<void> {
  const disk = await makePowerCutDisk(kind);
  const data = join(disk.path, 'data');
  try {
    const restored = await operate(['restore', backup], { DATA_DIR: data });
    if (restored.exitCode !== 0) throw new Error(restored.said);
    const server = await startServerProcess({ dataDir: data, env: { RATE_LIMIT_SCALE: '0' } });
    try {
      const sent = await converse(server.url, pair);
      await pause(afterMs);
      await disk.cut(() => server.kill());
      await server.restart();
      await server.stop();
      report.cuts += 1;
      report.acknowledged.messages += sent.texts.length;
      report.acknowledged.pictures += sent.pictures.length;
      const found = await stored(data);
      report.lost.messages += sent.texts.filter((text) => !found.texts.has(text)).length;
      report.lost.pictures += sent.pictures.filter((id) => !found.pictures.has(id)).length;
      const checked = await operate(['check'], { DATA_DIR: data });
      if (checked.exitCode !== 0) report.wrong.push(`${String(afterMs)} ms: ${checked.said}`);
    } finally {
      await server.dispose();
    }
  } catch (error) {
    report.wrong.push(`${String(afterMs)} ms: ${String(error)}`);
  } finally {
    await disk.remove();
  }
}

/** What was acknowledged. */
async function converse(url: string, [ada, bob]: readonly [Person, Person]) {
  const { line } = await connect(url, ada);
  const [texts, pictures]: [string[], string[]] = [[], []];
  const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  for (let n = 0; n < messagesEach; n += 1) {
    const imageId = n < picturesEach ? await upload(url, ada, bob, picture) : null;
    const text = `message ${String(n)}`;
    const sent = { clientId: newClientId(), uid: bob.uid, text, ...(imageId === null ? {} : { imageId }) };
    const answer = (await line.request('chats/send', sent)) as { ok: boolean };
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    texts.push(text);
    if (imageId !== null) pictures.push(imageId);
  }
  line.disconnect();
  return { texts, pictures };
}

async function upload(url: string, from: Person, to: Person, picture: Buffer): Promise<string> {
  const answer = await fetch(`${url}/api/chats/images?with=${to.uid}`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', origin: url, cookie: from.cookie },
    body: new Uint8Array(picture),
  });
  const { value } = (await answer.json()) as { value?: { imageId: string } };
  if (value === undefined) throw new Error(`the picture was refused with ${String(answer.status)}`);
  return value.imageId;
}

async function stored(data: string) {
  const { db, close } = openDatabase(`sqlite:${join(data, 'tunemate.sqlite')}`);
  const messages = await db.selectFrom('private_messages').select('text').execute();
  const images = await db.selectFrom('images').select('image_id').where('state', '=', 'sent').execute();
  await close();
  return {
    texts: new Set(messages.map(({ text }) => text)),
    pictures: new Set(images.map(({ image_id: id }) => id)),
  };
}
