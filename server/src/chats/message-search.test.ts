/** What a search in private chats finds, for whom, and what it must never find. */
import { markedParts, pairIdOf } from '@tunemate/domain';
import { limits, type PairId, type Payload, socketRequests, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { leastCpuMs, turnsDuring } from '@tunemate/testkit/least-cpu';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSearchedAnew } from '../storage/migrations/0075-messages-searched-anew.ts';
import { indexEarlierMessages } from './message-index.ts';

describeEachDialect('searching private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
  });
  afterAll(() => world.close());

  async function send(by: Uid, to: Uid, text: string, more: Partial<Payload<'chats/send'>> = {}) {
    world.clock.advance(1000);
    return (await world.said(by, 'chats/send', { uid: to, text, clientId: newClientId(), ...more })).message;
  }
  const search = async (by: Uid, words: string) => await world.said(by, 'chats/search', { words });
  const found = async (by: Uid, words: string) => (await search(by, words)).found.map(({ excerpt }) => excerpt);
  const foundIn = async (by: Uid, pairId: PairId, words: string) =>
    (await world.said(by, 'chats/searchInChat', { pairId, words })).found.map(({ excerpt }) => excerpt);
  const people = async (...names: string[]) => await Promise.all(names.map((name) => world.addPerson(name)));
  const two = async () => (await people('Ada', 'Bob')) as [Uid, Uid];
  /** Two people who have both written. */
  async function partners(): Promise<[Uid, Uid]> {
    const [ada, bob] = await two();
    await send(ada, bob, '1');
    await send(bob, ada, '2');
    return [ada, bob];
  }

  test('finds words by their beginnings, newest first, with the chat, the sender and the time (CHAT-30)', async () => {
    const [ada, bob] = await two();
    const first = await send(ada, bob, 'The concert begins at eight');
    await send(bob, ada, 'Shall we eat first?');
    const last = await send(bob, ada, 'Concerts are best outside');
    expect(await search(ada, 'concert')).toEqual({
      found: [
        {
          pairId: last.pairId,
          number: 3,
          other: { uid: bob, name: 'Bob' },
          sender: bob,
          excerpt: 'Concerts are best outside',
          hasImage: false,
          timestamp: last.timestamp,
        },
        {
          pairId: last.pairId,
          number: 1,
          other: { uid: bob, name: 'Bob' },
          sender: ada,
          excerpt: 'The concert begins at eight',
          hasImage: false,
          timestamp: first.timestamp,
        },
      ],
      hasMore: false,
      isWhole: true,
    });
    expect(await found(bob, 'conc eig')).toEqual(['The concert begins at eight']);
    expect(await found(bob, 'oncert')).toEqual([]);
  });

  // PostgreSQL answers by turns of its own.
  if (dialect === 'sqlite')
    test('lets others be served between the messages of a page', async () => {
      const [ada, bob] = await partners();
      for (let n = 0; n < 4; n += 1) await send(ada, bob, 'long song '.repeat(200));
      const turns = await turnsDuring(async () => expect((await search(ada, 'song')).found).toHaveLength(4));
      expect(turns).toBeGreaterThanOrEqual(4);
    });

  test.each([
    ['Déjà-vu im Café', 'cafe deja', 'CAFÉ'],
    ['Straße und Ærø', 'strasse', 'aero'],
    ['I don’t know', 'dont', "don't"],
    ['Ёлка и ёж', 'елка', 'ЁЖ'],
    ['今日は音楽会です', '音楽', '会'],
    ['ไปดูหนังกัน', 'หนัง', 'กัน'],
    ['한국어로 말해요', '한국', '말해'],
    ['مرحبا بالعالم', 'مرحبا', 'بالعال'],
    ['Track 5 of 12', '5', '12'],
    ['اشتريت الكتاب أمس', 'كتاب', 'الكتاب', 'كتا'],
    ['كتبت بالكتاب وبالقلم', 'كتاب', 'قلم', 'بالقلم'],
    ['هدية للمعلم', 'معلم', 'المعلم'],
    ['قرأت كِتَابًا وَرسالة', 'كتابا', 'رسالة', 'الرسالة'],
    ['٢٠٢٦ सुबह ८ बजे', '2026', '8'],
    ['חזרתי מהבית ושכתבתי', 'בית', 'הבית', 'כתבתי'],
    ["Vive l'amour, dell'aria", 'amour', "l'amour", 'lamour', 'aria'],
    ['शुभ दिन, माँ', 'दिन', 'मां'],
    ['वह गई, नये लोग', 'गयी', 'नए'],
    ['مسؤول', 'مسئول'],
    ['コンピュータと髙橋さん', 'コンピューター', '高橋'],
    ['ヴァイオリン', 'バイオリン'],
    ['スーパーカー', 'カー', 'スーパーカー'],
    ['ग़ज़ल और हिन्दी', 'गजल', 'हिंदी'],
    ['がんばって ｶﾞｷﾞ', 'がん', 'ガギ'],
    ['น้ำตก', 'น้ำ', 'ตก'],
    ['대한민국 만세', '민국', '대한미', '국'],
    ['Der Haustürschlüssel fehlt', 'schlüssel', 'Schluess', 'haustuer', 'tuer'],
    ['See you 🎸❤️', '🎸', '❤', 'you 🎸'],
    ['👍🏽', '👍', '👍🏿'],
    ['nous 👨‍👩‍👧 🇫🇷', '👩', '👨‍👩‍👧', '🇫🇷'],
    ['AC/DC, Müller & P!nk, Vol. 2', 'acdc', 'ac/dc', 'mueller', 'and pink', 'vol2'],
    ['ACDC and Mueller', 'ac/dc', 'Müller'],
  ])('finds %j as people type it', async (text, ...queries) => {
    const [ada, bob] = await two();
    await send(ada, bob, text);
    for (const query of queries) expect([query, await found(bob, query)]).toEqual([query, [text]]);
    expect(await found(bob, 'nothing')).toEqual([]);
  });

  test.each([
    ['दान दो', 'दिन'],
    ['कुमार आया', 'कमर'],
    ['দান', 'দিন'],
    ['கலை', 'கல்'],
    ['かき', 'がき'],
    ['ビール', 'ビル'],
    ['アメリカ', 'カー'],
    ['มา', 'ม้า'],
    ['Hi 🎸', '🎺'],
    ['الله معك', 'له'],
    ['Love 💔', '💔 hate'],
  ])('does not find %j by %j, which is another word', async (text, query) => {
    const [ada, bob] = await two();
    await send(ada, bob, text);
    expect(await found(bob, query)).toEqual([]);
  });

  test('finds what a person may read alone, in their own chats (ACCESS-46)', async () => {
    const [ada, bob, eve] = (await people('Ada', 'Bob', 'Eve')) as [Uid, Uid, Uid];
    await send(ada, bob, 'our secret marmalade');
    await send(eve, ada, 'hello');
    expect(await found(eve, 'marmalade')).toEqual([]);
    // People with the same end of their uids share a part of the index.
    const twin = `Z${ada.slice(1)}` as Uid;
    expect(await found(twin, 'marmalade')).toEqual([]);
    const stranger = await world.ask(eve, 'chats/searchInChat', { pairId: pairIdOf(ada, bob), words: 'marmalade' });
    expect(stranger).toEqual({ ok: false, error: { code: 'access/not-found' } });
    expect(await foundIn(ada, pairIdOf(ada, eve), 'marmalade')).toEqual([]);
    expect(await foundIn(ada, pairIdOf(ada, bob), 'marmalade')).toEqual(['our secret marmalade']);
  });

  test('finds the text as it is now: edited, not deleted, not hidden by this person (CHAT-31)', async () => {
    const [ada, bob] = await two();
    const message = await send(ada, bob, 'zeppelin');
    const of = { pairId: message.pairId, number: message.number };
    const reply = await send(bob, ada, 'which one?', { replyTo: message.number });
    expect(await found(bob, 'zeppelin')).toHaveLength(1);
    await world.said(ada, 'chats/edit', { ...of, clientId: newClientId(), text: 'balloon', edits: 1 });
    expect([await found(bob, 'zeppelin'), await found(bob, 'balloon')]).toEqual([[], ['balloon']]);
    await world.said(bob, 'chats/hide', { ...of, isHidden: true });
    expect([await found(bob, 'balloon'), await found(ada, 'balloon')]).toEqual([[], ['balloon']]);
    await world.said(bob, 'chats/hide', { ...of, isHidden: false });
    expect(await found(bob, 'balloon')).toEqual(['balloon']);
    await world.said(ada, 'chats/delete', of);
    expect([await found(bob, 'balloon'), await found(ada, 'balloon')]).toEqual([[], []]);
    await world.said(bob, 'chats/edit', {
      pairId: reply.pairId,
      number: reply.number,
      clientId: newClientId(),
      text: '🎵',
      edits: 1,
    });
    await world.said(bob, 'chats/edit', {
      pairId: reply.pairId,
      number: reply.number,
      clientId: newClientId(),
      text: 'again',
      edits: 2,
    });
    expect(await found(ada, 'again')).toEqual(['again']);
  });

  test('leaves out chats with people whom the searching person has blocked (CHAT-32)', async () => {
    const [ada, bob] = await two();
    const { pairId } = await send(bob, ada, 'quicksand');
    await world.said(ada, 'chats/block', { uid: bob, isBlocked: true });
    expect(await found(ada, 'quicksand')).toEqual([]);
    expect(await foundIn(ada, pairId, 'quicksand')).toEqual(['quicksand']);
    // The blocked person can't tell by a search.
    expect(await found(bob, 'quicksand')).toEqual(['quicksand']);
    await world.said(ada, 'chats/block', { uid: bob, isBlocked: false });
    expect(await found(ada, 'quicksand')).toEqual(['quicksand']);
  });

  test('gives no word of a query a meaning of its own (CHAT-30)', async () => {
    const [ada, bob] = await two();
    await send(ada, bob, 'alpha beta');
    const attacks = [
      ...[
        '"',
        '""',
        "'",
        "' or 1=1 --",
        '*',
        'alpha*',
        '"alpha',
        'alpha"',
        'terms : alpha',
        '{terms} : alpha',
        '^alpha',
      ],
      ...['alpha NEAR beta', 'NEAR(alpha beta)', 'alpha AND beta', 'alpha OR gamma', 'NOT alpha', '-alpha', '+alpha'],
      ...[
        'alpha & beta',
        'alpha | gamma',
        '!alpha',
        'alpha <-> beta',
        'alpha:*',
        '(alpha',
        'alpha)',
        "alpha'",
        '\\',
        'a\\',
      ],
      ...['...', '🎵', '\u0301', '́', '-', '%', '_', '$1', '?', 'the', 'and or not'],
    ];
    const answers = await Promise.all(
      attacks.map(async (words) => [words, await world.ask(bob, 'chats/search', { words })] as const),
    );
    expect(answers.filter(([, { ok }]) => !ok)).toEqual([]);
    expect(await found(bob, 'alpha OR gamma')).toEqual([]);
    expect(await found(bob, 'NOT alpha')).toEqual([]);
    expect(await found(bob, '"alpha" beta*')).toEqual(['alpha beta']);
    for (const marks of ['...', '🎵', '" *']) expect(await found(bob, marks)).toEqual([]);
  });

  test('takes no query longer than others (CHAT-30)', async () => {
    const [ada, bob] = await two();
    await send(ada, bob, 'a long evening');
    const { payload } = socketRequests['chats/search'];
    expect(payload.safeParse({ words: 'x'.repeat(100_000) }).success).toBe(false);
    for (const words of [
      'x'.repeat(limits.searchQueryLength),
      'b '.repeat(limits.searchQueryLength / 2),
      '日'.repeat(limits.searchQueryLength),
    ])
      expect(await found(bob, words)).toEqual([]);
  });

  test('finds the first message of a time or later that this person sees (CHAT-30)', async () => {
    const [ada, bob] = await partners();
    const sent = [];
    for (let n = 3; n <= 40; n += 1) sent.push(await send(n % 2 ? ada : bob, n % 2 ? bob : ada, `m${String(n)}`));
    const pairId = pairIdOf(ada, bob);
    const first = async (since: number) => (await world.said(ada, 'chats/firstSince', { pairId, since })).number;
    for (const { number, timestamp } of sent) {
      expect([number, await first(timestamp), await first(timestamp - 1)]).toEqual([number, number, number]);
    }
    expect([await first(0), await first(world.clock.now() + 1)]).toEqual([1, null]);
    const [{ number, timestamp } = expect.fail('nothing was sent')] = sent;
    await world.said(ada, 'chats/hide', { pairId, number, isHidden: true });
    expect(await first(timestamp)).toBe(number + 1);
    await world.said(ada, 'chats/clear', { pairId, upTo: 10 });
    expect([await first(0), await first(timestamp)]).toEqual([11, 11]);
  });

  test('answers a page at a time', async () => {
    const [ada, bob] = await partners();
    const count = limits.foundMessages + 5;
    for (let n = 1; n <= count; n += 1) await send(ada, bob, `song ${String(n)}`);
    const [first, second] = [
      await search(bob, 'song'),
      await world.said(bob, 'chats/search', { words: 'song', from: limits.foundMessages }),
    ];
    expect([first.found.length, first.hasMore, second.found.length, second.hasMore]).toEqual([
      limits.foundMessages,
      true,
      5,
      false,
    ]);
    expect([...first.found, ...second.found].map(({ number }) => number)).toEqual(
      Array.from({ length: count }, (_, n) => count + 2 - n),
    );
  });

  describe('messages stored before there was an index', () => {
    test('are those of the index of another version: it is made anew in the background (DEPLOY-8)', async () => {
      const [ada, bob] = await partners();
      for (const text of ['🎸 first', '🎸', 'والكتاب 🎸']) await send(ada, bob, text);
      await messagesSearchedAnew(world.record.db as Kysely<unknown>);
      await send(bob, ada, '🎸 since');
      expect([await found(ada, '🎸'), (await search(ada, '🎸')).isWhole]).toEqual([['🎸 since'], false]);
      await indexEarlierMessages(world.record)();
      expect(await found(ada, '🎸')).toEqual(['🎸 since', 'والكتاب 🎸', '🎸', '🎸 first']);
      expect([await found(ada, 'كتاب'), (await search(ada, '🎸')).isWhole]).toEqual([['والكتاب 🎸'], true]);
      await world.said(ada, 'chats/delete', { pairId: pairIdOf(ada, bob), number: 5 });
      expect(await found(ada, 'كتاب')).toEqual([]);
    });

    test('are added to it, newest first, and are found in the order of their times (DEPLOY-8)', async () => {
      const [ada, bob] = await partners();
      const { db } = world.record;
      for (let n = 1; n <= 250; n += 1) await send(ada, bob, `early ${String(n)}`);
      await db.updateTable('private_messages').set({ terms: null }).where('pair_id', '=', pairIdOf(ada, bob)).execute();
      if (dialect === 'sqlite')
        await db
          .updateTable('private_messages')
          .set({ search_id: null } as never)
          .where('pair_id', '=', pairIdOf(ada, bob))
          .execute();
      await send(bob, ada, 'early bird');
      expect(await search(ada, 'early')).toMatchObject({ found: [{ number: 253 }], isWhole: false });
      const edited = {
        pairId: pairIdOf(ada, bob),
        number: 202,
        clientId: newClientId(),
        text: 'earliest of all',
        edits: 1,
      };
      await world.said(ada, 'chats/edit', edited);
      await world.said(ada, 'chats/delete', { pairId: pairIdOf(ada, bob), number: 102 });
      await indexEarlierMessages(world.record)();
      expect(await search(ada, 'early')).toMatchObject({ hasMore: true, isWhole: true });
      expect((await search(ada, 'early')).found.map(({ number }) => number).slice(0, 3)).toEqual([253, 252, 251]);
      expect([await found(bob, 'earliest'), await found(bob, 'early 100'), await found(bob, 'early 99')]).toEqual([
        ['earliest of all'],
        [],
        ['early 99'],
      ]);
    });
  });
});

