/**
 * Which folder may import what: ARCHITECTURE.md's table, as data. Each arrow has a name that a failed check prints.
 * Targets are paths from the root (`domain/src/index.ts`), `node:fs`, or `npm:react`. `<feature>` stands for the feature whose folder the importing file is in.
 */

/** The features: the same folder names in server and web. */
export const features = [
  'accounts',
  'rooms',
  'playback',
  'tunemates',
  'soulmate',
  'chats',
  'notifications',
  'presence',
  'catalogue',
  'beside',
];

/** All folders may use these. */
export const usedByAll = new Set(['language']);

/**
 * Which folder may use which: a folder imports from itself, from these and from `usedByAll`, and from nothing else of its
 * workspace. Files beside the folders assemble them and may use all.
 */
export const uses = {
  'server/src': {
    access: ['storage', 'system'],
    storage: ['system'],
    system: ['storage'],
    http: ['access', 'realtime', 'storage', 'system'],
    realtime: ['access', 'storage', 'system'],
    mail: ['storage', 'system'],
    accounts: ['access', 'http', 'mail', 'storage', 'system'],
    catalogue: ['access', 'http', 'storage', 'system'],
    presence: ['access', 'storage', 'system'],
    tunemates: ['access', 'storage', 'system'],
    people: ['presence', 'storage', 'system', 'tunemates'],
    notifications: ['access', 'storage', 'system'],
    soulmate: ['access', 'notifications', 'people', 'storage', 'system', 'tunemates'],
    playback: ['access', 'presence', 'realtime', 'storage', 'system'],
    rooms: ['access', 'notifications', 'people', 'playback', 'presence', 'storage', 'system', 'tunemates'],
    chats: ['access', 'http', 'notifications', 'people', 'soulmate', 'storage', 'system', 'tunemates'],
    beside: ['access', 'http', 'playback', 'rooms', 'storage', 'system'],
    reports: ['access', 'chats', 'notifications', 'rooms', 'storage', 'system'],
    push: ['access', 'http', 'presence', 'storage', 'system'],
    music: ['access', 'notifications', 'people', 'playback', 'presence', 'rooms', 'storage', 'system', 'tunemates'],
    listens: ['access', 'http', 'playback', 'presence', 'storage', 'system'],
    session: ['chats', 'notifications', 'people', 'storage', 'system', 'tunemates'],
    status: ['access', 'http', 'realtime', 'storage', 'system'],
    operator: ['accounts', 'app', 'reports', 'storage', 'system'],
  },
  'web/src': {
    store: [],
    ui: ['store'],
    connection: ['store'],
    words: ['connection', 'store', 'ui'],
    keyboard: ['store', 'ui'],
    messages: ['connection', 'keyboard', 'store', 'ui'],
    shell: ['accounts', 'connection', 'words', 'notifications', 'store', 'ui'],
    accounts: ['connection', 'words', 'notifications', 'store', 'ui'],
    catalogue: ['connection', 'words', 'store', 'ui'],
    library: ['catalogue', 'connection', 'words', 'store', 'ui'],
    tunemates: ['connection', 'words', 'store', 'ui'],
    soulmate: ['connection', 'words', 'store', 'ui'],
    playback: ['connection', 'words', 'store', 'ui'],
    beside: ['connection', 'playback', 'shell', 'store', 'ui', 'words'],
    people: ['connection', 'words', 'messages', 'soulmate', 'store', 'tunemates', 'ui'],
    'our-music': ['connection', 'words', 'people', 'shell', 'store', 'ui'],
    notifications: ['connection', 'words', 'rooms', 'shell', 'soulmate', 'store', 'tunemates', 'ui'],
    chats: ['connection', 'words', 'messages', 'people', 'shell', 'store', 'ui'],
    rooms: [
      ...['catalogue', 'chats', 'connection', 'words', 'library', 'messages', 'notifications', 'people', 'playback'],
      ...['shell', 'store', 'tunemates', 'ui'],
    ],
    home: [
      ...['accounts', 'chats', 'connection', 'words', 'messages', 'notifications', 'people', 'rooms', 'shell'],
      ...['soulmate', 'store', 'tunemates', 'ui'],
    ],
  },
};

const pure = '^(?:playback|protocol|domain)/';
const anyFeature = features.join('|');
const database = '^npm:(?:pg|better-sqlite3)(?:/|$)|^server/src/storage/database';
const transport = '^npm:(?:fastify|@fastify|ws)(?:/|$|-)|^server/src/http/|^server/src/realtime/';
const react = '^npm:(?:react|react-dom|radix-ui|lucide-react|sonner)(?:/|$)';

