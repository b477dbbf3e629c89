/**
 * Stands in for the server at the two places where the page meets it: HTTP and the socket. Everything above that is the
 * product's own. What is answered must fit the protocol's schemas, and what was not foreseen fails the test.
 */
import {
  type AppConfig,
  type Entries,
  type ErrorCode,
  type HostChange,
  hostStream,
  httpRequests,
  type UserChange,
  type UserSnapshot,
  userStream,
  type EphemeralEvent,
  type Payload,
  type Refusal,
  type RequestName,
  type Result,
  type RoomChange,
  type RoomSnapshot,
  roomStream,
  type RouteName,
  type RoutePayload,
  type RouteValue,
  type SessionState,
  socketRequests,
  type StreamId,
  type Value,
} from '@tunemate/protocol';
import type { ChatImage } from '../messages/outbox-storage.ts';
import type { Link, LinkEvents, OpenLink } from '../connection/ports.ts';

type Name = RequestName | RouteName;
type PayloadOf<N extends Name> = N extends RequestName ? Payload<N> : N extends RouteName ? RoutePayload<N> : never;
type ValueOf<N extends Name> = N extends RequestName ? Value<N> : N extends RouteName ? RouteValue<N> : never;
type AnswerOf<N extends Name> = Result<ValueOf<N>> | Promise<Result<ValueOf<N>>>;
type Handler = (payload: unknown) => Result<unknown> | Promise<Result<unknown>>;

export const ok = <Given>(value: Given): { ok: true; value: Given } => ({ ok: true, value });
export const refused = (code: ErrorCode, more: Omit<Refusal, 'code'> = {}): { ok: false; error: Refusal } => ({
  ok: false,
  error: { code, ...more },
});
/** An answer that does not come. */
export const silence = (): Promise<never> => new Promise(() => undefined);

export interface FakeServer {
  readonly openLink: OpenLink;
  readonly fetch: typeof globalThis.fetch;
  /** How a request or route is answered from now on. */
  on<N extends Name>(name: N, answer: (payload: PayloadOf<N>) => AnswerOf<N>): void;
  /** How uploads of pictures are answered from now on. */
  onUpload(answer: (file: Blob) => Result<ChatImage> | Promise<Result<ChatImage>>): void;
  /** How the file of one's own data is answered from now on. */
  onExport(answer: () => Response): void;
  /** The payloads of each time this was asked, the first one first. */
  asked<N extends Name>(name: N): readonly PayloadOf<N>[];
  /** What was asked without an answer foreseen. */
  readonly unforeseen: readonly string[];
  /** A change of the person's own stream. */
  tell(change: UserChange): void;
  tellRoom(snapshot: RoomSnapshot, change: RoomChange): void;
  /** A change on the stream of the room's host. */
  tellHost(snapshot: RoomSnapshot, change: HostChange): void;
  sendEphemeral(news: EphemeralEvent): void;
  /** Nothing gets through in either direction until `mend`. */
  breakLine(): void;
  mend(): void;
  /** The server ends the line and says why. */
  sendAway(why: Refusal): void;
}

interface Start {
  readonly config: AppConfig;
  readonly session: SessionState;
  readonly snapshot: UserSnapshot | null;
}

