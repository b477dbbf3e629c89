/** More of the people of a room, for its members: pages of a large room, and those who are looked for. */
import type { Payload, Result, SomePeople } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import { accept } from '../../system/ports.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { somePeople } from './roster-store.ts';

export function rosterService({ record }: { record: StreamRecord }) {
  const people = async ({ read }: Member, { which }: Payload<'rooms/people'>): Promise<Result<SomePeople>> =>
    await read(async ({ room }) => accept(await somePeople(record.db, room, which)));
  return { handlers: { 'rooms/people': people } satisfies Partial<Handlers> };
}
