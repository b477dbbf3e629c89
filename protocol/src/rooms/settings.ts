/**
 * The settings of a room. One entry says what a setting is: the server stores it, hands it out, and takes changes of it
 * from here; docs/access.md prints `may`. Its words on the page stand in `web/src/rooms/sidebar/setting-words.ts`.
 */
import { z } from 'zod';
import { uid } from '../wire/fields.ts';
import { limits } from '../wire/limits.ts';

/** Who comes in without the host's approval; friends are the host's soulmate and tunemates. */
export const admissions = ['nobody', 'friends', 'invited', 'everybody'] as const;

/** One setting of a room. */
interface Setting {
  schema: z.ZodType;
  /** Of a new room, and of one that was stored before the setting came. */
  initial: unknown;
  /** Whose pages receive it: those of all members, or of the host. */
  seenBy: 'member' | 'host';
  /** 'rooms/set': the host, by that request. 'itself': requests of its own change it. */
  setBy: 'rooms/set' | 'itself';
  /** What the person who sets it may do, as in `RequestDeclaration`. */
  may: string;
}

export const roomSettings = {
  /** Who may play, pause, seek, choose and queue tracks beside the host: none, people whom the host chose, or all. */
  remoteUse: {
    schema: z.enum(['host', 'lent', 'everyone']),
    initial: 'host',
    seenBy: 'member',
    setBy: 'rooms/set',
    may: 'choose who may control what plays beside them: only themselves, people they lend the remote to, or all members',
  },
  /** Those to whom the remote is lent, present or not. */
  remoteHolders: {
    schema: z.array(uid).max(limits.remoteHolders),
    initial: [],
    seenBy: 'member',
    setBy: 'itself',
    may: 'lend the remote to a member or to a person they invited, or take it back',
  },
  /** Who comes in without the host's approval. */
  admits: {
    schema: z.enum(admissions),
    initial: 'nobody',
    seenBy: 'host',
    setBy: 'rooms/set',
    may: 'choose who comes in without approval',
  },
  /** Whether friends of the people in it see what they hear there, as each of these shows it. */
  friendsSee: {
    schema: z.boolean(),
    initial: true,
    seenBy: 'host',
    setBy: 'rooms/set',
    may: 'let friends of the people in the room see that it plays, or keep it to itself',
  },
  /** Whether the room takes no requests to join. */
  isLocked: {
    schema: z.boolean(),
    initial: false,
    seenBy: 'member',
    setBy: 'rooms/set',
    may: 'lock the room, or unlock it',
  },
  /** Whether proposals go straight to the queue. */
  everyoneAdds: {
    schema: z.boolean(),
    initial: false,
    seenBy: 'member',
    setBy: 'rooms/set',
    may: 'let guests add tracks, or end that',
  },
  /** Whether a track is skipped once more than half of the guests present vote for it. */
  majoritySkips: {
    schema: z.boolean(),
    initial: false,
    seenBy: 'member',
    setBy: 'rooms/set',
    may: 'let a majority of the guests skip, or end that',
  },
  /** How many seconds a guest waits from one message to the next; null while the chat is not slow. */
  slowSeconds: {
    schema: z.literal([5, 15, 60]).nullable(),
    initial: null,
    seenBy: 'member',
    setBy: 'rooms/set',
    may: 'slow the chat of the room for guests',
  },
  /** Whether the host has left the room to the house: it stays open without them while a person is inside. */
  housePlays: {
    schema: z.boolean(),
    initial: false,
    seenBy: 'member',
    setBy: 'itself',
    may: 'let the house play while they are away',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof roomSettings;

/** All settings of a room. */
export type RoomSettings = { [Name in SettingName]: z.infer<(typeof roomSettings)[Name]['schema']> };

/** The names of the settings of which `Said` is true. */
type NamesOf<Said> = { [Name in SettingName]: (typeof roomSettings)[Name] extends Said ? Name : never }[SettingName];

type Shape<Said> = { [Name in NamesOf<Said>]: (typeof roomSettings)[Name]['schema'] };

const entries = Object.entries<Setting>(roomSettings);

function shapeOf<Said extends Partial<Pick<Setting, 'seenBy' | 'setBy'>>>({ seenBy, setBy }: Said): Shape<Said> {
  const some = entries.filter(
    ([, each]) => (seenBy ?? each.seenBy) === each.seenBy && (setBy ?? each.setBy) === each.setBy,
  );
  return Object.fromEntries(some.map(([name, { schema }]) => [name, schema])) as Shape<Said>;
}

/** Of a new room. */
export const initialSettings = Object.fromEntries(
  entries.map(([name, { initial }]) => [name, initial]),
) as RoomSettings;

/** What the pages of all members receive of them. */
export const memberSettings = z.strictObject(shapeOf({ seenBy: 'member' } as const));
export type MemberSettings = z.infer<typeof memberSettings>;
/** Some of them; what is left out stays. */
export const memberSettingsPatch = memberSettings.exactPartial();

/** What the pages of the host alone receive of them. */
export const hostSettings = z.strictObject(shapeOf({ seenBy: 'host' } as const));
export type HostSettings = z.infer<typeof hostSettings>;
/** Some of them; what is left out stays. */
export const hostSettingsPatch = hostSettings.exactPartial();

/** What the host may change by 'rooms/set'; what is left out stays. */
export const settingsPatch = z.strictObject(shapeOf({ setBy: 'rooms/set' } as const)).exactPartial();
export type SettingsPatch = z.infer<typeof settingsPatch>;

export type Admission = RoomSettings['admits'];
/** How many seconds a guest waits from one message to the next while the chat is slow. */
export type SlowSeconds = NonNullable<RoomSettings['slowSeconds']>;
