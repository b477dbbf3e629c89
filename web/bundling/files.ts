/** Which modules share a file: few files, because each file more costs a far visitor a way there and back. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const ofEntry = new Set<string>();

/** Finds the modules of ours that the entry imports at once, so that one file holds them: they compress better together. */
export function entryModules(): Plugin {
  return {
    name: 'entry-modules',
    apply: 'build',
    buildEnd() {
      const addImportsOf = (id: string): void => {
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
          // The packages name everything they have in one file; what is used of them comes along.
          if (ofEntry.has(imported) || !/[\\/]web[\\/]src[\\/].*\.tsx?$/.test(imported)) continue;
          ofEntry.add(imported);
          addImportsOf(imported);
        }
      };
      for (const id of this.getModuleIds()) if (/[\\/]web[\\/]src[\\/]main\.tsx$/.test(id)) addImportsOf(id);
    },
  };
}

/**
 * Modules of the repository by their paths: a folder ends in a slash, a file is named without its endings, so that its
 * style sheet comes with it. The build refuses a path that names nothing: a file that got another name would fall out unseen.
 */
interface Modules {
  readonly of: readonly string[];
  readonly but?: readonly string[];
}

const inFolder = (folder: string, names: readonly string[]): string[] => names.map((name) => `${folder}/${name}`);

/** What nearly every page loads besides: `lazy-part` and what loads parts, of which a page would load the first one else. */
const common: Modules = {
  of: [
    ...inFolder('web/src/store', ['lazy-part', 'media-query', 'use-model', 'use-now']),
    'web/src/ui/VisuallyHidden',
    'web/src/ui/buttons/IconButton',
    'web/src/ui/fields/Field',
    'web/src/ui/icons/icons',
    'web/src/ui/layout/use-wide-screen',
  ],
};
const packagesOfAll = /vite[\\/]preload-helper|[\\/]react-dom[\\/]/;

/** Small ones that a room shares with a page or two: each in a file of its own would weigh more than it says. */
const ofRooms: Modules = {
  of: [
    'protocol/src/library-id',
    'protocol/src/wire/stamps',
    'protocol/src/rooms/enqueue-batches',
    ...inFolder('web/src/messages', ['outbox', 'message-log']),
    ...inFolder('web/src/playback', ['clock-sync', 'playback-view', 'players/page-timers']),
    ...inFolder('web/src/rooms', ['room-words', 'chat/RoomChat.module', 'join/CodeTiles']),
    'web/src/shell/UnreadLink',
    ...inFolder('web/src/store', ['first-track', 'speech']),
    ...inFolder('web/src/ui', ['buttons/Badge', 'keyboard-scroll', 'use-key-down', 'lists/Row', 'lists/Section']),
    ...inFolder('web/src/words', ['dates', 'use-answer-of']),
  ],
};
/** What a room needs at once and its parts share with it. */
const stage: Modules = {
  of: [
    'domain/src/rooms/room-kinds',
    'playback/src/',
    'web/src/playback/players/',
    'web/src/playback/playback-words',
    ...inFolder('web/src/playback/deck', ['PlayerControls', 'PlayerFrame.module', 'PlayerNotices.module']),
    ...inFolder('web/src/playback/deck', ['SoundLine', 'screen-modes']),
    ...inFolder('web/src/rooms', ['chat/RoomChat', 'visit/room-model']),
    'web/src/store/use-slow-readable',
    'web/src/ui/deck/',
    'web/src/ui/feedback/RunningLine',
  ],
  but: ['web/src/playback/players/page-timers', 'web/src/rooms/chat/RoomChat.module'],
};
/** Shared by pages behind signing in. */
const inside: Modules = {
  of: [
    'web/src/rooms/',
    'web/src/tunemates/',
    'web/src/chats/chat-words',
    ...inFolder('web/src/ui', ['records/', 'lists/', 'use-picture']),
    ...inFolder('web/src/ui/icons', ['marks', 'film-icons', 'inside-icons']),
  ],
  but: [
    ...inFolder('web/src/rooms', ['visit/current-visit', 'requests/', 'join/join-words']),
    ...inFolder('web/src/tunemates', ['use-tunemate-actions', 'tunemate-words']),
    'web/src/ui/records/Vinyl',
    ...ofRooms.of,
  ],
};
/** Of signing in, which no room needs. */
const forms: Modules = {
  of: [
    'web/src/store/use-busy',
    ...inFolder('web/src/ui', ['buttons/ButtonGroup', 'feedback/Note', 'layout/MeetingRecords']),
    ...inFolder('web/src/ui/fields', ['Form', 'TextField', 'PasswordField']),
  ],
};
/** Of signing in and signing up alone. */
const door: Modules = {
  of: ['web/src/accounts/sign-in/sign-in-words', 'web/src/ui/fields/EmailField', 'web/src/ui/layout/Poster'],
};
/** Of signing up and of what follows a mail. */
const mails: Modules = {
  of: inFolder('web/src/accounts', ['MailSent', 'account-words', 'sign-in/next-room']),
};
/** What neither signing in nor a room needs, before something in it is opened. */
const elsewhere: Modules = {
  of: [
    'web/src/shell/BackToHome',
    'web/src/soulmate/',
    ...inFolder('web/src/ui', [
      'copy-text',
      'dialogs/Sheet',
      'fields/RadioRows',
      'icons/door-icons',
      'icons/page-icons',
      'layout/TaskPage',
    ]),
  ],
};
/** Of home and of screens to which it leads. */
const home: Modules = {
  of: [
    'web/src/accounts/settings/account-settings-words',
    'web/src/home/YourRooms',
    ...inFolder('web/src/notifications', ['notification-words', 'use-inbox-actions']),
    'web/src/people/listen-together',
    ...inFolder('web/src/rooms/join', ['create-model', 'join-words']),
    'web/src/soulmate/use-take-back',
    ...inFolder('web/src/tunemates', ['tunemate-words', 'use-tunemate-actions']),
    'web/src/ui/layout/BackOnBand',
    'web/src/ui/records/Presence',
    'web/src/words/home',
  ],
};

