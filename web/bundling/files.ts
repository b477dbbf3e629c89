/** Which modules share a file: few files, because each file more costs a far visitor a way there and back. */
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

/** What nearly every page loads besides: `lazy-part` and what loads parts, of which a page would load the first one else. */
const common =
  /vite[\\/]preload-helper|[\\/]react-dom[\\/]|[\\/]web[\\/]src[\\/](?:shell[\\/]BackToHome|store[\\/](?:lazy-part|media-query|use-model|use-now)|ui[\\/](?:VisuallyHidden|buttons[\\/]IconButton|fields[\\/]Field\.|icons[\\/](?:icons|door-icons)|layout[\\/]use-wide-screen))/;
/** Shared by pages behind signing in. */
const inside =
  /[\\/]web[\\/]src[\\/](?:rooms[\\/](?!visit[\\/]current|requests|join[\\/]join-words)|tunemates[\\/](?!use-|tunemate-words)|chats[\\/][^\\/]*-words|ui[\\/](?:records[\\/](?!Vinyl)|lists|use-picture|icons[\\/](?:marks|film-icons|inside-icons)))/;
/** Of signing in, which no room needs. */
const forms =
  /[\\/]web[\\/]src[\\/](?:store[\\/]use-busy|ui[\\/](?:buttons[\\/]ButtonGroup|feedback[\\/]Note|fields[\\/](?:Form|Text|Password)|layout[\\/]MeetingRecords))/;
/** Of signing in and signing up alone. */
const door =
  /[\\/]web[\\/]src[\\/](?:accounts[\\/]sign-in[\\/]sign-in-words|ui[\\/](?:fields[\\/]EmailField|layout[\\/]Poster))/;
/** Of signing up and of what follows a mail. */
const mails = /[\\/]web[\\/]src[\\/]accounts[\\/](?:MailSent|account-words|sign-in[\\/]next-room)/;
/** What neither signing in nor a room needs, before something in it is opened. */
const elsewhere =
  /[\\/]web[\\/]src[\\/](?:soulmate|ui[\\/](?:copy-text|dialogs[\\/]Sheet|fields[\\/]RadioRows|icons[\\/]page-icons|layout[\\/]TaskPage))/;
/** Of home and of screens to which it leads. */
const home =
  /[\\/]web[\\/]src[\\/](?:accounts[\\/]settings[\\/]account-settings-words|home[\\/]YourRooms|notifications[\\/](?:notification-words|use-inbox)|people[\\/]listen-together|rooms[\\/]join[\\/](?:create-model|join-words)|soulmate[\\/]use-take-back|store[\\/]first-track|tunemates[\\/](?:tunemate-words|use-tunemate-actions)|ui[\\/]records[\\/]Presence|words[\\/]home)/;
/** Small ones that a room shares with a page or two: each in a file of its own would weigh more than it says. */
const ofRooms =
  /[\\/]protocol[\\/]src[\\/](?:library-id|wire[\\/]stamps)|[\\/]web[\\/]src[\\/](?:messages[\\/](?:outbox|message-log)|playback[\\/](?:clock-sync|playback-view|players[\\/]page-timers)|rooms[\\/](?:room-words|chat[\\/]RoomChat\.module|join[\\/]CodeTiles)|shell[\\/]UnreadLink|store[\\/]speech|ui[\\/](?:buttons[\\/]Badge|keyboard-scroll|use-key-down|lists[\\/](?:Row|Section))|words[\\/](?:dates|use-answer-of))/;

const shared = { minShareCount: 4, maxModuleSize: 6000 };

/** The first takes a module and, with it, what it imports. */
export const groups = [
  { name: 'app', test: (id: string) => ofEntry.has(id) || common.test(id), priority: 3 },
  { ...shared, name: 'inside', test: (id: string) => inside.test(id) && !ofRooms.test(id), priority: 2 },
  { ...shared, name: 'room', test: ofRooms, minShareCount: 2, priority: 1 },
  { ...shared, name: 'forms', test: forms },
  { ...shared, name: 'door', test: door, minShareCount: 2 },
  { ...shared, name: 'mails', test: mails, minShareCount: 2 },
  { ...shared, name: 'elsewhere', test: elsewhere },
  { ...shared, name: 'home', test: home, minShareCount: 2 },
];
