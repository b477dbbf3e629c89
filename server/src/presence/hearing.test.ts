/** What people hear, as their friends see it: who may see it, when it begins and ends, and what it costs. */
import { type Hearing, type HearingAudience, type RoomKind, type Uid, userStream } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

/** What a page shows: nothing, that something plays, or that something played. */
type Shown = 'nothing' | 'hears' | 'heard';

const state = (hears: Pick<Hearing, 'untilMs'> | null | undefined): Shown =>
  !hears ? 'nothing' : hears.untilMs === null ? 'hears' : 'heard';

async function show(w: SocketWorld, tab: Tab, hearingShownTo: HearingAudience): Promise<void> {
  const browser = w.app.visitor();
  browser.setCookie(tab.cookie);
  valueOf((await browser.call('PATCH /api/accounts/me', { hearingShownTo })).result);
}

async function press(tab: Tab, room: Room, intent: object): Promise<void> {
  valueOf(await tab.send('playback/write', { ...room, tabId: tab.tabId, clientId: newClientId(), intent }));
}

/** What the tab shows of this person, by all that it received since its snapshot. */
function shownTo(tab: Tab, { uid }: { uid: Uid }): Shown {
  let shown = state(tab.snapshot.hears?.find((one) => one.uid === uid));
  const events = tab.ephemeral.filter((news) => news.type === 'presence/hears' && news.uid === uid);
  const last = events.at(-1);
  if (last?.type === 'presence/hears') shown = state(last.hears);
  // In these tests nothing is shown again after such an end.
  const isOver = tab.changes(userStream(tab.uid)).some(({ type }) => type === 'presence/hearingEnded');
  return isOver ? 'nothing' : shown;
}

async function freshly(w: SocketWorld, person: Tab, of: Tab): Promise<Shown> {
  const tab = await w.connect(person);
  tab.leave();
  return state(tab.snapshot.hears?.find(({ uid }) => uid === of.uid));
}

async function bind(w: SocketWorld, one: Tab, other: Tab): Promise<void> {
  valueOf(await one.ask('soulmate/ask', { uid: other.uid, clientId: newClientId() }));
  const tab = await w.connect(other);
  const id = tab.snapshot.notifications.find(({ type }) => type === 'soulmate')?.id ?? '';
  valueOf(await tab.ask('soulmate/accept', { id }));
  tab.leave();
}

