/**
 * A fake of the server behind HTTP and the socket; all code of the page above them is real. Answers must match the
 * protocol's schemas, and a request without an answer fails the test.
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
import type { ChatImage, ChatVoice } from '../../src/messages/outbox.ts';
import type { Link, LinkEvents, OpenLink } from '../../src/connection/port.ts';

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
/** An answer that never comes. */
export const silence = (): Promise<never> => new Promise(() => undefined);

export interface FakeServer {
  readonly openLink: OpenLink;
  readonly fetch: typeof globalThis.fetch;
  /** How a request or route is answered from now on. */
  on<N extends Name>(name: N, answer: (payload: PayloadOf<N>) => AnswerOf<N>): void;
  /** How uploads of images are answered from now on. */
  onUpload(answer: UploadHandler): void;
  /** How uploads of recordings are answered from now on. */
  onVoice(answer: VoiceHandler): void;
  /** How another route for files is answered from now on. */
  onFile(name: string, answer: (body: unknown, query: URLSearchParams) => Response): void;
  /** How the export of the user's data is answered from now on. */
  onExport(answer: () => Response): void;
  /** The payloads of all requests of this name, oldest first. */
  asked<N extends Name>(name: N): readonly PayloadOf<N>[];
  /** Names of requests that the test gave no answer for. */
  readonly unforeseen: readonly string[];
  /** Requests without an answer stay so from now on, and fail no test. */
  leaveUnanswered(): void;
  /** A change of the user stream. */
  tell(change: UserChange): void;
  pushToRoom(snapshot: RoomSnapshot, change: RoomChange): void;
  /** A change on the stream of the room's host. */
  pushToHost(snapshot: RoomSnapshot, change: HostChange): void;
  sendEphemeral(event: EphemeralEvent): void;
  /** Nothing gets through in either direction until `reconnect`. */
  disconnect(): void;
  reconnect(): void;
  /** What answers in the server's place from now on, over HTTP. */
  answerFor(stranger: Response | ((path: string) => Response | null)): void;
  /** The server closes the connection and sends a reason. */
  closeLink(reason: Refusal): void;
}

interface Start {
  readonly config: AppConfig;
  readonly session: SessionState;
  readonly snapshot: UserSnapshot | null;
}

export function createFakeServer(start: Start): FakeServer {
  const { snapshot } = start;
  const answers = createAnswers();
  const files = createFileRoutes();
  const seqs = new Map<StreamId, number>();
  let link: ServerLink | null = null;
  let isBroken = false;
  let stranger: (path: string) => Response | null = () => null;
  let userSeq = snapshot?.seq ?? 0;

  const push = (stream: StreamId, from: number, change: RoomChange | HostChange): void =>
    link?.push(next(seqs, stream, from, change));
  const server: FakeServer = {
    openLink(events) {
      const opened = openServerLink(events, answers.answer);
      queueMicrotask(() => {
        if (isBroken) events.onLost(null);
        else events.onOpen();
      });
      link = opened;
      return opened.link;
    },
    async fetch(input, init) {
      const { pathname, searchParams } = new URL(new Request(input).url);
      const strange = stranger(pathname);
      if (strange !== null) return strange;
      if (pathname === '/login') return new Response(document.documentElement.outerHTML);
      const name = `${init?.method ?? 'GET'} ${pathname}`;
      const file = await files.answer(name, init?.body, searchParams);
      if (file !== null) return file;
      if (!isRoute(name)) return answers.fail(name);
      if (isBroken) throw new TypeError('Failed to fetch');
      const query = Object.fromEntries(searchParams);
      const payload: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : query;
      return Response.json(await answers.answer(name, payload));
    },
    on: answers.on,
    onUpload: files.onUpload,
    onVoice: files.onVoice,
    onFile: files.onFile,
    onExport: files.onExport,
    asked: answers.asked,
    unforeseen: answers.unforeseen,
    leaveUnanswered: answers.leaveUnanswered,
    tell(change) {
      if (snapshot === null) throw new Error('no user is signed in');
      userSeq += 1;
      link?.push({ stream: userStream(snapshot.user.uid), from: userSeq, changes: [change] });
    },
    pushToRoom: ({ seq, room }, change) => push(roomStream(room.roomId), seq, change),
    pushToHost: ({ hostSeq, room }, change) => push(hostStream(room.roomId), hostSeq ?? 0, change),
    sendEphemeral: (event) => link?.sendEphemeral(event),
    disconnect() {
      isBroken = true;
      link?.lose(null);
    },
    reconnect() {
      isBroken = false;
    },
    answerFor(response) {
      stranger = typeof response === 'function' ? response : () => response.clone();
    },
    closeLink: (reason) => link?.lose(reason),
  };
  answerDefaults(server, start, () => userSeq);
  return server;
}

