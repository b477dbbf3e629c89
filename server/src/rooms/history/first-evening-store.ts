/** With whom a person has just had an evening, as long as they never chose who sees what they hear. */
import { withThumbnail } from '@tunemate/domain';
import { type EveningWith, roomKinds, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { withoutBlocks } from '../../people/blocks.ts';
import { lists } from '../../storage/people.ts';
import { type Db, roomTables } from '../../storage/schema.ts';
import { readStoredTrack } from '../../storage/stored-track.ts';
import { pastSpans } from './history-store.ts';

const leastMs = 10 * 60_000;
/** After this the evening is not news any more. */
const newForMs = 24 * 60 * 60_000;

/** One other person in a room that this person has left, for the time in which both were there. */
interface Company {
  uid: string;
  name: string;
  is_soulmate: number;
  room_id: string;
  after_number: number;
  from_ms: number;
  until_ms: number;
}

/** The soulmate comes first, then the person with whom it was longer. Of people who keep no history none is known. */
export async function firstEveningOf(db: Db, uid: Uid, nowMs: number): Promise<EveningWith | null> {
  const company = (await companyOf(db, uid, nowMs)).filter((one) => lengthOf(one) >= leastMs);
  const others = new Set(await withoutBlocks(db, uid, [...new Set(company.map((one) => one.uid as Uid))]));
  const first = company
    .filter((one) => others.has(one.uid as Uid))
    .toSorted((one, other) => other.is_soulmate - one.is_soulmate || lengthOf(other) - lengthOf(one));
  for (const one of first) {
    const heard = await heardIn(db, one);
    if (heard !== null) return { uid: one.uid as Uid, name: one.name, ...heard };
  }
  return null;
}

const lengthOf = ({ from_ms: from, until_ms: until }: Company): number => until - from;

/** Each other person is looked for by the rooms, of which a day has few. */
async function companyOf(db: Db, uid: Uid, nowMs: number): Promise<Company[]> {
  const left = sql`
    select other.uid, other.from_ms, other.until_ms, mine.room_id, mine.after_number, mine.from_ms as mine_from_ms,
      mine.until_ms as mine_until_ms
    from mine inner join room_histories as other on other.room_id = mine.room_id`;
  const present = roomKinds.map(
    (kind) => sql`
      select other.uid, other.joined_at_ms, cast(${nowMs} as bigint), mine.room_id, mine.after_number, mine.from_ms,
        mine.until_ms
      from mine
      inner join ${sql.table(roomTables[kind].rooms)} as room on room.room_id = mine.room_id and room.is_active = 1
      inner join ${sql.table(roomTables[kind].participants)} as other on other.room_id = room.room_id`,
  );
  const { rows } = await sql<Company>`
    with mine as materialized (select * from (${pastSpans(uid)}) as past where past.until_ms > ${nowMs - newForMs})
    select other.uid, person.name, other.room_id, other.after_number,
      case when me.soulmate = other.uid then 1 else 0 end as is_soulmate,
      case when mine_from_ms > other.from_ms then mine_from_ms else other.from_ms end as from_ms,
      case when mine_until_ms < other.until_ms then mine_until_ms else other.until_ms end as until_ms
    from users as me
    inner join (${sql.join([left, ...present], sql` union all `)}) as other on other.uid <> me.uid
    inner join users as person on person.uid = other.uid and person.deleted_at_ms is null and person.keeps_history = 1
    where me.uid = ${uid} and me.hearing_shown_to is null
      and (me.soulmate = other.uid or ${lists('me.uid', 'other.uid')} and ${lists('other.uid', 'me.uid')})`.execute(db);
  return rows;
}

/** What the room played in that time, from the track on that played when it began; null for nothing. */
async function heardIn(db: Db, { room_id: roomId, after_number: after, from_ms: from, until_ms: until }: Company) {
  const rows = await db
    .selectFrom('played_tracks')
    .select('track')
    .where('room_id', '=', roomId)
    .where('number', '>', after)
    .where('at_ms', '<', until)
    .where(({ eb, selectFrom }) =>
      eb(
        'at_ms',
        '>=',
        eb.fn.coalesce(
          selectFrom('played_tracks as earlier')
            .select(({ fn }) => fn.max('earlier.at_ms').as('at'))
            .where('earlier.room_id', '=', roomId)
            .where('earlier.at_ms', '<=', from),
          eb.val(from),
        ),
      ),
    )
    .orderBy('number')
    .execute();
  const last = rows.at(-1);
  return last ? { tracks: rows.length, last: withThumbnail(readStoredTrack(last.track)) } : null;
}