describeEachDialect('what people hear', (makeDatabaseUrl) => {
  /** Jonas is in Ada's room. Mara is his tunemate, Sol his soulmate; Eve is a stranger and Pen has a chat with him. */
  async function stage(to: HearingAudience = 'tunemates', kind: RoomKind = 'video') {
    const log: string[] = [];
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), onStatement: (text) => log.push(text) });
    const names = ['Ada', 'Jonas', 'Mara', 'Sol', 'Eve', 'Pen'] as const;
    const tabs = await Promise.all(names.map((name) => w.arrive(name)));
    const [ada, jonas, mara, sol, eve, pen] = tabs as [Tab, Tab, Tab, Tab, Tab, Tab];
    const met = await w.room(mara, 'audio');
    await w.letIn(mara, jonas, met);
    valueOf(await mara.ask('rooms/leave', met));
    valueOf(await pen.ask('chats/send', { uid: jonas.uid, clientId: newClientId(), text: 'hi' }));
    valueOf(await sol.ask('chats/send', { uid: jonas.uid, clientId: newClientId(), text: 'hi' }));
    await bind(w, sol, jonas);
    const { room } = await w.roomWith(ada, kind, jonas);
    valueOf(await ada.ask('playback/takeControl', { ...room, tabId: ada.tabId }));
    await show(w, jonas, to);
    return { w, log, room, ada, jonas, mara, sol, eve, pen };
  }

  const sees = (tab: Tab, of: Tab, shown: Shown) => expect.poll(() => shownTo(tab, of)).toBe(shown);

  test('a track that begins is seen by soulmate and tunemates, and by no one else (PRES-50)', async () => {
    const { w, room, ada, jonas, mara, sol, eve, pen } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    for (const tab of [mara, sol, ada]) await sees(tab, jonas, 'hears');
    // What a page sends as the title of a track is not published in the name of its listeners.
    const news = mara.ephemeral.filter((each) => each.type === 'presence/hears');
    expect(JSON.stringify(news)).not.toContain('Track 1');
    await press(ada, room, { type: 'pause' });
    for (const tab of [mara, sol]) await sees(tab, jonas, 'heard');
    expect([shownTo(eve, jonas), shownTo(pen, jonas), shownTo(mara, ada)]).toEqual(['nothing', 'nothing', 'nothing']);
    const after = await Promise.all([mara, sol, eve, pen].map((tab) => freshly(w, tab, jonas)));
    expect(after).toEqual(['heard', 'heard', 'nothing', 'nothing']);
    await w.pass(24 * 60 * 60_000);
    expect(await freshly(w, mara, jonas)).toBe('nothing');
    expect(await w.db.selectFrom('hearing').select('uid').where('room', 'is', null).execute()).toEqual([]);
  });

  test('shown to the soulmate alone, tunemates see nothing; to nobody, nobody does (PRES-50)', async () => {
    const { w, room, ada, jonas, mara, sol } = await stage('soulmate');
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(sol, jonas, 'hears');
    expect([await freshly(w, mara, jonas), shownTo(mara, jonas)]).toEqual(['nothing', 'nothing']);
    await show(w, jonas, 'nobody');
    await sees(sol, jonas, 'nothing');
    await press(ada, room, { type: 'choose', track: trackOf(2) });
    valueOf(await sol.ask('clock/probe', {}));
    expect([shownTo(sol, jonas), await freshly(w, sol, jonas)]).toEqual(['nothing', 'nothing']);
  });

  test('a person may choose nobody while what they hear is stored, and nothing of it is left (PRES-50)', async () => {
    const { w, room, ada, jonas } = await stage('nobody');
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await press(ada, room, { type: 'pause' });
    const stored = () => w.db.selectFrom('hearing').select('uid').where('uid', '=', jonas.uid).execute();
    for (let n = 0; n < 30; n += 1) {
      await show(w, jonas, 'tunemates');
      // In turn: while their room is noted, and while its track begins.
      const begins = n % 2 === 0;
      if (begins) await expect.poll(stored).toHaveLength(1);
      await Promise.all([...(begins ? [press(ada, room, { type: 'play' })] : []), show(w, jonas, 'nobody')]);
      await press(ada, room, { type: 'pause' });
    }
    expect(await stored()).toEqual([]);
  });

  test('leaving, removal and the end of a room end it at once (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    valueOf(await jonas.ask('rooms/leave', room));
    await sees(mara, jonas, 'heard');
    await w.letIn(ada, jonas, room);
    valueOf(await jonas.ask('rooms/enter', room));
    await sees(mara, jonas, 'hears');
    valueOf(await ada.ask('rooms/removeParticipant', { ...room, uid: jonas.uid, forGood: false }));
    await sees(mara, jonas, 'heard');
    // What the room plays from now on is not seen of the person who was removed.
    const before = mara.ephemeral.length;
    await press(ada, room, { type: 'choose', track: trackOf(2) });
    valueOf(await mara.ask('clock/probe', {}));
    expect(mara.ephemeral.slice(before).filter(({ type }) => type === 'presence/hears')).toEqual([]);
  });

  test('a person who leaves one of two rooms is seen with what the other plays (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    const host = await w.arrive('Bea');
    const other = await w.room(host, 'audio');
    valueOf(await host.ask('rooms/enter', other));
    valueOf(await host.ask('playback/takeControl', { ...other, tabId: host.tabId }));
    await press(host, other, { type: 'choose', track: trackOf(2) });
    w.clock.advance(1000);
    const second = await w.connect(jonas);
    await w.letIn(host, second, other);
    valueOf(await second.ask('rooms/enter', other));
    const door = async () => valueOf(await mara.ask('presence/listenAlong', { uid: jonas.uid }));
    await expect.poll(door).toEqual(other);
    valueOf(await second.ask('rooms/leave', other));
    await expect.poll(door).toEqual(room);
    await sees(mara, jonas, 'hears');
  });

  test('a soulmate who is no tunemate any more is told again what plays (PRES-50)', async () => {
    const { w, room, ada, jonas, sol } = await stage('soulmate');
    const met = await w.room(sol, 'audio');
    await w.letIn(sol, jonas, met);
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(sol, jonas, 'hears');
    const told = () => sol.ephemeral.filter((news) => news.type === 'presence/hears' && news.uid === jonas.uid).length;
    const before = told();
    // Her page forgets what she was told at the end of a tie.
    valueOf(await sol.ask('tunemates/remove', { uid: jonas.uid }));
    await expect.poll(told).toBeGreaterThan(before);
  });

  test('a former tunemate, a former soulmate and a blocked person see nothing more (PRES-51)', async () => {
    const { w, room, ada, jonas, mara, sol } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    for (const tab of [mara, sol]) await sees(tab, jonas, 'hears');
    valueOf(await jonas.ask('tunemates/remove', { uid: mara.uid }));
    valueOf(await jonas.ask('chats/block', { uid: sol.uid, isBlocked: true }));
    const before = [mara.ephemeral.length, sol.ephemeral.length];
    await press(ada, room, { type: 'choose', track: trackOf(2) });
    await sees(ada, jonas, 'hears');
    for (const tab of [mara, sol]) valueOf(await tab.ask('clock/probe', {}));
    const heard = [mara, sol].flatMap((tab, at) =>
      tab.ephemeral.slice(before[at]).filter(({ type }) => type === 'presence/hears'),
    );
    expect(heard).toEqual([]);
    expect([await freshly(w, mara, jonas), await freshly(w, sol, jonas)]).toEqual(['nothing', 'nothing']);
    for (const tab of [mara, sol]) {
      expect(codeOf(await tab.ask('presence/listenAlong', { uid: jonas.uid }))).toBe('access/not-found');
    }
  });

  test('a tunemate whom a full list drops sees nothing more (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    const others = await Promise.all(Array.from({ length: 49 }, (_, n) => w.person(`Fay ${String(n)}`)));
    const rows = others.map(({ uid: mate }, n) => ({ uid: jonas.uid, mate, added_at_ms: 1, position: n + 2 }));
    await w.db.insertInto('audio_connections').values(rows).execute();
    const gus = await w.arrive('Gus');
    await w.letIn(jonas, gus, await w.room(jonas, 'audio'));
    await sees(mara, jonas, 'nothing');
    expect(await freshly(w, mara, jonas)).toBe('nothing');
  });

  test('a new soulmate is told what plays already, and again as a tunemate once they have parted (PRES-50)', async () => {
    const { w, room, ada, jonas, mara, sol } = await stage();
    valueOf(await sol.ask('soulmate/part', {}));
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    // Her page forgets what she was told at the end of a tie.
    const told = () => mara.ephemeral.filter((news) => news.type === 'presence/hears' && news.uid === jonas.uid).length;
    for (const tie of [() => bind(w, mara, jonas), () => mara.ask('soulmate/part', {})]) {
      const before = told();
      await tie();
      await expect.poll(told).toBeGreaterThan(before);
      expect(shownTo(mara, jonas)).toBe('hears');
    }
  });

  test('listening along leads to the door of the room while it plays, and nowhere else (PRES-52)', async () => {
    const { room, ada, jonas, mara, eve, pen } = await stage();
    const door = async (tab: Tab) => {
      const answer = await tab.ask('presence/listenAlong', { uid: jonas.uid });
      return answer.ok ? answer.value : answer.error.code;
    };
    expect(await door(mara)).toBe('access/not-found');
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    expect(await door(mara)).toEqual(room);
    expect([await door(eve), await door(pen), await door(jonas)]).toEqual(Array(3).fill('access/not-found'));
    // The door is the room's own: she has to ask.
    expect(codeOf(await mara.ask('rooms/enter', room))).toBe('room/not-member');
    valueOf(await ada.ask('rooms/leave', room));
    expect(await door(mara)).toBe('access/not-found');
  });

  test('what is shown names neither the room nor the people in it (PRES-52)', async () => {
    const { room, ada, jonas, mara } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    const sent = JSON.stringify([mara.ephemeral.filter(({ type }) => type === 'presence/hears'), mara.snapshot]);
    for (const secret of [room.code, ada.uid, 'Kitchen Radio', trackOf(1).videoId]) expect(sent).not.toContain(secret);
  });

  test('people who may not see it are sent nothing at all, whatever a person hears and wherever they go (PRES-52)', async () => {
    const { w, room, ada, jonas, mara, sol, eve, pen } = await stage();
    const gus = await w.arrive('Gus');
    await w.letIn(ada, gus, room);
    valueOf(await gus.ask('rooms/enter', room));
    valueOf(await ada.ask('rooms/removeParticipant', { ...room, uid: gus.uid, forGood: false }));
    valueOf(await jonas.ask('tunemates/remove', { uid: mara.uid }));
    valueOf(await jonas.ask('chats/block', { uid: sol.uid, isBlocked: true }));
    // What was said of their names and presence until now is not sent once more after that.
    for (let round = 0; round < 6; round += 1) await w.pass(15_000);
    const others = [mara, sol, eve, pen, gus];
    const sent = async () => {
      for (const tab of others) valueOf(await tab.ask('clock/probe', {}));
      return others.map(({ ephemeral, received }) => [...ephemeral, ...received]);
    };
    const before = await sent();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(ada, jonas, 'hears');
    await press(ada, room, { type: 'pause' });
    await sees(ada, jonas, 'heard');
    await press(ada, room, { type: 'play' });
    valueOf(await jonas.ask('rooms/close', room));
    await sees(ada, jonas, 'heard');
    valueOf(await jonas.ask('rooms/enter', room));
    await sees(ada, jonas, 'hears');
    valueOf(await jonas.ask('rooms/leave', room));
    await sees(ada, jonas, 'heard');
    await w.pass(15_000);
    expect(await sent()).toEqual(before);
    await w.close();
  });

  test('a person who comes into a room or shows it only then is seen with what plays (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage('nobody');
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await show(w, jonas, 'tunemates');
    await sees(mara, jonas, 'hears');
    valueOf(await jonas.ask('rooms/close', room));
    await sees(mara, jonas, 'heard');
    valueOf(await jonas.ask('rooms/enter', room));
    await sees(mara, jonas, 'hears');
    await w.leave(jonas);
    await w.pass(60_000);
    await sees(mara, jonas, 'heard');
  });

  test('a room that its host keeps to itself shows nothing of its people, and what it plays when that ends (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage();
    await press(ada, room, { type: 'choose', track: trackOf(1) });
    await sees(mara, jonas, 'hears');
    valueOf(await ada.ask('rooms/set', { ...room, settings: { friendsSee: false } }));
    await sees(mara, jonas, 'nothing');
    const before = mara.ephemeral.length;
    await press(ada, room, { type: 'choose', track: trackOf(2) });
    valueOf(await jonas.ask('rooms/close', room));
    valueOf(await jonas.ask('rooms/enter', room));
    valueOf(await mara.ask('clock/probe', {}));
    expect(mara.ephemeral.slice(before).filter(({ type }) => type === 'presence/hears')).toEqual([]);
    expect(await freshly(w, mara, jonas)).toBe('nothing');
    expect(codeOf(await mara.ask('presence/listenAlong', { uid: jonas.uid }))).toBe('access/not-found');
    valueOf(await ada.ask('rooms/set', { ...room, settings: { friendsSee: true } }));
    await sees(mara, jonas, 'hears');
  });

  test('changes of track, choice and place at one moment leave what is true (PRES-51)', async () => {
    const { w, room, ada, jonas, mara } = await stage();
    for (let round = 0; round < 8; round += 1) {
      await Promise.all([
        press(ada, room, { type: 'choose', track: trackOf(round) }),
        show(w, jonas, round % 2 === 0 ? 'soulmate' : 'tunemates'),
        jonas.ask(round % 3 === 0 ? 'rooms/close' : 'rooms/enter', room),
      ]);
    }
    valueOf(await jonas.ask('rooms/enter', room));
    await show(w, jonas, 'tunemates');
    await press(ada, room, { type: 'choose', track: trackOf(9) });
    await expect.poll(() => freshly(w, mara, jonas)).toBe('hears');
    const row = await w.db.selectFrom('hearing').select('video_id').where('uid', '=', jonas.uid).executeTakeFirst();
    expect(row?.video_id).toBe(trackOf(9).videoId);
  });

  test.each(['video', 'audio'] as const)(
    'a %s room of people who show nothing costs nothing more, one with 50 watchers two statements (PRES-53)',
    async (kind) => {
      const { w, log, room, ada, jonas } = await stage('nobody', kind);
      const isQuiet = async () => {
        for (let before = -1; before !== log.length; await new Promise((resolve) => setTimeout(resolve, 20)))
          before = log.length;
      };
      const costOf = async (n: number) => {
        await isQuiet();
        log.length = 0;
        await press(ada, room, { type: 'choose', track: trackOf(n) });
        await isQuiet();
        return log.filter((text) => !/^(?:begin|commit|rollback|savepoint|release)/.test(text)).length;
      };
      // The first track of a room replaces none.
      await press(ada, room, { type: 'choose', track: trackOf(0) });
      const without = Math.min(await costOf(1), await costOf(2), await costOf(3));
      const many = await Promise.all(Array.from({ length: 50 }, (_, n) => w.arrive(`Fay ${String(n)}`)));
      const tie = (uid: Uid, mate: Uid, position: number) => ({ uid, mate, added_at_ms: 1, position });
      const ties = many.flatMap((tab, n) => [tie(jonas.uid, tab.uid, n), tie(tab.uid, jonas.uid, 1)]);
      await w.db.insertInto('tunemates').values(ties).execute();
      await show(w, jonas, 'tunemates');
      const shown = Math.min(await costOf(4), await costOf(5), await costOf(6));
      for (const tab of many) await sees(tab, jonas, 'hears');
      expect(shown - without).toBeLessThanOrEqual(2);
    },
  );
});