describe('marking what was found', () => {
  test.each([
    ['قرأت الكتاب', 'كتاب', 'قرأت [الكتاب]'],
    ['AC/DC live', 'acdc', '[AC/DC] live'],
    ['ok 👍🏽!', '👍', 'ok [👍🏽]!'],
    ['대한민국', '민구', '대한[민국]'],
    ['Haustürschlüssel, bitte', 'schluessel', '[Haustürschlüssel], bitte'],
    ['दान, दिन', 'दिन', 'दान, [दिन]'],
    ['abc音楽会', '音楽', 'abc[音楽]会'],
  ])('%j shows where %j is', (text, query, shown) => {
    const parts = markedParts(text, query);
    expect(parts.map(({ text: part, isFound }) => (isFound ? `[${part}]` : part)).join('')).toBe(shown);
    expect(parts.map((part) => part.text).join('')).toBe(text);
  });
});

describe('marking what was found in the longest message', () => {
  const text = 'あ'.repeat(limits.messageLength);
  const often = Array.from({ length: 10 });
  const cost = (query: string) => leastCpuMs(() => often.forEach(() => markedParts(text, query)), 5);

  test.each([
    ['is the query again and again', 'あ'.repeat(limits.searchQueryLength)],
    ['nearly is', `${'あ'.repeat(limits.searchQueryLength - 1)}い`],
    ['has all of its words', 'ああ '.repeat(limits.searchQueryLength / 3)],
  ])('that %s costs little more than of a short query', async (_what, query) => {
    expect(await cost(query)).toBeLessThan(3 * (await cost('い')));
  });

  test('marks each place, also those that overlap, and no more words than are searched for', () => {
    const marks = (of: string, query: string) =>
      markedParts(of, query)
        .map(({ text: part, isFound }) => (isFound ? `[${part}]` : part))
        .join('');
    expect(marks('いあああい', 'ああ')).toBe('い[あああ]い');
    expect(marks('音楽会の音楽', '音楽 会')).toBe('[音楽会]の[音楽]');
    const words = Array.from('abcdefghijklmnopqrst', (letter) => `${letter}word`);
    expect(marks('pword qword', words.join(' '))).toBe('[pword] qword');
  });
});
