/**
 * Reads what decides whether one person comes into a room: who they are, their request, what stands between them and
 * the host, and how full the room is. One statement, so that all of it is of one moment.
 */
import { type RequestFact, requestLifetimeMs } from '@tunemate/domain';
import type { Participant, Uid } from '@tunemate/protocol';
import { type Kysely, sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { type RequestsTable, roomTables, type Schema } from '../../storage/schema.ts';

export interface Applicant {
  /** Null for an account that is deleted or disabled. */
  person: Participant | null;
  request: RequestFact | null;
  isMember: boolean;
  /** By the host. */
  isBlocked: boolean;
  /** Has blocked the host. */
  hasBlocked: boolean;
  /** When the host last invited them; null for never. */
  invitedAtMs: number | null;
  participants: number;
  /** How many people wait. */
  pending: number;
}

interface Row {
  name: string | null;
  online: number | null;
  status: RequestsTable['status'] | null;
  asked_at_ms: number;
  renewed_at_ms: number;
  answered_at_ms: number | null;
  times_asked: number;
  memberships: number;
  blocks: number;
  own_blocks: number;
  invited_at_ms: number | null;
  participants: number;
  pending: number;
}

export async function applicantOf(
  db: Kysely<Schema>,
  { kind, roomId, host }: Pick<RoomRow, 'kind' | 'roomId' | 'host'>,
  uid: Uid,
  nowMs: number,
): Promise<Applicant> {
  const [participants, requests] = [sql.table(roomTables[kind].participants), sql.table(roomTables[kind].requests)];
  const { rows } = await sql<Row>`
    select person.name, person.online, request.status, request.asked_at_ms, request.renewed_at_ms,
      request.answered_at_ms, request.times_asked,
      (select count(*) from ${participants} where room_id = ${roomId} and uid = ${uid}) as memberships,
      (select count(*) from blocks where uid = ${host} and blocked = ${uid}) as blocks,
      (select count(*) from blocks where uid = ${uid} and blocked = ${host}) as own_blocks,
      (select by_host_at_ms from room_invitations where room_id = ${roomId} and uid = ${uid}) as invited_at_ms,
      (select count(*) from ${participants} where room_id = ${roomId}) as participants,
      (select count(*) from ${requests} where room_id = ${roomId} and status = 'pending'
        and renewed_at_ms > ${nowMs - requestLifetimeMs}) as pending
    from (select 1 as one) as one
    left join users as person
      on person.uid = ${uid} and person.deleted_at_ms is null
        and person.disabled_at_ms is null and person.email_verified = 1
    left join ${requests} as request on request.room_id = ${roomId} and request.uid = ${uid}`.execute(db);
  const row = rows[0] as Row;
  const { status, asked_at_ms: askedAtMs, renewed_at_ms: renewedAtMs, answered_at_ms: answeredAtMs } = row;
  return {
    person: row.name === null ? null : { uid, name: row.name, online: row.online === 1 },
    request: status && { status, askedAtMs, renewedAtMs, answeredAtMs, timesDeclined: row.times_asked },
    isMember: row.memberships > 0,
    isBlocked: row.blocks > 0,
    hasBlocked: row.own_blocks > 0,
    invitedAtMs: row.invited_at_ms,
    participants: row.participants,
    pending: row.pending,
  };
}
