/** Voice messages: what is stored of a recording, who may send and hear it, and recordings that are attacks. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { limits, type Uid } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyBytes } from '../kept-bytes.ts';
import { createLimits } from '../../access/limits.ts';
import { createLog } from '../../system/logging.ts';
import { uploadFiles } from '../uploads/upload-files.ts';
import { uploadsService } from '../uploads/uploads.ts';
import { voiceReader, type VoiceReader, waveformOf } from './voice-reader.ts';
import { voicesService } from './voices.ts';

const refused = (code: string) => ({ ok: false, error: { code } });
const log = createLog('silent');
const run = promisify(execFile);

/** By how they are made: two minutes take seconds to make. */
const recorded = new Map<string, Promise<Buffer>>();

describeEachDialect('voice messages in private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  let voices: ReturnType<typeof serve>;
  let files: ReturnType<typeof uploadFiles>;
  let reader: VoiceReader;
  let folder: TempDir;
  /** As Chromium records: without a length, because it is written as it is spoken. */
  let recording: Buffer;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
    folder = await makeTempDir('voices');
    files = uploadFiles(join(folder.path, 'images'));
    reader = voiceReader({ log });
    voices = serve(1);
    recording = await record('webm', 2);
  });
  afterAll(async () => {
    await reader.close();
    await world.close();
    await folder.remove();
  });

  /** As another process of the installation would, with limits of its own. */
  function serve(seed: number) {
    const { record: stored, clock } = world;
    const uploads = uploadsService({ kept: anyBytes, record: stored, clock, ids: seededIds(seed), files, log });
    return { ...uploads, ...voicesService({ uploads, files, reader, limits: createLimits({ clock, scale: 1 }) }) };
  }

  const soundOf = async (uid: Uid, voiceId: string): Promise<Buffer> =>
    await buffer((await valueOf(await voices.locate(uid, voiceId))())?.bytes ?? Readable.from([]));

  /** A tone that is loud in its second half, as `kind` of browser file. */
  async function record(kind: 'webm' | 'ogg' | 'mp4', seconds: number, more: readonly string[] = []): Promise<Buffer> {
    const path = join(folder.path, `recording.${kind}`);
    const tone = `sine=frequency=440:duration=${String(seconds)}`;
    const louder = `volume='if(gt(t,${String(seconds / 2)}),1,0.1)':eval=frame`;
    const codec = kind === 'mp4' ? ['-c:a', 'aac'] : ['-c:a', 'libopus', '-b:a', '16k', '-compression_level', '0'];
    const open = kind === 'webm' ? ['-live', '1'] : kind === 'mp4' ? ['-movflags', 'empty_moov+frag_keyframe'] : [];
    const args = ['-v', 'error', '-y', '-f', 'lavfi', '-i', tone, '-af', louder, ...codec, ...open, ...more];
    const made = recorded.get(args.join(' ')) ?? run(ffmpegPath(), [...args, path]).then(() => readFile(path));
    recorded.set(args.join(' '), made);
    return await made;
  }

  const upload = async (from: Uid, to: Uid, bytes: Uint8Array = recording) =>
    valueOf(await voices.upload(from, to, bytes)).voiceId;
  const send = (from: Uid, to: Uid, voiceId: string, more: object = {}) =>
    world.handlers['chats/send'](callerOf(from), { uid: to, text: '', voiceId, clientId: newClientId(), ...more });
  const twoPeople = async () => [await world.addPerson(), await world.addPerson()] as const;

  test.each(['webm', 'ogg', 'mp4'] as const)(
    'a recording in %s is stored as MP4, with its true length',
    async (kind) => {
      const [ada, bob] = await twoPeople();
      const voice = valueOf(await voices.upload(ada, bob, await record(kind, 2)));
      expect(voice.durationMs).toBeGreaterThan(1900);
      expect(voice.durationMs).toBeLessThan(2200);
      expect(voice.waveform).toHaveLength(limits.voiceBars);
      expect(voice.waveform[5]).toBeLessThan(50);
      expect(voice.waveform[30]).toBeGreaterThan(90);
      const stored = await soundOf(bob, voice.voiceId);
      expect(stored.subarray(4, 8).toString()).toBe('ftyp');
      expect((await readdir(join(folder.path, 'images'))).filter((name) => name.startsWith(voice.voiceId))).toEqual([
        `${voice.voiceId}.m4a`,
      ]);
    },
  );

  test('a recording is sent once, alone, by its sender in its chat, and heard by the two of the chat (CHAT-22)', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const voiceId = await upload(ada, bob);
    const notFound = refused('access/not-found');
    expect(await send(bob, ada, voiceId)).toEqual(notFound);
    expect(await send(ada, eve, voiceId)).toEqual(notFound);
    expect(await send(ada, bob, voiceId, { text: 'with words' })).toEqual(refused('input/invalid'));
    const asPicture = { uid: bob, text: '', imageId: voiceId, clientId: newClientId() };
    expect(await world.handlers['chats/send'](callerOf(ada), asPicture)).toEqual(notFound);
    const clientId = newClientId();
    const sent = await send(ada, bob, voiceId, { clientId });
    const { message } = valueOf(sent);
    expect(message).toMatchObject({ text: '', image: null, voice: { voiceId } });
    expect(await send(ada, bob, voiceId, { clientId })).toEqual(sent);
    expect(await send(ada, bob, voiceId)).toEqual(notFound);
    const other = await upload(ada, bob);
    expect(await send(ada, bob, other, { clientId })).toEqual(refused('input/conflict'));
    expect(await voices.locate(bob, voiceId)).toMatchObject({ ok: true });
    for (const id of [voiceId, '../../etc/passwd', 'a\0b']) expect(await voices.locate(eve, id)).toEqual(notFound);
    const answer = { uid: ada, text: 'I hear you', clientId: newClientId(), replyTo: message.number };
    const reply = valueOf(await world.handlers['chats/send'](callerOf(bob), answer)).message.reply;
    expect(reply).toMatchObject({ text: '', hasImage: false, voiceMs: message.voice?.durationMs });
  });

  test('deleting it for both removes the sound, also from stored changes (CHAT-25)', async () => {
    const [ada, bob] = await twoPeople();
    const voiceId = await upload(ada, bob);
    const { pairId, number } = valueOf(await send(ada, bob, voiceId)).message;
    const path = files.pathOf(voiceId, 'voice');
    expect(existsSync(path)).toBe(true);
    valueOf(await world.handlers['chats/delete'](callerOf(ada), { pairId, number }));
    for (const uid of [ada, bob]) expect(await voices.locate(uid, voiceId)).toEqual(refused('access/not-found'));
    await voices.removeGoing();
    expect(existsSync(path)).toBe(false);
    const entries = await world.record.db.selectFrom('stream_entries').selectAll().execute();
    expect(JSON.stringify(entries)).not.toContain(voiceId);
    const rows = await world.record.db
      .selectFrom('private_messages')
      .select('voice')
      .where('pair_id', '=', pairId)
      .execute();
    expect(rows).toEqual([{ voice: null }]);
  });

  test('one that is not sent within a day is removed, and so is what a crash left of its decoding', async () => {
    const [ada, bob] = await twoPeople();
    const voiceId = await upload(ada, bob);
    const path = files.pathOf(voiceId, 'voice');
    expect(existsSync(path)).toBe(true);
    const left = files.pathOf('left0behind', 'recorded');
    await writeFile(left, recording);
    world.clock.advance(25 * 60 * 60 * 1000);
    await voices.sweep();
    expect([existsSync(path), existsSync(left)]).toEqual([false, false]);
  });

  test('a recording for oneself, for an unknown person, or despite a block is refused', async () => {
    const [ada, bob] = await twoPeople();
    expect(await voices.upload(ada, ada, recording)).toEqual(refused('input/invalid'));
    expect(await voices.upload(ada, 'z'.repeat(22) as Uid, recording)).toEqual(refused('access/not-found'));
    const voiceId = await upload(ada, bob);
    await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
    expect(await voices.upload(ada, bob, recording)).toEqual(refused('access/forbidden'));
    expect(await send(ada, bob, voiceId)).toEqual(refused('access/forbidden'));
  });

  test('one longer than two minutes is refused, whatever length it claims, and two minutes are taken', async () => {
    const [ada, bob] = await twoPeople();
    expect(await voices.upload(ada, bob, await record('ogg', 130))).toEqual(refused('input/too-large'));
    expect(await voices.upload(ada, bob, await record('webm', 120))).toMatchObject({ ok: true });
    // An hour, in the header of two seconds.
    const claimed = Buffer.from(await record('mp4', 2));
    const at = claimed.indexOf('mvhd');
    claimed.writeUInt32BE(3600 * claimed.readUInt32BE(at + 16), at + 20);
    const { durationMs } = valueOf(await voices.upload(ada, bob, claimed));
    expect(durationMs).toBeLessThan(2200);
  });

  test('what is no recording is refused and leaves nothing', async () => {
    const [ada, bob] = await twoPeople();
    const head = recording.subarray(0, 400);
    const attacks: [string, Uint8Array, string][] = [
      ['text', Buffer.from('no recording at all'), 'input/unsupported'],
      ['nothing', Buffer.alloc(0), 'input/unsupported'],
      ['more than a recording has', Buffer.alloc(limits.voiceBytes + 1), 'input/too-large'],
      ['a beginning without sound', head, 'input/unsupported'],
      [
        'noise after a true beginning',
        Buffer.concat([head.subarray(0, 4), Buffer.alloc(5000, 7)]),
        'input/unsupported',
      ],
      ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'input/unsupported'],
      ['a list of files', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"), 'input/unsupported'],
      ['a film without sound', await silentFilm(), 'input/unsupported'],
      ['another codec', await record('mp4', 1, ['-c:a', 'libmp3lame']), 'input/unsupported'],
    ];
    const before = await readdir(join(folder.path, 'images'));
    for (const [what, bytes, code] of attacks)
      expect([what, await voices.upload(ada, bob, bytes)]).toEqual([what, refused(code)]);
    expect(await readdir(join(folder.path, 'images'))).toEqual(before);
    const left = await world.record.db.selectFrom('images').select('image_id').where('uploader', '=', ada).execute();
    expect(left).toEqual([]);
  });

  async function silentFilm(): Promise<Buffer> {
    const path = join(folder.path, 'film.mp4');
    await run(ffmpegPath(), ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=red:s=16x16:d=1', '-an', path]);
    return await readFile(path);
  }

  test('nothing but the sound is kept: no tags, and nothing behind it', async () => {
    const [ada, bob] = await twoPeople();
    const tagged = await record('mp4', 1, ['-metadata', 'comment=taken at 59.32N 18.07E', '-metadata', 'title=diary']);
    const script = Buffer.from('<script>alert(1)</script>');
    const voiceId = await upload(ada, bob, Buffer.concat([tagged, script]));
    const stored = (await soundOf(ada, voiceId)).toString('latin1');
    for (const secret of ['59.32N', 'diary', '<script>']) expect(stored).not.toContain(secret);
  });

  test('keeps at most ten that are not sent', async () => {
    const [ada, bob] = await twoPeople();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => voices.upload(ada, bob, recording)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([refused('limit/too-many'), refused('limit/too-many')]);
  });
});

test('the loudest part has the highest bar, and silence has none', () => {
  const samples = Buffer.alloc(limits.voiceBars * 200);
  expect(new Set(waveformOf(samples))).toEqual(new Set([0]));
  for (let at = 0; at < 100; at += 1) samples.writeInt16LE(8000, at * 2);
  expect(waveformOf(samples).slice(0, 3)).toEqual([100, 0, 0]);
  expect(waveformOf(Buffer.alloc(0))).toHaveLength(limits.voiceBars);
});