const repository = join(import.meta.dirname, '..', '..');

for (const { of, but = [] } of [common, ofRooms, stage, inside, forms, door, mails, elsewhere, home])
  refuseMissing([...of, ...but]);

/** @param places as in `Modules`. @throws for the first that names no folder and no file of the repository */
export function refuseMissing(places: readonly string[]): void {
  for (const place of places) {
    const path = join(repository, place);
    const isThere = place.endsWith('/')
      ? existsSync(path)
      : existsSync(dirname(path)) && readdirSync(dirname(path)).some((file) => file.startsWith(`${basename(path)}.`));
    if (!isThere) throw new Error(`web/bundling/files.ts: ${place} names no file`);
  }
}

/** @param id of the bundler: the module's whole path. */
function isOf({ of, but = [] }: Modules, id: string): boolean {
  const path = id.slice(repository.length + 1).replaceAll('\\', '/');
  const isAt = (place: string): boolean => path.startsWith(place.endsWith('/') ? place : `${place}.`);
  return of.some(isAt) && !but.some(isAt);
}
const test = (modules: Modules) => (id: string) => isOf(modules, id);

const shared = { minShareCount: 4, maxModuleSize: 6000 };

/** The first takes a module and, with it, what it imports. */
export const groups = [
  {
    name: 'app',
    test: (id: string) => ofEntry.has(id) || packagesOfAll.test(id) || isOf(common, id),
    priority: 3,
  },
  { ...shared, name: 'inside', test: test(inside), priority: 2 },
  { ...shared, name: 'room', test: test(ofRooms), minShareCount: 2, priority: 1 },
  { name: 'stage', test: test(stage), minShareCount: 2 },
  { ...shared, name: 'forms', test: test(forms) },
  { ...shared, name: 'door', test: test(door), minShareCount: 2 },
  { ...shared, name: 'mails', test: test(mails), minShareCount: 2 },
  { ...shared, name: 'elsewhere', test: test(elsewhere) },
  { ...shared, name: 'home', test: test(home), minShareCount: 2 },
];