/**
 * @typedef {object} Arrow
 * @property {string} name
 * @property {string} from pattern of the importing file
 * @property {string} [only] every target must match this
 * @property {string} [never] no target may match this
 * @property {string} [typesOnly] such a target may be imported as a type only
 * @property {boolean} [alsoTests] holds for tests and what serves them too
 */

/** @type {readonly Arrow[]} */
export const arrows = [
  { name: 'playback imports nothing but itself', from: '^playback/src/', only: '^playback/src/' },
  {
    name: 'protocol imports the schema library, and types of playback',
    from: '^protocol/src/',
    only: '^protocol/src/|^npm:zod(?:/|$)|^playback/src/index\\.ts$',
    typesOnly: '^playback/',
  },
  { name: 'domain imports protocol only', from: '^domain/src/', only: '^(?:domain|protocol)/src/' },
  {
    name: 'product code imports no test kit, journey or bench',
    from: '^(?:playback|protocol|domain|server|web)/',
    never: '^(?:testkit|e2e|bench|scripts)/|^npm:(?:vitest|@playwright)|^(?:playback|web)/testing/',
  },
  {
    name: 'web brings its own test support',
    from: '^web/',
    never: '^(?:testkit|scripts)/',
    alsoTests: true,
  },
  { name: 'the server knows no screen', from: '^server/', never: '^web/' },
  // How the app is built runs in Node.
  { name: 'the web knows no server code', from: '^web/(?!vite\\.config\\.ts$|bundling/)', never: '^server/|^node:' },
  {
    name: 'the build of the web knows no server code',
    from: '^web/(?:vite\\.config\\.ts$|bundling/)',
    never: '^server/',
  },
  {
    name: 'pages know nothing of their build',
    from: '^web/(?:src|testing)/',
    never: '^web/(?:vite\\.config|bundling/)',
  },
  {
    name: 'shared server folders know no feature',
    from: '^server/src/(?:http|realtime|storage|access|mail)/',
    never: `^server/src/(?:${anyFeature})/`,
  },
  {
    name: 'a service knows no transport and no database',
    // In rooms every file beside a store is a service; `roster` and `membership` keep their statements beside them.
    from:
      '^server/src/<feature>/(?:[^/]*/)?[^/]*-service\\.ts$|' +
      '^server/src/rooms/(?!members/(?:membership|roster)\\.ts$)[^/]*/[^/]*(?<!-store)\\.ts$',
    never: `${transport}|${database}|-(?:routes|handlers)\\.ts$`,
    // A service passes its transaction to its stores.
    typesOnly: '^npm:kysely(?:/|$)',
  },
  {
    name: 'images are decoded and drawn in processes of their own',
    from: '^server/src/(?!chats/pictures/image-worker\\.ts$|http/link-card-worker\\.ts$)',
    never: '^npm:sharp(?:/|$)',
    typesOnly: '^server/src/chats/pictures/image-worker\\.ts$',
  },
  {
    name: 'a store knows no service and no transport',
    from: '^server/src/<feature>/(?:[^/]*/)?[^/]*-store\\.ts$',
    never: `${transport}|-(?:service|routes|handlers)\\.ts$`,
  },
  {
    name: 'routes and handlers know no store and no database',
    from: '^server/src/<feature>/(?:[^/]*/)?[^/]*-(?:routes|handlers)\\.ts$',
    never: `-store\\.ts$|^npm:kysely(?:/|$)|${database}`,
  },
  {
    name: 'a model knows no React and no DOM library',
    from: '^web/src/<feature>/(?:[^/]*/)?[^/]*-model\\.ts$',
    never: `${react}|\\.tsx$|\\.css$|^web/src/ui/`,
  },
  {
    name: 'a component reaches the server through its model only',
    from: '^web/src/<feature>/(?:[^/]*/)?[^/]*\\.tsx$',
    never: '^web/src/connection/(?!ids)',
  },
  {
    // The server draws the shapes too, of a room's code in the picture of its link.
    name: 'ui knows no feature',
    from: '^web/src/ui/',
    never: `^web/src/(?:connection|words|${anyFeature})/|${pure}(?!src/tile-shapes\\.ts$)`,
  },
  {
    name: 'what all chats share knows no feature',
    from: '^web/src/messages/',
    never: `^web/src/(?:${anyFeature})/`,
  },
  {
    name: 'the connection knows no React and no feature',
    from: '^web/src/connection/',
    never: `${react}|^web/src/(?:ui|${anyFeature})/`,
  },
];