/** Records requests and answers them; both are checked by the protocol's schemas. */
function createAnswers() {
  const handlers = new Map<Name, Handler>();
  const asked = new Map<Name, unknown[]>();
  const unforeseen: string[] = [];
  let isQuiet = false;
  const fail = (name: string): Promise<never> => {
    if (!isQuiet) unforeseen.push(name);
    return silence();
  };
  return {
    unforeseen,
    fail,
    leaveUnanswered() {
      isQuiet = true;
    },
    on<N extends Name>(name: N, handler: (payload: PayloadOf<N>) => AnswerOf<N>): void {
      handlers.set(name, handler as Handler);
    },
    asked: <N extends Name>(name: N) => (asked.get(name) ?? []) as PayloadOf<N>[],
    async answer(name: Name, typed: unknown): Promise<Result<unknown>> {
      const declared = isRoute(name) ? httpRequests[name] : socketRequests[name];
      const payload = declared.payload.safeParse(typed);
      if (!payload.success) return refused('input/invalid');
      asked.set(name, [...(asked.get(name) ?? []), payload.data]);
      const result = await (handlers.get(name)?.(payload.data) ?? fail(name));
      return result.ok ? ok(declared.value.parse(result.value)) : result;
    },
  };
}

type VoiceHandler = (body: Blob) => Result<ChatVoice> | Promise<Result<ChatVoice>>;
type UploadHandler = (file: Blob) => Result<ChatImage> | Promise<Result<ChatImage>>;

/** The routes for files, which are not part of the protocol. */
function createFileRoutes() {
  let exported: (() => Response) | null = null;
  let upload: UploadHandler | null = null;
  let voice: VoiceHandler | null = null;
  const others = new Map<string, (body: unknown, query: URLSearchParams) => Response>();
  return {
    onFile(name: string, handler: (body: unknown, query: URLSearchParams) => Response): void {
      others.set(name, handler);
    },
    onUpload(handler: UploadHandler): void {
      upload = handler;
    },
    onVoice(handler: VoiceHandler): void {
      voice = handler;
    },
    onExport(handler: () => Response): void {
      exported = handler;
    },
    /** Null for other routes, and where the test gave no answer. */
    async answer(name: string, body: unknown, query: URLSearchParams): Promise<Response | null> {
      const other = others.get(name);
      if (other !== undefined) return other(body, query);
      if (upload !== null && name === 'POST /api/chats/images' && body instanceof Blob) {
        return Response.json(await upload(body));
      }
      if (voice !== null && name === 'POST /api/chats/voices' && body instanceof Blob) {
        return Response.json(await voice(body));
      }
      return exported !== null && name === 'GET /api/accounts/export' ? exported() : null;
    },
  };
}

/** The next change of a stream whose number was `seq` in the snapshot. */
function next(seqs: Map<StreamId, number>, stream: StreamId, seq: number, change: RoomChange | HostChange): Entries {
  const from = (seqs.get(stream) ?? seq) + 1;
  seqs.set(stream, from);
  return { stream, from, changes: [change] };
}

/** Default answers to the requests that every page sends. */
function answerDefaults(server: FakeServer, { config, session, snapshot }: Start, userSeq: () => number): void {
  server.on('GET /api/config', () => ok(config));
  server.on('GET /api/session', () => ok(session));
  server.on('session/hello', () =>
    snapshot === null ? refused('auth/required') : ok({ ...snapshot, seq: userSeq(), serverNowMs: Date.now() }),
  );
  server.on('clock/probe', () => ok({ serverReceivedMs: Date.now(), serverSentMs: Date.now() }));
  server.on('rooms/close', () => ok({}));
  server.on('rooms/mine', () => ok({ rooms: [] }));
  server.on('rooms/histories', () => ok({ isKept: true, histories: [] }));
  server.on('rooms/firstEvening', () => ok({ evening: null }));
  server.on('rooms/before', () => ok({ rooms: [] }));
  server.on('rooms/played', () => ok({ tracks: [], total: 0, from: null }));
  server.on('playback/ready', () => ok({}));
  server.on('chats/list', () => ok({ conversations: [] }));
  server.on('chats/mark', () => ok({}));
  server.on('chats/typing', () => ok({}));
  server.on('rooms/typing', () => ok({}));
  server.on('notifications/markRead', () => ok({}));
}

interface ServerLink {
  readonly link: Link;
  push(batch: Entries): void;
  sendEphemeral(event: EphemeralEvent): void;
  lose(refusal: Refusal | null): void;
}

function openServerLink(
  events: LinkEvents,
  answer: (name: RequestName, payload: unknown) => Promise<Result<unknown>>,
): ServerLink {
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
      breakOff() {
        isOpen = false;
      },
    },
    push: (batch) => whileOpen(() => events.onEntries(batch)),
    sendEphemeral: (event) => whileOpen(() => events.onEphemeral(event)),
    lose(refusal) {
      whileOpen(() => events.onLost(refusal));
      isOpen = false;
    },
  };
}

const isRoute = (name: string): name is RouteName => Object.hasOwn(httpRequests, name);
