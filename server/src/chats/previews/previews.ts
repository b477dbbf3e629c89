/**
 * Previews of links in private messages, where the operator has switched them on. The address is taken out of a stored
 * message that the caller can read, so that no caller makes this server fetch what was not sent in a chat. A page is
 * fetched once a day for the two of a chat, so that no time of an answer tells that other people share the link; what one
 * person and one chat cause is bounded, and so is what one host gets.
 */
import { mayHavePreview, previewedLink, putLatest } from '@tunemate/domain';
import type { LinkPreview, PairId, Result, Uid } from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import { createSlots } from '../../access/slots.ts';
import type { Handlers } from '../../access/subjects.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { mayNotice } from '../../people/ties.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { type PublicLine, publicLine } from '../../system/outside.ts';
import { accept, type Clock, systemCode, type Log, refuse } from '../../system/ports.ts';
import { shareReceipts } from '../chats-store.ts';
import { messageNumbered } from '../messages-store.ts';
import { fetchHead, type PageParts } from './page-fetch.ts';
import { wordsOf } from './page-words.ts';

/** Who asks, in which chat, and whether that may make this server fetch the page. */
interface Asking {
  asker: Uid;
  pairId: PairId;
  mayFetch: boolean;
}

export interface LinkPreviews {
  /** LINK_PREVIEWS. */
  isOn: boolean;
  /** Null for a page that has none, or that could not be read. */
  of(address: URL, asking: Asking): Promise<Result<LinkPreview | null>>;
}

/** While they are off, there is no such request. */
export function previewsService({ record, previews }: { record: StreamRecord; previews: LinkPreviews }) {
  const handlers: Pick<Handlers, 'chats/preview'> = {
    async 'chats/preview'({ caller, other, side }, { number }) {
      if (!previews.isOn) return refuse('access/not-found');
      const { db } = record;
      const message = await messageNumbered(db, caller.uid, side.pairId, number);
      if (message?.state !== 'shown') return refuse('access/not-found');
      const address = addressIn(message.text);
      if (address === null) return accept({ preview: null });
      const mayFetch = message.sender === caller.uid || (await mayShow(db, caller.uid, other));
      const found = await previews.of(address, { asker: caller.uid, pairId: side.pairId, mayFetch });
      return found.ok ? accept({ preview: found.value }) : found;
    },
  };
  return { handlers };
}

/** A fetch says to the web server of a link, which may be its sender's, that the message is on a screen. */
const mayShow = async (db: Db, reader: Uid, sender: Uid): Promise<boolean> =>
  (await shareReceipts(db, reader, sender)) &&
  !(await isBlockedBetween(db, reader, sender)) &&
  (await mayNotice(db, sender, reader));

function addressIn(text: string): URL | null {
  const link = previewedLink(text);
  if (link === null || !URL.canParse(link)) return null;
  const address = new URL(link);
  address.hash = '';
  return mayHavePreview(address) ? address : null;
}

export interface PreviewsDeps {
  /** LINK_PREVIEWS. */
  linkPreviews: boolean;
  clock: Pick<Clock, 'now'>;
  limits: Limits;
  log: Pick<Log, 'debug'>;
  /** Of Tunemate. */
  version: string;
  /** This server's own, which is never fetched. */
  publicUrl: () => string;
  /** Of words that name none. */
  encodingOf: PageParts['encodingOf'];
  line?: PublicLine | undefined;
}

const keptMs = 24 * 60 * 60_000;
/** What failed is tried again soon. */
const failureKeptMs = 10 * 60_000;
const mostKept = 1000;
/** Fetches under way in this process, of one person and in all. */
const atOnce = { perKey: 2, inAll: 16 };

interface Kept {
  preview: LinkPreview | null;
  untilMs: number;
}

/** Previews by chat and address, the latest used last. */
function keptPreviews(clock: PreviewsDeps['clock']) {
  const kept = new Map<string, Kept>();

  function recall(key: string): Kept | null {
    const known = kept.get(key);
    if (known === undefined) return null;
    if (clock.now() < known.untilMs) return putLatest(kept, key, known, mostKept);
    kept.delete(key);
    return null;
  }

  function keep(key: string, preview: LinkPreview | null): void {
    const untilMs = clock.now() + (preview === null ? failureKeptMs : keptMs);
    putLatest(kept, key, { preview, untilMs }, mostKept);
  }

  return { recall, keep };
}

export function openPreviews(deps: PreviewsDeps) {
  const { clock, limits, log, version, publicUrl, encodingOf, line = publicLine() } = deps;
  const { recall, keep } = keptPreviews(clock);
  const underWay = new Map<string, Promise<LinkPreview | null>>();
  const slots = createSlots(atOnce);
  const ending = new AbortController();

  const isOwn = ({ hostname }: URL): boolean => hostname === new URL(publicUrl()).hostname;
  const mayAsk = async ({ asker }: Asking, url: URL): Promise<boolean> =>
    !isOwn(url) &&
    (await limits.take('previewsOfHostByPerson', `${asker}:${url.hostname}`)).ok &&
    (await limits.take('previewsOfHost', url.hostname)).ok;

  async function fetchPreview(address: URL, asking: Asking): Promise<LinkPreview | null> {
    try {
      const html = await fetchHead(
        address,
        { line, version, encodingOf, mayAsk: (url) => mayAsk(asking, url) },
        ending.signal,
      );
      return html === null ? null : wordsOf(html);
    } catch (error) {
      // Without the address, which is of a private message.
      log.debug({ code: systemCode(error) }, 'chat.preview-failed');
      return null;
    }
  }

  /**
   * The budgets of who asks and of the chat: a person who sends many links does not use up the previews of other chats.
   */
  async function take({ asker, pairId }: Asking): Promise<Result<unknown>> {
    const ofChat = await limits.take('previewsOfChat', `${asker}:${pairId}`);
    return ofChat.ok ? await limits.take('previewsOfPerson', asker) : ofChat;
  }

  return {
    isOn: deps.linkPreviews,
    async of(address, asking) {
      const key = `${asking.pairId} ${address.href}`;
      const known = recall(key);
      if (known !== null) return accept(known.preview);
      const ongoing = underWay.get(key);
      if (ongoing !== undefined) return accept(await ongoing);
      if (!asking.mayFetch) return accept(null);
      const slot = slots.take(asking.asker);
      if (!slot.ok) return slot;
      const taken = await take(asking);
      // Another request may have begun it meanwhile.
      const begun = underWay.get(key) ?? (taken.ok ? fetchPreview(address, asking) : null);
      if (begun === null) {
        slot.value();
        return taken as Result<never>;
      }
      underWay.set(key, begun);
      try {
        const preview = await begun;
        keep(key, preview);
        return accept(preview);
      } finally {
        underWay.delete(key);
        slot.value();
      }
    },
    /** Ends what is being fetched, so that requests that wait for it are answered. */
    close: (): Promise<void> => {
      ending.abort();
      line.close();
      return Promise.resolve();
    },
  } satisfies LinkPreviews & { close(): Promise<void> };
}
