/** What one person may leave with us for good: pictures and messages, a day and in all. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

const dayMs = 24 * 60 * 60 * 1000;

describeEachDialect('what a person keeps', (makeDatabaseUrl) => {
  async function open(env: Record<string, string>): Promise<SocketWorld> {
    return await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), env: { RATE_LIMIT_SCALE: '1', ...env } });
  }

  async function upload(w: SocketWorld, from: Person, to: Person, body: Uint8Array) {
    const visitor = w.app.visitor();
    visitor.setCookie(from.cookie);
    const answer = await visitor.fetch(`/api/chats/images?with=${to.uid}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', origin: w.app.url },
      body: new Uint8Array(body),
    });
    const result = (await answer.json()) as { ok: boolean; value?: { imageId: string }; error?: { code: string } };
    return { code: result.error?.code ?? 'ok', imageId: result.value?.imageId ?? '' };
  }

  /** A picture that stays large. */
  async function noise([width, height] = [1200, 900]): Promise<Buffer> {
    const create = {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', sigma: 90 },
    };
    return await sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 90 } } } as never)
      .png()
      .toBuffer();
  }

  async function kept(w: SocketWorld, { uid }: Person): Promise<number> {
    const rows = await w.db.selectFrom('images').select('bytes').where('uploader', '=', uid).execute();
    return rows.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  const send = (from: Tab, to: Tab, text: string, imageId?: string) =>
    from.ask('chats/send', {
      uid: to.uid,
      clientId: newClientId(),
      text,
      ...(imageId === undefined ? {} : { imageId }),
    });

  async function chat(w: SocketWorld): Promise<[Tab, Tab]> {
    const [eve, ivo] = [await w.arrive('Eve'), await w.arrive('Ivo')];
    valueOf(await send(ivo, eve, 'hi'));
    valueOf(await send(eve, ivo, 'hi'));
    return [eve, ivo];
  }

  test('pictures of a day stay within the bound of a day, the refusal says until when, and others go on (CHAT-23)', async () => {
    const w = await open({ STORED_MB_PER_DAY: '1' });
    const [eve, ivo] = await chat(w);
    const picture = await noise();
    const codes: string[] = [];
    for (let n = 0; n < 12 && codes.at(-1) !== 'limit/stored-today'; n += 1) {
      w.clock.advance(30_000);
      const { code, imageId } = await upload(w, eve, ivo, picture);
      codes.push(code);
      if (code === 'ok') valueOf(await send(eve, ivo, '', imageId));
    }
    expect(codes.at(-1)).toBe('limit/stored-today');
    expect(await kept(w, eve)).toBeGreaterThan(200_000);
    expect(await kept(w, eve)).toBeLessThanOrEqual(1.1 * 1024 * 1024);
    expect((await upload(w, ivo, eve, picture)).code).toBe('ok');
    w.clock.advance(dayMs);
    expect((await upload(w, eve, ivo, picture)).code).toBe('ok');
  });

  test('pictures that come at one moment, beside those of another process, stay within the bound in all', async () => {
    const w = await open({ STORED_MB_PER_DAY: '100', STORED_MB_PER_PERSON: '1' });
    const [eve, ivo] = await chat(w);
    const picture = await noise([200, 150]);
    const { imageId } = await upload(w, eve, ivo, picture);
    const size = await kept(w, eve);
    const most = 1024 * 1024;
    // As if another process had left room for one more of them.
    const taken = w.db.updateTable('images').set({ bytes: Math.floor(most - 1.5 * size) });
    await taken.where('image_id', '=', imageId).execute();
    const uploads = await Promise.all([1, 2].map(() => upload(w, eve, ivo, picture)));
    expect(uploads.map(({ code }) => code).sort()).toEqual(['limit/stored-in-all', 'ok']);
    expect(await kept(w, eve)).toBeLessThanOrEqual(most);
  });

  test('pictures and messages stay within the bound in all over days, and deleting gives room back', async () => {
    const w = await open({ STORED_MB_PER_DAY: '1', STORED_MB_PER_PERSON: '1' });
    const [eve, ivo] = await chat(w);
    const picture = await noise();
    let last = await upload(w, eve, ivo, picture);
    for (let n = 0; n < 12 && last.code === 'ok'; n += 1) {
      valueOf(await send(eve, ivo, '', last.imageId));
      w.clock.advance(dayMs);
      last = await upload(w, eve, ivo, picture);
    }
    expect(last.code).toBe('limit/stored-in-all');
    expect(await kept(w, eve)).toBeLessThanOrEqual(1024 * 1024);
    // The rest of the room goes to text.
    let code = 'ok';
    for (let n = 0; n < 400 && code === 'ok'; n += 1) {
      w.clock.advance(2000);
      code = codeOf(await send(eve, ivo, '💡'.repeat(2000)));
      valueOf(await send(ivo, eve, 'ok'));
    }
    expect(code).toBe('limit/stored-in-all');
    await w.db.deleteFrom('images').where('uploader', '=', eve.uid).execute();
    w.clock.advance(dayMs);
    expect((await upload(w, eve, ivo, picture)).code).toBe('ok');
  });
});

test('the status page names who keeps most', async () => {
  const w = await openSocketWorld();
  const [eve, ivo] = [await w.arrive('Eve'), await w.arrive('Ivo')];
  for (const [from, to, text] of [
    [ivo, eve, 'short'],
    [eve, ivo, 'long '.repeat(300)],
  ] as const) {
    valueOf(await from.ask('chats/send', { uid: to.uid, clientId: newClientId(), text }));
  }
  const page = await (await w.app.visitor().fetch('/status')).text();
  expect(page).toContain('Messages and pictures, by person');
  expect(page.indexOf('<dt>Eve</dt>')).toBeGreaterThan(0);
  expect(page.indexOf('<dt>Eve</dt>')).toBeLessThan(page.indexOf('<dt>Ivo</dt>'));
});
