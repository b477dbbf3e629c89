/**
 * The two tabs of one writer, in which the outbox of the page runs over a storage that they share, each with a connection
 * of its own. A tab may be closed while what was written in it waits.
 */
import type { ClientId, PrivateMessage, Uid } from '@tunemate/protocol';
import { createOutbox, outboxStorage, type ToPerson, type Waiting } from '../../../web/src/messages/outbox.ts';
import { deviceClock } from '../../../web/src/store/clock.ts';
import type { SharedStorage } from '../../../web/src/store/lenient-storage.ts';
import { memoryBrowser } from '../../../web/testing/memory-storage.ts';
import { newClientId } from '../answers.ts';
import type { Member } from './crowd.ts';

const retryMs = 250;

interface WriterTabsParts {
  self: Uid;
  other: Uid;
  connect: () => Promise<Member>;
}

const isToPerson = (message: Waiting): message is Waiting<ToPerson> => message.uid !== undefined;

/** A message that the server has. */
export type Acknowledged = Pick<PrivateMessage, 'clientId' | 'number' | 'text'>;

/** `ids` has the client id of each message in the order in which they were written, in whichever tab. */
export function writerTabs(parts: WriterTabsParts, ids: string[]) {
  const browser = memoryBrowser(setImmediate);
  const answered = new Map<string, (message: Acknowledged) => void>();
  const open = () =>
    openTab(parts, {
      storage: browser.openTab(),
      onWritten: (clientId) => ids.push(clientId),
      onSent: (message) => answered.get(message.clientId)?.(message),
    });

  let tabs = [open(), open()];

  return {
    /** Writes one text in each tab at the same moment, and waits until the server has both, in their order. */
    async write(texts: readonly [string, string]): Promise<readonly Acknowledged[]> {
      while (tabs.length < texts.length) {
        const tab = open();
        tab.outbox.sendAll();
        tabs.push(tab);
      }
      return await Promise.all(
        texts.map((text, index) => {
          tabs[index]?.outbox.send({ uid: parts.other }, text);
          return new Promise<Acknowledged>((resolve) => void answered.set(ids.at(-1) ?? '', resolve));
        }),
      );
    },
    cut: () => tabs.forEach((tab) => tab.cut()),
    /** The one that wrote last; the other sends what waits. False where it is the only one. */
    closeOne(): boolean {
      const [first, last] = tabs;
      if (first === undefined || last === undefined) return false;
      last.close();
      tabs = [first];
      return true;
    },
    close: () => tabs.forEach((tab) => tab.close()),
  };
}

function openTab(
  { self, connect }: WriterTabsParts,
  {
    storage,
    onWritten,
    onSent,
  }: { storage: SharedStorage; onWritten: (clientId: string) => void; onSent: (message: Acknowledged) => void },
) {
  let member: Promise<Member> | null = null;
  let isClosed = false;

  async function connected(): Promise<Member> {
    const current = await member;
    if (current?.line.connected) return current;
    member = connect();
    return await member;
  }

  /** Until there is an answer; one that comes to a closed tab is lost. */
  async function deliver({ clientId, uid, text }: Waiting<ToPerson>) {
    for (;;) {
      const message = await connected()
        .then((tab) => tab.ask('chats/send', { clientId, uid, text }))
        .catch(() => null);
      if (isClosed) return { ok: false, error: { code: 'server/unavailable' } } as const;
      if (message !== null) return { ok: true, value: message } as const;
      member = null;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  const outbox = createOutbox<ToPerson, PrivateMessage>({
    clock: deviceClock,
    storage: outboxStorage(storage, deviceClock, self, isToPerson),
    newClientId() {
      const clientId: ClientId = newClientId();
      onWritten(clientId);
      return clientId;
    },
    deliver,
    onSent,
    longestPauseMs: 60_000,
  });
  return {
    outbox,
    cut: () => void member?.then(({ line }) => line.cut()).catch(() => undefined),
    close(): void {
      isClosed = true;
      outbox.close();
      void member?.then(({ line }) => line.disconnect()).catch(() => undefined);
    },
  };
}
