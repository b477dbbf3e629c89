/**
 * Where the server's own files lie. The only file that asks for its own place: built into `server/dist`, which is as
 * deep as `server/src`, all of it is one file.
 */
import { extname, join } from 'node:path';

const here = import.meta.dirname;

export const builtWeb = join(here, '../../web/dist');
export const bundledLibrary = join(here, '../../library');
export const ownPackageFile = join(here, '../package.json');
/** Programs of their own, TypeScript or built like this file. */
export const linkCardWorker = join(here, 'http', `link-card-worker${extname(import.meta.filename)}`);
export const imageWorker = join(here, 'chats', 'pictures', `image-worker${extname(import.meta.filename)}`);
/** A thread of its own, likewise. */
export const checkpointWorker = join(here, 'storage', 'sqlite', `checkpoint-worker${extname(import.meta.filename)}`);