export function createFakeServer({ config, session, snapshot }: Start): FakeServer {
  const handlers = new Map<Name, Handler>();
  const asked = new Map<Name, unknown[]>();
  const unforeseen: string[] = [];
  const seqs = new Map<StreamId, number>();
  let line: LineEnd | null = null;
  let isBroken = false;
  let userSeq = snapshot?.seq ?? 0;
  let exported: (() => Response) | null = null;
  let upload: ((file: Blob) => Result<ChatImage> | Promise<Result<ChatImage>>) | null = null;

  async function answer(name: Name, typed: unknown): Promise<Result<unknown>> {
    const declared = declarationOf(name);
    const payload = declared.payload.safeParse(typed);
    if (!payload.success) return refused('input/invalid');
    asked.set(name, [...(asked.get(name) ?? []), payload.data]);
    const handler = handlers.get(name);
    if (handler === undefined) {
      unforeseen.push(name);
      return silence();
    }
    const result = await handler(payload.data);
    return result.ok ? ok(declared.value.parse(result.value)) : result;
  }

  const tellOn = (stream: StreamId, from: number, change: RoomChange | HostChange): void =>
    line?.push(next(seqs, stream, from, change));
  const server: FakeServer = {
    openLink(events) {
      const opened = openLineEnd(events, answer);
      queueMicrotask(() => {
        if (isBroken) events.onLost(null);
        else events.onOpen();
      });
      line = opened;
      return opened.link;
    },
    async fetch(input, init) {
      const name = `${init?.method ?? 'GET'} ${new Request(input).url.slice(location.origin.length)}`;
      const payload: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      if (upload !== null && name.startsWith('POST /api/chats/images?') && init?.body instanceof Blob) {
        return Response.json(await upload(init.body));
      }
      if (exported !== null && name === 'GET /api/accounts/export') return exported();
      if (!isRoute(name)) {
        unforeseen.push(name);
        return silence();
      }
      if (isBroken) throw new TypeError('Failed to fetch');
      return Response.json(await answer(name, payload));
    },
    on(name, handler) {
      handlers.set(name, handler as Handler);
    },
    onUpload(next) {
      upload = next;
    },
    onExport(next) {
      exported = next;
    },
    asked: <N extends Name>(name: N) => (asked.get(name) ?? []) as PayloadOf<N>[],
    unforeseen,
    tell(change) {
      if (snapshot === null) throw new Error('nobody is signed in');
      userSeq += 1;
      line?.push({ stream: userStream(snapshot.user.uid), from: userSeq, changes: [change] });
    },
    tellRoom: ({ seq, room }, change) => tellOn(roomStream(room.roomId), seq, change),
    tellHost: ({ hostSeq, room }, change) => tellOn(hostStream(room.roomId), hostSeq ?? 0, change),
    sendEphemeral: (news) => line?.pass(news),
    breakLine() {
      isBroken = true;
      line?.lose(null);
    },
    mend() {
      isBroken = false;
    },
    sendAway: (why) => line?.lose(why),
  };
  foreseeTheUsual(server, { config, session, snapshot }, () => userSeq);
  return server;
}

/** The next change of a stream that stood at `seq` in the snapshot. */
function next(seqs: Map<StreamId, number>, stream: StreamId, seq: number, change: RoomChange | HostChange): Entries {
  const from = (seqs.get(stream) ?? seq) + 1;
  seqs.set(stream, from);
  return { stream, from, changes: [change] };
}

/** What every page asks on its way, answered as a server with nothing special to say does. */
function foreseeTheUsual(server: FakeServer, { config, session, snapshot }: Start, userSeq: () => number): void {
  server.on('GET /api/config', () => ok(config));
  server.on('GET /api/session', () => ok(session));
  server.on('session/hello', () =>
    snapshot === null ? refused('auth/required') : ok({ ...snapshot, seq: userSeq(), serverNowMs: Date.now() }),
  );
  server.on('clock/probe', () => ok({ serverReceivedMs: Date.now(), serverSentMs: Date.now() }));
  server.on('rooms/close', () => ok({}));
  server.on('playback/ready', () => ok({}));
  server.on('chats/list', () => ok({ conversations: [] }));
  server.on('chats/mark', () => ok({}));
  server.on('chats/typing', () => ok({}));
  server.on('notifications/markRead', () => ok({}));
}

interface LineEnd {
  readonly link: Link;
  push(batch: Entries): void;
  pass(news: EphemeralEvent): void;
  lose(refusal: Refusal | null): void;
}

function openLineEnd(
  events: LinkEvents,
  answer: (name: RequestName, payload: unknown) => Promise<Result<unknown>>,
): LineEnd {
  let isOpen = true;
  const whileOpen = (task: () => void): void => {
    if (isOpen) task();
  };
  return {
    link: {
      send(name, payload, onAnswer) {
        void answer(name, payload).then((result) => whileOpen(() => onAnswer(result)));
      },
      close() {
        isOpen = false;
      },
    },
    push: (batch) => whileOpen(() => events.onEntries(batch)),
    pass: (news) => whileOpen(() => events.onEphemeral(news)),
    lose(refusal) {
      whileOpen(() => events.onLost(refusal));
      isOpen = false;
    },
  };
}

const isRoute = (name: string): name is RouteName => Object.hasOwn(httpRequests, name);
const declarationOf = (name: Name) => (isRoute(name) ? httpRequests[name] : socketRequests[name]);
