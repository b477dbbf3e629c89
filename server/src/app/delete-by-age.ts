/** Deletes in the background what has become too old, and folds the log of the database. Features decide what is old. */
import type { SessionsService } from '../accounts/sign-in/sessions.ts';
import { pruneSignUps } from '../accounts/sign-up/sign-up.ts';
import { forgetEndedChats } from '../chats/account-chats.ts';
import { forgetUnreadable } from '../chats/unreadable.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { pruneHeard } from '../presence/hearing-store.ts';
import { pruneEarlierWords } from '../storage/earlier-words.ts';
import { pruneReports } from '../reports/reports.ts';
import { pruneHistories } from '../rooms/history/history-store.ts';
import { pruneEndedRooms } from '../rooms/lifecycle/ended-rooms.ts';
import { pruneCounts } from '../rooms/suggested/heard-counts-store.ts';
import type { Ages } from '../storage/clock-steps.ts';
import type { Database } from '../storage/database.ts';
import type { StreamRecord } from '../storage/record.ts';
import { pruneChanges, pruneLogs } from '../storage/retention.ts';
import type { Background } from '../system/background.ts';
import type { Clock } from '../system/ports.ts';

const everyMs = { pruned: 60 * 60 * 1000, changesPruned: 60 * 1000, logFolded: 24 * 60 * 60 * 1000 };

interface Old {
  database: Pick<Database, 'foldLog'>;
  record: StreamRecord;
  clock: Clock;
  ages: Ages;
  sessions: SessionsService;
  mail: Pick<MailQueue, 'forgetOld'>;
}

export function deleteByAge(background: Pick<Background, 'every'>, parts: Old): void {
  const { database, record, clock, ages, sessions, mail } = parts;
  const prune = async () => {
    await sessions.forgetOld();
    await pruneSignUps({ record, clock, sessions });
    await mail.forgetOld();
    const ofReports = [pruneReports, pruneEarlierWords];
    for (const pruneRows of [pruneLogs, ...ofReports, pruneHistories, pruneHeard, pruneEndedRooms, pruneCounts])
      await pruneRows(record.db, clock.now());
    await forgetEndedChats(record);
    await forgetUnreadable(record, clock.now());
  };
  background.every(everyMs.pruned, 'prune', ages.unlessHeld(prune));
  background.every(everyMs.logFolded, 'database.fold-log', () => database.foldLog());
  // A client that was away for so long takes a snapshot: nothing is lost with these.
  background.every(everyMs.changesPruned, 'prune.changes', pruneChanges({ record, clock }));
}
