import {
  byeWord,
  pingEveryMs,
  pingWord,
  pongWithinMs,
  pongWord,
  type Refusal,
  writeAnswer,
  writeEvent,
} from '@tunemate/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LinkEvents } from './port.ts';
import { linkOver, socketAddress } from './socket-link.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ['/tunemate/7F3A9C', '?room=7F3A9C'],
  ['/audio-room/000000', '?room=000000'],
  ['/tunemate/7f3a9c', '?room=7F3A9C'],
  ['/chat/AAAAAAAAAAAAAAAA7F3A9C', ''],
  ['/', ''],
])('the address of the socket names the room of %s for a balancer', (pathname, query) => {
  expect(socketAddress({ origin: 'https://house.example', pathname })).toBe(`wss://house.example/socket${query}`);
});

function setUp() {
  const listeners: Record<string, ((message: { data: unknown }) => void)[]> = {};
  const emit = (type: string, data?: unknown) => listeners[type]?.forEach((listener) => listener({ data }));
  const socket = {
    readyState: 0,
    sent: [] as string[],
    isClosed: false,
    addEventListener(type: string, listener: (message: { data: unknown }) => void) {
      (listeners[type] ??= []).push(listener);
    },
    send: (text: string) => void socket.sent.push(text),
    close: () => void (socket.isClosed = true),
  };
  const heard: string[] = [];
  const events: LinkEvents = {
    onOpen: () => void heard.push('open'),
    onLost: (refusal: Refusal | null) => void heard.push(`lost ${refusal?.code ?? ''}`),
    onEntries: (batch) => void heard.push(`entries ${batch.stream}`),
    onEphemeral: (event) => void heard.push(event.type),
  };
  const link = linkOver(socket, events);
  return {
    socket,
    link,
    heard,
    open() {
      socket.readyState = 1;
      emit('open');
    },
    arrive: (data: unknown) => emit('message', data),
    lose() {
      socket.readyState = 3;
      emit('error');
      emit('close');
    },
  };
}

const ok = (value: unknown) => ({ ok: true, value }) as const;

test('each answer reaches the request of its number once, in any order (CONN-19)', () => {
  const { socket, link, open, arrive } = setUp();
  open();
  const answers: unknown[] = [];
  for (const name of ['chats/list', 'clock/probe'] as const) {
    link.send(name, {}, (result) => answers.push([name, result]));
  }
  expect(socket.sent).toEqual(['[1,"chats/list",{}]', '[2,"clock/probe",{}]']);
  for (const frame of [
    writeAnswer(2, ok('b')),
    writeAnswer(9, ok('x')),
    writeAnswer(1, ok('a')),
    writeAnswer(1, ok('c')),
  ])
    arrive(frame);
  expect(answers).toEqual([
    ['clock/probe', ok('b')],
    ['chats/list', ok('a')],
  ]);
});

test('pings are answered, events are passed on, and what is unknown is ignored (CONN-19)', () => {
  const { socket, heard, open, arrive } = setUp();
  open();
  arrive(pingWord);
  arrive(writeEvent('entries', { stream: 'room:x', from: 1, changes: [] } as never));
  arrive(writeEvent('ephemeral', { type: 'chats/typing' } as never));
  for (const strange of ['', 'gong', '[', '["later",{}]', '[1]', new Uint8Array(2), null]) arrive(strange);
  expect(socket.sent).toEqual([pongWord]);
  expect(heard).toEqual(['open', 'entries room:x', 'chats/typing']);
});

test('the goodbye is the reason of the end, and nothing comes after it (CONN-19)', () => {
  const { socket, link, heard, open, arrive, lose } = setUp();
  open();
  let isAnswered = false;
  link.send('chats/list', {}, () => (isAnswered = true));
  arrive(writeEvent('goodbye', { code: 'client/outdated' }));
  arrive(writeAnswer(1, ok('late')));
  lose();
  link.send('chats/list', {}, () => (isAnswered = true));
  expect(heard).toEqual(['open', 'lost client/outdated']);
  expect([socket.isClosed, isAnswered, socket.sent.length]).toEqual([true, false, 1]);
});

test('a link that does not open within ten seconds, or whose server is silent, is lost (CONN-20)', () => {
  const slow = setUp();
  vi.advanceTimersByTime(10_000);
  expect([slow.heard, slow.socket.isClosed]).toEqual([['lost '], true]);
  slow.open();
  expect(slow.heard).toEqual(['lost ']);

  const { heard, open, arrive } = setUp();
  open();
  vi.advanceTimersByTime(pingEveryMs + pongWithinMs - 1);
  arrive(pingWord);
  vi.advanceTimersByTime(pingEveryMs + pongWithinMs - 1);
  expect(heard).toEqual(['open']);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(['open', 'lost ']);
});

test('a page that leaves says so, one that breaks off does not, and neither hears of the end (CONN-20)', () => {
  const [leaving, breaking, early] = [setUp(), setUp(), setUp()];
  for (const { open } of [leaving, breaking]) open();
  leaving.link.close();
  breaking.link.breakOff();
  early.link.close();
  for (const { lose } of [leaving, breaking, early]) lose();
  vi.advanceTimersByTime(100_000);
  expect([leaving.socket.sent, breaking.socket.sent, early.socket.sent]).toEqual([[byeWord], [], []]);
  expect([leaving.heard, breaking.heard, early.heard]).toEqual([['open'], ['open'], []]);
});
